"""CEAF's assignment: exact on small tables, sparse and fast on large ones, whichever way it was reached."""

from __future__ import annotations

from math import fsum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from referee.arrays import BoolArray, FloatArray, IntArray
from referee.metrics import assignment
from referee.metrics.assignment import align_by_auction, best_alignment
from referee.metrics.contingency import Contingency
from referee.metrics.standard import METRICS

cells = st.dictionaries(
    st.tuples(st.integers(0, 6), st.integers(0, 6)), st.integers(1, 12), min_size=0, max_size=25
)
large_cells = st.dictionaries(
    st.tuples(st.integers(0, 7), st.integers(0, 7)), st.integers(1, 30), min_size=1, max_size=40
)
SETTINGS = {
    "as it is": {},
    "no auction": {"ROUNDS": 0},
    "a short auction": {"ROUNDS": 3, "UNSOLD": 0},
    "a rough auction": {"LAST_INCREMENT": 0.3, "UNSOLD": 0},
    "a long auction": {"UNSOLD": 0},
    "nobody is given time": {"LAST_INCREMENT": 0.3, "UNSOLD": 0, "LOWERINGS": 0},
}


@given(cells)
def test_alignment_is_optimal(table: dict[tuple[int, int], int]) -> None:
    k, r = (np.array([cell[i] for cell in table], np.int64) for i in (0, 1))
    worth = np.array(list(table.values()), np.float64) / 7
    dense = np.zeros((7, 7))
    dense[k, r] = worth
    best = dense[linear_sum_assignment(dense, maximize=True)].sum()
    chosen = best_alignment(k, r, worth)
    assert np.isclose(worth[chosen].sum(), best, rtol=0, atol=1e-12)
    assert len(set(k[chosen])) == len(set(r[chosen])) == chosen.sum()


def test_a_unit_of_many_clusters_needs_no_dense_matrix() -> None:
    size = 30_000  # a dense matrix of doubles would take 7 GB
    k = np.repeat(np.arange(size), 2)
    r = np.concatenate([[i, (i + 1) % size] for i in range(size)])
    assert best_alignment(k, r, np.ones(2 * size)).sum() == size


def numbered(table: dict[tuple[int, int], int]) -> tuple[IntArray, IntArray, FloatArray]:
    row, column = (np.unique([cell[i] for cell in table], return_inverse=True)[1] for i in (0, 1))
    return row, column, np.array(list(table.values()), np.float64) / 7


def best_total(row: IntArray, column: IntArray, worth: FloatArray) -> float:
    dense = np.zeros((row.max() + 1, column.max() + 1))
    dense[row, column] = worth
    return fsum(dense[linear_sum_assignment(dense, maximize=True)].tolist())


