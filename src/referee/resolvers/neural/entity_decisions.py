"""From scores of pairs to clusters, mention by mention against whole entities.

A small network scores a mention against each entity that it may join, and against none. It was trained on its
own decisions, on texts that the network of pairs had not seen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from referee.arrays import FloatArray, IntArray
from referee.resolvers.neural.entities import NO_SCORE, Entity, Facts, PairScores, alone, fit, log_sum
from referee.resolvers.neural.forward import Floats
from referee.resolvers.neural.models import ENTITIES

MOST = 6  # entities that a mention is compared with: the best by their pairs
HOPELESS = -4.0  # what all pairs of a mention score together, in log odds, if it is linked to nothing


class EntityScorer:
    """The small networks, several that are averaged: for fitting an entity, and for beginning one."""

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        """Take the weights; each has the networks as its first dimension."""
        self.w = weights

    @classmethod
    def in_folder(cls, folder: Path) -> EntityScorer | None:
        """Load a model's scorer, if it has one."""
        from safetensors.numpy import load_file

        path = folder / ENTITIES
        return cls(load_file(path)) if path.exists() else None

    def scores(self, fits: Sequence[Sequence[float]], begins: Sequence[float]) -> FloatArray:
        """Give the scores of entities above that of none."""
        described = np.asarray(fits, np.float32)
        joined = self._run("fit", described) + self.w["scale"] * described[:, 0]
        return np.asarray(joined - self._run("alone", np.asarray([begins], np.float32)), np.float64)

    def _run(self, name: str, given: Floats) -> Floats:
        """Run the networks of one kind, and average."""
        w = self.w
        given = np.clip(given, w[f"{name}.lowest"], w[f"{name}.highest"])  # as far as it was trained
        hidden = (given - w[f"{name}.mean"]) / w[f"{name}.spread"]
        layer = 0
        while f"{name}.{layer + 1}.weight" in w:
            hidden = np.maximum(hidden @ w[f"{name}.{layer}.weight"] + w[f"{name}.{layer}.bias"], 0)
            layer += 1
        last = hidden @ w[f"{name}.{layer}.weight"] + w[f"{name}.{layer}.bias"]
        return np.asarray(last.mean(0)[:, 0])


class EntityDecisions:
    """The clusters so far, decided mention by mention against whole entities.

    It is used as `deciding.Decisions` is; `threshold` is what an entity must score above none.
    """

    def __init__(self, scorer: EntityScorer, facts: Facts, threshold: float = 0.0) -> None:
        """Begin with none."""
        self.scorer, self.facts, self.threshold = scorer, facts, threshold
        self.clusters = np.zeros(0, np.int64)
        self.scores = np.zeros(0)
        self.entities: list[Entity] = []

    def decide(self, scores: FloatArray, candidates: IntArray) -> None:
        """Decide for the next spans; candidates are numbers of spans of the whole text."""
        begin = self.clusters.size
        self.clusters = np.r_[self.clusters, np.full(len(scores), -1)]
        self.scores = np.r_[self.scores, scores.max(1, initial=NO_SCORE)]
        total = np.logaddexp.reduce(scores, axis=1)
        for row in np.flatnonzero(total > HOPELESS).tolist():
            possible = scores[row] > NO_SCORE
            options = self.options(candidates[row][possible].tolist(), scores[row][possible].tolist())
            above = self.compare(begin + row, options)
            best = int(above.argmax())
            if above[best] > self.threshold:
                self._join(begin + row, options.best[best].entity)
                self.scores[begin + row] = above[best]

    def compare(self, span: int, options: Options) -> FloatArray:
        """Score the best entities that a span may join above none."""
        return self.scorer.scores(*described(self.facts, span, options))

    def options(self, candidates: Sequence[int], scores: Sequence[float]) -> Options:
        """Group candidates by their entities, the best first; a span without an entity is one by itself."""
        grouped: dict[int, list[float]] = {}
        for candidate, score in zip(candidates, scores, strict=True):
            cluster = int(self.clusters[candidate])
            grouped.setdefault(cluster if cluster >= 0 else -1 - candidate, []).append(score)
        together = sorted(((log_sum(each), key) for key, each in grouped.items()), reverse=True)
        total = log_sum([score for score, _ in together])
        options = [
            Option(self.entities[key] if key >= 0 else Entity(self.facts, -1 - key), grouped[key])
            for _, key in together[:MOST]
        ]
        return Options(options, [score for score, _ in together[: MOST + 1]], total)

    def _join(self, span: int, entity: Entity) -> None:
        if self.clusters[entity.mentions[0]] < 0:
            self.clusters[entity.mentions[0]] = len(self.entities)
            self.entities.append(entity)
        entity.add(self.facts, span)
        self.clusters[span] = self.clusters[entity.mentions[0]]


class Option(NamedTuple):
    """An entity that a mention may join, with the scores of the pairs with its mentions."""

    entity: Entity
    scores: list[float]


class Options(NamedTuple):
    """The best entities that a mention may join; what the pairs of each score, and those of all."""

    best: list[Option]
    together: list[float]  # of one more than the best, if there are more
    total: float


def described(facts: Facts, span: int, options: Options) -> tuple[list[list[float]], list[float]]:
    """Describe a mention beside each of its best options, and alone."""
    first, second = (*options.together, NO_SCORE)[:2]
    fits = []
    for number, (option, together) in enumerate(zip(options.best, options.together, strict=False)):
        scored = PairScores(
            option.scores, together, first if number else second, _without(options.total, together)
        )
        fits.append(fit(facts, span, option.entity, scored))
    return fits, alone(facts, span, options.total, first)


def _without(total: float, part: float) -> float:
    """Take a part out of a sum of what scores stand for.

    >>> round(_without(log_sum([1.0, 2.0]), 1.0), 3)
    2.0
    """
    share = math.exp(part - total)
    return max(NO_SCORE, total + math.log1p(-share)) if share < 1 else NO_SCORE
