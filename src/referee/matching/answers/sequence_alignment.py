"""Pairs equal items of two long sequences in order, in near-linear time.

What is unique in both sequences is paired first (patience: Cohen 2003): runs of several items before single
ones, and of these the longest chain that crosses nowhere. Between two anchors the same is done again, and
what is left is aligned by the greedy difference algorithm (Myers 1986), in windows, so that neither a text
without rare words nor one that was shuffled takes longer than its length allows.

rapidfuzz finds the longest common subsequence faster up to some 30,000 words, but takes 1.3 GB for 100,000 of
them, four times as much for twice as many; and pairs no more words with themselves (`bench/alignment.py`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from referee.arrays import IntArray, ragged

RUNS = (12, 6, 3, 1)  # lengths of runs that serve as anchors
DEEPEST = 12  # how often anchors are looked for between anchors
WINDOW = 256  # items that are aligned at once where there are no anchors
LONGEST_MOVED = 64  # items of a run that may be moved to another
MOST_EDITS = 128  # in a window; past it, what was reached is taken
FACTOR = np.uint64(0x9E3779B97F4A7C15)


class Stretch(NamedTuple):
    """Parts of both sequences that are aligned with each other, and how many anchors are around it."""

    start: int
    end: int
    other_start: int
    other_end: int
    depth: int = 0


class Run(NamedTuple):
    """Items that are equal in both, one after the other."""

    start: int
    other: int
    length: int


def equal_items(ours: IntArray, theirs: IntArray) -> tuple[IntArray, IntArray]:
    """Align two sequences of numbers; give the positions of items that are paired, in order.

    >>> equal_items(np.array([1, 2, 3, 4, 5]), np.array([1, 2, 9, 4, 5, 6]))
    (array([0, 1, 3, 4]), array([0, 1, 3, 4]))
    """
    index = np.flatnonzero(np.isin(ours, theirs))  # all others have no partner
    other = np.flatnonzero(np.isin(theirs, ours))
    start, other_start, length = _columns(_equal_runs(ours[index], theirs[other]))
    index, other = index[ragged(start, start + length)], other[ragged(other_start, other_start + length)]
    breaks = np.flatnonzero((np.diff(index) > 1) | (np.diff(other) > 1)) + 1
    starts, ends = np.append(0, breaks)[: index.size], np.append(breaks, index.size)[: index.size]
    rows = zip(index[starts].tolist(), other[starts].tolist(), (ends - starts).tolist(), strict=True)
    start, other_start, length = _columns(_settled(ours, theirs, [Run(*row) for row in rows]))
    return ragged(start, start + length), ragged(other_start, other_start + length)


def _columns(runs: Sequence[Run]) -> IntArray:
    return np.array(runs, np.int64).reshape(-1, 3).T


def _settled(ours: IntArray, theirs: IntArray, runs: Sequence[Run]) -> list[Run]:
    """Move runs to a neighbour where that is as good: of two *the*, the one beside what is aligned anyway."""
    settled: list[Run] = []
    for run in runs:
        here = run
        while settled:
            before = settled[-1]
            joined = _slid(ours, theirs, before, here)
            if joined is None:
                break
            settled.pop()
            here = joined
        settled.append(here)
    return settled


def _slid(ours: IntArray, theirs: IntArray, one: Run, two: Run) -> Run | None:
    """Join two runs between which one side has nothing, if either can be moved to the other."""
    end, other_end = one.start + one.length, one.other + one.length
    if (end == two.start) == (other_end == two.other):
        return None
    start, other = two.start - one.length, two.other - one.length
    right = one.length <= LONGEST_MOVED and _is_same(ours[one.start : end], ours[start:], theirs[other:])
    second = ours[two.start : two.start + two.length]
    left = two.length <= LONGEST_MOVED and _is_same(second, ours[end:], theirs[other_end:])
    length = one.length + two.length
    if right and (one.length <= two.length or not left):
        return Run(start, other, length)
    return Run(one.start, one.other, length) if left else None


def _is_same(items: IntArray, ours: IntArray, theirs: IntArray) -> bool:
    """Whether both sequences begin with some items."""
    return np.array_equal(items, ours[: items.size]) and np.array_equal(items, theirs[: items.size])


def _equal_runs(ours: IntArray, theirs: IntArray) -> list[Run]:
    """Align two sequences; give the runs that are equal, in order."""
    runs: list[Run] = []
    waiting = [Stretch(0, ours.size, 0, theirs.size)]
    while waiting:
        stretch = _trimmed(ours, theirs, waiting.pop(), runs)
        if stretch.start == stretch.end or stretch.other_start == stretch.other_end:
            continue
        chain = [] if _is_small(stretch) else _anchors(ours, theirs, stretch)
        if chain:
            runs += chain
            waiting += _between(chain, stretch)
        else:
            runs += _by_windows(ours, theirs, stretch)
    return sorted(runs)


def _is_small(stretch: Stretch) -> bool:
    sizes = stretch.end - stretch.start, stretch.other_end - stretch.other_start
    return stretch.depth >= DEEPEST or max(sizes) <= WINDOW


def _trimmed(ours: IntArray, theirs: IntArray, stretch: Stretch, runs: list[Run]) -> Stretch:
    """Take equal items off both ends."""
    start, end, other, other_end, depth = stretch
    size = min(end - start, other_end - other)
    unequal = np.flatnonzero(ours[start : start + size] != theirs[other : other + size])
    same = int(unequal[0]) if unequal.size else size
    if same:
        runs.append(Run(start, other, same))
    start, other, size = start + same, other + same, size - same
    unequal = np.flatnonzero(ours[end - size : end] != theirs[other_end - size : other_end])
    same = size - 1 - int(unequal[-1]) if unequal.size else size
    if same:
        runs.append(Run(end - same, other_end - same, same))
    return Stretch(start, end - same, other, other_end - same, depth)


def _anchors(ours: IntArray, theirs: IntArray, stretch: Stretch) -> list[Run]:
    """Chain runs of items that occur once in either part; the longest that there are."""
    part, others = ours[stretch.start : stretch.end], theirs[stretch.other_start : stretch.other_end]
    for length in RUNS:
        if min(part.size, others.size) < length:
            continue
        first, second = _unique_in_both(_hashes(part, length), _hashes(others, length))
        offsets = np.arange(length)
        same = (part[first[:, None] + offsets] == others[second[:, None] + offsets]).all(axis=1)
        first, second = first[same], second[same]  # numbers may be equal by accident
        chosen = longest_increasing(second.tolist())
        if chosen:
            starts = zip(first[chosen].tolist(), second[chosen].tolist(), strict=True)
            return _chained(starts, length, stretch)
    return []


def _hashes(items: IntArray, length: int) -> np.typing.NDArray[np.uint64]:
    """Make one number of each run of items."""
    size = items.size - length + 1
    values = items.astype(np.uint64) + np.uint64(1)
    total = np.zeros(size, np.uint64)
    for offset in range(length):
        total = (total + values[offset : offset + size]) * FACTOR
        total ^= total >> np.uint64(29)
    return total


def _unique_in_both(
    ours: np.typing.NDArray[np.uint64], theirs: np.typing.NDArray[np.uint64]
) -> tuple[IntArray, IntArray]:
    """Find values that each side has once; where they are, in the order of the first side."""
    once = []
    for values in (ours, theirs):
        value, index, count = np.unique(values, return_index=True, return_counts=True)
        once.append((value[count == 1], index[count == 1]))
    (hashes, index), (other_hashes, other_index) = once
    _, in_ours, in_theirs = np.intersect1d(hashes, other_hashes, assume_unique=True, return_indices=True)
    order = np.argsort(index[in_ours])
    return index[in_ours][order], other_index[in_theirs][order]


def longest_increasing(values: Sequence[int]) -> list[int]:
    """Choose the positions of a longest increasing subsequence (Fredman 1975).

    >>> longest_increasing([5, 1, 2, 9, 3])
    [1, 2, 4]
    """
    tails: list[int] = []  # the smallest last value of a subsequence of each length
    positions: list[int] = []
    before: list[int] = []
    for position, value in enumerate(values):
        rank = bisect_left(tails, value)
        before.append(positions[rank - 1] if rank else -1)
        tails[rank : rank + 1] = [value]
        positions[rank : rank + 1] = [position]
    chosen = []
    position = positions[-1] if positions else -1
    while position >= 0:
        chosen.append(position)
        position = before[position]
    return chosen[::-1]


def _chained(starts: Iterable[tuple[int, int]], length: int, stretch: Stretch) -> list[Run]:
    """Make runs of anchors, which may overlap, without what an earlier one has."""
    runs: list[Run] = []
    end = other_end = 0
    for start, other in starts:
        skipped = max(end - start, other_end - other, 0)
        if skipped < length:
            end, other_end = start + length, other + length
            where = stretch.start + start + skipped, stretch.other_start + other + skipped
            runs.append(Run(*where, length - skipped))
    return _joined(runs)


def _joined(runs: Sequence[Run]) -> list[Run]:
    """Join runs that follow each other without a gap on either side."""
    joined: list[Run] = []
    for run in runs:
        if joined and (run.start, run.other) == (
            joined[-1].start + joined[-1].length,
            joined[-1].other + joined[-1].length,
        ):
            joined[-1] = joined[-1]._replace(length=joined[-1].length + run.length)
        else:
            joined.append(run)
    return joined


def _between(chain: Sequence[Run], stretch: Stretch) -> list[Stretch]:
    """List what lies between anchors, and before and after them."""
    ends = [
        Run(stretch.start, stretch.other_start, 0), *chain, Run(stretch.end, stretch.other_end, 0)
    ]  # fmt: skip
    return [
        Stretch(one.start + one.length, two.start, one.other + one.length, two.other, stretch.depth + 1)
        for one, two in pairwise(ends)
    ]


def _by_windows(ours: IntArray, theirs: IntArray, stretch: Stretch) -> list[Run]:
    """Align without anchors: a window at a time, of which the first half is taken unless it is the last."""
    runs: list[Run] = []
    start, other = stretch.start, stretch.other_start
    while start < stretch.end and other < stretch.other_end:
        end, other_end = min(start + WINDOW, stretch.end), min(other + WINDOW, stretch.other_end)
        last = (end, other_end) == (stretch.end, stretch.other_end)
        keep = WINDOW if last else WINDOW // 2
        found = least_edits(ours[start:end].tolist(), theirs[other:other_end].tolist())
        taken = [run for run in found if run.start < keep and run.other < keep]
        runs += [Run(start + run.start, other + run.other, run.length) for run in taken]
        if last:
            break
        skip, other_skip = (
            (taken[-1].start + taken[-1].length, taken[-1].other + taken[-1].length)
            if taken
            else (keep, keep)
        )
        start, other = start + skip, other + other_skip
    return runs


def least_edits(ours: Sequence[object], theirs: Sequence[object]) -> list[Run]:
    """Align two short sequences with the fewest items left out on either side; give the equal runs.

    >>> least_edits("abcd", "abxd")
    [Run(start=0, other=0, length=2), Run(start=3, other=3, length=1)]
    """
    size, other_size = len(ours), len(theirs)
    furthest = {1: 0}  # diagonal → how far it was followed
    trace: list[dict[int, int]] = []
    best = (0, 0, 0)  # edits, diagonal and position that are furthest from the start
    for edits in range(min(size + other_size, MOST_EDITS) + 1):
        trace.append(furthest.copy())
        for diagonal in range(-edits, edits + 1, 2):
            down = diagonal == -edits or (
                diagonal != edits and furthest[diagonal - 1] < furthest[diagonal + 1]
            )
            x = furthest[diagonal + 1] if down else furthest[diagonal - 1] + 1
            y = x - diagonal
            while x < size and y < other_size and ours[x] == theirs[y]:
                x, y = x + 1, y + 1
            furthest[diagonal] = x
            if x <= size and y <= other_size and 2 * x - diagonal > 2 * best[2] - best[1]:
                best = edits, diagonal, x
            if x >= size and y >= other_size:
                return _walked_back(trace, diagonal, x)
    edits, diagonal, x = best
    return _walked_back(trace[: edits + 1], diagonal, x)


def _walked_back(trace: Sequence[dict[int, int]], diagonal: int, x: int) -> list[Run]:
    """Follow a path back to its start, and list its equal runs."""
    runs: list[Run] = []
    for edits in range(len(trace) - 1, -1, -1):
        before = trace[edits]
        down = diagonal == -edits or (diagonal != edits and before[diagonal - 1] < before[diagonal + 1])
        previous = diagonal + 1 if down else diagonal - 1
        start = before[previous] + (not down) if edits else 0
        if x > start:
            runs.append(Run(start, start - diagonal, x - start))
        if edits:
            diagonal, x = previous, before[previous]
    return runs[::-1]
