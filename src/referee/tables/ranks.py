"""Scores under several matchings in one table: ranks beside the scores, changed ranks marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.scoring.result import Result
from referee.tables.rendering import Output
from referee.tables.scores import Row, in_percent, score_data, score_records, side_by_side
from referee.tables.table import Cell, Table

RISEN, FALLEN = "↑", "↓"


def ranked_output(key: str, matched: Sequence[Sequence[Result]]) -> Output:
    """Show the scores of several matchings together, given the results of all systems for each."""
    groups = [{result.protocol.match: result for result in system} for system in zip(*matched, strict=True)]
    return Output(
        lambda: [ranked_table(matched)],
        lambda: score_data(key, [result for results in matched for result in results]),
        lambda: score_records(matched[0], groups, "match"),
    )


def ranked_table(matched: Sequence[Sequence[Result]]) -> Table:
    """Show a row for each matching and system, given the results of all systems for each matching.

    A rank that differs from the one under the first matching has an arrow (Moosavi et al., 2019, Table 4).
    """
    rows = [Row(result.system, result.protocol.match, result) for results in matched for result in results]
    table = side_by_side(rows, "Match")
    signatures = [results[0].signature for results in matched]
    systems = len(matched[0])
    if systems == 1:
        return replace(table, notes=("", *signatures))
    words = sum(column.left for column in table.columns)
    columns = [_ranked(column, systems) for column in list(zip(*table.rows, strict=True))[words:]]
    cells = [
        [*row[:words], *ranked]
        for row, ranked in zip(table.rows, zip(*columns, strict=True), strict=True)
    ]  # fmt: skip
    note = f"(n): rank among the systems; {RISEN} {FALLEN}: higher or lower than under {rows[0].group}"
    return replace(table, rows=cells, notes=("", note, *signatures))


def _ranked(column: Sequence[Cell], systems: int) -> list[Cell]:
    """Put ranks beside scores, matching by matching, with an arrow where they differ from the first's."""
    blocks = [column[start : start + systems] for start in range(0, len(column), systems)]
    first = ranks([cell.value or 0.0 for cell in blocks[0]])
    cells = []
    for block in blocks:
        for cell, rank, old in zip(block, ranks([cell.value or 0.0 for cell in block]), first, strict=True):
            arrow = RISEN if rank < old else FALLEN if rank > old else ""
            cells.append(replace(cell, mark=f" ({rank}{arrow})"))
    return cells


def ranks(scores: Sequence[float]) -> list[int]:
    """Rank scores as they are shown, the highest first; equal ones share a rank.

    >>> ranks([0.5, 0.75, 0.500001])
    [2, 1, 2]
    """
    shown = [in_percent(score) for score in scores]
    return [1 + sum(other > own for other in shown) for own in shown]
