"""The singleton effect: Table 8 of Cattan et al. (2021), as exact fractions and as printed."""

from __future__ import annotations

import doctest
from fractions import Fraction
from pathlib import Path

import pytest

import referee

KEY = ["A", "B", "C", "D", "E", "FG", "HIJ"]
SYSTEMS = {"S1": ["A", "B", "C", "D", "EFGHIJ"], "S2": ["EFG", "HIJ", "Z"]}
METRICS = ("muc", "b_cubed", "ceaf_e", "lea")

# (singletons, system) → recall and precision of each metric, derived by hand from the definitions
EXACT = {
    ("keep", "S1"): [
        (Fraction(1), Fraction(3, 5)),
        (Fraction(1), Fraction(19, 30)),
        (Fraction(2, 3), Fraction(14, 15)),
        (Fraction(9, 10), Fraction(14, 25)),
    ],
    ("keep", "S2"): [
        (Fraction(1), Fraction(3, 4)),
        (Fraction(3, 5), Fraction(2, 3)),
        (Fraction(9, 35), Fraction(3, 5)),
        (Fraction(1, 2), Fraction(4, 7)),
    ],
    ("drop", "S1"): [
        (Fraction(1), Fraction(3, 5)),
        (Fraction(1), Fraction(13, 36)),
        (Fraction(1, 3), Fraction(2, 3)),
        (Fraction(1), Fraction(4, 15)),
    ],
    ("drop", "S2"): [
        (Fraction(1), Fraction(3, 4)),
        (Fraction(1), Fraction(13, 18)),
        (Fraction(9, 10), Fraction(9, 10)),
        (Fraction(1), Fraction(2, 3)),
    ],
}
PRINTED = {
    ("keep", "S1"): "100 60.0 75.0 100 63.3 77.6 66.7 93.3 77.8 90.0 56.0 69.0",
    ("keep", "S2"): "100 75.0 85.7 60.0 66.7 63.2 25.7 60.0 36.0 50.0 57.1 53.3",
    ("drop", "S1"): "100 60.0 75.0 100 36.1 53.1 33.3 66.7 44.4 100 26.7 42.1",
    ("drop", "S2"): "100 75.0 85.7 100 72.2 83.9 90.0 90.0 90.0 100 66.7 80.0",
}
CELLS = list(EXACT)


def score(singletons: str, system: str) -> referee.Result:
    return referee.score(KEY, SYSTEMS[system], protocol=f"singletons:{singletons}", metrics=METRICS)


@pytest.mark.parametrize(("singletons", "system"), CELLS)
def test_recall_and_precision_are_the_exact_fractions(singletons: str, system: str) -> None:
    result = score(singletons, system)
    for name, (recall, precision) in zip(METRICS, EXACT[singletons, system], strict=True):
        found = result.scores[name]
        assert found.recall == pytest.approx(float(recall), abs=1e-15)
        assert found.precision == pytest.approx(float(precision), abs=1e-15)
        assert found.f1 == pytest.approx(float(2 * recall * precision / (recall + precision)), abs=1e-15)


@pytest.mark.parametrize(("singletons", "system"), CELLS)
def test_the_table_is_as_printed(singletons: str, system: str) -> None:
    scores = score(singletons, system).scores.values()
    shown = [f"{100 * x:.1f}" for s in scores for x in (s.recall, s.precision, s.f1)]
    assert [cell.replace("100.0", "100") for cell in shown] == PRINTED[singletons, system].split()


def test_singletons_turn_the_ranking_round_except_in_muc() -> None:
    for name in METRICS:
        first, second = (
            [getattr(score(singletons, system), name).f1 for system in SYSTEMS]
            for singletons in ("keep", "drop")
        )
        assert second[0] < second[1]
        assert (first[0] < first[1]) is (name == "muc")


def test_the_documentation_tells_the_story_as_it_is() -> None:
    page = Path(__file__).parents[1] / "docs" / "cross-document.md"
    assert doctest.testfile(str(page), module_relative=False) == (0, 5)
