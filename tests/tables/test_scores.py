"""Ranks come from values."""

from __future__ import annotations

from dataclasses import replace

from referee import Protocol
from referee.scoring.result import Result
from referee.tables.scores import ranked_table
from systems import counts


def result(system: str, recovered: int, match: str) -> Result:
    rows = counts([recovered], [100_000], [100_000])
    return Result(system, ["d"], {"muc": rows}, replace(Protocol(), match=match))


def marks(matched: list[list[Result]]) -> list[str]:
    return [row[-1].mark.strip() for row in ranked_table(matched).rows]


def test_equal_scores_as_shown_share_a_rank_and_changes_are_marked() -> None:
    exact = [result("a", 50_001, "exact"), result("b", 50_002, "exact"), result("c", 60_000, "exact")]
    mina = [result("a", 70_000, "mina"), result("b", 50_000, "mina"), result("c", 60_000, "mina")]
    assert marks([exact, mina]) == ["(2)", "(2)", "(1)", "(1↑)", "(3↓)", "(2↓)"]


def test_one_system_has_no_rank() -> None:
    assert marks([[result("a", 1, "exact")], [result("a", 2, "mina")]]) == ["", ""]
