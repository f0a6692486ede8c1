"""Lays out a table for a terminal: columns are aligned, and shortened or split if the terminal is narrow."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.tables.table import Cell, Column, Table, column_groups

BOLD, PLAIN = "\x1b[1m", "\x1b[0m"
GAP = 2  # blanks between columns
NARROWEST = 12  # cells that a column of words keeps however narrow the terminal
COMBINING = "\u0300"  # the first character that is not one cell wide
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Look:
    """How a terminal shows text: how wide, and whether bold; a file has no width."""

    width: int | None = None
    colour: bool = False


def text_table(table: Table, look: Look | None = None) -> str:
    """Align columns for a terminal. The best values are bold there, and starred elsewhere."""
    look = look or Look()
    parts = [table] if look.width is None else _fitting(table, look)
    lines = _wrapped(table.caption, look.width) if table.caption else []
    for number, part in enumerate(parts):
        lines += [""] * bool(number)
        lines += _lines(part, look)
    return "\n".join([*lines, *(line for note in table.notes for line in _wrapped(note, look.width))])


def cells_of(words: str) -> int:
    """Count the cells that a terminal needs: two for a wide character, none for a combining mark.

    >>> [cells_of(words) for words in ("abc", "指代", "e\u0301")]
    [3, 4, 1]
    """
    if words.isascii() or max(words) < COMBINING:  # rich takes a moment to load
        return len(words)
    from rich.cells import cell_len

    return cell_len(words)


def shortened(words: str, width: int) -> str:
    """Cut words to a width, and mark the cut.

    >>> shortened("a long name", 7)
    'a long…'
    """
    if cells_of(words) <= width:
        return words
    while words and cells_of(words) > width - 1:
        words = words[:-1]
    return f"{words}…"


def _lines(table: Table, look: Look) -> list[str]:
    """Write headings, a rule and rows."""
    starred = _is_starred(table, look)
    widths = _widths(table, starred)
    lines = []
    if any(column.group for column in table.columns):
        lines.append(_joined(_group_line(table.columns, widths)))
    heads = [
        _padded(column, _title(column, starred), width)
        for column, width in zip(table.columns, widths, strict=True)
    ]
    lines += [_joined(heads), "─" * (sum(widths) + GAP * (len(widths) - 1))]
    marks = _mark_widths(table)
    for row in table.rows:
        padded = []
        for cell, column, width, mark in zip(row, table.columns, widths, marks, strict=True):
            words = _padded(column, _shown(cell, column, mark, starred), width)
            padded.append(f"{BOLD}{words}{PLAIN}" if look.colour and cell.best else words)
        lines.append(_joined(padded))
    return lines


def _is_starred(table: Table, look: Look) -> bool:
    return not look.colour and any(cell.best for row in table.rows for cell in row)


def _joined(parts: Sequence[str]) -> str:
    return (" " * GAP).join(parts).rstrip()


def _title(column: Column, starred: bool) -> str:
    return column.title + " " * (starred and not column.left)


def _shown(cell: Cell, column: Column, mark: int, starred: bool) -> str:
    """Write a cell with room for the longest mark of its column, and for a star."""
    words = CONTROL.sub(" ", cell.words) + ("*" if cell.best else " ") * starred
    return words if column.left else words + " " * (mark - cells_of(cell.mark))


def _mark_widths(table: Table) -> list[int]:
    return [
        max((cells_of(row[number].mark) for row in table.rows), default=0)
        for number in range(len(table.columns))
    ]


def _padded(column: Column, words: str, width: int) -> str:
    blanks = " " * (width - cells_of(words))
    return words + blanks if column.left else blanks + words


def _widths(table: Table, starred: bool) -> list[int]:
    marks = _mark_widths(table)
    widths = []
    for number, (column, mark) in enumerate(zip(table.columns, marks, strict=True)):
        shown = [_shown(row[number], column, mark, starred) for row in table.rows]
        widths.append(max(map(cells_of, [_title(column, starred), *shown])))
    last = -1
    for name, count in column_groups(table.columns):  # a group's last column is widened for its name
        last += count
        room = sum(widths[last - count + 1 : last + 1]) + GAP * (count - 1)
        widths[last] += max(cells_of(name) - room, 0)
    return widths


def _group_line(columns: Sequence[Column], widths: Sequence[int]) -> list[str]:
    parts, first = [], 0
    for name, count in column_groups(columns):
        room = sum(widths[first : first + count]) + GAP * (count - 1)
        parts.append(name.center(room - cells_of(name) + len(name)))
        first += count
    return parts


def _fitting(table: Table, look: Look) -> list[Table]:
    """Cut long words, then split a table that is still too wide: its first columns go before each part.

    The columns before the first number go before each part, as far as they leave half of the width to others.
    """
    width = look.width or 0
    table = _cut_words(table, look, width)
    widths = _widths(table, _is_starred(table, look))
    if _room(widths) <= width:
        return [table]
    first = next((i for i, column in enumerate(table.columns) if not column.left), len(table.columns))
    while first > 1 and (first == len(table.columns) or 2 * _room(widths[:first]) > width):
        first -= 1
    parts: list[list[int]] = [[]]
    for number in range(first, len(table.columns)):
        wider = _columns(table, [*range(first), *parts[-1], number])
        if parts[-1] and _room(_widths(wider, _is_starred(table, look))) > width:
            parts.append([])
        parts[-1].append(number)
    return [_columns(table, [*range(first), *part]) for part in parts]


def _room(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _columns(table: Table, chosen: Sequence[int]) -> Table:
    rows = [[row[number] for number in chosen] for row in table.rows]
    return replace(table, columns=[table.columns[number] for number in chosen], rows=rows)


def _cut_words(table: Table, look: Look, width: int) -> Table:
    """Shorten the longest columns of words, as far as needed and no shorter than they must stay."""
    starred = _is_starred(table, look)
    widths = _widths(table, starred)
    words = [number for number, column in enumerate(table.columns) if column.left]
    most = list(widths)
    while _room(most) > width and words and max(most[i] for i in words) > NARROWEST + starred:
        longest = max(words, key=lambda i: most[i])
        most[longest] -= 1
    rows = [
        [
            replace(cell, text=shortened(cell.text, room - starred)) if column.left and room < old else cell
            for cell, column, room, old in zip(row, table.columns, most, widths, strict=True)
        ]
        for row in table.rows
    ]
    columns = [
        replace(column, title=shortened(column.title, room)) if room < old else column
        for column, room, old in zip(table.columns, most, widths, strict=True)
    ]
    return replace(table, columns=columns, rows=rows)


def _wrapped(note: str, width: int | None) -> list[str]:
    """Break a note between words; a signature stays whole, to be copied."""
    if width is None or cells_of(note) <= width or "|version:" in note:
        return [note]
    return textwrap.wrap(note, width, break_long_words=False, break_on_hyphens=False)
