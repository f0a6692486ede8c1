"""Writes tables for LaTeX: never wider than the column or page that they are on, and with a label.

The preamble needs booktabs and graphicx; a list of many rows also longtable.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from referee.tables.table import Cell, Column, Table, column_groups

ONE_COLUMN = 60  # characters across that one column of a two-column page holds, a little smaller
WHOLE_PAGE = 95  # and the whole page
LONG = 40  # rows from which a table goes over several pages
NARROW = 14  # characters of a column that is never broken into lines
CHARACTER, COLUMN_GAP = 0.014, 0.035  # widths, as shares of a line
ARROWS = "↑↓"
PHANTOM = r"\phantom{$\uparrow$}"  # keeps an arrow's room free, so that digits are aligned
# Shrinks what is too wide for its column, and leaves the rest as it is.
SHRINK = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"
LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar\allowbreak{}", "³": r"\textsuperscript{3}",
    "₀": r"\textsubscript{0}",
    "×": r"$\times$", "±": r"$\pm$", "−": r"$-$", "→": r"$\rightarrow$", "–": "--", "…": r"\ldots{}",
    "↑": r"$\uparrow$", "↓": r"$\downarrow$", "κ": r"$\kappa$", "α": r"$\alpha$", "Δ": r"$\Delta$",
    "†": r"$\dagger$", "‡": r"$\ddagger$", "≤": r"$\leq$", "≥": r"$\geq$", "·": r"$\cdot$",
    "\n": " ", "\r": " ", "\t": " ",
}  # fmt: skip
SPECIAL = re.compile("|".join(map(re.escape, LATEX)))


def latex_tables(tables: Sequence[Table]) -> str:
    """Write tables one after the other, each with a label of its own."""
    labels: list[str] = []
    for table in tables:
        label = _label(table.caption)
        times = sum(other == label or other.startswith(f"{label}-again") for other in labels)
        labels.append(label if not times else f"{label}-again{times}")
    return "\n\n".join(latex_table(table, label) for table, label in zip(tables, labels, strict=True))


def latex_table(table: Table, label: str | None = None) -> str:
    """Write a booktabs table: in one column, over both, or over several pages."""
    label = label or _label(table.caption)
    if len(table.rows) > LONG:
        return _long(table, label)
    float_ = "table" if _characters(table) <= ONE_COLUMN else "table*"
    spec = "".join("l" if column.left else "r" for column in table.columns)
    lines = [rf"\begin{{{float_}}}", r"\centering", SHRINK, rf"\begin{{tabular}}{{{spec}}}", r"\toprule"]
    lines += [*_heads(table.columns), r"\midrule", *_rows(table), r"\bottomrule", r"\end{tabular}}"]
    return "\n".join([*lines, *_caption(table), rf"\label{{{label}}}", rf"\end{{{float_}}}"])


def _long(table: Table, label: str) -> str:
    """Write a table that goes over pages. Its columns of words are as wide as their share of the page."""
    heads = [*_heads(table.columns), r"\midrule"]
    caption = (_caption(table) or [r"\caption{}"])[0] + rf"\label{{{label}}}\\"
    return "\n".join([
        r"% A longtable needs a page of one column: \onecolumn before it, in a paper of two.",
        r"{\small", rf"\begin{{longtable}}{{{_long_spec(table)}}}",
        caption, r"\toprule", *heads, r"\endfirsthead",
        r"\toprule", *heads, r"\endhead", r"\bottomrule", r"\endfoot",
        *map(_breakable, _rows(table)), r"\end{longtable}}",
    ])  # fmt: skip


def _breakable(row: str) -> str:
    """Let long names of documents go over lines."""
    return row.replace(r"\_", r"\_\allowbreak{}").replace("/", r"/\allowbreak{}")


def _long_spec(table: Table) -> str:
    widths = _widths(table)
    if _characters(table) <= WHOLE_PAGE:
        return "".join("l" if column.left else "r" for column in table.columns)
    wide = [column.left and width > NARROW for column, width in zip(table.columns, widths, strict=True)]
    taken = sum(CHARACTER * width for width, is_wide in zip(widths, wide, strict=True) if not is_wide)
    free = max(1 - taken - COLUMN_GAP * len(widths), 0.3)
    words = sum(width for width, is_wide in zip(widths, wide, strict=True) if is_wide)
    return "".join(
        rf"p{{{free * width / words:.3f}\linewidth}}" if is_wide else "l" if column.left else "r"
        for column, width, is_wide in zip(table.columns, widths, wide, strict=True)
    )


def _widths(table: Table) -> list[int]:
    return [
        max(len(column.title), *(len(row[number].words) for row in table.rows), 0)
        for number, column in enumerate(table.columns)
    ]


def _characters(table: Table) -> int:
    return sum(_widths(table)) + 2 * len(table.columns)


def _heads(columns: Sequence[Column]) -> list[str]:
    titles = " & ".join(escape_latex(column.title) for column in columns) + r" \\"
    groups = column_groups(columns)
    if not any(name for name, _ in groups):
        return [titles]
    names = [rf"\multicolumn{{{n}}}{{c}}{{{escape_latex(name)}}}" if name else "" for name, n in groups]
    first, rules = 1, []
    for name, count in groups:
        rules += [rf"\cmidrule(lr){{{first}-{first + count - 1}}}"] * bool(name)
        first += count
    return [" & ".join(names) + r" \\", " ".join(rules), titles]


def _rows(table: Table) -> list[str]:
    arrows = [
        any(arrow in row[number].mark for row in table.rows for arrow in ARROWS)
        for number in range(len(table.columns))
    ]
    return [
        " & ".join(_cell(cell, arrow) for cell, arrow in zip(row, arrows, strict=True)) + r" \\"
        for row in table.rows
    ]


def _cell(cell: Cell, arrows: bool) -> str:
    words = escape_latex(cell.text.strip())
    words = rf"\textbf{{{words}}}" if cell.best else words
    free = arrows and not any(arrow in cell.mark for arrow in ARROWS)
    return words + escape_latex(cell.mark) + PHANTOM * free


def _caption(table: Table) -> list[str]:
    parts = [escape_latex(part) for part in (table.caption, *table.notes) if part]
    sentences = (part if part.endswith(".") else f"{part}." for part in parts)
    return [rf"\caption{{{' '.join(sentences)}}}"] if parts else []


def _label(caption: str) -> str:
    r"""Name a table after its caption, for \ref.

    >>> _label("CoNLL F1 by genre")
    'tab:conll-f1-by-genre'
    """
    words = re.findall(r"[a-z0-9]+", caption.lower())
    return "tab:" + ("-".join(words[:8]) or "referee")


def escape_latex(words: str) -> str:
    """Escape what LaTeX would take as a command."""
    return SPECIAL.sub(lambda special: LATEX[special[0]], words)
