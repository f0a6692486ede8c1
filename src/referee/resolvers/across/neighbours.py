"""Candidate pairs: which mentions of many are worth comparing.

Two mentions are compared if one is among the nearest of the other, by the cosine of their vectors, among all
or among those with the same head or the same words. Few mentions are all compared with each other; very many
are sorted into cells around centres first (an inverted file, after Jégou et al. 2011), and only near cells
are searched. Cells are found step by step, smaller ones within larger ones, until none is large, so that time
grows hardly faster than the number of mentions; memory grows with that of mentions and candidates alone.

faiss, hnswlib and usearch find more of the neighbours of very many rows (0.98 to 1.00 instead of 0.95 for
100,000), in 4.6 to 14 times the time on one thread; up to 8,192 rows all are exact, and faiss alone is as
fast. `bench/neighbours.py` has the figures.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from referee.arrays import BoolArray, Grouped, IntArray, run_starts
from referee.resolvers.across.workers import in_threads

Vectors = npt.NDArray[np.floating]
EXACT = 8192  # so many rows are all compared
CELL = 512  # rows of a cell, on average
MOST_IN_CELL = 1024  # rows; a larger cell is divided again
BRANCHES = 256  # cells into which rows are divided in one step
SEARCHED = 8  # cells: that of a row itself, and the nearest others
SAMPLED = 48  # rows of each cell from which its centre is found
ROUNDS = 4  # of finding centres
AT_ONCE = 2**22  # similarities, 16 MiB
STRIPES = 64  # parts of a row of similarities whose greatest are compared first
NARROW = 128  # columns by which very many rows are compared; with 32 ECB+ dev loses 0.1, all give the same
NARROWED_AT_ONCE = 2**14  # rows; and as many show which columns those are
EXACT_AT_ONCE = 2**10  # of them that are made exact


class RowPairs(NamedTuple):
    """Pairs of rows, each once: the first is less than the second, and they are sorted."""

    first: IntArray
    second: IntArray

    @classmethod
    def none(cls) -> RowPairs:
        """Give no pair."""
        return cls(np.zeros(0, np.int64), np.zeros(0, np.int64))

    @property
    def size(self) -> int:
        """The number of pairs."""
        return self.first.size

    def chosen(self, rows: IntArray | BoolArray | slice) -> RowPairs:
        """Keep some of them."""
        return RowPairs(self.first[rows], self.second[rows])


def all_pairs(size: int) -> RowPairs:
    """Pair all rows.

    >>> [side.tolist() for side in all_pairs(3)]
    [[0, 0, 1], [1, 2, 2]]
    """
    first, second = np.triu_indices(size, 1)
    return RowPairs(first.astype(np.int64), second.astype(np.int64))


def joined_pairs(parts: list[tuple[IntArray, IntArray]], size: int) -> RowPairs:
    """Put pairs of rows 0 … size − 1 together, in whatever order and however often they come.

    >>> [side.tolist() for side in joined_pairs([(np.array([2, 0]), np.array([0, 1]))], 3)]
    [[0, 0], [1, 2]]
    """
    codes = [np.minimum(a, b) * size + np.maximum(a, b) for a, b in parts]
    code = np.concatenate([np.zeros(0, np.int64), *codes])
    code.sort()
    code = code[run_starts(code)]
    return RowPairs(code // max(size, 1), code % max(size, 1))


def narrowed(vectors: Vectors) -> Iterator[Vectors]:
    """Give rows of length one few columns, some at a time: the principal directions of evenly spaced ones.

    Rows that are narrow keep their columns. So very many can be read from a file, of which few are held.
    """
    steps = range(0, len(vectors), NARROWED_AT_ONCE)
    if vectors.shape[1] <= NARROW:
        yield from (unit_rows(vectors[begin : begin + NARROWED_AT_ONCE]) for begin in steps)
        return
    directions = principal_directions(vectors[_spaced(np.arange(len(vectors)), NARROWED_AT_ONCE)])
    yield from (unit_rows(vectors[begin : begin + NARROWED_AT_ONCE]) @ directions for begin in steps)


def principal_directions(sample: Vectors) -> Vectors:
    """Find the columns by which rows are narrowed, in some of them."""
    rows = np.empty(sample.shape, np.float64)
    for begin in range(0, len(sample), EXACT_AT_ONCE):  # single precision beside all of it would be half more
        rows[begin : begin + EXACT_AT_ONCE] = unit_rows(sample[begin : begin + EXACT_AT_ONCE])
    directions: Vectors = np.linalg.eigh(rows.T @ rows)[1][:, -NARROW:].astype(np.float32)
    return directions


def near_pairs(vectors: Vectors, count: int, workers: int = 1) -> RowPairs:
    """Pair each row with the `count` rows that are most like it; all rows if there are not more."""
    return joined_pairs(list(near_chunks(vectors, count, workers)), len(vectors))


def near_chunks(vectors: Vectors, count: int, workers: int = 1) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield what `near_pairs` joins, some rows at a time; a pair may come twice."""
    size = len(vectors)
    if size <= count + 1:
        return iter([all_pairs(size)])

    def search(task: tuple[IntArray, IntArray]) -> tuple[IntArray, IntArray]:
        return nearest(vectors, *task, count)

    return in_threads(search, _searches(vectors, workers), workers)


