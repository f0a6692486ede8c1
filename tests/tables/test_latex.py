"""Tables for papers: they fit, have labels, and keep digits aligned."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from referee.tables.latex import latex_table, latex_tables
from referee.tables.table import Cell, Column, Table

DOCUMENT = r"""\documentclass[twocolumn,10pt]{article}
\usepackage[utf8]{inputenc}\usepackage{booktabs,graphicx,longtable}
\begin{document}%s\end{document}
"""


def wide(columns: int, rows: int = 2, word: str = "name") -> Table:
    heads = [Column("System", left=True), *(Column(f"Measure {i}", "Group") for i in range(columns))]
    return Table(heads, [[Cell(word), *[Cell("12.34")] * columns] for _ in range(rows)], "F1", ("note_1",))


def test_a_table_is_never_wider_than_its_column() -> None:
    for table in (wide(2), wide(30)):
        lines = latex_table(table).splitlines()
        before = lines.index(next(line for line in lines if line.startswith(r"\begin{tabular}")))
        assert lines[before - 1].startswith(r"\resizebox{\ifdim\width>\linewidth\linewidth")
        assert r"\end{tabular}}" in lines
    assert latex_table(wide(2)).startswith("\\begin{table}\n")
    assert latex_table(wide(12)).startswith("\\begin{table*}\n")


def test_every_table_has_a_label_of_its_own() -> None:
    labels = re.findall(
        r"\\label\{(.*?)\}", latex_tables([wide(1), wide(2), wide(1), Table([Column("a")], [])])
    )
    assert labels == ["tab:f1", "tab:f1-again1", "tab:f1-again2", "tab:referee"]


def test_digits_are_aligned_beside_arrows() -> None:
    marks = ["", "↑", " (2)", " (1↓)"]
    table = Table([Column("MUC")], [[Cell("70.00", mark=mark)] for mark in marks])
    rows = latex_table(table).splitlines()[7:11]
    assert rows == [
        r"70.00\phantom{$\uparrow$} \\",
        r"70.00$\uparrow$ \\",
        r"70.00 (2)\phantom{$\uparrow$} \\",
        r"70.00 (1$\downarrow$) \\",
    ]
    plain = Table([Column("MUC")], [[Cell("70.00", mark=" (2)")]])
    assert "phantom" not in latex_table(plain)


def test_a_long_list_goes_over_pages() -> None:
    words = latex_table(wide(1, rows=60, word="a/long_name " * 12))
    assert r"\begin{longtable}" in words
    assert r"\endhead" in words
    assert r"\_\allowbreak{}" in words
    assert re.search(r"\{p\{0\.\d+\\linewidth\}r\}", words)
    assert r"\begin{table" not in words


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="needs a TeX")
def test_a_real_tex_takes_them(tmp_path: Path) -> None:
    odd = Table([Column("a_b & c", left=True)], [[Cell(r"50% #1 {x} ~^\ <|> ↑ α … $")]], "odd – ³ ₀")
    body = latex_tables([wide(2), wide(30), odd])
    body += "\n\\clearpage\\onecolumn\n" + latex_table(wide(3, rows=90, word="a/long_name " * 12))
    (tmp_path / "paper.tex").write_text(DOCUMENT.replace("%s", body), encoding="utf-8")
    made = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"],
        cwd=tmp_path, capture_output=True, text=True, check=False, errors="replace",
    )  # fmt: skip
    assert made.returncode == 0, made.stdout[-2000:]
    wides = [float(points) for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt", made.stdout)]
    assert max(wides, default=0) < 10
