"""Average-link agglomerative clustering of sparse scored pairs, after Cattan et al. (2021, §4.2).

The two clusters with the highest average score of all pairs between them are merged, until no average
reaches a threshold. A pair that was never scored counts as `missing`, a score below the threshold; so an
average can reach the threshold only if some scored pair does, and what is merged is connected by such pairs.
Parts that are not connected by them are clustered one by one: memory grows with the scored pairs alone.

Scores are taken as whole multiples of 2⁻⁴⁰, so that sums are exact; of equal averages the one whose clusters
begin first is merged first. So neither the order of the pairs nor that of sums changes the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

import numpy as np

from referee.arrays import FloatArray, Grouped, IntArray, by_first_sight, connected_parts
from referee.exceptions import SettingError
from referee.resolvers.across.neighbours import RowPairs

UNIT = 2**40  # a score of 1
COUNTED = 48  # bits for a number of pairs, below the sum of their scores: one number is half the memory

_Offer = tuple[float, int, int, int, int]  # minus the average, two clusters, and how often each had grown


class Join(NamedTuple):
    """Two clusters that became one: the first number in each, and the average that decided."""

    first: int
    second: int
    average: float


def average_linkage(
    pairs: RowPairs, scores: FloatArray, size: int, threshold: float, missing: float = 0.0,
    *, members: IntArray | None = None, joins: list[Join] | None = None,
) -> IntArray:  # fmt: skip
    """Cluster the numbers 0 … size − 1: for each its cluster, numbered by first sight.

    A number may stand for a cluster of so many `members` already; then a score is the average of all pairs
    of two such clusters. `joins`, if given, is told of what is joined, step by step.

    >>> pairs = RowPairs(np.array([0, 0, 1, 2]), np.array([1, 2, 2, 3]))
    >>> average_linkage(pairs, np.array([0.9, 0.6, 0.4, 0.7]), 5, threshold=0.5).tolist()
    [0, 0, 1, 1, 2]
    """
    if not 0 <= missing < threshold:
        raise SettingError(f"missing={missing} must not reach threshold={threshold}: all would be merged")
    exact, bound = np.rint(scores * UNIT).astype(np.int64), round(threshold * UNIT)
    strong = exact >= bound
    part = connected_parts(pairs.first[strong], pairs.second[strong], size)
    inside = np.flatnonzero(part[pairs.first] == part[pairs.second])
    first, second, exact = pairs.first[inside], pairs.second[inside], exact[inside]
    cluster = np.arange(size)
    weights = [1] * size if members is None else members.tolist()
    groups = Grouped.of(part[first])
    for number in range(groups.sizes.size):
        rows = groups[number]
        linked = _Clusters(first[rows].tolist(), second[rows].tolist(), exact[rows].tolist(), bound, weights)
        for join in linked.merges(round(missing * UNIT)):
            cluster[join.second] = join.first
            if joins is not None:
                joins.append(join)
    return by_first_sight(_followed(cluster))[0]


def after_joins(label: IntArray, joins: Sequence[Join]) -> IntArray:
    """Number clusters by first sight when some of their members are joined, too; labels are less than rows.

    >>> after_joins(np.array([0, 0, 1, 2]), [Join(1, 3, 1.0)]).tolist()
    [0, 0, 1, 0]
    """
    first, second = (label[np.array([join[side] for join in joins], np.int64)] for side in (0, 1))
    return by_first_sight(connected_parts(first, second, label.size)[label])[0]


def _followed(cluster: IntArray) -> IntArray:
    """Lead each number to the one that its cluster began with."""
    while not np.array_equal(further := cluster[cluster], cluster):
        cluster = further
    return cluster


class _Clusters:
    """Clusters of one connected part, each called by its lowest number."""

    def __init__(
        self, first: list[int], second: list[int], scores: list[int], threshold: int, weights: list[int]
    ) -> None:
        members = {*first, *second}
        self.threshold = threshold
        self.sizes = {member: weights[member] for member in members}
        self.grown = dict.fromkeys(members, 0)
        self.sums: dict[int, dict[int, int]] = {member: {} for member in members}
        for a, b, score in zip(first, second, scores, strict=True):
            self.sums[a][b] = self.sums[b][a] = weights[a] * weights[b] * (score << COUNTED | 1)

    def merges(self, missing: int) -> list[Join]:
        """Merge while an average reaches the threshold: the cluster that stays, the other, the average."""
        offers = [offer for a in self.sums for offer in self.offers(a, missing) if offer[1] == a]
        heapify(offers)
        merged = list[Join]()
        while offers:
            minus_average, a, b, grown_a, grown_b = heappop(offers)
            if self.grown.get(a) != grown_a or self.grown.get(b) != grown_b:
                continue
            merged.append(Join(a, b, -minus_average / UNIT))
            self._join(a, b)
            for offer in self.offers(a, missing):
                heappush(offers, offer)
        return merged

    def offers(self, cluster: int, missing: int) -> list[_Offer]:
        """List the clusters that one could be merged with now."""
        offers = []
        for other, known in self.sums[cluster].items():
            number = self.sizes[cluster] * self.sizes[other]
            total = (known >> COUNTED) + missing * (number - (known & (1 << COUNTED) - 1))
            if total >= self.threshold * number:
                a, b = (cluster, other) if cluster < other else (other, cluster)
                offers.append((-total / number, a, b, self.grown[a], self.grown[b]))
        return offers

    def _join(self, stays: int, taken: int) -> None:
        self.sizes[stays] += self.sizes.pop(taken)
        self.grown[stays] += 1
        del self.grown[taken]
        sums, gone = self.sums[stays], self.sums.pop(taken)
        del sums[taken], gone[stays]
        for other, known in gone.items():
            sums[other] = self.sums[other][stays] = sums.get(other, 0) + known
            del self.sums[other][taken]
