"""Training of mention scorers by themselves, from annotated spans and from what other scorers say of spans.

Annotation is scarce, and a scorer soon overfits to it. Several scorers with different encoders are better
together than each alone, also on texts without annotation. Another scorer learns their average there (Hinton
et al. 2015), and the annotation now and then.
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
from referee.training import constants
from referee.training.loop import Average, Optimization, Schedule, layer_rates, reporting, take_steps
from referee.training.networks.mention import MentionNetwork
from referee.training.networks.shapes import PassageInput

SCHEDULE = Schedule(first=constants.HEADS_FIRST)
REPORTED = 100  # steps between two lines
TOGETHER = 4000  # words that are judged at a time: a limit of memory

Likely = npt.NDArray[np.float32]  # span → how likely it is not a mention, an event, an entity


class SpanData(NamedTuple):
    """Texts, all spans of each, what an encoder sees of each, and what its spans are."""

    texts: Sequence[Text]
    spans: Sequence[SpanWords]
    inputs: Sequence[PassageInput]
    likely: Sequence[Likely]

    def joined(self, numbers: Sequence[int]) -> SpanWords:
        """Put the spans of some texts together, as if these were one text."""
        before = np.cumsum([0, *(self.texts[number].length for number in numbers)]).tolist()
        begins = zip(numbers, before, strict=False)
        return spans_together([self.spans[number].shifted(at) for number, at in begins])


@dataclass(frozen=True)
class MentionSettings:
    """How a mention scorer is trained."""

    steps: int = constants.MENTIONS_STEPS
    rate: float = constants.MENTIONS_RATE  # of an encoder's uppermost layer
    decay: float = constants.MENTIONS_LAYER_DECAY  # of the rate, from layer to layer downwards
    head_rate: float = constants.MENTIONS_HEAD_RATE
    words: int = constants.MENTIONS_WORDS  # annotated ones in a step
    taught: int = constants.MENTIONS_TAUGHT  # those that others have judged
    # steps until annotated ones come again, where there are others
    annotated_every: int = constants.MENTIONS_ANNOTATED_EVERY
    average: float = constants.MENTIONS_AVERAGE
    seed: int = 1


USUAL_MENTIONS = MentionSettings()


def annotated_spans(corpus: Corpus) -> tuple[list[Text], list[SpanWords], list[Likely]]:
    """List the spans of each text, and what each is; gaps of mentions are filled."""
    kinds = [list(corpus.of_kind(kind)) for kind in LINKED_KINDS]
    texts, spans, likely = list[Text](), list[SpanWords](), list[Likely]()
    for by_kind in zip(*kinds, strict=True):
        text, known = by_kind[0].text, dict[tuple[int, int], int]()
        for label, document in enumerate(by_kind, start=1):
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
    lesson: SpanData,
    settings: MentionSettings = USUAL_MENTIONS,
    taught: SpanData | None = None,
    report: Callable[[str], None] | None = None,
) -> MentionNetwork:
    """Train a network that was made, and keep the running average of its weights."""
    torch.manual_seed(settings.seed)
    groups = layer_rates(network, settings.rate, settings.decay, lambda _: settings.head_rate)
    average = Average(network.parameters(), settings.average)
    network.train()
    take_steps(
        Optimization(groups, average, SCHEDULE),
        _batches(lesson, settings, taught),
        lambda parts: torch.stack([_loss(network, data, numbers) for data, numbers in parts]).sum(),
        settings.steps,
        after_step=reporting(report, REPORTED, settings.steps),
    )
    average.swap()
    return network.eval()


def _batches(
    lesson: SpanData, settings: MentionSettings, taught: SpanData | None
) -> Iterator[list[tuple[SpanData, IntArray]]]:
    """Draw texts that others have judged, and now and then annotated ones; or these alone."""
    random = np.random.default_rng(settings.seed)
    annotated = _drawn(lesson, settings.words, random)
    if taught is None:
        yield from ([(lesson, numbers)] for numbers in annotated)
        return
    for step, numbers in enumerate(_drawn(taught, settings.taught, random)):
        due = not step % settings.annotated_every
        yield [(taught, numbers), *([(lesson, next(annotated))] if due else [])]


def _loss(network: MentionNetwork, lesson: SpanData, numbers: IntArray) -> Tensor:
    """Compare what a network says of the spans of some texts with what they are."""
    chosen = numbers.tolist()
    odds = network([lesson.inputs[number] for number in chosen], lesson.joined(chosen))
    wanted = torch.from_numpy(np.concatenate([lesson.likely[number] for number in chosen])).to(odds.device)
    return functional.cross_entropy(odds, wanted)


def _drawn(lesson: SpanData, words: int, random: np.random.Generator) -> Iterator[IntArray]:
    """Draw texts without end, each as often as the others, so many words at a time."""
    lengths = np.array([text.length for text in lesson.texts])
    while True:
        order = random.permutation(np.flatnonzero(lengths))
        part = np.cumsum(lengths[order]) // words
        yield from np.split(order, np.flatnonzero(np.diff(part)) + 1)


@torch.no_grad()
def span_chances(network: MentionNetwork, lesson: SpanData) -> list[Likely]:
    """Give for each span of each text how likely it is not a mention, an event or an entity."""
    chances: list[Likely] = []
    lengths = np.cumsum([text.length for text in lesson.texts])
    for numbers in np.split(np.arange(lengths.size), np.flatnonzero(np.diff(lengths // TOGETHER)) + 1):
        chosen = numbers.tolist()
        odds = network([lesson.inputs[number] for number in chosen], lesson.joined(chosen))
        sizes = [lesson.spans[number].size for number in chosen]
        chances += np.split(odds.softmax(1).float().cpu().numpy(), np.cumsum(sizes)[:-1])
    return chances


def chances_together(chances: Sequence[Sequence[Likely]]) -> list[Likely]:
    """Average what several scorers say."""
    return [np.mean(several, 0, dtype=np.float32) for several in zip(*chances, strict=True)]