def check(row: IntArray, column: IntArray, worth: FloatArray, chosen: BoolArray) -> None:
    assert fsum(worth[chosen].tolist()) == pytest.approx(best_total(row, column, worth), rel=0, abs=1e-9)
    assert len(set(row[chosen])) == len(set(column[chosen])) == chosen.sum()


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_the_alignment_is_the_best_however_far_an_auction_goes(settings: dict[str, float]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setattr(assignment, name, value)

        @given(large_cells)
        def align(table: dict[tuple[int, int], int]) -> None:
            row, column, worth = numbered(table)
            check(row, column, worth, align_by_auction(row, column, worth))

        align()


@pytest.mark.parametrize(
    ("settings", "last_increment", "lowered"),
    [
        ({}, 0.02 / 4**11, True),
        ({"LAST_INCREMENT": 0.001}, 0.02 / 4**2, True),
        ({"LAST_INCREMENT": 0.3, "LOWERINGS": 0}, 0.02, False),
    ],
)
@pytest.mark.parametrize("moved", [0.5, 1.0])
def test_each_step_leaves_what_the_next_needs(
    moved: float,
    settings: dict[str, float],
    last_increment: float,
    lowered: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With hundreds of clusters all three steps have something to do."""
    row, column, worth = random_problem(600, moved, seed=3)
    for name, value in {"UNSOLD": 20, **settings}.items():
        monkeypatch.setattr(assignment, name, value)
    graph = assignment.DoubledGraph.of(row, column, worth)
    prices, taken = assignment._auction(graph)
    assert 0 < (taken == assignment.NOBODY).sum() <= 20
    most = preferred_elsewhere(graph, prices, taken).max() / graph.greatest
    assert most == pytest.approx(last_increment, rel=1e-6)
    before, had = prices.copy(), taken.copy()
    assignment._refine(graph, prices, taken)
    assert (prices <= before).all()
    assert (prices < before).any() == lowered
    assert preferred_elsewhere(graph, prices, taken).max() <= 1e-11
    assert (taken == had).all() == lowered  # else rows that are not content lose their columns
    check(row, column, worth, align_by_auction(row, column, worth))


def preferred_elsewhere(graph: assignment.DoubledGraph, prices: FloatArray, taken: IntArray) -> FloatArray:
    """Say how much more each row that has a column would have with the one that it would like best."""
    found = []
    for row in np.flatnonzero(taken != assignment.NOBODY).tolist():
        cells = slice(graph.start[row], graph.start[row + 1])
        has = graph.worth[cells] - prices[graph.column[cells]]
        found.append(has.max() - has[graph.column[cells] == taken[row]].max())
    assert len({*taken[taken != assignment.NOBODY].tolist()}) == len(found)
    return np.array(found)


@given(large_cells, st.integers(0, 1000))
def test_paths_alone_find_the_best_from_any_prices(table: dict[tuple[int, int], int], seed: int) -> None:
    row, column, worth = numbered(table)
    graph = assignment.DoubledGraph.of(row, column, worth)
    prices = np.random.default_rng(seed).random(graph.size) * (seed % 3)
    taken = np.full(graph.size, assignment.NOBODY)
    assignment._augment(graph, prices, taken)
    assert sorted(taken.tolist()) == [*range(graph.size)]
    assert preferred_elsewhere(graph, prices, taken).max() <= 1e-9
    chosen = np.repeat(taken, np.diff(graph.start)) == graph.column
    check(row, column, worth, chosen[graph.cell])


def left_for_a_solver(table: dict[tuple[int, int], float]) -> int:
    """Count the cells that the rules leave."""
    left: list[int] = []

    def count(k: IntArray, *_: object) -> IntArray:
        left.append(k.size)
        return np.zeros(0, np.int64)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assignment, "_assign", count)
        k, r = (np.array([cell[i] for cell in table], np.int64) for i in (0, 1))
        best_alignment(k, r, np.array([*table.values()], np.float64))
    return left[0]


@pytest.mark.parametrize(
    ("table", "left"),
    [
        ({(0, 0): 1.0}, 0),
        ({(0, 0): 2.0, (0, 1): 1.0, (1, 0): 1.0, (1, 1): 1.0}, 0),  # just sure
        ({(0, 0): 1.9, (0, 1): 1.0, (1, 0): 1.0, (1, 1): 1.5}, 4),
        ({(0, 0): 1.0, (0, 1): 1.0, (1, 0): 1.0, (1, 1): 1.0}, 4),
        ({(i, (i + j) % 5): 1.0 + 2 * (i == j == 0) for i in range(5) for j in (0, 1)}, 0),  # a ring, cut
    ],
)
def test_the_rules_settle_what_they_can(table: dict[tuple[int, int], float], left: int) -> None:
    assert left_for_a_solver(table) == left


@given(st.lists(st.tuples(st.integers(0, 30), st.booleans(), st.integers(1, 9)), min_size=1, max_size=30))
def test_the_rules_settle_whatever_has_no_ring(branches: list[tuple[int, bool, int]]) -> None:
    """Each cell joins a new line to one that is there."""
    table = {(0, 0): 1.0}
    lines: list[list[int]] = [[0], [0]]
    for old, is_row, worth in branches:
        side, other = int(is_row), 1 - int(is_row)
        new = len(lines[side])
        to = lines[other][old % len(lines[other])]
        lines[side].append(new)
        table[(new, to) if is_row else (to, new)] = float(worth)
    assert left_for_a_solver(table) == 0


def random_problem(clusters: int, moved: float, seed: int) -> tuple[IntArray, IntArray, FloatArray]:
    table = random_table(clusters, moved, seed)
    dice = 2 * table.n / (table.key_sizes[table.k] + table.response_sizes[table.r])
    return table.k, table.r, dice


def random_table(clusters: int, moved: float, seed: int) -> Contingency:
    chance = np.random.default_rng(seed)
    key = chance.integers(0, clusters, 4 * clusters)
    response = np.where(chance.random(key.size) < moved, chance.integers(0, clusters, key.size), key)
    return Contingency.from_labels(*(np.unique(side, return_inverse=True)[1] for side in (key, response)))


@pytest.mark.parametrize("metric", ["ceaf_m", "ceaf_e"])
def test_both_ways_give_one_score(metric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = random_table(3000, 1.0, seed=1)
    by_scipy = METRICS[metric].count(table)
    monkeypatch.setattr(assignment, "LARGE", 1)
    assert METRICS[metric].count(table) == pytest.approx(by_scipy, rel=1e-14)


def test_large_problems_go_to_auction(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> BoolArray:
        raise AssertionError("sent here")

    monkeypatch.setattr(assignment, "align_by_auction", refuse)
    row, column, worth = random_problem(600, 1.0, seed=3)
    best_alignment(row, column, worth)
    monkeypatch.setattr(assignment, "LARGE", 100)
    with pytest.raises(AssertionError, match="sent here"):
        best_alignment(row, column, worth)
