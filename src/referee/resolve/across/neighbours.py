"""Candidate pairs: which mentions of many are worth comparing.

Two mentions are compared if one is among the nearest of the other, by the cosine of their vectors, among all
or among those with the same head or the same words. Few mentions are all compared with each other; very many
are sorted into cells around centres first (an inverted file, after Jégou et al. 2011), and only near cells
are searched. Memory grows with the number of mentions and of candidates alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from referee.arrays import Grouped, IntArray, run_starts

Vectors = npt.NDArray[np.floating]
EXACT = 8192  # so many rows are all compared
CELL = 512  # rows of a cell, on average
SEARCHED = 8  # cells, the own one among them
SAMPLED = 48  # rows of each cell from which its centre is found
ROUNDS = 4  # of finding centres
AT_ONCE = 2**22  # similarities, 16 MiB


class RowPairs(NamedTuple):
    """RowPairs of rows, each once: the first is less than the second, and they are sorted."""

    first: IntArray
    second: IntArray

    @property
    def size(self) -> int:
        """The number of pairs."""
        return self.first.size


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


def near_pairs(vectors: Vectors, count: int) -> RowPairs:
    """Pair each row with the `count` rows that are most like it; all rows if there are not more."""
    return joined_pairs(list(near_chunks(vectors, count)), len(vectors))


def near_chunks(vectors: Vectors, count: int) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield what `near_pairs` joins, some rows at a time; a pair may come twice."""
    size = len(vectors)
    return iter([all_pairs(size)]) if size <= count + 1 else _nearest(vectors, vectors, count)


def nearest_rows(vectors: Vectors, targets: Vectors, count: int) -> tuple[IntArray, IntArray]:
    """Pair each row with the `count` rows of others that are most like it: rows, and rows of the others."""
    none = np.zeros(0, np.int64)
    rows, near = zip((none, none), *_nearest(vectors, targets, count), strict=True)
    return np.concatenate(rows), np.concatenate(near)


def _nearest(vectors: Vectors, targets: Vectors, count: int) -> Iterator[tuple[IntArray, IntArray]]:
    """Look for the targets that are most like each row; a row is not its own if both are the same array."""
    for rows, among in _searches(vectors, targets):
        unit = _unit(targets[among])
        wanted = min(count, among.size - (vectors is targets))
        step = max(1, AT_ONCE // among.size)
        for begin in range(0, rows.size if wanted else 0, step):
            own = rows[begin : begin + step]
            like = _unit(vectors[own]) @ unit.T
            if vectors is targets:
                like[own[:, None] == among[None, :]] = -np.inf
            best = np.argpartition(-like, wanted - 1, axis=1)[:, :wanted]
            yield np.repeat(own, wanted), among[best].ravel()


def bucket_pairs(buckets: IntArray, vectors: Vectors, count: int) -> Iterator[tuple[IntArray, IntArray]]:
    """Pair rows of the same bucket: all of a small one, the nearest of a large one; −1 is no bucket."""
    groups = Grouped.of(buckets)
    for number in np.flatnonzero(groups.sizes > 1).tolist():
        rows = groups[number]
        if buckets[rows[0]] >= 0:
            pairs = near_pairs(vectors[rows], count)
            yield rows[pairs.first], rows[pairs.second]


def _searches(vectors: Vectors, targets: Vectors) -> Iterator[tuple[IntArray, IntArray]]:
    """Say which rows look among which targets: all among all, or cell by cell among those of near cells."""
    everything = np.arange(len(targets))
    if everything.size <= EXACT:
        yield np.arange(len(vectors)), everything
        return
    centres = _centres(targets)
    cell_of = _closest(targets, everything, centres)
    cells = Grouped.of(cell_of)
    used = centres[cell_of[cells.order[cells.edges[:-1]]]]  # of the cells that have targets
    looking = cell_of if vectors is targets else _closest(vectors, np.arange(len(vectors)), centres)
    lookers = Grouped.of(looking)
    for number in range(lookers.sizes.size):
        rows = lookers[number]
        near = np.argsort(-(used @ centres[looking[rows[0]]]), kind="stable")[:SEARCHED].tolist()
        yield rows, np.concatenate([cells[cell] for cell in near])


def _centres(vectors: Vectors) -> Vectors:
    """Find centres of cells in evenly spaced rows: spherical k-means, begun with every so many-th of them."""
    count = -(-len(vectors) // CELL)
    sample = np.linspace(0, len(vectors) - 1, min(len(vectors), count * SAMPLED)).astype(np.int64)
    centres = _unit(vectors[sample[:: max(1, sample.size // count)][:count]])
    rows = _unit(vectors[sample])
    for _ in range(ROUNDS):
        cell = _closest(rows, np.arange(sample.size), centres)
        sums = np.zeros_like(centres)
        np.add.at(sums, cell, rows)
        empty = ~np.isin(np.arange(len(centres)), cell)
        centres = np.where(empty[:, None], centres, _unit(sums))
    return centres


def _closest(vectors: Vectors, rows: IntArray, centres: Vectors) -> IntArray:
    """Name the centre that each row is most like, some rows at a time."""
    step = max(1, AT_ONCE // len(centres))
    parts = [
        np.argmax(_unit(vectors[rows[begin : begin + step]]) @ centres.T, axis=1)
        for begin in range(0, rows.size, step)
    ]
    return np.concatenate(parts).astype(np.int64)


def _unit(vectors: Vectors) -> Vectors:
    """Scale rows to length one, in single precision; a row of zeros stays."""
    rows = vectors.astype(np.float32)
    length = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return rows / np.where(length > 0, length, 1)[:, None]
