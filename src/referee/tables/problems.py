"""Shows the problems of files: a line for each, or a table."""

from __future__ import annotations

from collections.abc import Sequence

from referee.formats.validation import Problem
from referee.tables.rendering import Output
from referee.tables.table import Cell, Column, Table

HEADS = ("file", "line", "kind", "message")


def problem_output(problems: Sequence[Problem]) -> Output:
    """Show problems with their file, line, kind and message; as text in the way that compilers write them."""
    rows = [(problem.file, problem.line, problem.kind, problem.what) for problem in problems]
    return Output(
        tables=lambda: [_table(rows)],
        data=lambda: {"problems": [dict(zip(HEADS, row, strict=True)) for row in rows]},
        records=lambda: (HEADS, rows),
        words=lambda: "\n".join(map(str, problems)),
    )


def _table(rows: Sequence[tuple[str, int | None, str, str]]) -> Table:
    columns = [Column(head.capitalize(), left=head != "line") for head in HEADS]
    cells = [
        [Cell(file), Cell(str(line or ""), value=line), Cell(kind), Cell(message)]
        for file, line, kind, message in rows
    ]
    return Table(columns, cells)
