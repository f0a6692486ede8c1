"""The second look: passages whose mentions are likely the same are read together, and compared once more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from referee.arrays import FloatArray, Grouped, IntArray, find, totals
from referee.resolve.across.covering import cover, heaviest_pairs
from referee.resolve.across.neighbours import RowPairs, all_pairs
from referee.resolve.across.passages import LowerStates
from referee.resolve.across.reader import Reader, marked_row
from referee.resolve.across.workers import in_threads
from referee.resolve.neural.eight_bits import Floats

MOST, NEAR = "most", "near"  # settings: pieces of a row, and passages that each is read with

Features = Callable[[RowPairs], Floats]


class InPassages(NamedTuple):
    """Where mentions are read: document, first piece and end of the passage (−1 if none), pieces in it."""

    document: IntArray
    begin: IntArray
    end: IntArray
    first: IntArray
    last: IntArray


def places_in(passages: IntArray, first: IntArray, last: IntArray) -> IntArray:
    """Find the passage of mentions by their first and last pieces: the columns of InPassages but the first.

    >>> places_in(np.array([[0, 5], [5, 9]]), np.array([3, 4, 6]), np.array([4, 5, 6])).tolist()
    [[0, 5, 3, 4], [-1, -1, -1, -1], [5, 9, 1, 1]]
    """
    if not len(passages):
        return np.full((first.size, 4), -1)
    begin, end = passages[np.maximum(np.searchsorted(passages[:, 0], first, side="right") - 1, 0)].T
    inside = (begin <= first) & (last < end)
    return np.where(inside[:, None], np.stack([begin, end, first - begin, last - begin], 1), -1)


@dataclass(frozen=True)
class SecondLook:
    """A reader with its settings, and the passages that it reads."""

    reader: Reader
    lower: LowerStates
    settings: Mapping[str, float]
    workers: int = 1

    def look(
        self, mentions: InPassages, kind: IntArray, pairs: RowPairs, odds: FloatArray, features: Features
    ) -> FloatArray:
        """Give the log odds of pairs; where they were read, those of the reader, on average."""
        group = _Group(mentions, kind, pairs)
        sums, count = np.zeros(pairs.size), np.zeros(pairs.size)

        def read(block: list[int]) -> tuple[IntArray, Floats]:
            return self._read(group, block, features)

        blocks = group.blocks(odds, int(self.settings[MOST]), int(self.settings[NEAR]))
        for index, read_odds in in_threads(read, blocks, self.workers):
            sums[index] += read_odds
            count[index] += 1
        return np.where(count > 0, sums / np.maximum(count, 1), odds)

    def _read(self, group: _Group, block: list[int], features: Features) -> tuple[IntArray, Floats]:
        """Read some passages together: which pairs were read, and their log odds."""
        rows, spans = group.spans(block)
        own, index = group.pairs_of(rows)
        if not index.size:
            return index, np.zeros(0, np.float32)
        lower = [self.lower.of(*group.passages[number].tolist()) for number in block]
        states = self.reader.states(marked_row(lower, spans))
        vectors = self.reader.pairs.vectors(states, spans[:, 1], spans[:, 2])
        told = features(RowPairs(rows[own.first], rows[own.second]))
        return index, self.reader.pairs.odds(vectors, spans[:, 0], told, own)


class _Group:
    """The mentions of some pairs, by passage; pairs are sorted, and the first is less than the second."""

    def __init__(self, mentions: InPassages, kind: IntArray, pairs: RowPairs) -> None:
        self.mentions, self.kind, self.pairs = mentions, kind, pairs
        self.codes = pairs.first * kind.size + pairs.second
        rows = np.unique(np.concatenate(pairs))
        self.rows = rows[mentions.begin[rows] >= 0]
        keys = np.stack([column[self.rows] for column in mentions[:3]], 1)
        self.passages, number = np.unique(keys, axis=0, return_inverse=True)  # document, first piece and end
        self.members = Grouped.of(number.ravel())
        self.number = np.full(kind.size, -1)
        self.number[self.rows] = number.ravel()
        self.lengths = self.passages[:, 2] - self.passages[:, 1] + 2

    def blocks(self, odds: FloatArray, most: int, near: int) -> list[list[int]]:
        """Choose which passages are read together; those that are in no row are read alone."""
        one, other = (self.number[side] for side in self.pairs)
        chosen = np.flatnonzero((one >= 0) & (other >= 0) & (one != other))
        low, high = np.minimum(one, other)[chosen], np.maximum(one, other)[chosen]
        size = len(self.passages)
        code, number = np.unique(low * size + high, return_inverse=True)
        weight = totals(number, 1 / (1 + np.exp(-np.clip(odds[chosen], -60, 60))), code.size)
        first, second = np.divmod(code, max(size, 1))
        kept = heaviest_pairs(first, second, weight, near)
        rows = cover(self.lengths, first[kept], second[kept], weight[kept], most)
        covered = {number for row in rows for number in row}
        return rows + [[number] for number in range(size) if number not in covered]

    def spans(self, block: list[int]) -> tuple[IntArray, IntArray]:
        """List the mentions of a row of passages: their numbers, and kind, first and last piece of each."""
        before = np.cumsum([0, *self.lengths[block].tolist()])[:-1] + 1
        parts = [self.rows[self.members[number]] for number in block]
        rows = np.concatenate(parts)
        shift = np.repeat(before, [part.size for part in parts])
        first, last = self.mentions.first[rows] + shift, self.mentions.last[rows] + shift
        order = np.argsort(rows)
        return rows[order], np.stack([self.kind[rows], first, last], 1)[order]

    def pairs_of(self, rows: IntArray) -> tuple[RowPairs, IntArray]:
        """Pair mentions of one kind, where that pair is asked for; and say which of the pairs it is."""
        own = all_pairs(rows.size)
        one, other = rows[own.first], rows[own.second]
        index, asked = find(one * self.kind.size + other, self.codes)
        asked &= self.kind[one] == self.kind[other]
        return RowPairs(own.first[asked], own.second[asked]), index[asked]