def nearest(vectors: Vectors, rows: IntArray, among: IntArray, count: int) -> tuple[IntArray, IntArray]:
    """Pair rows with the most like of others, which are sorted and which they are some of."""
    unit, near = unit_rows(vectors[among]), []
    wanted = min(count, among.size - 1)
    step = max(1, AT_ONCE // among.size)
    for begin in range(0, rows.size if wanted else 0, step):
        position = np.searchsorted(among, rows[begin : begin + step])
        like = unit[position] @ unit.T
        like[np.arange(position.size), position] = -np.inf
        near.append(among[_greatest(like, wanted)].ravel())
    return np.repeat(rows, wanted), np.concatenate([np.zeros(0, np.int64), *near])


def _greatest(table: Vectors, count: int) -> IntArray:
    """Say where the greatest numbers of each row are.

    The greatest of STRIPES parts of a row show what at least `count` of its numbers reach; few others do.
    """
    rows, columns = table.shape
    if count > STRIPES // 2 or columns < 8 * STRIPES:
        return np.argpartition(table, columns - count, axis=1)[:, columns - count :]
    whole = table[:, : columns // STRIPES * STRIPES].reshape(rows, -1, STRIPES)
    bound = np.partition(whole.max(1), STRIPES - count, axis=1)[:, STRIPES - count]
    row, column = np.divmod(np.flatnonzero(table >= bound[:, None]), columns)
    order = np.lexsort((-table[row, column], row))
    first = np.searchsorted(row, np.arange(rows))
    greatest: IntArray = column[order[first[:, None] + np.arange(count)]]
    return greatest


def bucket_pairs(
    buckets: IntArray, vectors: Vectors, count: int, workers: int = 1
) -> Iterator[tuple[IntArray, IntArray]]:
    """Pair rows of the same bucket: all of a small one, the nearest of a large one; −1 is not a bucket."""
    groups = Grouped.of(buckets)
    named = buckets[groups.order[groups.edges[:-1]]] >= 0
    for size in range(2, count + 2):
        begin = groups.edges[:-1][named & (groups.sizes == size)]
        rows = groups.order[begin[:, None] + np.arange(size)]
        pairs = all_pairs(size)
        yield rows[:, pairs.first].ravel(), rows[:, pairs.second].ravel()
    for number in np.flatnonzero(named & (groups.sizes > count + 1)).tolist():
        rows = groups[number]
        for first, second in near_chunks(vectors[rows], count, workers):
            yield rows[first], rows[second]


def _searches(vectors: Vectors, workers: int) -> Iterator[tuple[IntArray, IntArray]]:
    """Say which rows look among which: all among all, or cell by cell among those of near cells."""
    everything = np.arange(len(vectors))
    if everything.size <= EXACT:
        step = max(1, AT_ONCE // max(everything.size, 1))
        yield from (
            (everything[begin : begin + step], everything) for begin in range(0, everything.size, step)
        )
        return
    cells, centres = _cells(vectors, workers)
    for number, rows in enumerate(cells):
        near = np.argsort(-(centres @ centres[number]), kind="stable")[:SEARCHED].tolist()
        yield rows, np.sort(np.concatenate([cells[cell] for cell in {number, *near}]))


def _cells(vectors: Vectors, workers: int) -> tuple[list[IntArray], Vectors]:
    """Sort rows into cells, and large ones into smaller ones: the rows of each, and its centre."""
    cells, centres = list[IntArray](), list[Vectors]()
    large = [np.arange(len(vectors))]
    while large:
        further: list[IntArray] = []
        divided = in_threads(lambda rows: _divided(vectors, rows), large, workers)
        for rows, (cell, found) in zip(large, divided, strict=True):
            inside = Grouped.of(cell)
            for number in range(inside.sizes.size):
                part = rows[inside[number]]
                if MOST_IN_CELL < part.size <= rows.size // 2:
                    further.append(part)
                else:  # rows that no centre divides, as they are all alike, are cut anyhow
                    parts = np.array_split(part, -(-part.size // MOST_IN_CELL))
                    cells += parts
                    centres += [found[cell[inside[number][0]]]] * len(parts)
        large = further
    return cells, np.stack(centres)


def _divided(vectors: Vectors, rows: IntArray) -> tuple[IntArray, Vectors]:
    """Name for each row the closest centre; centres are found in evenly spaced rows by spherical k-means."""
    count = min(-(-rows.size // CELL), BRANCHES)
    sample = _spaced(rows, count * SAMPLED)
    unit = unit_rows(vectors[sample])
    centres = unit[:: max(1, sample.size // count)][:count]
    for _ in range(ROUNDS):
        cell = _closest(unit, np.arange(sample.size), centres)
        sums = np.zeros_like(centres)
        np.add.at(sums, cell, unit)
        empty = ~np.isin(np.arange(len(centres)), cell)
        centres = np.where(empty[:, None], centres, unit_rows(sums))
    return _closest(vectors, rows, centres), centres


def _spaced(rows: IntArray, most: int) -> IntArray:
    """Choose so many rows, evenly spaced; all if there are not more."""
    return rows[np.linspace(0, rows.size - 1, min(rows.size, most)).astype(np.int64)]


def _closest(vectors: Vectors, rows: IntArray, centres: Vectors) -> IntArray:
    """Name the centre that each row is most like, some rows at a time."""
    step = max(1, AT_ONCE // len(centres))
    parts = [
        np.argmax(unit_rows(vectors[rows[begin : begin + step]]) @ centres.T, axis=1)
        for begin in range(0, rows.size, step)
    ]
    return np.concatenate(parts).astype(np.int64)


def unit_rows(vectors: Vectors) -> Vectors:
    """Scale rows to length one, in single precision; a row of zeros stays."""
    rows = vectors.astype(np.float32)
    length = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return rows / np.where(length > 0, length, 1)[:, None]
