"""The best one-to-one alignment of clusters, for CEAF: exact, and sparse.

Each cell (row, column) has a value. Choose cells, no two in the same line, whose sum is largest.
Two rules, which keep the optimum, settle most of the problem before a solver sees it:

* *Sure cells.* A cell that is worth at least as much as the best others of its row and its column together
  is in some best alignment: whatever it displaces is worth no more.
* *Leaves.* A row with one cell, worth w, is the column's last resort: take w for granted, make the column's
  other cells worth w less, and forget those that are then worth nothing. In the end the leaf is chosen if
  its column is still free. Columns with one cell likewise.

On real data hardly a cell is left. What is left goes to SciPy's sparse Jonker-Volgenant solver, whose time
grows with the square of the number of rows; from `LARGE` rows on, to an auction on the doubled graph.

The graph is doubled so that an alignment becomes a perfect matching: beside the rows there is a second row
for each column, beside the columns a second column for each row. A row may take its second column, worth
nothing, which means that it is left out; the second rows and columns match as the first ones do, worth
nothing. Each column has a price. A matching is best if there are prices at which each row has the column
that leaves it most (Kuhn 1955). Three steps find both:

* *Auction* (Bertsekas 1988): rows without a column bid for the one that leaves them most, all at a time. A
  bid raises the price by an increment at least, which shrinks from auction to auction. An auction is broken
  off when few rows are left, since these would take long.
* *Refining* (Goldberg 1995): prices are now almost right. They are lowered until each row that has a column
  is content with it. A row that never is loses its column.
* *Augmenting* (Edmonds & Karp 1972): shortest paths from the rows that have no column to columns without
  a row, at what each step would cost at the present prices; all paths that share nothing at once.

Whatever the first two steps leave is settled by the third, so the outcome is a best alignment always. Sums
are of doubles: it is best up to their rounding.

SciPy's solvers are imported when they are needed: they load longer than a small corpus takes to score.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.arrays import (
    BoolArray,
    FloatArray,
    IntArray,
    Numbers,
    first_of_each,
    offsets_of,
    ragged,
    run_ends,
    run_starts,
    scattered,
)

LARGE = 10_000  # rows and columns; from here on SciPy's solver takes longer, if cells are few
NOTHING = 1e-13  # what remains of a cell after a subtraction that should leave 0
FIRST_INCREMENT, LAST_INCREMENT, FINER = 0.02, 2e-9, 4  # of the auctions, in parts of the greatest worth
UNSOLD, ROUNDS = 100, 10_000  # an auction is broken off when so few rows are left, or after so many rounds
LOWERINGS = 400  # rounds of refining before rows lose their columns
CONTENT = 1e-12  # of the greatest worth: a difference that is rounding
NOBODY = -1


def best_alignment(k: IntArray, r: IntArray, worth: Numbers) -> BoolArray:
    """Find the cells of the best alignment: whether each is chosen."""
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
    start, end = run_starts(line), run_ends(line)  # a line's worst and best cell
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
    """Find which of the lines are taken."""
    table = np.zeros(max(lines.max(initial=0), taken.max(initial=0)) + 1, np.bool_)
    table[taken] = True
    return table[lines]


def _assign(k: IntArray, r: IntArray, worth: FloatArray) -> IntArray:
    """Solve what is left; each row may also take a column of its own that is worth nothing."""
    if not k.size:
        return k
    rows, row = np.unique(k, return_inverse=True)
    columns, column = np.unique(r, return_inverse=True)
    if min(rows.size, columns.size) >= LARGE:
        return np.flatnonzero(align_by_auction(row, column, worth))
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    alone = np.arange(rows.size)
    weights = np.r_[worth, np.zeros(rows.size)] + 1.0  # the solver drops explicit zeros
    lines = np.stack([np.r_[row, alone], np.r_[column, columns.size + alone]])
    cells = tuple(lines.astype(np.int32))  # SciPy before 1.13 takes no wider ones
    graph = coo_array((weights, cells), shape=(rows.size, columns.size + rows.size)).tocsr()
    matched = np.empty(rows.size, np.int64)
    left, right = min_weight_full_bipartite_matching(graph, maximize=True)
    matched[left] = right
    return np.flatnonzero(matched[row] == column)


@dataclass(frozen=True)
class DoubledGraph:
    """The doubled graph: for each row its columns and what they are worth, row by row."""

    start: IntArray  # of each row; and the end
    column: IntArray
    worth: FloatArray
    cell: IntArray  # where each given cell is
    greatest: float

    @classmethod
    def of(cls, row: IntArray, column: IntArray, worth: FloatArray) -> DoubledGraph:
        """Double the cells of rows and columns that are numbered from 0."""
        rows, columns = int(row.max()) + 1, int(column.max()) + 1
        each_row, each_column = np.arange(rows), np.arange(columns)
        all_rows = np.concatenate([row, each_row, rows + each_column, rows + column])
        all_columns = np.concatenate([column, columns + each_row, each_column, columns + row])
        order = np.argsort(all_rows, kind="stable")
        return cls(
            offsets_of(all_rows[order], rows + columns),
            all_columns[order],
            np.concatenate([worth, np.zeros(rows + columns + row.size)])[order],
            scattered(np.arange(order.size), order)[: row.size],
            float(worth.max()),
        )

    @property
    def size(self) -> int:
        """How many rows there are, and columns."""
        return self.start.size - 1

    def cells_of(self, rows: IntArray) -> tuple[IntArray, IntArray]:
        """List the cells of some rows, and where each row begins in the list."""
        begin, end = self.start[rows], self.start[rows + 1]
        return ragged(begin, end), np.cumsum(end - begin) - (end - begin)


def align_by_auction(row: IntArray, column: IntArray, worth: FloatArray) -> BoolArray:
    """Find whether each cell of a large problem is chosen; rows and columns are numbered from 0."""
    if (worth == worth[0]).all():
        return _most_cells(row, column)
    graph = DoubledGraph.of(row, column, worth)
    prices, taken = _auction(graph)
    _refine(graph, prices, taken)
    _augment(graph, prices, taken)
    chosen = np.repeat(taken, np.diff(graph.start)) == graph.column
    return np.asarray(chosen[graph.cell])


def _most_cells(row: IntArray, column: IntArray) -> BoolArray:
    """Choose as many cells as possible, since all are worth the same."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    lines = (row.astype(np.int32), column.astype(np.int32))  # SciPy before 1.13 takes no wider ones
    cells = coo_array((np.ones(row.size, np.int8), lines)).tocsr()
    return np.asarray(maximum_bipartite_matching(cells, perm_type="column")[row] == column)


