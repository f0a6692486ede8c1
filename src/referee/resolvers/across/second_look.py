"""The second look: passages whose mentions are likely the same are read together, and compared once more.

Passages are put into rows of bounded length that cover the pairs worth reading, greedily: a row begins with
the heaviest pair that is not covered yet, and takes the passage that covers most weight together with those
that it has, as long as there is room. Ties are broken by number. Only the pairs are looked at, so time and
memory hardly grow faster than their number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from referee.arrays import FloatArray, Grouped, IntArray, find, run_starts, totals
from referee.resolvers.across.constants import FEW_PAIRS, MANY, MOST, NEAR, NEAR_OF_MANY
from referee.resolvers.across.neighbours import RowPairs, all_pairs
from referee.resolvers.across.passages import AROUND, LowerStates
from referee.resolvers.across.progress import Done, unwatched
from referee.resolvers.across.reader import Reader, marked_row
from referee.resolvers.across.workers import in_threads
from referee.resolvers.neural.forward import Floats

PLACE = 4  # columns of what `places_in` gives
DESCRIBED_AT_ONCE = 64  # rows whose pairs are described together: bounds memory
SLIGHT = 1e-3  # what a pair is worth in any case, so that pairs of no weight are covered, too

Features = Callable[[RowPairs], Floats]
Adjusted = Callable[[RowPairs, FloatArray], FloatArray]  # log odds of pairs, by what else is known


def heaviest_pairs(first: IntArray, second: IntArray, weight: FloatArray, near: int) -> IntArray:
    """Choose pairs that are among the `near` heaviest of one of their sides; each pair is given once.

    >>> first, second = np.array([0, 0, 1]), np.array([1, 2, 2])
    >>> heaviest_pairs(first, second, np.array([3.0, 2.0, 1.0]), 1).tolist()
    [0, 1]
    """
    side, partner = np.r_[first, second], np.r_[second, first]
    order = np.lexsort((partner, -np.r_[weight, weight], side))
    starts = np.flatnonzero(run_starts(side[order]))
    rank = np.arange(order.size) - np.repeat(starts, np.diff(np.r_[starts, order.size]))
    return np.unique(order[rank < near] % max(first.size, 1))


def cover(
    lengths: IntArray, first: IntArray, second: IntArray, weight: FloatArray, most: int
) -> list[list[int]]:
    """Put passages into rows of at most `most` subwords, so that all pairs that fit are in one together."""
    sizes = lengths.tolist()
    wanted: list[dict[int, float]] = [{} for _ in sizes]
    for a, b, value in zip(first.tolist(), second.tolist(), weight.tolist(), strict=True):
        wanted[a][b] = wanted[b][a] = value + SLIGHT
    rows = []
    for number in np.lexsort((second, first, -weight)).tolist():
        a, b = int(first[number]), int(second[number])
        if b in wanted[a] and sizes[a] + sizes[b] <= most:
            row = _row(a, b, wanted, sizes, most)
            for one in row:
                for other in row:
                    wanted[one].pop(other, None)
            rows.append(row)
    return rows


def _row(a: int, b: int, wanted: list[dict[int, float]], sizes: list[int], most: int) -> list[int]:
    row, room = [a], most - sizes[a]
    gains: dict[int, float] = {}
    offers: list[tuple[float, int]] = [(-np.inf, b)]
    while offers:
        gain, taken = heappop(offers)
        if taken in row or sizes[taken] > room or gain > -gains.get(taken, 0.0):
            continue
        row.append(taken)
        room -= sizes[taken]
        for member in row if len(row) == 2 else [taken]:
            for other, value in wanted[member].items():
                if sizes[other] <= room:
                    gains[other] = gains.get(other, 0.0) + value
                    heappush(offers, (-gains[other], other))
    return row


class ReadMentions:
    """Mentions by passage; those of which a sentence is too long, or that cross an end, are in none."""

    def __init__(self, document: IntArray, kind: IntArray, places: IntArray) -> None:
        """Take the places that `places_in` gave."""
        self.kind = kind
        self.begin, end, self.first, self.last = places.T
        self.inside = np.flatnonzero(self.begin >= 0)
        keys = np.stack([column[self.inside] for column in (document, self.begin, end)], 1)
        self.passages, number = np.unique(keys, axis=0, return_inverse=True)  # document, first subword, end
        self.members = Grouped.of(number.ravel())
        self.number = np.full(kind.size, -1)
        self.number[self.inside] = number.ravel()
        self.lengths = self.passages[:, 2] - self.passages[:, 1] + AROUND

    def spans(self, block: list[int]) -> tuple[IntArray, IntArray]:
        """List the mentions of a row of passages: their numbers, and kind, first and last subword of each."""
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
        weight = totals(index, expit(odds[chosen]), code.size)
        first, second = np.divmod(code, max(len(self.passages), 1))
        two = np.flatnonzero(first != second)
        read = two[heaviest_pairs(first[two], second[two], weight[two], near)]
        rows = cover(self.lengths, first[read], second[read], weight[read], most)
        covered = {number for row in rows for number in row}
        alone = [[number] for number in first[first == second].tolist() if number not in covered]
        return rows + alone


def places_in(passages: IntArray, first: IntArray, last: IntArray) -> IntArray:
    """Find the passage of mentions by their first and last subwords, and where they are in it.

    Gives the first subword and the end of the passage, and both subwords counted from there; −1 if none.

    >>> places_in(np.array([[0, 5], [5, 9]]), np.array([3, 4, 6]), np.array([4, 5, 6])).tolist()
    [[0, 5, 3, 4], [-1, -1, -1, -1], [5, 9, 1, 1]]
    """
    if not len(passages):
        return np.full((first.size, PLACE), -1)
    begin, end = passages[np.maximum(np.searchsorted(passages[:, 0], first, side="right") - 1, 0)].T
    inside = (begin <= first) & (last < end)
    return np.where(inside[:, None], np.stack([begin, end, first - begin, last - begin], 1), -1)


class _Asked(NamedTuple):
    """A row of passages: its mentions, which pairs of them are asked for, and the features of these."""

    block: list[int]
    spans: IntArray
    pairs: RowPairs  # of the mentions of the row
    where: IntArray  # each of them is among all pairs
    features: Floats


@dataclass(frozen=True)
class SecondLook:
    """A reader with its settings, and what it reads."""

    reader: Reader
    lower: LowerStates
    settings: Mapping[str, float]
    mentions: ReadMentions
    features: Features
    workers: int = 1
    adjusted: Adjusted | None = None

    def look(self, pairs: RowPairs, odds: FloatArray, done: Done = unwatched) -> FloatArray:
        """Give the log odds of pairs, sorted and each once: the reader's, on average, where it saw them."""
        blocks = self.mentions.blocks(pairs, odds, int(self.settings[MOST]), self._near(pairs))
        sums, count = np.zeros(pairs.size), np.zeros(pairs.size)
        read = in_threads(self._read, self._asked(blocks, pairs), self.workers)
        for number, (index, read_odds) in enumerate(read, start=1):
            sums[index] += read_odds
            count[index] += 1
            done(number / len(blocks))
        result, seen = odds.astype(np.float64), np.flatnonzero(count)
        result[seen] = sums[seen] / count[seen]
        if self.adjusted and seen.size:
            result[seen] = self.adjusted(pairs.chosen(seen), result[seen])
        return result

    def _near(self, pairs: RowPairs) -> int:
        """Say with how many others each passage is read."""
        asked, near = np.unique(np.concatenate(pairs)).size, int(self.settings[NEAR])
        if pairs.size <= FEW_PAIRS * asked:
            return max(pairs.size, 1)
        return min(near, NEAR_OF_MANY) if asked > MANY else near

    def _asked(self, blocks: list[list[int]], pairs: RowPairs) -> Iterator[_Asked]:
        """Say what is asked of each row; pairs of many rows are described at once, in far less time."""
        size = self.mentions.kind.size
        codes = pairs.first * size + pairs.second
        for begin in range(0, len(blocks), DESCRIBED_AT_ONCE):
            some = blocks[begin : begin + DESCRIBED_AT_ONCE]
            rows, spans = zip(*map(self.mentions.spans, some), strict=True)
            every = [all_pairs(mentions.size) for mentions in rows]
            sought = [
                find(mentions[each.first] * size + mentions[each.second], codes)
                for mentions, each in zip(rows, every, strict=True)
            ]
            wanted = [index[there] for index, there in sought]
            distinct, local = np.unique(np.concatenate(wanted), return_inverse=True)
            features = self.features(pairs.chosen(distinct))
            edges = np.cumsum([index.size for index in wanted])[:-1]
            for at, index in enumerate(np.split(local, edges)):
                chosen = RowPairs(*(side[sought[at][1]] for side in every[at]))
                yield _Asked(some[at], spans[at], chosen, wanted[at], features[index])

    def _read(self, asked: _Asked) -> tuple[IntArray, Floats]:
        """Read some passages together, and compare pairs of their mentions: log odds."""
        lower = [self.lower.of(*self.mentions.passages[number].tolist()) for number in asked.block]
        compared, local = np.unique(np.concatenate(asked.pairs), return_inverse=True)
        kind, first, last = asked.spans[compared].T
        vectors = self.reader.pairs.vectors(*self.reader.states(marked_row(lower, asked.spans), first, last))
        pairs = RowPairs(*local.reshape(2, -1))
        return asked.where, self.reader.pairs.odds(vectors, kind, asked.features, pairs)
