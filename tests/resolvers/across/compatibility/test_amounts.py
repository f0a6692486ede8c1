"""Numbers and days, and whether those of two mentions are the same."""

from __future__ import annotations

import pytest

from referee.resolvers.across.compatibility.amounts import Day, Fit, day_fit, day_in, number_fit, numbers_in


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ("65 million euros", {65e6}),
        ("EUR65m", {65e6}),
        ("$ 4.2 billion", {4.2e9}),
        ("twenty-three workers", {23}),
        ("Sixty thousand people", {60_000}),
        ("two hours and five minutes", {2, 5}),
        ("one hundred and twenty", {120}),
        ("5,210 votes", {5210}),
        ("31%", {31}),
        ("6-3 , 6-4", {6}),
        ("the winners", set()),
        ("a 6.1-magnitude tremor", {6.1}),
    ],
)
def test_numbers(words: str, numbers: set[float]) -> None:
    assert numbers_in(words.split()) == numbers


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("on Tuesday", Day(weekday=1)),
        ("12 May 2010", Day(month=5, day=12, year=2010)),
        ("May 12th", Day(month=5, day=12)),
        ("in 2019", Day(year=2019)),
        ("Sept. 3", Day(month=9, day=3)),
        ("it may rain", None),
        ("yesterday", None),
    ],
)
def test_days(words: str, day: Day | None) -> None:
    assert day_in(words.split()) == day


def test_what_both_state_decides() -> None:
    tuesday, thursday, may = Day(weekday=1), Day(weekday=3), Day(month=5, day=12)
    assert day_fit([tuesday], [tuesday]) == Fit.EQUAL
    assert day_fit([tuesday], [thursday]) == Fit.OTHER
    assert day_fit([tuesday], [may]) == Fit.ONE
    assert day_fit([may], [Day(month=5, day=13)]) == Fit.OTHER
    assert day_fit([may], [Day(month=5)]) == Fit.EQUAL
    assert day_fit([], [may]) == Fit.ONE
    assert day_fit([], []) == Fit.NONE
    assert number_fit(frozenset((65e6,)), frozenset((30e6,))) == Fit.OTHER
    assert number_fit(frozenset((65e6,)), frozenset((65e6, 2.0))) == Fit.EQUAL
    assert number_fit(frozenset(), frozenset((2.0,))) == Fit.ONE