def _auction(graph: DoubledGraph) -> tuple[FloatArray, IntArray]:
    """Find prices that are almost right, and the column of nearly every row."""
    prices = np.zeros(graph.size)
    increment = FIRST_INCREMENT * graph.greatest
    while True:
        owner = np.full(graph.size, NOBODY)
        rows = np.arange(graph.size)
        for _ in range(ROUNDS):
            if rows.size <= UNSOLD:
                break
            rows = _bid(graph, prices, owner, rows, increment)
        increment /= FINER
        if increment < LAST_INCREMENT * graph.greatest:
            break
    taken = np.full(graph.size, NOBODY)
    sold = np.flatnonzero(owner != NOBODY)
    taken[owner[sold]] = sold
    return prices, taken


def _bid(
    graph: DoubledGraph, prices: FloatArray, owner: IntArray, rows: IntArray, increment: float
) -> IntArray:
    """Let rows bid for the column that leaves them most; return those that are without one afterwards."""
    cells, begin = graph.cells_of(rows)
    left = graph.worth[cells] - prices[graph.column[cells]]
    most = np.maximum.reduceat(left, begin)
    counts = np.diff(begin, append=cells.size)
    best = np.flatnonzero(left == np.repeat(most, counts))
    best = best[run_starts(np.searchsorted(begin, best, side="right"))]
    left[best] = -np.inf
    column = graph.column[cells[best]]
    bid = prices[column] + (most - np.maximum.reduceat(left, begin)) + increment
    order = np.argsort(bid)  # of several bids for a column the last, which is the highest, stays
    before = owner[column]
    prices[column[order]] = bid[order]
    owner[column[order]] = rows[order]
    won = owner[column] == rows
    displaced = before[won]
    return np.concatenate([rows[~won], displaced[displaced != NOBODY]])


def _refine(graph: DoubledGraph, prices: FloatArray, taken: IntArray) -> None:
    """Lower prices until no row that has a column would rather have another; a row that never is content
    loses its column.

    In a round all rows look at once (Bellman & Ford). Where it does not end, the matching is not the best.
    """
    rounds = 0
    while (rows := np.flatnonzero(taken != NOBODY)).size:
        cells, begin = graph.cells_of(rows)
        held = graph.worth[
            cells[graph.column[cells] == np.repeat(taken[rows], np.diff(begin, append=cells.size))]
        ]
        while True:
            fair = np.minimum.reduceat(prices[graph.column[cells]] - graph.worth[cells], begin) + held
            dear = fair < prices[taken[rows]] - CONTENT * graph.greatest
            if not dear.any():
                return
            rounds += 1
            if rounds > LOWERINGS:
                taken[rows[dear]] = NOBODY
                rounds = 0
                break
            prices[taken[rows[dear]]] = fair[dear]


def _augment(graph: DoubledGraph, prices: FloatArray, taken: IntArray) -> None:
    """Give each row that has none a column, along shortest paths."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    counts = np.diff(graph.start)
    left = np.maximum.reduceat(graph.worth - prices[graph.column], graph.start[:-1])  # to each row
    while (free := np.flatnonzero(taken == NOBODY)).size:
        owner = np.full(graph.size, NOBODY)
        has = np.flatnonzero(taken != NOBODY)
        owner[taken[has]] = has
        unsold = np.flatnonzero(owner == NOBODY)
        node = owner.copy()  # of each column: the row that has it, or one of its own
        node[unsold] = graph.size + np.arange(unsold.size)
        cost = np.maximum(np.repeat(left, counts) + prices[graph.column] - graph.worth, 0)
        start = np.concatenate([graph.start, np.full(unsold.size, graph.start[-1])])
        nodes = graph.size + unsold.size
        paths = csr_array(
            (cost, node[graph.column].astype(np.int32), start.astype(np.int32)), shape=(nodes, nodes)
        )
        far, *trees = dijkstra(paths, indices=free, min_only=True, return_predecessors=True)
        before, source = (column.astype(np.int64) for column in trees)
        far = np.minimum(far, far[np.isfinite(far)].max())
        left += far[: graph.size]
        prices -= far[node]
        ends = graph.size + np.argsort(far[graph.size :], kind="stable")
        ends = ends[before[ends] >= 0]
        for end in ends[first_of_each(source[ends])].tolist():
            _take_path(taken, before, int(unsold[end - graph.size]), int(before[end]))


def _take_path(taken: IntArray, before: IntArray, column: int, row: int) -> None:
    """Give a row a column, the row before it on the path the one that it had, and so on."""
    while column != NOBODY:
        taken[row], column = column, int(taken[row])
        row = int(before[row])
