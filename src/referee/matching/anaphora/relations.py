"""Compares what key and response say beyond clusters: bridging, and expressions that refer to nothing."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from referee.arrays import BoolArray, IntArray, distinct, find, run_ends
from referee.display import number_of
from referee.matching.anaphora.numbering import UaNumbers
from referee.matching.anaphora.sides import Entities
from referee.matching.protocol import Protocol
from referee.metrics.relations import RelationRows
from referee.model import Anaphora

Sides = tuple[Anaphora, Anaphora]


class ComparedRelations(NamedTuple):
    """Key and response, and which of their bridges and expressions are the same."""

    sides: Sides
    bridges: tuple[IntArray, IntArray]  # of each side: rows of its `bridges`, one of each anaphor
    common: tuple[IntArray, IntArray]  # the same anaphor → where each side has it in `bridges`
    same_anchor: BoolArray  # of common ones: whether both have the same mention for its anchor
    same_entity: BoolArray  # or a mention of the same entity of the key
    empty: tuple[IntArray, IntArray]  # of each side: rows of expressions that refer to nothing
    found: tuple[BoolArray, BoolArray]  # whether the other side has them

    @property
    def rows(self) -> RelationRows:
        """What metrics count."""
        anaphors = [
            side.chains.document[side.bridges[rows, 0]]
            for side, rows in zip(self.sides, self.bridges, strict=True)
        ]
        empty = [side.chains.document[rows] for side, rows in zip(self.sides, self.empty, strict=True)]
        return RelationRows(
            anaphors[0], anaphors[1], anaphors[0][self.common[0]],
            self.same_anchor, self.same_entity, empty[0], empty[1], *self.found,
        )  # fmt: skip


def compare_relations(sides: Sides, numbers: UaNumbers, key: Entities) -> ComparedRelations:
    """Compare bridging and what refers to nothing; anchors by the entities of the key."""
    last = tuple(_last_anchors(side, number) for side, number in zip(sides, numbers.own, strict=True))
    anaphors, anchors = (
        [
            number[side.bridges[rows, column]]
            for side, number, rows in zip(sides, numbers.own, last, strict=True)
        ]
        for column in (0, 1)
    )
    at, is_common = find(anaphors[0], anaphors[1])
    common = np.flatnonzero(is_common), at[is_common]
    anchored = anchors[0][common[0]], anchors[1][common[1]]
    entity = [_entity_of(each, key, numbers.own[0]) for each in anchored]
    empty = [_first_rows(side) for side in sides]
    named = [number[rows] for number, rows in zip(numbers.own, empty, strict=True)]
    return ComparedRelations(
        sides, (last[0], last[1]), common, _same(*anchored, numbers),
        (entity[0] == entity[1]) & (entity[0] >= 0), (empty[0], empty[1]),
        _found(named[0], named[1], numbers),
    )  # fmt: skip


def notices_of(sides: Sides, protocol: Protocol, names: tuple[str, str]) -> list[str]:
    """Say which anchors of bridging are left out or guessed."""
    said = []
    for name, side in zip(names, sides, strict=True) if protocol.layer == "bridging" else ():
        anaphor = side.bridges[:, 0]
        several = anaphor.size - np.unique(anaphor).size
        by_entity = int(side.bridges[:, 2].sum())
        if several:
            said.append(f"{name}: of anaphors with several anchors the last one counts; left out: {several}")
        if by_entity:
            said.append(
                f"{name}: {number_of(by_entity, 'anchor')} named as an entity: its last mention before the "
                "anaphor is taken"
            )
    return said


def _last_anchors(side: Anaphora, number: IntArray) -> IntArray:
    """List the last bridge of each anaphor, sorted by the anaphors' numbers."""
    anaphor = number[side.bridges[:, 0]]
    last = dict(zip(anaphor.tolist(), range(anaphor.size), strict=True))
    return np.array([last[each] for each in sorted(last)], np.int64)


def _entity_of(numbers: IntArray, key: Entities, number: IntArray) -> IntArray:
    """Find the last entity of the key that has each mention; −1 for none."""
    owned = number[key.row]
    order = np.lexsort((key.cluster, owned))
    last = run_ends(owned[order])
    known, cluster = owned[order][last], key.cluster[order][last]
    at, there = find(numbers, known)
    entity = np.full(numbers.size, -1)
    entity[there] = cluster[at[there]]
    return entity


def _first_rows(side: Anaphora) -> IntArray:
    """List the first mention of each entity that refers to nothing."""
    rows = np.flatnonzero(~side.refers[side.chains.cluster])
    return rows[np.sort(distinct(side.chains.cluster[rows])[1])]


def _same(key: IntArray, response: IntArray, numbers: UaNumbers) -> BoolArray:
    if numbers.alike is None:
        same: BoolArray = key == response
        return same
    pairs = set(zip(*(column.tolist() for column in numbers.alike), strict=True))
    return np.array([two in pairs for two in zip(key.tolist(), response.tolist(), strict=True)], np.bool_)


def _found(ours: IntArray, theirs: IntArray, numbers: UaNumbers) -> tuple[BoolArray, BoolArray]:
    """Say which expressions of each side the other one has."""
    if numbers.alike is None:
        return np.isin(ours, theirs), np.isin(theirs, ours)
    key, response = numbers.alike
    both = np.isin(key, ours) & np.isin(response, theirs)
    return np.isin(ours, key[both]), np.isin(theirs, response[both])
