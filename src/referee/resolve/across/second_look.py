"""The second look: passages whose mentions are likely the same are read together, and compared once more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from referee.arrays import FloatArray, Grouped, IntArray, find, totals
from referee.resolve.across.covering import cover, heaviest_pairs
from referee.resolve.across.neighbours import RowPairs, all_pairs
from referee.resolve.across.passages import LowerStates
from referee.resolve.across.reader import Reader, marked_row
from referee.resolve.across.workers import in_threads
from referee.resolve.neural.eight_bits import Floats

PLACE = 4  # columns of what `places_in` gives
AROUND = 2  # pieces: what stands before a passage and after it
MOST, NEAR = "most", "near"  # settings: pieces of a row, and passages that each is read with
READING = {MOST: 512, NEAR: 8}  # unless a model says otherwise

Features = Callable[[RowPairs], Floats]


class ReadMentions:
    """Mentions by passage; those of which a sentence is too long, or that cross an end, are in none."""

    def __init__(self, document: IntArray, kind: IntArray, places: IntArray) -> None:
        """Take the places that `places_in` gave."""
        self.kind = kind
        self.begin, end, self.first, self.last = places.T
        self.inside = np.flatnonzero(self.begin >= 0)
        keys = np.stack([column[self.inside] for column in (document, self.begin, end)], 1)
        self.passages, number = np.unique(keys, axis=0, return_inverse=True)  # document, first piece, end
        self.members = Grouped.of(number.ravel())
        self.number = np.full(kind.size, -1)
        self.number[self.inside] = number.ravel()
        self.lengths = self.passages[:, 2] - self.passages[:, 1] + AROUND

    def spans(self, block: list[int]) -> tuple[IntArray, IntArray]:
        """List the mentions of a row of passages: their numbers, and kind, first and last piece of each."""
        before = np.cumsum([0, *self.lengths[block].tolist()])[:-1] + 1
        parts = [self.inside[self.members[number]] for number in block]
        rows = np.concatenate(parts)
        shift = np.repeat(before, [part.size for part in parts])
        first, last = self.first[rows] + shift, self.last[rows] + shift
        order = np.argsort(rows)
        return rows[order], np.stack([self.kind[rows], first, last], 1)[order]

    def blocks(self, pairs: RowPairs, odds: FloatArray, most: int, near: int) -> list[list[int]]:
        """Choose which passages are read together; what belongs together within one is read, too."""
        one, other = (self.number[side] for side in pairs)
        chosen = np.flatnonzero((one >= 0) & (other >= 0))
        low, high = np.minimum(one, other)[chosen], np.maximum(one, other)[chosen]
        code, index = np.unique(low * len(self.passages) + high, return_inverse=True)
        weight = totals(index, 1 / (1 + np.exp(-odds[chosen])), code.size)
        first, second = np.divmod(code, max(len(self.passages), 1))
        apart = np.flatnonzero(first != second)
        kept = apart[heaviest_pairs(first[apart], second[apart], weight[apart], near)]
        rows = cover(self.lengths, first[kept], second[kept], weight[kept], most)
        covered = {number for row in rows for number in row}
        return rows + [[number] for number in first[first == second].tolist() if number not in covered]


def places_in(passages: IntArray, first: IntArray, last: IntArray) -> IntArray:
    """Find the passage of mentions by their first and last pieces, and where they are in it.

    Gives the first piece and the end of the passage, and both pieces counted from there; −1 if none has both.

    >>> places_in(np.array([[0, 5], [5, 9]]), np.array([3, 4, 6]), np.array([4, 5, 6])).tolist()
    [[0, 5, 3, 4], [-1, -1, -1, -1], [5, 9, 1, 1]]
    """
    if not len(passages):
        return np.full((first.size, PLACE), -1)
    begin, end = passages[np.maximum(np.searchsorted(passages[:, 0], first, side="right") - 1, 0)].T
    inside = (begin <= first) & (last < end)
    return np.where(inside[:, None], np.stack([begin, end, first - begin, last - begin], 1), -1)


@dataclass(frozen=True)
class SecondLook:
    """A reader with its settings, and what it reads."""

    reader: Reader
    lower: LowerStates
    settings: Mapping[str, float]
    mentions: ReadMentions
    features: Features
    workers: int = 1

    def look(self, pairs: RowPairs, odds: FloatArray) -> FloatArray:
        """Give the log odds of pairs, sorted and each once: the reader's, on average, where it saw them."""
        size = self.mentions.kind.size
        codes = pairs.first * size + pairs.second
        sums, count = np.zeros(pairs.size), np.zeros(pairs.size)

        def read(block: list[int]) -> tuple[IntArray, Floats]:
            rows, spans = self.mentions.spans(block)
            own = all_pairs(rows.size)
            index, asked = find(rows[own.first] * size + rows[own.second], codes)
            return index[asked], self.read(block, rows, spans, RowPairs(own.first[asked], own.second[asked]))

        blocks = self.mentions.blocks(pairs, odds, int(self.settings[MOST]), int(self.settings[NEAR]))
        for index, read_odds in in_threads(read, blocks, self.workers):
            sums[index] += read_odds
            count[index] += 1
        return np.where(count > 0, sums / np.maximum(count, 1), odds)

    def read(self, block: list[int], rows: IntArray, spans: IntArray, pairs: RowPairs) -> Floats:
        """Read some passages together, and compare pairs of their mentions: log odds."""
        lower = [self.lower.of(*self.mentions.passages[number].tolist()) for number in block]
        states = self.reader.states(marked_row(lower, spans))
        vectors = self.reader.pairs.vectors(states, spans[:, 1], spans[:, 2])
        told = self.features(RowPairs(rows[pairs.first], rows[pairs.second]))
        return self.reader.pairs.odds(vectors, spans[:, 0], told, pairs)
