"""The few numpy idioms that everybody uses, under names that say what they mean."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.number]


def find(wanted: IntArray, known: IntArray) -> tuple[IntArray, BoolArray]:
    """Where each wanted number is among sorted ones, and whether it is there at all.

    >>> index, there = find(np.array([7, 4, 2]), np.array([2, 3, 7]))
    >>> index[there].tolist(), there.tolist()
    ([2, 0], [True, False, True])
    """
    if not known.size:
        return np.zeros(wanted.size, np.int64), np.zeros(wanted.size, np.bool_)
    index = np.minimum(np.searchsorted(known, wanted), known.size - 1)
    return index, known[index] == wanted


def totals(groups: IntArray, values: Numbers, size: int) -> FloatArray:
    """Sum values by group, for the groups 0 … size − 1.

    >>> totals(np.array([0, 2, 0]), np.array([0.5, 1, 2]), 4).tolist()
    [2.5, 0.0, 1.0, 0.0]
    """
    return np.bincount(groups, values, size).astype(np.float64, copy=False)


def sums(groups: IntArray, values: IntArray, size: int) -> IntArray:
    """Sum integers by group, exactly: doubles are, below 2⁵³.

    >>> sums(np.array([0, 2, 0]), np.array([3, 1, 2]), 3).tolist()
    [5, 0, 1]
    """
    return totals(groups, values, size).astype(np.int64)


def pairs(n: IntArray) -> IntArray:
    """How many pairs n things form.

    >>> pairs(np.array([0, 1, 2, 5])).tolist()
    [0, 0, 1, 10]
    """
    return n * (n - 1) // 2


def first_of_each(values: IntArray) -> IntArray:
    """The index of the first occurrence of each value, values in ascending order.

    >>> first_of_each(np.array([5, 3, 5, 1])).tolist()
    [3, 1, 0]
    """
    return np.unique(values, return_index=True)[1]


def run_starts(*columns: IntArray) -> BoolArray:
    """Tell the rows in which a run of equal rows begins.

    >>> run_starts(np.array([1, 1, 1, 2]), np.array([7, 7, 8, 8])).tolist()
    [True, False, True, True]
    """
    starts = np.ones(columns[0].size, np.bool_)
    starts[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
    return starts


def run_ends(*columns: IntArray) -> BoolArray:
    """Tell the rows in which a run of equal rows ends.

    >>> run_ends(np.array([1, 1, 1, 2]), np.array([7, 7, 8, 8])).tolist()
    [False, True, True, True]
    """
    return np.append(run_starts(*columns)[1:], True)[: columns[0].size]


def connected_parts(first: IntArray, second: IntArray, size: int) -> IntArray:
    """Number the connected parts of a graph of nodes 0 … size − 1, given the two ends of each edge.

    SciPy before 1.11.3 returns uninitialised numbers for indices of 64 bits, hence those of 32.

    >>> connected_parts(np.array([0, 0, 2]), np.array([3, 4, 3]), 6).tolist()
    [0, 1, 0, 0, 0, 2]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ends = (first.astype(np.int32), second.astype(np.int32))
    graph = coo_array((np.ones(first.size), ends), shape=(size, size))
    return connected_components(graph, directed=False)[1].astype(np.int64)


def distinct(*columns: IntArray) -> tuple[IntArray, IntArray]:
    """Number rows so that equal ones have the same number, and say where each number first occurs.

    >>> number, first = distinct(np.array([7, 0, 7, 7]), np.array([5, 5, 5, 6]))
    >>> number.tolist(), first.tolist()
    ([1, 0, 1, 2], [1, 0, 3])
    """
    code = columns[0]
    for column in columns[1:]:
        width = int(column.max(initial=0)) + 1
        if (int(code.max(initial=0)) + 1) * width >= 2**63:  # numbers beyond any real text
            code = np.unique(code, return_inverse=True)[1]
        code = code * width + column
    _, first, number = np.unique(code, return_index=True, return_inverse=True)
    return number, first


def by_first_sight(code: IntArray) -> tuple[IntArray, IntArray]:
    """Number equal values in the order in which they first occur, and say where each does.

    >>> number, first = by_first_sight(np.array([7, 3, 7, 5]))
    >>> number.tolist(), first.tolist()
    ([0, 1, 0, 2], [0, 1, 3])
    """
    _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    order = np.argsort(first)
    number = np.empty_like(order)
    number[order] = np.arange(order.size)
    return number[inverse], first[order]


