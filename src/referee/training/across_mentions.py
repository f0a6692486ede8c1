"""Training of mention scorers by themselves, from annotated spans and from what other scorers say of spans.

What is annotated is little, and a scorer soon knows it by heart: several that saw it, of different encoders,
are surer together than each, also of texts that nobody annotated. What they say there is what another learns
(Hinton et al. 2015), with the annotation now and then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from referee.arrays import IntArray
from referee.model import Corpus, Text
from referee.resolvers.across.head import LINKED_KINDS
from referee.resolvers.across.span_words import SpanWords, all_spans, spans_together
from referee.training.data.passages import PassageInput
from referee.training.mention_network import MentionNetwork
from referee.training.optimizing import Average

WARM = 0.06  # of all steps
SAID = 100  # steps between two lines
TOGETHER = 4000  # words that are judged at a time

Likely = npt.NDArray[np.float32]  # span → how likely it is no mention, an event, an entity


class SpanLesson(NamedTuple):
    """Texts, all spans of each, what an encoder sees of each, and what its spans are."""

    texts: Sequence[Text]
    spans: Sequence[SpanWords]
    inputs: Sequence[PassageInput]
    likely: Sequence[Likely]

    def joined(self, numbers: Sequence[int]) -> SpanWords:
        """Put the spans of some texts together, as if these were laid end to end."""
        before = np.cumsum([0, *(self.texts[number].length for number in numbers)]).tolist()
        own = zip(numbers, before, strict=False)
        return spans_together([self.spans[number].shifted(at) for number, at in own])


@dataclass(frozen=True)
class MentionSettings:
    """How a mention scorer is trained."""

    steps: int = 3000
    rate: float = 6e-5  # of an encoder's uppermost layer
    decay: float = 0.9  # of the rate, from layer to layer downwards
    head_rate: float = 1e-3
    words: int = 1200  # annotated ones in a step
    taught: int = 7000  # those of which others have spoken
    told_every: int = 64  # steps until annotated ones come again, where there are others
    average: float = 0.998
    seed: int = 1


USUAL_MENTIONS = MentionSettings()


def annotated_spans(corpus: Corpus) -> tuple[list[Text], list[SpanWords], list[Likely]]:
    """List the spans of each text, and what each is; gaps of mentions are filled."""
    kinds = [list(corpus.only(kind)) for kind in LINKED_KINDS]
    texts, spans, likely = list[Text](), list[SpanWords](), list[Likely]()
    for own in zip(*kinds, strict=True):
        text, known = own[0].text, dict[tuple[int, int], int]()
        for label, document in enumerate(own, start=1):
            for mention in document.mentions:
                known.setdefault((mention.start, mention.end - 1), label)
        every = all_spans(text)
        ends = zip(every.first.tolist(), every.last.tolist(), strict=True)
        labels = np.array([known.get(each, 0) for each in ends], np.int64)
        texts.append(text)
        spans.append(every)
        likely.append(np.eye(3, dtype=np.float32)[labels])
    return texts, spans, likely


def train_mentions(
    network: MentionNetwork,
    lesson: SpanLesson,
    settings: MentionSettings = USUAL_MENTIONS,
    taught: SpanLesson | None = None,
    say: Callable[[str], None] | None = None,
) -> MentionNetwork:
    """Train a network that was made, and keep the running average of its weights."""
    torch.manual_seed(settings.seed)
    optimizer = torch.optim.AdamW(
        network.rates(settings.rate, settings.decay, settings.head_rate), weight_decay=0.01
    )
    average = Average(network, settings.average)
    random = np.random.default_rng(settings.seed)
    told, untold = (
        None if each is None else _drawn(each, words, random)
        for each, words in ((lesson, settings.words), (taught, settings.taught))
    )
    network.train()
    for step in range(settings.steps):
        done = step / settings.steps
        for group in optimizer.param_groups:
            group["lr"] = group["base"] * min(1.0, done / WARM + 0.02) * (1 - done)
        parts = [] if taught is None or untold is None else [_loss(network, taught, next(untold))]
        if told is not None and (taught is None or not step % settings.told_every):
            parts.append(_loss(network, lesson, next(told)))
        loss = torch.stack(parts).sum()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        average.update()
        if say and not (step + 1) % SAID:
            say(f"step {step + 1} of {settings.steps}  loss {float(loss.detach()):.4f}")
    average.swap()
    return network.eval()


def _loss(network: MentionNetwork, lesson: SpanLesson, numbers: IntArray) -> Tensor:
    """Compare what a network says of the spans of some texts with what they are."""
    own = numbers.tolist()
    odds = network([lesson.inputs[number] for number in own], lesson.joined(own))
    wanted = torch.from_numpy(np.concatenate([lesson.likely[number] for number in own])).to(odds.device)
    return functional.cross_entropy(odds, wanted)


def _drawn(lesson: SpanLesson, words: int, random: np.random.Generator) -> Iterator[IntArray]:
    """Draw texts without end, each as often as the others, so many words at a time."""
    lengths = np.array([text.length for text in lesson.texts])
    while True:
        order = random.permutation(np.flatnonzero(lengths))
        part = np.cumsum(lengths[order]) // words
        yield from np.split(order, np.flatnonzero(np.diff(part)) + 1)


@torch.no_grad()
def span_chances(network: MentionNetwork, lesson: SpanLesson) -> list[Likely]:
    """Say of all spans of each text how likely they are none, an event or an entity."""
    chances: list[Likely] = []
    lengths = np.cumsum([text.length for text in lesson.texts])
    for numbers in np.split(np.arange(lengths.size), np.flatnonzero(np.diff(lengths // TOGETHER)) + 1):
        own = numbers.tolist()
        odds = network([lesson.inputs[number] for number in own], lesson.joined(own))
        sizes = [lesson.spans[number].size for number in own]
        chances += np.split(odds.softmax(1).float().cpu().numpy(), np.cumsum(sizes)[:-1])
    return chances


def chances_together(chances: Sequence[Sequence[Likely]]) -> list[Likely]:
    """Average what several scorers say."""
    return [np.mean(own, 0, dtype=np.float32) for own in zip(*chances, strict=True)]
