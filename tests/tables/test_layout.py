"""Tables on terminals: wide characters aligned, narrow ones served."""

from __future__ import annotations

import re
import unicodedata

import pytest

from referee.tables.layout import Look, text_table
from referee.tables.table import Cell, Column, Table


def cells(line: str) -> int:
    """The plain meaning of a width: wide characters take two cells, combining marks none."""
    widths = {"W": 2, "F": 2}
    return sum(
        0 if unicodedata.combining(c) else widths.get(unicodedata.east_asian_width(c), 1) for c in line
    )


def table_of(names: list[str], numbers: int = 1) -> Table:
    columns = [Column("System", left=True), *(Column(f"M{i}") for i in range(numbers))]
    rows = [[Cell(name), *[Cell("12.34", value=0.1234)] * numbers] for name in names]
    return Table(columns, rows, "F1", ("", "a:b|c:d"))


@pytest.mark.parametrize("name", ["指代消解", "ｆｕｌｌ", "cafe\u0301", "日本 e\u0301 x"])
def test_wide_characters_and_combining_marks_keep_columns_aligned(name: str) -> None:
    lines = text_table(table_of(["plain-name", name])).splitlines()
    assert len({cells(line) for line in lines[2:5]}) == 1
    assert all(line.endswith("12.34") for line in lines[3:5])


def test_names_with_line_ends_stay_in_their_row() -> None:
    lines = text_table(table_of(["a\nb", "c\x1b[31md"])).splitlines()
    assert len(lines) == 7
    assert "\x1b" not in "".join(lines)


@pytest.mark.parametrize("width", [30, 60, 79])
def test_no_line_of_a_table_is_wider_than_the_terminal(width: int) -> None:
    table = table_of(["a-system-with-a-very-long-name-indeed", "指代消解" * 8, "b"], numbers=12)
    shown = text_table(table, Look(width))
    assert max(map(cells, shown.splitlines())) <= width
    assert shown.count("12.34") == 3 * 12
    assert re.findall(r"M\d+", shown) == [f"M{i}" for i in range(12)]


def test_a_table_that_fits_is_left_alone() -> None:
    table = table_of(["alpha", "beta"], numbers=3)
    assert text_table(table, Look(60)) == text_table(table)


def test_words_are_cut_before_a_table_is_split() -> None:
    shown = text_table(table_of(["x" * 70], numbers=2), Look(60)).splitlines()
    assert shown[1].split() == ["System", "M0", "M1"]
    assert "…" in shown[3]


def test_notes_are_wrapped_and_signatures_stay_whole() -> None:
    signature = "match:exact|singletons:keep|scope:document|kind:all"
    table = Table([Column("a")], [[Cell("1")]], "", ("", "many words " * 10, signature))
    shown = text_table(table, Look(40)).splitlines()
    assert signature in shown
    assert max(len(line) for line in shown if line != signature) <= 40


def test_texts_are_aligned_beside_marks() -> None:
    marks = ["", "↑", " (1)"]
    table = Table([Column("MUC")], [[Cell("70.00", mark=mark)] for mark in marks])
    lines = text_table(table).splitlines()[2:]
    assert len({line.index("70.00") for line in lines}) == 1