def pairs_by_depth(group: IntArray, step: IntArray) -> IntArray:
    """Order openings (step 1) and closings (−1), sorted by group, so that each follows its opening.

    They must be balanced in each group; a closing takes the latest opening that is still open.

    >>> pairs_by_depth(np.array([4, 4, 4, 4, 9, 9]), np.array([1, 1, -1, -1, 1, -1])).tolist()
    [0, 3, 1, 2, 4, 5]
    """
    depth = np.cumsum(step)
    depth = np.where(step > 0, depth, depth + 1)
    if depth.max(initial=0) <= 1:  # nothing is nested in its own group
        return np.arange(group.size)
    return np.lexsort((depth, group))


@dataclass(frozen=True, slots=True)
class Grouped:
    """Rows sorted into groups of equal values: `order` lists them group by group, each in its own order."""

    order: IntArray
    edges: IntArray  # group → where it begins in `order`; and the number of rows

    @classmethod
    def of(cls, values: IntArray) -> Grouped:
        """Group rows by a value.

        >>> groups = Grouped.of(np.array([4, 2, 4]))
        >>> groups.order.tolist(), groups.sizes.tolist(), groups[1].tolist()
        ([1, 0, 2], [1, 2], [0, 2])
        """
        order = np.argsort(values, kind="stable")
        fresh = np.flatnonzero(np.diff(values[order], prepend=values[order[:1]] - 1))
        return cls(order, np.append(fresh, values.size))

    def __getitem__(self, group: int) -> IntArray:
        """List the rows of a group."""
        return self.order[self.edges[group] : self.edges[group + 1]]

    @property
    def sizes(self) -> IntArray:
        """Count the rows of each group."""
        return np.diff(self.edges)

    def count(self, chosen: BoolArray) -> IntArray:
        """Count the rows of each group that are chosen."""
        return np.diff(np.append(0, np.cumsum(chosen[self.order]))[self.edges])


def outer_join(left: IntArray, right: IntArray) -> tuple[IntArray, IntArray]:
    """Put two lists of different numbers side by side: where each number of either is, −1 where it is not.

    >>> left, right = outer_join(np.array([5, 2]), np.array([7, 5]))
    >>> left.tolist(), right.tolist()  # of 2, 5 and 7
    ([1, 0, -1], [-1, 1, 0])
    """
    both = np.union1d(left, right)
    positions = np.full((2, both.size), -1)
    for position, numbers in zip(positions, (left, right), strict=True):
        position[np.searchsorted(both, numbers)] = np.arange(numbers.size)
    return positions[0], positions[1]


def look_up(column: IntArray, rows: IntArray) -> IntArray:
    """Look up rows of a column; −1 for a row that is −1.

    >>> look_up(np.array([10, 11, 12]), np.array([2, -1, 0])).tolist()
    [12, -1, 10]
    """
    return np.append(column, -1)[rows]


def pair_equal(left: IntArray, right: IntArray, *, once: bool) -> tuple[IntArray, IntArray]:
    """Pair equal values of two lists: their positions. Values below 0 are equal to none.

    A value that occurs again is paired where it first occurs, or with `once` not at all.

    >>> [side.tolist() for side in pair_equal(np.array([4, 9, 9, -1]), np.array([9, -1, 4]), once=False)]
    [[0, 1], [2, 0]]
    >>> [side.tolist() for side in pair_equal(np.array([4, 9, 9, -1]), np.array([9, -1, 4]), once=True)]
    [[0], [2]]
    """
    firsts = []
    for values in (left, right):
        value, first, count = np.unique(values, return_index=True, return_counts=True)
        firsts.append(first[(value >= 0) & ((count == 1) | (not once))])
    _, ours, theirs = np.intersect1d(left[firsts[0]], right[firsts[1]], return_indices=True)
    return firsts[0][ours], firsts[1][theirs]


