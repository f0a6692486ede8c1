"""The few numpy idioms that everybody uses, under names that say what they mean."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


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


def ranges(starts: IntArray, lengths: IntArray) -> IntArray:
    """List the numbers of ranges one after the other, given where each starts and how long it is.

    >>> ranges(np.array([5, 0]), np.array([3, 2])).tolist()
    [5, 6, 7, 0, 1]
    """
    before = np.cumsum(lengths) - lengths
    return np.repeat(starts - before, lengths) + np.arange(lengths.sum())


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
