"""Tables of GAP's score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from referee.display import number_of
from referee.scoring.gap import FEMININE, MASCULINE, DecisionCounts, GapScore
from referee.tables.rendering import Output, Records
from referee.tables.scores import score_cell
from referee.tables.table import Cell, Column, Table

OVERALL = "overall"
NONE = "–"


def gap_table(scores: Sequence[GapScore]) -> Table:
    """Show recall, precision and F1 overall, F1 by gender, and bias, a row for each system."""
    columns = [Column("System", left=True), *(Column(title, "All") for title in ("R", "P", "F1"))]
    columns += [Column("F1", "Masculine"), Column("F1", "Feminine"), Column("F/M", "Bias")]
    rows = [
        [
            Cell(score.system),
            *map(score_cell, (score.overall.recall, score.overall.precision, score.overall.f1)),
            score_cell(score.masculine.f1),
            score_cell(score.feminine.f1),
            Cell(NONE if score.bias is None else f"{score.bias:.2f}", value=score.bias),
        ]
        for score in scores
    ]
    decisions = sum(asdict(scores[0].overall).values())
    return Table(
        columns,
        rows,
        "GAP",
        ("", f"GAP (Webster et al. 2018): {number_of(decisions, 'decision')} about names."),
    )


def _parts(score: GapScore) -> dict[str, DecisionCounts]:
    return {OVERALL: score.overall, MASCULINE: score.masculine, FEMININE: score.feminine}


def gap_records(scores: Sequence[GapScore]) -> Records:
    """List a row for each system and gender, unrounded."""
    rows = [
        [score.system, part, counts.recall, counts.precision, counts.f1, *asdict(counts).values()]
        for score in scores
        for part, counts in _parts(score).items()
    ]
    return ["system", "pronouns", "recall", "precision", "f1", *asdict(DecisionCounts())], rows


def gap_data(scores: Sequence[GapScore]) -> list[dict[str, Any]]:
    """Give everything."""
    return [
        {
            "system": score.system,
            "bias": score.bias,
            "notices": list(score.notices),
            **{
                part: {"recall": c.recall, "precision": c.precision, "f1": c.f1, "counts": asdict(c)}
                for part, c in _parts(score).items()
            },
        }
        for score in scores
    ]


def gap_output(scores: Sequence[GapScore]) -> Output:
    """Show GAP's score of some systems."""
    return Output(lambda: [gap_table(scores)], lambda: {"gap": gap_data(scores)}, lambda: gap_records(scores))


def one_gap_score(score: GapScore) -> Output:
    """Show GAP's score of one system."""
    return gap_output([score])


def decision_lines(score: GapScore) -> str:
    """Write decisions in GAP's own form, for its own script; what is missing stays missing."""
    return "\n".join(
        f"{example}\t{str(one).upper()}\t{str(other).upper()}"
        for example, (one, other) in score.answers.items()
        if one is not None and other is not None
    )
