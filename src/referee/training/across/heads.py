"""Training of heads across documents, on a CPU: the encoder stays as it is, so texts are read only once.

`ways` defines what learns when, and from which pairs. Of the many pairs that do not corefer, a sample is
drawn in each step, and weighs as much as all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import Parameter, functional

from referee.arrays import IntArray
from referee.exceptions import SettingError
from referee.formats.io.saving import save_bytes
from referee.resolvers.across.head import AcrossHead
from referee.resolvers.across.model import HEADS, prune_spans
from referee.resolvers.neural.models import ACROSS, save_facts
from referee.training import constants
from referee.training.across.ways import APART, GIVEN, KEPT_SPANS, WAYS, Phase
from referee.training.data.topics import KindMaterial, TopicMaterial, TopicPart
from referee.training.loop import (
    Average,
    Optimization,
    Schedule,
    one_thread,
    parameter_group,
    reporting,
    take_steps,
)
from referee.training.networks.across_head import HeadNetwork

SCHEDULE = Schedule(first=constants.HEADS_FIRST)


@dataclass(frozen=True)
class HeadSettings:
    """How a head is trained."""

    epochs: int = constants.HEADS_EPOCHS
    longer: int = constants.LONGER  # times as many epochs while the mention scorer learns alone
    rate: float = constants.HEADS_RATE
    seeds: tuple[int, ...] = constants.SEEDS
    negatives: int = constants.NEGATIVES  # pairs of a kind in a step that are not the same
    documents: float = constants.DOCUMENTS  # the share of a topic's in a step
    dropout: float = constants.HEADS_DROPOUT
    way: str = APART
    # λ of each kind, where pairs are those of likely spans
    spans_per_word: tuple[float, float] = constants.HEADS_SPANS_PER_WORD

    def __post_init__(self) -> None:
        """Refuse a way that there is not."""
        if self.way not in WAYS:
            raise SettingError(f"way must be one of {', '.join(WAYS)}, not '{self.way}'")


USUAL = HeadSettings()


def train_heads(
    topics: Sequence[TopicMaterial],
    settings: HeadSettings = USUAL,
    report: Callable[[str], None] | None = None,
) -> list[HeadNetwork]:
    """Train a head from each seed; on one core, so that the result is the same on every number of them."""
    with one_thread():
        return [_HeadTraining(topics, settings, seed, report).learned() for seed in settings.seeds]


class _HeadTraining:
    """The training of one head."""

    def __init__(
        self,
        topics: Sequence[TopicMaterial],
        settings: HeadSettings,
        seed: int,
        report: Callable[[str], None] | None,
    ) -> None:
        torch.manual_seed(seed)
        self.topics, self.settings, self.report = topics, settings, report
        self.random = np.random.default_rng(seed)
        self.head = HeadNetwork(
            topics[0].states.shape[1], dropout=settings.dropout, shared=settings.way != APART
        )
        sample = [kind.features[::7] for topic in topics for kind in topic.kinds]
        features = np.concatenate(sample).astype(np.float32)
        self.head.shift.copy_(torch.from_numpy(features.mean(0)))
        self.head.scale.copy_(torch.from_numpy(features.std(0) + constants.SMALLEST_SPREAD))

    def learned(self) -> HeadNetwork:
        """Go through all phases."""
        for phase in WAYS[self.settings.way]:
            self.head.train()
            self.go_through(phase)
        self.head.eval()
        return self.head

    def learning(self, phase: Phase) -> list[Parameter]:
        """List the weights that learn in a phase; those that both scorers share are the mention scorer's."""
        of_mentions = {*self.head.mention.parameters()}
        return [weight for weight in self.head.parameters() if phase.learns(weight in of_mentions)]

    def go_through(self, phase: Phase) -> None:
        """Train, and keep the running average of the weights."""
        weights = self.learning(phase)
        epochs = self.settings.epochs * (1 if phase.pairs else self.settings.longer)
        order = [topic for _ in range(epochs) for topic in self.random.permutation(len(self.topics))]
        average = Average(weights, constants.HEADS_AVERAGE, steps=-1)  # as figures were measured
        take_steps(
            Optimization([parameter_group(weights, self.settings.rate)], average, SCHEDULE),
            order,
            lambda topic: self.loss(self.topics[topic], phase),
            len(order),
            after_step=reporting(self.report, 4 * len(self.topics), len(order)),
        )
        average.swap()

    def loss(self, topic: TopicMaterial, phase: Phase) -> Tensor:
        """Measure one topic, some of its documents left out."""
        documents = np.unique(topic.document)
        drawn = documents[self.random.random(documents.size) < self.settings.documents]
        drawn = drawn if drawn.size > constants.FEW_DOCUMENTS else documents
        part = topic.part(drawn)
        loss = torch.zeros((), requires_grad=True)  # also where there is nothing to learn
        if phase.mentions:
            odds = self.head.mention_odds(torch.from_numpy(part.states), part.spans)
            label = torch.from_numpy(topic.label[part.rows])
            loss = constants.MENTION_WEIGHT * functional.cross_entropy(odds, label)
        for kind in self.kinds(topic, part, phase):
            chosen, weight = self.drawn(kind, drawn)
            if chosen.size:
                odds, same = self.pair_odds(kind, part, chosen), torch.from_numpy(kind.same[chosen])
                loss = loss + functional.binary_cross_entropy_with_logits(odds, same, weight, reduction="sum")
        return loss

    def kinds(self, topic: TopicMaterial, part: TopicPart, phase: Phase) -> list[KindMaterial]:
        """Take the mentions whose pairs a phase compares."""
        if phase.pairs == KEPT_SPANS:
            return [topic.as_mentions(kind, rows) for kind, rows in enumerate(self.likeliest(part))]
        return topic.kinds if phase.pairs == GIVEN else []

    def likeliest(self, part: TopicPart) -> list[IntArray]:
        """Choose the spans that the mention scorer takes for mentions of each kind now, λ for each word."""
        self.head.eval()
        with torch.no_grad():
            odds = self.head.mention_odds(torch.from_numpy(part.states), part.spans)
        self.head.train()
        likely = odds.softmax(1).numpy()
        words = len(part.states) - 1
        chosen = [
            prune_spans(part.spans, likely[:, kind], 0.0, round(share * words))
            for kind, share in enumerate(self.settings.spans_per_word, start=1)
        ]
        return [part.rows[np.array(sorted(spans), np.int64)] for spans in chosen]

    def drawn(self, kind: KindMaterial, documents: IntArray) -> tuple[IntArray, Tensor]:
        """Draw pairs of some documents: all that are the same, some that are not; and what each weighs."""
        inside = np.isin(kind.document, documents)
        rows = np.flatnonzero(inside[kind.pairs.first] & inside[kind.pairs.second])
        same = kind.same[rows] > 0
        other = rows[~same]
        drawn = other
        if other.size > self.settings.negatives:
            drawn = np.sort(self.random.choice(other, self.settings.negatives, replace=False))
        weight = np.ones(int(same.sum()) + drawn.size, np.float32)
        weight[int(same.sum()) :] = other.size / max(drawn.size, 1)
        return np.concatenate([rows[same], drawn]), torch.from_numpy(weight / max(weight.sum(), 1.0))

    def pair_odds(self, kind: KindMaterial, part: TopicPart, rows: IntArray) -> Tensor:
        """Compare pairs that were drawn: log odds."""
        vector = self.head.vectors(torch.from_numpy(part.states), kind.spans.moved(part.local))
        first, second = (torch.from_numpy(side[rows]) for side in kind.pairs)
        cosines = torch.from_numpy(kind.cosines[rows])
        features = torch.from_numpy(kind.features[rows].astype(np.float32))
        return self.head.pair_odds(vector[first], vector[second], kind.kind, cosines, features)


def as_heads(networks: Sequence[HeadNetwork]) -> list[AcrossHead]:
    """Turn trained heads into those that answer, in the precision in which they are stored."""
    return [AcrossHead(network.arrays()) for network in networks]


def save_heads(
    folder: Path, networks: Sequence[HeadNetwork], settings: Mapping[str, Mapping[str, float]]
) -> None:
    """Write heads and settings into a model's folder."""
    from safetensors.numpy import save

    stored = {
        f"{number}/{name}": weight
        for number, network in enumerate(networks)
        for name, weight in network.arrays().items()
    }
    save_bytes(folder / HEADS, save(stored))
    save_facts(folder, settings, ACROSS)
