"""The contingency table between key and response clusters: all that a metric may see.

A table holds a *stack* of units (documents, topics, …) side by side, so that one pass of numpy tallies
hundreds of documents. Clusters are numbered through the stack, unit after unit; no cell joins two units.

A mention may be repeated: annotated twice in one cluster, or in two. The table follows the reference
scorer 8.01 there (rules M2 and M3 of `docs/reference-scorer.md`); without repeats `n`, `distinct` and
`owned` are the same counts.

Links between mentions are counted from the sizes of clusters and cells, in the few units with repeats from
`Occurrences`. The reference scorer holds links as *sets* of mention pairs. Let S be the clusters of one
mention and T those of another: the two are together when S and T meet, and apart as well unless S = T = {one
cluster}. A mention that is twice in one cluster is together with itself; one in two clusters is apart from
itself. Nothing lists links: mentions with the same clusters are counted as one class.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np

from referee.arrays import (
    BoolArray,
    FloatArray,
    IntArray,
    Numbers,
    find,
    first_of_each,
    pairs,
    run_ends,
    run_starts,
    sums,
    totals,
)


@dataclass(frozen=True, slots=True)
class Membership:
    """Which mention is in which cluster, for a stack of units.

    One row per occurrence. Mention numbers mean the same in key and response and never recur in another
    unit; clusters are numbered unit by unit, in the order in which a reader first meets them.
    """

    mention: IntArray
    cluster: IntArray
    unit_of_cluster: IntArray
    units: int


def in_several(side: Membership) -> BoolArray:
    """Find which rows are in clusters of several mentions."""
    order = np.lexsort((side.mention, side.cluster))
    mention, cluster = side.mention[order], side.cluster[order]
    fresh = run_starts(mention, cluster)
    several: BoolArray = np.bincount(cluster[fresh], minlength=side.unit_of_cluster.size) > 1
    return several[side.cluster]


def without_singletons(side: Membership) -> Membership:
    """Leave out clusters with only one mention."""
    rows = in_several(side)
    left = np.bincount(side.cluster[rows], minlength=side.unit_of_cluster.size) > 0
    renumbered = np.cumsum(left) - 1
    return Membership(
        side.mention[rows], renumbered[side.cluster[rows]], side.unit_of_cluster[left], side.units
    )


class LinkCounts(NamedTuple):
    """Pairs of mentions per unit: in one cluster (together) or in two (apart)."""

    key_together: IntArray
    response_together: IntArray
    both_together: IntArray
    key_apart: IntArray
    response_apart: IntArray
    both_apart: IntArray


@dataclass(frozen=True, slots=True)
class Contingency:
    """Mentions shared by each (key, response) cluster pair; cells that are not empty only."""

    k: IntArray  # cell → key cluster
    r: IntArray  # cell → response cluster
    n: IntArray  # cell → mentions in common, a repeat in the key cluster counted each time
    distinct: IntArray  # cell → distinct mentions in common
    owned: IntArray  # cell → of these, the ones that no later key cluster holds too
    key_sizes: IntArray  # cluster → mentions, unmatched ones and repeats included
    response_sizes: IntArray
    key_unit: IntArray  # cluster → unit
    response_unit: IntArray
    key_mentions: IntArray  # unit → distinct mentions
    response_mentions: IntArray
    links: LinkCounts

    @property
    def units(self) -> int:
        """How many units are stacked."""
        return self.key_mentions.size

    def per_cell(self, values: Numbers) -> FloatArray:
        """Sum a value of each cell, unit by unit."""
        return totals(self.key_unit[self.k], values, self.units)

    def per_key(self, values: Numbers) -> FloatArray:
        """Sum a value of each key cluster, unit by unit."""
        return totals(self.key_unit, values, self.units)

    def per_response(self, values: Numbers) -> FloatArray:
        """Sum a value of each response cluster, unit by unit."""
        return totals(self.response_unit, values, self.units)

    @classmethod
    def of(cls, key: Membership, response: Membership) -> Contingency:
        """Tabulate two memberships as the reference scorer does."""
        keys = Side.of(key)
        responses = Side.of(_only(response, counted_occurrences(response, keys.numbers)))
        where, matched = find(keys.mention, responses.numbers)
        k, r = keys.cluster[matched], responses.owner[where[matched]]
        code, cell, n = np.unique(
            k * max(responses.sizes.size, 1) + r, return_inverse=True, return_counts=True
        )
        k, r = np.divmod(code, max(responses.sizes.size, 1))
        distinct = owned = n
        if keys.repeated:
            distinct = np.bincount(cell[keys.first_in_cluster[matched]], minlength=n.size)
            owned = np.bincount(cell[keys.last[matched]], minlength=n.size)
        units = key.units
        key_mentions = np.bincount(keys.unit[keys.last], minlength=units)
        response_mentions = np.bincount(responses.unit[responses.last], minlength=units)
        links = count_links_by_size(units, k, r, n, keys, responses)
        if keys.repeated or responses.repeated:
            links = _links_with_repeats(links, keys, responses)
        return cls(
            k, r, n, distinct, owned,
            keys.sizes, responses.sizes, keys.unit_of_cluster, responses.unit_of_cluster,
            key_mentions, response_mentions, links,
        )  # fmt: skip

    @classmethod
    def from_labels(cls, key: IntArray, response: IntArray) -> Contingency:
        """Tabulate one unit given the cluster number of each mention in key and response, −1 for absent."""

        def membership(labels: IntArray) -> Membership:
            mention = np.flatnonzero(labels >= 0)
            cluster = labels[mention]
            return Membership(mention, cluster, np.zeros(cluster.max(initial=-1) + 1, np.int64), 1)

        return cls.of(membership(np.asarray(key)), membership(np.asarray(response)))


@dataclass(frozen=True, slots=True)
class Side:
    """One side's occurrences sorted by mention, then cluster."""

    mention: IntArray
    cluster: IntArray
    unit: IntArray
    last: BoolArray  # the mention's last cluster: the one that owns it
    first_in_cluster: BoolArray
    numbers: IntArray  # distinct mentions
    owner: IntArray  # distinct mention → its last cluster
    sizes: IntArray
    unit_of_cluster: IntArray
    repeated: bool

    @classmethod
    def of(cls, side: Membership) -> Side:
        """Sort a membership."""
        order = np.lexsort((side.cluster, side.mention))
        mention, cluster = side.mention[order], side.cluster[order]
        last, first = run_ends(mention), run_starts(mention, cluster)
        sizes = np.bincount(cluster, minlength=side.unit_of_cluster.size)
        return cls(
            mention, cluster, side.unit_of_cluster[cluster], last, first, mention[last], cluster[last],
            sizes, side.unit_of_cluster, not last.all(),
        )  # fmt: skip

    def occurrences(self, chosen: BoolArray, group: IntArray | None = None) -> Occurrences:
        """List the chosen rows' mentions: those that occur once by their number, the others one by one."""
        group = np.zeros(self.mention.size, np.int64) if group is None else group
        single = self.last & run_starts(self.mention)
        rows = np.flatnonzero(chosen & single)
        once = Counter(zip(group[rows].tolist(), self.cluster[rows].tolist(), strict=True))
        again: dict[int, tuple[int, list[int]]] = {}
        for row in np.flatnonzero(chosen & ~single).tolist():
            _, clusters = again.setdefault(int(self.mention[row]), (int(group[row]), []))
            clusters.append(int(self.cluster[row]))
        return Occurrences(once, list(again.values()))


