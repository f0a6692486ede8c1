"""Scores under several matchings in one table: ranks beside the scores, changed ranks marked."""

from __future__ import annotations

from collections.abc import Sequence

from referee.scoring.result import Result
from referee.tables.score_tables import Row, side_by_side
from referee.tables.table import Cell, Table

RISEN, FALLEN = "↑", "↓"


def ranked_table(matched: Sequence[Sequence[Result]]) -> Table:
    """Show a row for each matching and system, given the results of all systems for each matching.

    A rank that differs from the one under the first matching has an arrow (Moosavi et al., 2019, Table 4).
    """
    rows = [Row(result.system, result.protocol.match, result) for results in matched for result in results]
    table = side_by_side(rows, "Match")
    signatures = [results[0].signature for results in matched]
    if len(matched[0]) == 1:
        return Table(table.columns, table.rows, table.caption, ("", *signatures))
    words = sum(column.left for column in table.columns)
    blocks = [[row[words:] for row in table.rows[start : start + len(matched[0])]] for start in
              range(0, len(table.rows), len(matched[0]))]  # fmt: skip
    first = [_ranks(column) for column in zip(*blocks[0], strict=True)]
    cells = []
    for start, block in enumerate(blocks):
        ranked = [_ranked(column, old) for column, old in zip(zip(*block, strict=True), first, strict=True)]
        names = table.rows[start * len(block) : (start + 1) * len(block)]
        cells += [[*name[:words], *row] for name, row in zip(names, zip(*ranked, strict=True), strict=True)]
    note = f"(n): rank among the systems; {RISEN} {FALLEN}: higher or lower than under {rows[0].group}"
    return Table(table.columns, cells, table.caption, ("", note, *signatures))


def _ranks(column: Sequence[Cell]) -> list[int]:
    """Rank scores as they are shown, the highest first; equal ones share a rank."""
    return [1 + sum(float(other.text) > float(cell.text) for other in column) for cell in column]


def _ranked(column: Sequence[Cell], before: Sequence[int]) -> list[Cell]:
    """Put ranks beside scores, with an arrow where they have changed."""
    cells = []
    for cell, rank, old in zip(column, _ranks(column), before, strict=True):
        arrow = RISEN if rank < old else FALLEN if rank > old else ""
        cells.append(Cell(f"{cell.text} ({rank}{arrow})", cell.best))
    return cells
