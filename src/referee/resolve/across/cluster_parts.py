"""Parts of clusters: what near neighbours made one, compared as wholes.

What is mentioned more often than a mention has neighbours falls into parts at first. A part of several
mentions is compared with the parts whose middles are nearest; a single mention with the parts that its likely
pairs lead to. A pair of parts that are as they were keeps its average from one round to the next.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from referee.arrays import FloatArray, Grouped, IntArray, find, ragged, spread, totals
from referee.resolve.across.covering import heaviest_pairs
from referee.resolve.across.neighbours import RowPairs, Vectors, joined_pairs, near_pairs

PARTS_COMPARED = 8  # neighbours of a part
PARTS_OF_ONE = 2  # parts near a single mention
MEMBERS_COMPARED = 16  # pairs of two parts
MEMBERS_TRIED = 4  # of them, which tell whether the others are worth it
WORTH_MORE = 0.1  # what these must come to on average, as a share of the threshold

Likely = Callable[[RowPairs], FloatArray]  # pairs of mentions → how likely each is the same


class PartAverages(NamedTuple):
    """Averages of pairs of parts, by the first mention and the size of both; sorted."""

    begins: IntArray
    sizes: IntArray
    averages: FloatArray

    @classmethod
    def none(cls) -> PartAverages:
        """Know nothing yet."""
        return cls(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))

    def of(self, members: Grouped, pairs: RowPairs, likely: Likely, least: float) -> PartAverages:
        """Average pairs of parts, sorted; those of which neither has grown are known."""
        begin, mentions = members.order[members.edges[:-1]], members.order.size
        begins, sizes = (
            column[pairs.first] * mentions + column[pairs.second] for column in (begin, members.sizes)
        )
        index, known = find(begins, self.begins)
        known[known] = self.sizes[index[known]] == sizes[known]
        averages = np.zeros(pairs.size)
        averages[known] = self.averages[index[known]]
        fresh = np.flatnonzero(~known)
        averages[fresh] = _averages(members, pairs.chosen(fresh), likely, least)
        return PartAverages(begins, sizes, averages)


def part_pairs(
    members: Grouped, vectors: Vectors, pairs: RowPairs, scores: FloatArray, workers: int = 1
) -> RowPairs:
    """Pair parts of several mentions with the nearest of them, and single mentions with the likeliest."""
    large = np.flatnonzero(members.sizes > 1)
    between = near_pairs(_middles(members, large, vectors), PARTS_COMPARED, workers)
    label = np.zeros(members.order.size, np.int64)
    label[members.order] = np.repeat(np.arange(members.sizes.size), members.sizes)
    alone = members.sizes[label] == 1
    uneven = np.flatnonzero(alone[pairs.first] != alone[pairs.second])
    one, other = (label[side[uneven]] for side in pairs)
    code, index = np.unique(one * members.sizes.size + other, return_inverse=True)
    one, other = np.divmod(code, members.sizes.size)
    likeliest = heaviest_pairs(one, other, totals(index, scores[uneven], code.size), PARTS_OF_ONE)
    sides = [(large[between.first], large[between.second]), (one[likeliest], other[likeliest])]
    return joined_pairs(sides, members.sizes.size)


def _middles(members: Grouped, parts: IntArray, vectors: Vectors) -> Vectors:
    """Average the vectors of parts."""
    sizes, begin = members.sizes[parts], members.edges[:-1][parts]
    inside = members.order[ragged(begin, begin + sizes)]
    sums = np.add.reduceat(vectors[inside].astype(np.float32), np.cumsum(sizes) - sizes)
    middles: Vectors = sums / sizes[:, None].astype(np.float32)
    return middles


def _averages(members: Grouped, pairs: RowPairs, likely: Likely, least: float) -> FloatArray:
    """Average some pairs of members of each pair of parts: a few, and more where these are not far off."""
    averages = _sampled(members, pairs, likely, MEMBERS_TRIED)
    more = np.flatnonzero(averages >= WORTH_MORE * least)
    averages[more] = _sampled(members, pairs.chosen(more), likely, MEMBERS_COMPARED)
    return averages


def _sampled(members: Grouped, pairs: RowPairs, likely: Likely, most: int) -> FloatArray:
    """Average pairs of members of each pair of parts, evenly spaced; all if they are few."""
    one, other = members.sizes[pairs.first], members.sizes[pairs.second]
    count = np.minimum(one * other, most)
    of_pair, step = spread(np.zeros_like(count), count)
    at = step * (one * other - 1)[of_pair] // np.maximum(count - 1, 1)[of_pair]
    first = members.edges[pairs.first[of_pair]] + at // other[of_pair]
    second = members.edges[pairs.second[of_pair]] + at % other[of_pair]
    scores = likely(RowPairs(members.order[first], members.order[second]))
    return totals(of_pair, scores, pairs.size) / count