def counted_occurrences(response: Membership, key_numbers: IntArray) -> BoolArray:
    """Say which response rows count: the first occurrence of a mention that the key has, too, all of one
    it lacks (rule M3). The key's mentions come sorted.
    """
    in_key = find(response.mention, key_numbers)[1]
    keep = ~in_key
    candidates = np.flatnonzero(in_key)
    order = candidates[np.lexsort((response.cluster[candidates], response.mention[candidates]))]
    keep[order[first_of_each(response.mention[order])]] = True
    return keep


def without_repeats(key: Membership, response: Membership) -> Membership:
    """Leave out repeats of the response as a table of the two does."""
    return _only(response, counted_occurrences(response, np.unique(key.mention)))


def _only(response: Membership, keep: BoolArray) -> Membership:
    """Keep some rows; clusters that lose all their mentions are removed."""
    cluster = response.cluster[keep]
    alive = np.bincount(cluster, minlength=response.unit_of_cluster.size) > 0
    renumbered = np.cumsum(alive) - 1
    return Membership(
        response.mention[keep], renumbered[cluster], response.unit_of_cluster[alive], response.units
    )


def count_links_by_size(
    units: int, k: IntArray, r: IntArray, n: IntArray, keys: Side, responses: Side
) -> LinkCounts:
    """Count links from cluster sizes, as if no mention were repeated."""

    def side(sizes: IntArray, unit: IntArray) -> tuple[IntArray, IntArray]:
        together = sums(unit, pairs(sizes), units)
        return together, pairs(sums(unit, sizes, units)) - together

    key_together, key_apart = side(keys.sizes, keys.unit_of_cluster)
    response_together, response_apart = side(responses.sizes, responses.unit_of_cluster)
    cell_unit = keys.unit_of_cluster[k]
    both_together = sums(cell_unit, pairs(n), units)
    key_matched, response_matched = sums(k, n, keys.sizes.size), sums(r, n, responses.sizes.size)
    both_apart = (
        pairs(sums(cell_unit, n, units))
        + both_together
        - sums(keys.unit_of_cluster, pairs(key_matched), units)
        - sums(responses.unit_of_cluster, pairs(response_matched), units)
    )
    return LinkCounts(key_together, response_together, both_together, key_apart, response_apart, both_apart)


