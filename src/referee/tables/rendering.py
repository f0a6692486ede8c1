"""What a command shows, and the formats in which it can be shown: one dictionary of renderers."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, Protocol

from referee.encoding import SURROGATE
from referee.scoring.result import SCHEMA
from referee.tables.latex import latex_tables
from referee.tables.layout import Look, text_table
from referee.tables.table import Table

Records = tuple[Sequence[str], Sequence[Sequence[object]]]  # heads and rows, one number to a cell


@dataclass(frozen=True, slots=True)
class Output:
    """A result as people read it and as programs take it in; each form is made when it is asked for."""

    tables: Callable[[], Sequence[Table]]
    data: Callable[[], Mapping[str, Any] | Sequence[Any]]  # for JSON; a mapping gets the schema
    records: Callable[[], Records] | None = None  # for CSV; without them, the cells of the tables
    words: Callable[[], str] | None = None  # instead of tables, where text is read and not looked up
    html: Callable[[], str] | None = None  # in notebooks, where tables do not say it well


class HasOutput(Protocol):
    """A value that makes its output itself."""

    @property
    def output(self) -> Output:
        """What a command prints of it."""


def own_output(value: HasOutput) -> Output:
    """Take the output that a value makes itself."""
    return value.output


def as_text(output: Output, look: Look | None = None) -> str:
    """Show tables one under the other."""
    if output.words:
        return output.words()
    return "\n\n".join(text_table(table, look) for table in output.tables())


def as_markdown(output: Output) -> str:
    """Write tables that a README shows as they are."""
    return "\n\n".join(map(markdown_table, output.tables()))


def as_latex(output: Output) -> str:
    """Write tables for a paper."""
    return latex_tables(output.tables())


def as_csv(output: Output) -> str:
    """Write a row for each thing and a number to a cell, unrounded."""
    if output.records:
        return comma_separated(*output.records())
    return "\n\n".join(csv_table(table) for table in output.tables())


def records_of(output: Output) -> tuple[list[str], list[list[object]]]:
    """List the rows of the CSV, with None in empty cells, for data frames."""
    if output.records:
        heads, rows = output.records()
    else:
        table = output.tables()[0]
        heads, rows = [column.field for column in table.columns], _values(table)
    return list(heads), [[None if value == "" else value for value in row] for row in rows]


def as_json(output: Output) -> str:
    """Write everything, with the version of the form."""
    return json_text(data_of(output))


def data_of(output: Output) -> Mapping[str, Any] | Sequence[Any]:
    """Give the plain value that is written as JSON, with the version of its form."""
    data = output.data()
    return {"schema": SCHEMA, **data} if isinstance(data, Mapping) else data


RENDERERS: dict[str, Callable[[Output], str]] = {
    "text": as_text, "json": as_json, "csv": as_csv, "latex": as_latex, "markdown": as_markdown,
}  # fmt: skip


def markdown_table(table: Table) -> str:
    """Write one table in Markdown."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(" ".join(cell.replace("|", "\\|").split()) for cell in cells) + " |"

    ruler = [":--" if column.left else "--:" for column in table.columns]
    rows = [[f"**{c.words.strip()}**" if c.best else c.words for c in row] for row in table.rows]
    lines = [f"**{table.caption}**", ""] if table.caption else []
    lines += [line([column.name for column in table.columns]), line(ruler), *map(line, rows)]
    return "\n".join(lines + [part for note in table.notes for part in ("", f"`{note}`") if note])


def csv_table(table: Table) -> str:
    """Write a table's values, or what its cells say where that is all there is."""
    return comma_separated([column.field for column in table.columns], _values(table))


def _values(table: Table) -> list[list[object]]:
    return [[cell.words if cell.value is None else cell.value for cell in row] for row in table.rows]


def comma_separated(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Write rows for spreadsheets and data frames, with unrounded numbers and empty cells for None."""
    import csv  # when needed

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows([["" if _is_nothing(value) else value for value in row] for row in rows])
    return out.getvalue().rstrip("\n")


def _is_nothing(value: object) -> bool:
    return value is None or (isinstance(value, float) and isnan(value))


def json_text(value: Any) -> str:
    """Write JSON that any reader accepts: what is not a number as null, invalid Unicode as an escape."""
    try:
        words = json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False)
    except ValueError:  # something is not a number
        words = json.dumps(_without_nan(value), indent=1, ensure_ascii=False)
    return SURROGATE.sub(lambda odd: f"\\u{ord(odd[0]):04x}", words)


def _without_nan(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _without_nan(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(part) for part in value]
    return None if isinstance(value, float) and isnan(value) else value
