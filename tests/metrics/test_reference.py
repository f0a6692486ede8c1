"""Worked examples of the papers, as exact fractions."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from exact_scores import score
from referee import Protocol

CASES = json.loads((Path(__file__).parents[1] / "data" / "cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("case", "metric"), [(case, metric) for case in CASES for metric in case["scores"]], ids=str
)
def test_worked_example(case: dict[str, Any], metric: str) -> None:
    assert score(case["key"], case["response"], metric) == [Fraction(f) for f in case["scores"][metric]]


# Cattan et al. 2021, appendix B: S1 has the singletons right and the links wrong; S2 the other way round.
KEY = ["A", "B", "C", "D", "E", "FG", "HIJ"]
SYSTEMS = {"S1": ["A", "B", "C", "D", "EFGHIJ"], "S2": ["EFG", "HIJ", "Z"]}
TABLE_8 = {  # recall, precision, F1 as fractions, and as the paper prints them
    ("S1", "keep", "muc"): ("1 3/5 3/4", (100, 60.0, 75.0)),
    ("S1", "keep", "b_cubed"): ("1 19/30 38/49", (100, 63.3, 77.6)),
    ("S1", "keep", "ceaf_e"): ("2/3 14/15 7/9", (66.7, 93.3, 77.8)),
    ("S1", "keep", "lea"): ("9/10 14/25 252/365", (90.0, 56.0, 69.0)),
    ("S2", "keep", "muc"): ("1 3/4 6/7", (100, 75.0, 85.7)),
    ("S2", "keep", "b_cubed"): ("3/5 2/3 12/19", (60.0, 66.7, 63.2)),
    ("S2", "keep", "ceaf_e"): ("9/35 3/5 9/25", (25.7, 60.0, 36.0)),
    ("S2", "keep", "lea"): ("1/2 4/7 8/15", (50.0, 57.1, 53.3)),
    ("S1", "drop", "muc"): ("1 3/5 3/4", (100, 60.0, 75.0)),
    ("S1", "drop", "b_cubed"): ("1 13/36 26/49", (100, 36.1, 53.1)),
    ("S1", "drop", "ceaf_e"): ("1/3 2/3 4/9", (33.3, 66.7, 44.4)),
    ("S1", "drop", "lea"): ("1 4/15 8/19", (100, 26.7, 42.1)),
    ("S2", "drop", "muc"): ("1 3/4 6/7", (100, 75.0, 85.7)),
    ("S2", "drop", "b_cubed"): ("1 13/18 26/31", (100, 72.2, 83.9)),
    ("S2", "drop", "ceaf_e"): ("9/10 9/10 9/10", (90.0, 90.0, 90.0)),
    ("S2", "drop", "lea"): ("1 2/3 4/5", (100, 66.7, 80.0)),
}


@pytest.mark.parametrize(("system", "singletons", "metric"), TABLE_8)
def test_singleton_effect(system: str, singletons: str, metric: str) -> None:
    fractions, printed = TABLE_8[system, singletons, metric]
    found = score(KEY, SYSTEMS[system], metric, Protocol(singletons=singletons))
    assert found == [Fraction(f) for f in fractions.split()]
    assert tuple(round(100 * float(f), 1) for f in found) == printed


@pytest.mark.parametrize("metric", ["muc", "b_cubed", "ceaf_e", "lea"])
def test_singletons_turn_the_ranking_round_except_in_muc(metric: str) -> None:
    with_singletons, without = (
        [score(KEY, system, metric, Protocol(singletons=singletons))[2] for system in SYSTEMS.values()]
        for singletons in ("keep", "drop")
    )
    assert without[0] < without[1]
    assert (with_singletons[0] < with_singletons[1]) is (metric == "muc")
