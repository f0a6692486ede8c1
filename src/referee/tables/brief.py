"""A value in at most a screen: text for a prompt, HTML for a notebook, from the tables of the command line.

The HTML has no scripts, no style sheet and no outside resources, since notebooks and the sites that show them
strip these; colours are shades of the page's own, so that it can be light or dark.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape

from referee.display import number_of
from referee.tables.layout import CONTROL, Look, shortened, text_table
from referee.tables.rendering import Output
from referee.tables.table import Cell, Column, Table, column_groups

LINES, CHARACTERS, WIDTH = 25, 2_500, 100  # of a repr
ROWS, COLUMNS = 15, 30  # of one table
TABLES = 6  # in HTML
CELL = 80  # characters of a cell in HTML
NOTE = 400
NAME = 60  # characters of a caption

LINE = "border-bottom:1px solid rgba(128,128,128,.4)"
CAPTION = "text-align:left;font-weight:bold;white-space:nowrap"
LEFT, RIGHT = "text-align:left;padding:2px 8px", "text-align:right;padding:2px 8px"
SMALL = "font-size:85%;opacity:.75;margin:2px 0;white-space:pre-wrap;text-align:left"


def brief_text(output: Output) -> str:
    """Write a value in at most `LINES` lines and `CHARACTERS` characters."""
    if output.words:
        return cut_text(output.words())
    tables = [_first_rows(table) for table in output.tables()]
    return cut_text("\n\n".join(text_table(table, Look(WIDTH)) for table in tables))


def cut_text(text: str) -> str:
    """Keep the first lines of a text, and say how many are left out.

    >>> cut_text("a\\n" * 40).splitlines()[-2:]
    ['a', '… 16 more lines']
    """
    lines = [shortened(line, NOTE) for line in text.rstrip("\n").split("\n")]
    kept = lines if len(lines) <= LINES else lines[: LINES - 1]
    while len("\n".join(kept)) > CHARACTERS - 30:
        kept = kept[:-1]
    left = len(lines) - len(kept)
    return "\n".join([*kept, f"… {number_of(left, 'more line')}"] if left else kept)


def _first_rows(table: Table) -> Table:
    """Keep the first rows, and say how many there are."""
    table = replace(table, caption=shortened(table.caption, NAME * 2))
    if len(table.rows) <= ROWS:
        return table
    left = f"… {number_of(len(table.rows) - ROWS, 'more row')}"
    notes = [note for note in table.notes if note]
    return replace(table, rows=table.rows[:ROWS], notes=(left, *notes))


def brief_html(output: Output) -> str:
    """Write a value as HTML of a screen or two."""
    if output.html:
        return output.html()
    tables = output.tables()
    left = [f"… {len(tables) - TABLES} more tables"] * (len(tables) > TABLES)
    return "".join(html_table(_first_rows(table)) for table in tables[:TABLES]) + html_notes(left)


def html_table(table: Table) -> str:
    """Write one table: caption, headings, rows, and notes under it."""
    shown = table.columns[:COLUMNS]
    head = "".join(_head(column) for column in shown)
    if any(column.group for column in shown):
        groups = "".join(
            f'<th colspan="{count}" style="text-align:center;padding:2px 8px">{_words(name)}</th>'
            for name, count in column_groups(shown)
        )
        head = f"{groups}</tr><tr>{head}"
    rows = "".join(
        f"<tr>{''.join(_cell(cell, column) for cell, column in zip(row, shown, strict=False))}</tr>"
        for row in table.rows
    )
    caption = f"<caption {_style(CAPTION)}>{_words(table.caption)}</caption>" if table.caption else ""
    return (
        f'<table style="border-collapse:collapse;margin:6px 0">{caption}'
        f"<thead {_style(LINE)}><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{html_notes(table.notes)}"
    )


def html_notes(notes: Sequence[str]) -> str:
    """Write lines in small print."""
    return "".join(f'<p style="{SMALL}">{escape(shortened(note, NOTE))}</p>' for note in notes if note)


def _head(column: Column) -> str:
    return f"<th {_style(LEFT if column.left else RIGHT)}>{_words(column.title)}</th>"


def _cell(cell: Cell, column: Column) -> str:
    words = f"<b>{_words(cell.words)}</b>" if cell.best else _words(cell.words)
    return f"<td {_style(LEFT if column.left else RIGHT)}>{words}</td>"


def _words(words: str) -> str:
    return escape(shortened(CONTROL.sub(" ", words), CELL))


def _style(style: str) -> str:
    return f'style="{style}"'