def best_member(group: IntArray, member: IntArray, size: IntArray, groups: int) -> IntArray:
    """For each group its largest member, the first of several; −1 for a group without any.

    >>> best_member(np.array([0, 0, 2, 2]), np.array([7, 5, 6, 4]), np.array([1, 3, 2, 2]), 3).tolist()
    [5, -1, 4]
    """
    order = np.lexsort((member, -size, group))
    chosen, first = np.unique(group[order], return_index=True)
    best = np.full(groups, -1)
    best[chosen] = member[order][first]
    return best


def ragged(begin: IntArray, end: IntArray) -> IntArray:
    """Count from each begin up to its end, one range after the other.

    >>> ragged(np.array([3, 7]), np.array([5, 8])).tolist()
    [3, 4, 7]
    """
    length = np.maximum(end - begin, 0)
    return np.repeat(begin - np.cumsum(length) + length, length) + np.arange(length.sum())


def spread(begin: IntArray, end: IntArray) -> tuple[IntArray, IntArray]:
    """Count from each begin up to its end, and say beside each number which range it is in.

    >>> [column.tolist() for column in spread(np.array([3, 7]), np.array([5, 8]))]
    [[0, 0, 1], [3, 4, 7]]
    """
    return np.repeat(np.arange(begin.size), np.maximum(end - begin, 0)), ragged(begin, end)


def offsets_of(group: IntArray, groups: int) -> IntArray:
    """Say where each group begins in members that are sorted by group; and the number of members.

    >>> offsets_of(np.array([0, 0, 2]), groups=3).tolist()
    [0, 2, 2, 3]
    """
    return np.append(0, np.cumsum(np.bincount(group, minlength=groups)))


def least_of(group: IntArray, value: IntArray, groups: int, *, empty: int) -> IntArray:
    """Find the smallest value of each group, or what an empty one has.

    >>> least_of(np.array([2, 0, 2]), np.array([5, 7, 4]), groups=3, empty=-1).tolist()
    [7, -1, 4]
    """
    smallest = np.full(groups, empty)
    downwards = np.argsort(-value, kind="stable")
    smallest[group[downwards]] = value[downwards]  # the last one written stays
    return smallest


def number_of_row(offsets: IntArray, values: IntArray) -> IntArray:
    """Number ragged rows so that two have the same number if and only if they hold the same values.

    Rows are not empty; their values ascend and are not negative. A row without gaps is known by its first
    and last value, any other by all of them: it gets a negative number.

    >>> number_of_row(np.array([0, 2, 4, 6, 8]), np.array([1, 2, 1, 3, 1, 3, 1, 2])).tolist()
    [6, -1, -1, 6]
    """
    first, last = values[offsets[:-1]], values[offsets[1:] - 1]
    number: IntArray = first * (values.max(initial=0) + 1) + last
    known: dict[bytes, int] = {}
    has_gap = last - first + 1 != np.diff(offsets)
    for row in np.flatnonzero(has_gap).tolist():
        held = values[offsets[row] : offsets[row + 1]].tobytes()
        number[row] = known.setdefault(held, -1 - len(known))
    return number


def depths(opening: BoolArray) -> npt.NDArray[np.int32]:
    """Count the brackets that are open after each bracket.

    >>> depths(np.array([True, True, False, False])).tolist()  # (())
    [1, 2, 1, 0]
    """
    return np.cumsum((opening.view(np.int8) << 1) - 1, dtype=np.int32)


def bracket_pairs(opening: BoolArray) -> tuple[IntArray, IntArray]:
    """Match opening with closing brackets, outer pairs first, and pairs of one depth from left to right.

    At each depth brackets open and close by turns, so that sorting by depth puts partners side by side.

    >>> [side.tolist() for side in bracket_pairs(np.array([True, True, False, True, False, False]))]  # (()())
    [[0, 1, 3], [5, 2, 4]]
    """
    depth = depths(opening) + ~opening  # that of the pair, on both sides
    narrow = depth.astype(np.min_scalar_type(int(depth.max(initial=0))))  # sorts faster
    opens, closes = np.argsort(narrow, kind="stable").reshape(-1, 2).T
    return opens, closes


def scattered(values: IntArray, index: IntArray) -> IntArray:
    """Put each value at its index; the indices are all numbers from 0, in some order.

    >>> scattered(np.array([10, 20, 30]), np.array([2, 0, 1])).tolist()
    [20, 30, 10]
    """
    target = np.empty_like(values)
    target[index] = values
    return target
