"""Tables in their forms: text, Markdown, LaTeX, CSV and JSON."""

from __future__ import annotations

from referee.tables.latex import latex_table
from referee.tables.layout import Look, text_table
from referee.tables.rendering import csv_table, markdown_table
from referee.tables.table import Cell, Column, Table

TABLE = Table(
    [Column("System", left=True), Column("R", "MUC"), Column("P", "MUC"), Column("F1", "a long name")],
    [
        [Cell("a_1 & co"), Cell("1.00"), Cell("20.00", best=True), Cell("3.00")],
        [Cell("b|c"), Cell("10.00", best=True), Cell("2.00"), Cell("3.00")],
    ],
    "100 % <scores>",
    ("", "signature|x"),
)


def test_text() -> None:
    assert text_table(TABLE).splitlines() == [
        "100 % <scores>",
        "                MUC        a long name",
        "System         R       P           F1",
        "──────────────────────────────────────",
        "a_1 & co    1.00   20.00*        3.00",
        "b|c        10.00*   2.00         3.00",
        "",
        "signature|x",
    ]


def test_text_on_a_terminal_is_bold() -> None:
    assert "\x1b[1m20.00\x1b[0m" in text_table(TABLE, Look(colour=True))
    assert "*" not in text_table(TABLE, Look(colour=True))


def test_markdown() -> None:
    assert markdown_table(TABLE).splitlines()[2:6] == [
        "| System | MUC R | MUC P | a long name F1 |",
        "| :-- | --: | --: | --: |",
        "| a_1 & co | 1.00 | **20.00** | 3.00 |",
        "| b\\|c | **10.00** | 2.00 | 3.00 |",
    ]


def test_latex() -> None:
    lines = latex_table(TABLE).splitlines()
    assert lines[5] == r" & \multicolumn{2}{c}{MUC} & \multicolumn{1}{c}{a long name} \\"
    assert lines[6] == r"\cmidrule(lr){2-3} \cmidrule(lr){4-4}"
    assert lines[9] == r"a\_1 \& co & 1.00 & \textbf{20.00} & 3.00 \\"
    assert r"\caption{100 \% \textless{}scores\textgreater{}. signature\textbar\allowbreak{}x.}" in lines


def test_csv() -> None:
    assert csv_table(TABLE).splitlines()[0] == "system,muc_r,muc_p,a_long_name_f1"
