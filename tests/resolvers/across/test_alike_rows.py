"""Pairs of rows that are alike: few rows are all compared, many by what is rare."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from referee.resolvers.across import similarity as module
from referee.resolvers.across.similarity import Rows, compared_rows, named_terms, similar_rows, unit_rows


def made_rows(size: int) -> Rows:
    """Groups of five share ten rare terms; all share two frequent ones."""
    chance = np.random.default_rng(0)
    table = np.zeros((size, 2 + 10 * (size // 5)))
    table[:, :2] = 1
    for row in range(size):
        own = 2 + 10 * (row // 5)
        table[row, own : own + 10] = 3 * (chance.random(10) < 0.8)
    return csr_array(table / np.linalg.norm(table, axis=1)[:, None])


def test_few_rows_have_all_cosines() -> None:
    rows = made_rows(20)
    pairs, cosines = similar_rows(rows, 0.15)
    assert pairs.size == 190  # all share a term
    dense = rows.toarray()
    assert cosines == pytest.approx((dense[pairs.first] * dense[pairs.second]).sum(1))


def test_many_rows_have_those_that_are_alike_by_rare_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = made_rows(100)
    everything, cosines = similar_rows(rows, 0.15)
    wanted = {(a, b) for a, b, like in zip(*everything, cosines, strict=True) if like >= 0.15}
    monkeypatch.setattr(module, "FEW", 10)
    monkeypatch.setattr(module, "RARE", 20)
    monkeypatch.setattr(module, "AT_A_TIME", 16)
    monkeypatch.setattr(module, "MULTIPLIED", 7)
    pairs, found = similar_rows(rows, 0.15)
    assert set(zip(*pairs, strict=True)) == wanted
    assert pairs.size == 200  # ten in each group of five, and none across
    assert (pairs.first < pairs.second).all()
    dense = rows.toarray()
    assert found == pytest.approx((dense[pairs.first] * dense[pairs.second]).sum(1))


def test_a_row_is_compared_with_its_most_alike_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of a group share what they have in common with the first, the more the nearer they are to it."""
    table = np.eye(40, 60)
    for row in range(20):
        table[row, 40 : 60 - row] = 1
    rows = csr_array(table / np.linalg.norm(table, axis=1)[:, None])
    for name, value in (("FEW", 10), ("MOST_ALIKE", 3), ("AT_A_TIME", 16)):
        monkeypatch.setattr(module, name, value)
    pairs, cosines = similar_rows(rows, 0.15)
    told = set(zip(*(side.tolist() for side in pairs), strict=True))
    like = (rows @ rows.T).toarray() - 2 * np.eye(40)
    wanted = {
        (min(row, other), max(row, other))
        for row in range(20)
        for other in np.argsort(-like[row], kind="stable")[:3].tolist()
        if like[row, other] >= 0.15 * module.WORTH
    }
    assert told == wanted
    assert pairs.size == len(told)
    assert cosines.tolist() == pytest.approx([like[pair] for pair in zip(*pairs, strict=True)])


@pytest.mark.parametrize("few", [10, 1000])
def test_no_two_rows_are_more_alike_than_equal_ones(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The product of a row of length one with itself may be above 1 by rounding."""
    monkeypatch.setattr(module, "FEW", few)
    monkeypatch.setattr(module, "AT_A_TIME", 4)
    table = np.random.default_rng(3).random((60, 6)) * (np.arange(6) % 3 == np.arange(60)[:, None] % 3)
    rows = unit_rows(csr_array(np.concatenate([table, table])))
    assert (rows @ rows.T).max() > 1
    pairs, cosines = similar_rows(rows, 0.15)
    assert cosines.max() == 1
    equal = {(row, row + 60) for row in range(60)}
    assert equal <= set(zip(*(side.tolist() for side in pairs), strict=True))


def test_rows_that_are_compared_leave_the_counts_as_they_were() -> None:
    counts = csr_array(np.array([[2.0, 0, 1, 1], [0, 3, 1, 0], [1, 0, 0, 1]]))
    before = counts.toarray()
    rows = compared_rows(counts)
    assert (counts.toarray() == before).all()
    assert rows.shape == (3, 3)  # the second term is of one text alone


def test_a_letter_is_no_name_and_a_digit_is_no_number() -> None:
    words = "He took vitamin C to Plan B with 7 or 12 of Mr. K ."
    assert named_terms(words.split(" ")) == ["plan", "12", "mr."]
