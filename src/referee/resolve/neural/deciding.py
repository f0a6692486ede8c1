"""From scores of antecedents to clusters, span by span in the order of the text."""

from __future__ import annotations

import numpy as np

from referee.arrays import FloatArray, IntArray

REACH = 1000  # how many earlier spans a span is compared with; older entities are remembered by one span each


class Decisions:
    """The clusters so far. A long text is decided part by part."""

    def __init__(self, least: float = 0.0, *, by_entity: bool = True) -> None:
        """Begin with none. `least` is what a link must score: more of it links less.

        A span's antecedents are alternatives, so an entity is as likely as its mentions together, which is
        what the network was taught: any of them is right. Otherwise the best single antecedent is chosen.
        """
        self.least, self.by_entity = float(np.exp(least)), by_entity
        self.clusters = np.zeros(0, np.int64)
        self.count = 0

    def decide(self, scores: FloatArray, candidates: IntArray) -> None:
        """Decide for the next spans; candidates are numbers of spans of the whole text.

        >>> entities = Decisions()
        >>> entities.decide(np.array([[-9, -9], [2, -9], [1, 1.5]]), np.array([[0, 0], [0, 0], [0, 1]]))
        >>> entities.clusters.tolist()
        [0, 0, 0]
        """
        begin = self.clusters.size
        self.clusters = np.r_[self.clusters, np.full(len(scores), -1)]
        weights = np.exp(np.minimum(scores, 50.0))
        hopeful = weights.sum(1) if self.by_entity else weights.max(1, initial=0.0)
        for row in np.flatnonzero(hopeful > self.least).tolist():
            antecedent, weight = self._best(weights[row], candidates[row])
            if weight > self.least:
                self._link(begin + row, antecedent)

    def remembered(self, before: int, reach: int = REACH) -> IntArray:
        """Name the last span of each entity that was last mentioned further back than spans are compared."""
        far = self.clusters[: max(before - reach, 0)]
        near = self.clusters[max(before - reach, 0) :]
        spans = np.flatnonzero((far >= 0) & ~np.isin(far, near))
        _, last = np.unique(far[spans][::-1], return_index=True)
        return np.sort(spans[::-1][last])

    def _best(self, weights: FloatArray, candidates: IntArray) -> tuple[int, float]:
        """Choose the best antecedent of the best entity, and say how much that entity weighs."""
        if not self.by_entity:
            best = int(weights.argmax())
            return int(candidates[best]), float(weights[best])
        own = self.clusters[candidates]
        groups = np.where(own < 0, -1 - candidates, own)  # a span without an entity is one by itself
        _, inverse = np.unique(groups, return_inverse=True)
        sums = np.bincount(inverse, weights)
        group = int(sums.argmax())
        best = int(np.where(inverse == group, weights, -1.0).argmax())
        return int(candidates[best]), float(sums[group])

    def _link(self, span: int, antecedent: int) -> None:
        if self.clusters[antecedent] < 0:
            self.clusters[antecedent] = self.count
            self.count += 1
        self.clusters[span] = self.clusters[antecedent]