def _links_with_repeats(links: LinkCounts, keys: Side, responses: Side) -> LinkCounts:
    """Recount the units in which a mention is repeated."""
    recounted = LinkCounts(*(column.copy() for column in links))
    where, shared = find(keys.mention, responses.numbers)
    group = responses.owner[where] if responses.owner.size else None
    for unit in np.unique(np.r_[keys.unit[~keys.last], responses.unit[~responses.last]]):
        key, response = keys.unit == unit, responses.unit == unit
        counts = count_links(
            keys.occurrences(key), responses.occurrences(response), keys.occurrences(key & shared, group)
        )
        for column, count in zip(recounted, counts, strict=True):
            column[unit] = count
    return recounted


class Occurrences(NamedTuple):
    """The mentions of a unit; links are counted inside groups of them (all are in one, if there are none)."""

    once: Counter[tuple[int, int]]  # (group, cluster) → mentions that occur there and nowhere else
    again: Sequence[tuple[int, Sequence[int]]]  # group and clusters of each mention that occurs again

    def in_one_group(self) -> Occurrences:
        """Put all mentions together."""
        once: Counter[tuple[int, int]] = Counter()
        for (_, cluster), count in self.once.items():
            once[0, cluster] += count
        return Occurrences(once, [(0, clusters) for _, clusters in self.again])


def count_links(
    key: Occurrences, response: Occurrences, shared: Occurrences
) -> tuple[int, int, int, int, int, int]:
    """Count the links of key, response and both: those together, then those apart.

    `shared` are the key's mentions that the response has too, in groups by their response cluster; that is
    one only: the table has seen to that.
    """
    return (
        _together(key) + _twice_in_one(key),
        _together(response) + _twice_in_one(response),
        _together(shared),
        _apart(key) + _in_several(key),
        _apart(response) + _in_several(response),
        _apart(shared.in_one_group()) - _apart(shared),
    )


def _together(mentions: Occurrences) -> int:
    """Pairs of mentions with a cluster in common, inside each group."""
    alone = _alone(mentions)
    classes = Counter((group, frozenset(c)) for group, c in mentions.again if len(set(c)) > 1)
    meeting: dict[tuple[int, int], list[tuple[int, frozenset[int]]]] = defaultdict(list)
    for group, clusters in classes:
        for cluster in clusters:
            meeting[group, cluster].append((group, clusters))
    # A pair of classes that meets in two clusters is one pair: hence the set.
    neighbours = {frozenset(two) for some in meeting.values() for two in combinations(some, 2)}
    return (
        _pairs(alone)
        + _pairs(classes)
        + sum(size * sum(alone[group, cluster] for cluster in c) for (group, c), size in classes.items())
        + sum(classes[a] * classes[b] for a, b in map(tuple, neighbours))
    )


def _apart(mentions: Occurrences) -> int:
    """Pairs of mentions, inside each group, that are not both in one and the same cluster alone."""
    groups: Counter[int] = Counter(group for group, _ in mentions.again)
    for (group, _), count in mentions.once.items():
        groups[group] += count
    return _pairs(groups) - _pairs(_alone(mentions))


def _alone(mentions: Occurrences) -> Counter[tuple[int, int]]:
    """Count the mentions that are in one cluster only, by group and cluster."""
    return mentions.once + Counter((group, c[0]) for group, c in mentions.again if len(set(c)) == 1)


def _pairs(sizes: Counter[Any]) -> int:
    return sum(comb(size, 2) for size in sizes.values())


def _twice_in_one(mentions: Occurrences) -> int:
    return sum(len(clusters) > len(set(clusters)) for _, clusters in mentions.again)


def _in_several(mentions: Occurrences) -> int:
    return sum(len(set(clusters)) > 1 for _, clusters in mentions.again)
