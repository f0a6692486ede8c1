"""Partial clusters: the clusters of neighbourhoods of documents, compared and merged as wholes.

Each is compared with those whose mean vectors are nearest, among all and among those with the same head or
the same words, by some pairs of their mentions; before two are merged, the passages of a few pairs are read
together. Average linkage is repeated over the partial clusters until nothing more is merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from referee.arrays import BoolArray, FloatArray, Grouped, IntArray, find, totals
from referee.resolvers.across.constants import (
    JOIN_ROUNDS,
    MEMBERS_COMPARED,
    MEMBERS_READ,
    MEMBERS_TRIED,
    NEAREST,
    OF_ONE_HEAD,
    WORTH_MORE,
)
from referee.resolvers.across.linkage import Join, average_linkage
from referee.resolvers.across.neighbours import (
    RowPairs,
    Vectors,
    bucket_pairs,
    joined_pairs,
    narrowed,
    near_chunks,
    nearest,
)
from referee.resolvers.across.progress import Done, part_of, unwatched
from referee.resolvers.across.similarity import shared

Likely = Callable[[RowPairs, Done], FloatArray]  # pairs of mentions → how likely each is the same
LOOKED_AT_ONCE = 2**18  # pairs of mentions: bounds memory
READ_SHARE = 0.4  # of the time that a round takes, what is done before passages are read


class Looks(NamedTuple):
    """How likely mentions are the same: at first sight, and when they are read; and what is enough."""

    first: Likely
    second: Likely | None  # if they can be
    threshold: float


class Fresh(NamedTuple):
    """Which mentions are new: those before have been compared with each other already."""

    begin: int
    met: Sequence[IntArray] = ()  # mentions of which all were compared with all others

    def pairs(
        self, label: IntArray, members: Grouped, middles: Vectors, buckets: Sequence[IntArray],
        grown: BoolArray,
    ) -> RowPairs:  # fmt: skip
        """Pair parts that have grown by new mentions with the nearest of all, and of their buckets.

        Parts all mentions of which were compared with each other have met, and so has a part that is all new
        whatever of another it was compared with: that they are not joined is decided.
        """
        first, last = (fold.reduceat(members.order, members.edges[:-1]) for fold in (np.minimum, np.maximum))
        near = fresh_pairs(middles, buckets, (last >= self.begin) & grown)
        part = label[np.concatenate([last[:0], *self.met])]
        where = np.repeat(np.arange(len(self.met)), [rows.size for rows in self.met])
        some = csr_array((np.ones(part.size), (part, where)), shape=(last.size, max(len(self.met), 1)))
        every = some.copy()
        every.data = (some.data == np.repeat(members.sizes, np.diff(some.indptr))) * 1.0
        new = first >= self.begin
        beside_new = (new[near.first] | new[near.second]) & (shared(some, *near) > 0)
        return near.chosen(~(beside_new | (shared(every, *near) > 0)))


def joined_parts(
    label: IntArray, vectors: Vectors, buckets: Sequence[IntArray], looks: Looks, workers: int = 1,
    joins: list[Join] | None = None, fresh: Fresh | None = None, done: Done = unwatched,
) -> IntArray:  # fmt: skip
    """Join clusters whose mentions are the same on average: the labels of mentions, numbered by first sight.

    Mentions have vectors, and are sorted into buckets in several ways; a part is where its first mention is.
    `joins`, if given, is told of what is joined, each part by its first mention. If it is said which mentions
    are `fresh`, only parts with some of these are compared with others. `done` is told the share that is
    done, as far as can be known: each round takes half of what is left.
    """
    middles, known = part_middles(vectors, label), PartAverages.none()
    grown = np.ones(len(middles), np.bool_)
    for number in range(JOIN_ROUNDS):
        members = Grouped.of(label)
        of_parts = [bucket[members.order[members.edges[:-1]]] for bucket in buckets]
        if fresh:
            near = fresh.pairs(label, members, middles, of_parts, grown)
        else:
            near = part_pairs(middles, of_parts, workers)
        known = known.and_of(members, near, looks, part_of(done, 1 - 0.5**number, 1 - 0.5 ** (number + 1)))
        sizes = members.sizes
        found = list[Join]()
        joined = average_linkage(
            known.pairs, known.averages, sizes.size, looks.threshold, members=sizes, joins=found
        )
        if not found:
            break
        if joins is not None:
            joins += joins_of_members(found, members)
        label, middles, known = joined[label], _averaged(middles, sizes, joined), known.after(joined, sizes)
        grown = np.bincount(joined) > 1
    done(1)
    return label


def joins_of_members(joins: Iterable[Join], members: Grouped) -> list[Join]:
    """Name the first member of each part instead of the part."""
    first = members.order[members.edges[:-1]].tolist()
    return [Join(first[join.first], first[join.second], join.average) for join in joins]


def part_middles(vectors: Vectors, label: IntArray) -> Vectors:
    """Average the vectors of each part, narrowed."""
    sizes = np.bincount(label).astype(np.float32)
    middles, begin = np.zeros((0, 0), np.float16), 0
    for rows in narrowed(vectors):
        part = label[begin : begin + len(rows)]
        if not begin:
            middles = np.zeros((sizes.size, rows.shape[1]), np.float16)
        # Mentions of a neighbourhood come one after the other.
        low, high = int(part.min()), int(part.max()) + 1
        share = csr_array(
            (1 / sizes[part], (part - low, np.arange(part.size))), shape=(high - low, part.size)
        )
        middles[low:high] = middles[low:high] + share @ rows
        begin += len(rows)
    return middles


def _averaged(middles: Vectors, sizes: IntArray, joined: IntArray) -> Vectors:
    """Average the middles of parts that were joined, larger ones more."""
    weight = sizes / np.bincount(joined, sizes)[joined]
    shape = int(joined.max()) + 1, joined.size
    share = csr_array((weight.astype(np.float32), (joined, np.arange(joined.size))), shape=shape)
    averaged: Vectors = (share @ middles.astype(np.float32)).astype(np.float16)
    return averaged


def part_pairs(middles: Vectors, buckets: Sequence[IntArray], workers: int = 1) -> RowPairs:
    """Pair parts with the nearest of all, and with the nearest of each bucket."""
    near = [*near_chunks(middles, NEAREST, workers)]
    for bucket in buckets:
        near += bucket_pairs(bucket, middles, OF_ONE_HEAD, workers)
    return joined_pairs(near, len(middles))


def fresh_pairs(middles: Vectors, buckets: Sequence[IntArray], fresh: BoolArray) -> RowPairs:
    """Pair fresh parts with the nearest of all, and with the nearest of their buckets; exactly."""
    rows = np.flatnonzero(fresh)
    near = [nearest(middles, rows, np.arange(len(middles)), NEAREST)]
    for bucket in buckets:
        groups = Grouped.of(bucket)
        for number in np.unique(
            np.searchsorted(bucket[groups.order[groups.edges[:-1]]], bucket[rows])
        ).tolist():
            among = groups[number]
            if bucket[among[0]] >= 0:
                near.append(nearest(middles, among[fresh[among]], among, OF_ONE_HEAD))
    return joined_pairs(near, len(middles))


class PartAverages(NamedTuple):
    """Averages of pairs of parts."""

    pairs: RowPairs
    averages: FloatArray

    @classmethod
    def none(cls) -> PartAverages:
        """Know nothing yet."""
        return cls(RowPairs.none(), np.zeros(0))

    def and_of(self, members: Grouped, pairs: RowPairs, looks: Looks, done: Done = unwatched) -> PartAverages:
        """Add pairs of parts that are not known yet."""
        size = members.sizes.size
        fresh = pairs.chosen(~find(_codes(pairs, size), _codes(self.pairs, size))[1])
        every = joined_pairs([self.pairs, fresh], size)
        averages = np.zeros(every.size)
        for some, known in ((self.pairs, self.averages), (fresh, _averages(members, fresh, looks, done))):
            averages[find(_codes(some, size), _codes(every, size))[0]] = known
        return PartAverages(every, averages)

    def after(self, joined: IntArray, sizes: IntArray) -> PartAverages:
        """Give what is known of parts that were joined: of two that have grown, what their parts had."""
        parts = int(joined.max()) + 1
        one, other = (joined[side] for side in self.pairs)
        different = np.flatnonzero(one != other)
        code, index = np.unique(
            _codes(RowPairs(np.minimum(one, other), np.maximum(one, other)), parts)[different],
            return_inverse=True,
        )
        weight = (sizes[self.pairs.first] * sizes[self.pairs.second])[different]
        averages = totals(index, weight * self.averages[different], code.size) / totals(
            index, weight, code.size
        )
        return PartAverages(RowPairs(code // parts, code % parts), averages)


def _codes(pairs: RowPairs, size: int) -> IntArray:
    codes: IntArray = pairs.first * size + pairs.second
    return codes


def _averages(members: Grouped, pairs: RowPairs, looks: Looks, done: Done) -> FloatArray:
    """Average pairs of members of each pair of parts: a few, more where these are not far off, and read."""
    averages = _sampled(members, pairs, looks.first, MEMBERS_TRIED, part_of(done, 0, READ_SHARE / 2))
    more = np.flatnonzero(averages >= WORTH_MORE * looks.threshold)
    averages[more] = _sampled(
        members, pairs.chosen(more), looks.first, MEMBERS_COMPARED, part_of(done, READ_SHARE / 2, READ_SHARE)
    )
    if looks.second:
        likely = np.flatnonzero(averages >= looks.threshold)
        averages[likely] = _sampled(
            members, pairs.chosen(likely), looks.second, MEMBERS_READ, part_of(done, READ_SHARE, 1)
        )
    return averages


def _sampled(members: Grouped, pairs: RowPairs, look: Likely, most: int, done: Done) -> FloatArray:
    """Average pairs of members of each pair of parts, evenly spaced; all if they are few.

    Pairs are looked at some at a time, as those of all would be most of the memory; but what is read together
    must be seen at once.
    """
    count = np.minimum(members.sizes[pairs.first] * members.sizes[pairs.second], most)
    edges = np.cumsum(np.r_[0, count])
    likely, whole = np.empty(int(edges[-1])), int(edges[-1])
    step = LOOKED_AT_ONCE if most > MEMBERS_READ else max(whole, 1)
    for begin in range(0, whole, step):
        end = min(begin + step, whole)
        chosen = _members_between(members, pairs, edges, begin, end)
        likely[begin:end] = look(chosen, part_of(done, begin / whole, end / whole))
    return totals(np.repeat(np.arange(pairs.size), count), likely, pairs.size) / count


def _members_between(members: Grouped, pairs: RowPairs, edges: IntArray, begin: int, end: int) -> RowPairs:
    """Choose pairs of members: of all those that `edges` has of each pair, from one to another."""
    number = np.arange(begin, end)
    of_pair = np.searchsorted(edges, number, side="right") - 1
    count, one, other = np.diff(edges)[of_pair], pairs.first[of_pair], pairs.second[of_pair]
    width = members.sizes[other]
    every = members.sizes[one] * width
    at = (number - edges[of_pair]) * (every - 1) // np.maximum(count - 1, 1)
    first, second = members.edges[one] + at // width, members.edges[other] + at % width
    return RowPairs(members.order[first], members.order[second])
