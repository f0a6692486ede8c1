"""Puts mentions and sets into entities, by the rules of Universal Anaphora's scorer, or by those of others.

Entities with equal sets are one entity. By Universal Anaphora's rules a mention counts once in an entity
where sets count, and each time where they do not; singletons are dropped before zeros, so an entity may lose
all its mentions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from referee.arrays import BoolArray, IntArray, distinct, find
from referee.metrics.contingency import Membership
from referee.metrics.sets import SideSets
from referee.model import Anaphora

Signature = frozenset[tuple[int, ...]]


class EntitySets(NamedTuple):
    """The sets of one side before they are numbered: their entities, and the rows of their members."""

    entity: list[int]  # set → cluster
    members: list[list[list[int]]]  # set → members → rows
    same: list[Signature]  # what tells it from others: the mentions of each member, in their order
    merged: IntArray  # cluster → the first cluster with an equal set, mostly itself

    @classmethod
    def of(cls, side: Anaphora, numbers: IntArray) -> EntitySets:
        """Collect the sets of entities that refer to something; the same members are one."""
        merged = np.arange(side.refers.size)
        rows = _rows_of(side) if side.elements.size else {}
        elements: dict[int, list[int]] = {}
        for whole, element in side.elements.tolist():
            elements.setdefault(whole, []).append(element)
        made = cls([], [], [], merged)
        first: dict[Signature, int] = {}
        for whole in sorted(cluster for cluster in elements if side.refers[cluster]):
            members = {tuple(numbers[rows[e]].tolist()): rows[e] for e in elements[whole]}
            signature = frozenset(members)
            if signature in first:
                merged[whole] = first[signature]
                continue
            first[signature] = whole
            made.entity.append(whole)
            made.members.append(list(members.values()))
            made.same.append(signature)
        return made

    def renumbered(self, number: IntArray) -> EntitySets:
        """Give clusters other numbers."""
        merged = np.zeros(number.size, np.int64)
        merged[number] = number[self.merged]
        return self._replace(entity=number[self.entity].tolist() if self.entity else [], merged=merged)

    def columns(
        self, unit: IntArray, first: int, known: dict[Signature, int], numbers: Sequence[IntArray]
    ) -> SideSets:
        """Put the sets into columns, given the unit of each entity, and two numbers for each row."""
        lines = [
            (number, member, row)
            for number, members in enumerate(self.members)
            for member, rows in enumerate(members)
            for row in rows
        ]
        set_of, place, row = np.array(lines, np.int64).reshape(-1, 3).T
        member = distinct(set_of, place)[0] if set_of.size else place
        same = [known.setdefault(signature, len(known)) for signature in self.same]
        return SideSets(
            unit[np.array(self.entity, np.int64)],
            first + np.arange(len(self.entity)),
            np.array(same, np.int64),
            set_of,
            member,
            numbers[0][row],
            numbers[1][row],
        )


def _rows_of(side: Anaphora) -> dict[int, list[int]]:
    rows: dict[int, list[int]] = {}
    for row, cluster in enumerate(side.chains.cluster.tolist()):
        rows.setdefault(cluster, []).append(row)
    return rows


@dataclass(frozen=True, slots=True)
class Entities:
    """Which rows count, and in which entity; entities are numbered anew."""

    row: IntArray
    cluster: IntArray
    unit_of_cluster: IntArray
    of_set: IntArray  # set → entity
    units: int

    def membership(self, number: IntArray, sets: IntArray | None = None) -> Membership:
        """Put mentions into entities by a number for each row; sets as mentions, if given their numbers."""
        mention, cluster = number[self.row], self.cluster
        if sets is not None:
            mention, cluster = np.append(mention, sets), np.append(cluster, self.of_set)
        return Membership(mention, cluster, self.unit_of_cluster, self.units)


def counted_entities(
    side: Anaphora, sets: EntitySets, number: IntArray, zero: BoolArray, *, once: bool, drop: bool
) -> Entities:
    """Say which mentions count: each `once` in an entity, singletons and zeros unless they are dropped."""
    chains = side.chains
    cluster = sets.merged[chains.cluster]
    exists = side.refers & (sets.merged == np.arange(side.refers.size))
    counts = side.refers[cluster] if cluster.size else np.zeros(0, np.bool_)
    if drop:
        several = np.bincount(cluster, minlength=exists.size) > 1
        exists, counts = exists & several, counts & several[cluster]
    counts = counts & ~zero
    row = np.flatnonzero(counts)
    if once and row.size:
        row = row[np.sort(distinct(cluster[row], number[row])[1])]
    renumbered = np.cumsum(exists) - 1
    return Entities(
        row, renumbered[cluster[row]], chains.cluster_document[exists],
        renumbered[np.array(sets.entity, np.int64)], chains.lengths.size,
    )  # fmt: skip


def places(of: Membership, sets: SideSets) -> IntArray:
    """Find the cluster of each set by the mention that stands for it."""
    order = np.argsort(of.mention)
    index, _ = find(sets.mention, of.mention[order])
    return of.cluster[order[index]]


def merged_membership(given: Membership, sets: EntitySets, stand: IntArray) -> Membership:
    """Merge entities with equal sets, and add the mentions that stand for sets."""
    cluster = np.append(sets.merged[given.cluster], np.array(sets.entity, np.int64))
    exists = np.bincount(cluster, minlength=sets.merged.size) > 0
    renumbered = np.cumsum(exists) - 1
    unit = given.unit_of_cluster[exists]
    return Membership(np.append(given.mention, stand), renumbered[cluster], unit, given.units)
