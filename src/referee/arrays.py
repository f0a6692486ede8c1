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


def joined(first: IntArray, second: IntArray, size: int) -> IntArray:
    """Number the connected parts of a graph of nodes 0 … size − 1, given the two ends of each edge.

    SciPy before 1.11.3 returns uninitialised numbers for indices of 64 bits, hence those of 32.

    >>> joined(np.array([0, 0, 2]), np.array([3, 4, 3]), 6).tolist()
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
