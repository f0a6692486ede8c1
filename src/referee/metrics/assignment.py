"""The best one-to-one alignment of clusters, for CEAF: exact, and sparse.

A cell (row, column) is worth something; choose cells, no two in one line, that are worth most together.
Most of the problem is settled before any solver sees it, by two rules that keep the optimum:

* *Sure cells.* A cell that is worth at least as much as the best others of its row and its column together
  is in some best alignment: whatever it displaces is worth no more.
* *Leaves.* A row with one cell, worth w, is the column's last resort: take w for granted, make the column's
  other cells worth w less, and forget those that are then worth nothing. In the end the leaf is chosen if
  its column is still free. Columns with one cell likewise.

On real data hardly a cell is left; what is left goes to SciPy's sparse Jonker-Volgenant solver. That takes
time that grows with the square of a knot, so that a very large one is undone in another way (`knots`).
"""

from __future__ import annotations

import numpy as np

from referee.arrays import BoolArray, FloatArray, IntArray, Numbers, first_of_each, run_ends, run_starts

LARGE = 10_000  # rows and columns; from here on SciPy's solver takes longer, if cells are few
NOTHING = 1e-13  # what remains of a cell after a subtraction that should leave 0


def best_alignment(k: IntArray, r: IntArray, worth: Numbers) -> BoolArray:
    """Tell which cells are chosen."""
    chosen = np.zeros(k.size, np.bool_)
    left = np.arange(k.size)
    value = worth.astype(np.float64)
    folds: list[tuple[IntArray, IntArray]] = []  # the lines folded onto, and the leaves that wait for them
    size = 0
    while size != left.size:
        size = left.size
        sure = _sure_cells(k[left], r[left], value[left])
        chosen[left[sure]] = True
        left = left[~(_among(k[left], k[left[sure]]) | _among(r[left], r[left[sure]]))]
        for leaf_line, line in ((k, r), (r, k)):
            leaves, left = _fold_leaves(leaf_line, line, value, left)
            folds.append((line, leaves))
    chosen[left[_assign(k[left], r[left], value[left])]] = True
    for line, leaves in reversed(folds):
        chosen[leaves[~_among(line[leaves], line[chosen])]] = True
    return chosen


def _sure_cells(k: IntArray, r: IntArray, worth: FloatArray) -> IntArray:
    """Find sure cells; of those that tie for a line, the first."""
    sure = np.flatnonzero(worth >= _best_other(k, worth) + _best_other(r, worth))
    sure = sure[first_of_each(k[sure])]
    return sure[first_of_each(r[sure])]


def _best_other(line: IntArray, worth: FloatArray) -> FloatArray:
    """For each cell, the best worth among the other cells of its line, 0 if it has none."""
    order = np.lexsort((worth, line))
    line, worth = line[order], worth[order]
    start, end = run_starts(line), run_ends(line)  # a line's least and best cell
    best = np.repeat(worth[end], np.diff(np.flatnonzero(start), append=line.size))
    second = np.where(start, 0, np.roll(worth, 1))
    other = np.empty_like(worth)
    other[order] = np.where(end, second, best)
    return other


def _fold_leaves(
    leaf_line: IntArray, line: IntArray, value: FloatArray, left: IntArray
) -> tuple[IntArray, IntArray]:
    """Take the best leaf of each line for granted; return these leaves and the cells that still matter."""
    alone = left[np.bincount(leaf_line[left])[leaf_line[left]] == 1]
    if not alone.size:
        return alone, left
    alone = alone[np.lexsort((-value[alone], line[alone]))]
    leaves = alone[first_of_each(line[alone])]
    granted = np.zeros(line.max() + 1)
    granted[line[leaves]] = value[leaves]
    value[left] -= granted[line[left]]
    return leaves, left[value[left] > NOTHING]


def _among(lines: IntArray, taken: IntArray) -> BoolArray:
    """Tell which of the lines are taken."""
    table = np.zeros(max(lines.max(initial=0), taken.max(initial=0)) + 1, np.bool_)
    table[taken] = True
    return table[lines]


def _assign(k: IntArray, r: IntArray, worth: FloatArray) -> IntArray:
    """Solve what is left; each row may also take a column of its own that is worth nothing."""
    if not k.size:
        return k
    from scipy.sparse import coo_array  # when needed: they load longer than a small corpus takes to score
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    from referee.metrics.knots import align_knot

    rows, row = np.unique(k, return_inverse=True)
    columns, column = np.unique(r, return_inverse=True)
    if min(rows.size, columns.size) >= LARGE:
        return np.flatnonzero(align_knot(row, column, worth))
    alone = np.arange(rows.size)
    weights = np.r_[worth, np.zeros(rows.size)] + 1.0  # the solver drops explicit zeros
    lines = np.stack([np.r_[row, alone], np.r_[column, columns.size + alone]])
    cells = tuple(lines.astype(np.int32))  # SciPy before 1.13 takes no wider ones
    graph = coo_array((weights, cells), shape=(rows.size, columns.size + rows.size)).tocsr()
    matched = np.empty(rows.size, np.int64)
    left, right = min_weight_full_bipartite_matching(graph, maximize=True)
    matched[left] = right
    return np.flatnonzero(matched[row] == column)
