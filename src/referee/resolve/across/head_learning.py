"""Training of heads across documents, on a CPU: the encoder stays as it is, so texts are read only once.

As the encoder is not tuned, the mention scorer and the pairwise scorer share nothing: training them one after
the other, continued or together, as Cattan et al. (2021) compare it, comes to the same here. Pairs are those
of annotated mentions; of the many that are not the same a part is drawn in each step, and weighs as all.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from referee.arrays import IntArray
from referee.formats.saving import save_bytes
from referee.resolve.across.across_head import AcrossHead
from referee.resolve.across.head_network import HeadNetwork
from referee.resolve.across.model import HEADS, SETTINGS
from referee.resolve.across.topic_material import KindMaterial, TopicMaterial

WARM = 0.06  # of all steps
KEPT_MEAN = 0.98  # of the running average of weights, which is what is kept
MENTION_WEIGHT = 4.0


@dataclass(frozen=True)
class HeadSettings:
    """How a head is trained."""

    epochs: int = 24
    rate: float = 1e-3
    seeds: tuple[int, ...] = (1, 2, 3)
    negatives: int = 3000  # pairs of a kind in a step
    documents: float = 0.5  # of a topic in a step
    dropout: float = 0.3


USUAL = HeadSettings()


def train_heads(
    topics: Sequence[TopicMaterial],
    settings: HeadSettings = USUAL,
    say: Callable[[str], None] | None = None,
) -> list[HeadNetwork]:
    """Train a head from each seed; on one core, so that the result is the same on every number of them."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        return [_Lesson(topics, settings, seed, say).learned() for seed in settings.seeds]
    finally:
        torch.set_num_threads(threads)


class _Lesson:
    """The training of one head."""

    def __init__(
        self,
        topics: Sequence[TopicMaterial],
        settings: HeadSettings,
        seed: int,
        say: Callable[[str], None] | None,
    ) -> None:
        torch.manual_seed(seed)
        self.topics, self.settings, self.say = topics, settings, say
        self.random = np.random.default_rng(seed)
        self.head = HeadNetwork(topics[0].states.shape[1], dropout=settings.dropout)
        told = np.concatenate([kind.features[::7] for topic in topics for kind in topic.kinds]).astype(
            np.float32
        )
        self.head.shift.copy_(torch.from_numpy(told.mean(0)))
        self.head.scale.copy_(torch.from_numpy(told.std(0) + 0.05))

    def learned(self) -> HeadNetwork:
        """Train, and keep the running average of the weights."""
        weights = list(self.head.parameters())
        optimizer = torch.optim.AdamW(weights, lr=self.settings.rate, weight_decay=0.01)
        mean = [weight.detach().clone() for weight in weights]
        steps = self.settings.epochs * len(self.topics)
        order = [
            topic for _ in range(self.settings.epochs) for topic in self.random.permutation(len(self.topics))
        ]
        for step, topic in enumerate(order):
            done = step / steps
            for group in optimizer.param_groups:
                group["lr"] = self.settings.rate * min(1.0, done / WARM + 0.02) * (1 - done)
            loss = self.loss(self.topics[topic])
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(weights, 1.0)
            optimizer.step()
            with torch.no_grad():
                torch._foreach_lerp_(mean, weights, 1 - min(KEPT_MEAN, (1 + step) / (10 + step)))
            if self.say and not (step + 1) % (4 * len(self.topics)):
                self.say(f"step {step + 1} of {steps}  loss {float(loss.detach()):.3f}")
        with torch.no_grad():
            for weight, average in zip(weights, mean, strict=True):
                weight.copy_(average)
        self.head.eval()
        return self.head

    def loss(self, topic: TopicMaterial) -> Tensor:
        """Measure one topic, some of its documents left out."""
        documents = np.unique(topic.document)
        kept = documents[self.random.random(documents.size) < self.settings.documents]
        kept = kept if kept.size > 3 else documents
        states = torch.from_numpy(topic.states)
        rows = np.flatnonzero(np.isin(topic.document, kept))
        odds = self.head.mention_odds(states, topic.spans.chosen(rows))
        loss = MENTION_WEIGHT * functional.cross_entropy(odds, torch.from_numpy(topic.label[rows]))
        for kind in topic.kinds:
            chosen, weight = self.drawn(kind, kept)
            if chosen.size:
                loss = loss + self._pair_loss(kind, states, chosen, weight)
        return loss

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

    def _pair_loss(self, kind: KindMaterial, states: Tensor, rows: IntArray, weight: Tensor) -> Tensor:
        vector = self.head.vectors(states, kind.spans)
        first, second = (torch.from_numpy(side[rows]) for side in kind.pairs)
        cosines = torch.from_numpy(kind.cosines[rows])
        features = torch.from_numpy(kind.features[rows].astype(np.float32))
        odds = self.head.pair_odds(vector[first], vector[second], kind.kind, cosines, features)
        same = torch.from_numpy(kind.same[rows])
        losses = functional.binary_cross_entropy_with_logits(odds, same, reduction="none")
        return (losses * weight).sum()


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
    save_bytes(folder / SETTINGS, (json.dumps(settings, indent=1) + "\n").encode())
