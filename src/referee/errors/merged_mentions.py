"""The mentions of key and response as one list, wrong spans paired, for transformations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.arrays import IntArray
from referee.errors.entities import Entities, MutualPartition
from referee.language.mention_types import Described
from referee.metrics.contingency import BoolArray


@dataclass(frozen=True, slots=True)
class MergedMentions:
    """The mentions of both sides; two that differ by a span error are one."""

    key_row: IntArray  # mention → its row in the key's entities, −1 if it has none
    response_row: IntArray
    key: IntArray  # mention → its key entity, −1 if it has none
    response: IntArray
    unit: IntArray
    moved: BoolArray  # mention → whether its span is wrong

    @classmethod
    def of(
        cls, comparison: MutualPartition, key: Sequence[Described], response: Sequence[Described]
    ) -> MergedMentions:
        """Match the mentions of two sides, and pair the wrong spans."""
        sides = (comparison.key, comparison.response)
        rows = [np.flatnonzero(side.owner) for side in sides]
        numbers = [side.number[row] for side, row in zip(sides, rows, strict=True)]
        union = np.unique(np.concatenate(numbers))
        places = np.full((2, union.size), -1)
        for place, number, row in zip(places, numbers, rows, strict=True):
            place[np.searchsorted(union, number)] = row
        missing, extra = np.flatnonzero(places[1] < 0), np.flatnonzero(places[0] < 0)
        wanted, found = _span_errors(sides, (key, response), (places[0][missing], places[1][extra]))
        places[1][missing[wanted]] = places[1][extra[found]]
        moved, kept = np.zeros(union.size, np.bool_), np.ones(union.size, np.bool_)
        moved[missing[wanted]], kept[extra[found]] = True, False
        key_row, response_row = places[0][kept], places[1][kept]
        units = [_chosen(side.unit, row) for side, row in zip(sides, (key_row, response_row), strict=True)]
        return cls(
            key_row=key_row,
            response_row=response_row,
            key=_chosen(sides[0].cluster, key_row),
            response=_chosen(sides[1].cluster, response_row),
            unit=np.maximum(*units),
            moved=moved[kept],
        )


def _chosen(column: IntArray, rows: IntArray) -> IntArray:
    """Look up rows; −1 for those that are not there."""
    return np.where(rows >= 0, column[rows], -1) if column.size else np.full(rows.size, -1)


Sides = tuple[Entities, Entities]
Rows = tuple[IntArray, IntArray]  # key mentions that the response lacks, response mentions that the key lacks


def _span_errors(sides: Sides, described: tuple[Sequence[Described], ...], rows: Rows) -> Rows:
    """Pair mentions that differ in their boundaries only: places in both columns of rows."""
    heads = [
        np.array([-1 if side[row].head is None else side[row].head for row in some.tolist()], np.int64)
        for side, some in zip(described, rows, strict=True)
    ]
    documents = [side.document[some] for side, some in zip(sides, rows, strict=True)]
    free = [np.ones(some.size, np.bool_) for some in rows]
    pairs = [_sharing(documents, heads, [head >= 0 for head in heads], free)]
    for ends in ("start", "end"):  # where heads are not known
        offsets = [getattr(side, ends)[some] for side, some in zip(sides, rows, strict=True)]
        pairs.append(_sharing(documents, offsets, [head < 0 for head in heads], free))
    return np.concatenate([pair[0] for pair in pairs]), np.concatenate([pair[1] for pair in pairs])


def _sharing(
    documents: Sequence[IntArray],
    values: Sequence[IntArray],
    concerned: Sequence[BoolArray],
    free: list[BoolArray],
) -> Rows:
    """Pair mentions with the same value in the same document, if they are the only two, and mark them."""
    places = [np.flatnonzero(some & left) for some, left in zip(concerned, free, strict=True)]
    width = max(int(value.max(initial=0)) for value in values) + 1
    codes = [d[p] * width + v[p] for d, p, v in zip(documents, places, values, strict=True)]
    single = [_single(code) for code in codes]
    _, left, right = np.intersect1d(codes[0][single[0]], codes[1][single[1]], return_indices=True)
    pair = places[0][single[0]][left], places[1][single[1]][right]
    free[0][pair[0]] = free[1][pair[1]] = False
    return pair


def _single(code: IntArray) -> IntArray:
    """Where the codes are that occur once."""
    _, first, count = np.unique(code, return_index=True, return_counts=True)
    single: IntArray = first[count == 1]
    return single
