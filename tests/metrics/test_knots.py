"""Large knots of clusters: the alignment is the best, whichever way it was reached."""

from __future__ import annotations

from math import fsum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from referee.arrays import BoolArray, FloatArray, IntArray
from referee.metrics import assignment
from referee.metrics import assignment as knots
from referee.metrics.assignment import align_knot, best_alignment
from referee.metrics.contingency import Contingency
from referee.metrics.standard import METRICS

cells = st.dictionaries(
    st.tuples(st.integers(0, 7), st.integers(0, 7)), st.integers(1, 30), min_size=1, max_size=40
)
SETTINGS = {
    "as it is": {},
    "no auction": {"ROUNDS": 0},
    "a short auction": {"ROUNDS": 3, "UNSOLD": 0},
    "a rough auction": {"LAST_RAISE": 0.3, "UNSOLD": 0},
    "a long auction": {"UNSOLD": 0},
    "nobody is given time": {"LAST_RAISE": 0.3, "UNSOLD": 0, "LOWERINGS": 0},
}


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
            patch.setattr(knots, name, value)

        @given(cells)
        def align(table: dict[tuple[int, int], int]) -> None:
            row, column, worth = numbered(table)
            check(row, column, worth, align_knot(row, column, worth))

        align()


@pytest.mark.parametrize("moved", [0.5, 1.0])
def test_each_step_is_needed_and_enough(moved: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a knot of hundreds of clusters all three steps have something to do."""
    row, column, worth = random_knot(600, moved, seed=3)
    monkeypatch.setattr(knots, "UNSOLD", 20)
    knot = knots.Knot.of(row, column, worth)
    prices, taken = knots._auction(knot)
    assert 0 < (taken == knots.NOBODY).sum() <= 20
    before = prices.copy()
    knots._refine(knot, prices, taken)
    assert (prices <= before).all()
    assert (prices < before).any()
    check(row, column, worth, align_knot(row, column, worth))


def random_knot(clusters: int, moved: float, seed: int) -> tuple[IntArray, IntArray, FloatArray]:
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


def test_large_knots_go_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> BoolArray:
        raise AssertionError("sent here")

    monkeypatch.setattr(knots, "align_knot", refuse)
    row, column, worth = random_knot(600, 1.0, seed=3)
    best_alignment(row, column, worth)
    monkeypatch.setattr(assignment, "LARGE", 100)
    with pytest.raises(AssertionError, match="sent here"):
        best_alignment(row, column, worth)
