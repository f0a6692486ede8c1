"""A table as a value, and its four faces: text, Markdown, LaTeX and CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

WIDE = 7  # columns that one column of a page holds; a wider LaTeX table goes over both
BOLD, PLAIN = "\x1b[1m", "\x1b[0m"
LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{",
    "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar\allowbreak{}", "³": r"\textsuperscript{3}",
    "₀": r"\textsubscript{0}",
    "×": r"$\times$", "±": r"$\pm$", "−": r"$-$", "→": r"$\rightarrow$", "–": "--", "…": r"\ldots{}",
    "↑": r"$\uparrow$", "↓": r"$\downarrow$", "κ": r"$\kappa$", "α": r"$\alpha$", "Δ": r"$\Delta$",
    "†": r"$\dagger$", "‡": r"$\ddagger$", "≤": r"$\leq$", "≥": r"$\geq$", "·": r"$\cdot$",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Column:
    """A heading, and one above it for columns that belong together."""

    title: str
    group: str = ""
    left: bool = False  # words are set flush left, numbers flush right


@dataclass(frozen=True, slots=True)
class Cell:
    """What a cell says; the best of a column is marked."""

    text: str
    best: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Columns, rows of cells, and lines that go under the table."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    caption: str = ""
    notes: Sequence[str] = field(default_factory=tuple)


def text(table: Table, *, colour: bool = False) -> str:
    """Align columns for a terminal. The best values are bold there, and starred elsewhere."""
    marked = any(cell.best for row in table.rows for cell in row)

    def shown(cell: Cell) -> str:
        return cell.text if colour or not marked else cell.text + ("*" if cell.best else " ")

    heads = [
        column.title + (" " if marked and not colour and not column.left else "") for column in table.columns
    ]
    rows = [[shown(cell) for cell in row] for row in table.rows]
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    widths = _room_for_groups(table.columns, widths)

    def line(cells: Sequence[str], row: Sequence[Cell] = ()) -> str:
        parts = []
        for number, (word, width, column) in enumerate(zip(cells, widths, table.columns, strict=True)):
            padded = word.ljust(width) if column.left else word.rjust(width)
            parts.append(f"{BOLD}{padded}{PLAIN}" if colour and row and row[number].best else padded)
        return "  ".join(parts).rstrip()

    lines = [table.caption] if table.caption else []
    if any(column.group for column in table.columns):
        lines.append("  ".join(name.center(width) for name, width in _groups(table.columns, widths)).rstrip())
    lines += [line(heads), "─" * (sum(widths) + 2 * (len(widths) - 1))]
    lines += [line(cells, row) for cells, row in zip(rows, table.rows, strict=True)]
    return "\n".join([*lines, *table.notes])


def _groups(columns: Sequence[Column], widths: Sequence[int]) -> list[tuple[str, int]]:
    """Join neighbouring columns of one group: its name and its width, two for each gap inside."""
    found: list[tuple[str, int]] = []
    for column, width in zip(columns, widths, strict=True):
        if found and column.group and found[-1][0] == column.group:
            found[-1] = (column.group, found[-1][1] + 2 + width)
        else:
            found.append((column.group, width))
    return found


def _room_for_groups(columns: Sequence[Column], widths: list[int]) -> list[int]:
    """Widen a group's last column if the group's name needs more."""
    end = -1
    for name, width in _groups(columns, widths):
        end += sum(column.group == name for column in columns) if name else 1
        widths[end] += max(len(name) - width, 0)
    return widths


def markdown(table: Table) -> str:
    """Write a table that a README shows as it is."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    heads = [f"{column.group} {column.title}".strip() for column in table.columns]
    ruler = [":--" if column.left else "--:" for column in table.columns]
    rows = [[f"**{c.text.strip()}**" if c.best else c.text.strip() for c in row] for row in table.rows]
    lines = [f"**{table.caption}**", ""] if table.caption else []
    lines += [line(heads), line(ruler), *map(line, rows)]
    return "\n".join(lines + [part for note in table.notes for part in ("", f"`{note}`") if note])


def latex(table: Table) -> str:
    """Write a booktabs table; the preamble needs \\usepackage{booktabs}."""
    spec = "".join("l" if column.left else "r" for column in table.columns)
    float_ = "table*" if len(table.columns) > WIDE else "table"
    lines = [rf"\begin{{{float_}}}", r"\centering", rf"\begin{{tabular}}{{{spec}}}", r"\toprule"]
    groups = _groups(table.columns, [1] * len(table.columns))
    if any(name for name, _ in groups):
        spans = [(name, (width + 2) // 3) for name, width in groups]  # one per column and two per gap
        lines.append(
            " & ".join(
                rf"\multicolumn{{{n}}}{{c}}{{{escape_latex(name)}}}" if name else "" for name, n in spans
            )
            + r" \\"
        )
        first, rules = 1, []
        for name, n in spans:
            if name:
                rules.append(rf"\cmidrule(lr){{{first}-{first + n - 1}}}")
            first += n
        lines.append(" ".join(rules))
    lines += [" & ".join(escape_latex(column.title) for column in table.columns) + r" \\", r"\midrule"]
    for row in table.rows:
        words = [escape_latex(cell.text.strip()) for cell in row]
        cells = [rf"\textbf{{{w}}}" if cell.best else w for w, cell in zip(words, row, strict=True)]
        lines.append(" & ".join(cells) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    caption = [escape_latex(part) for part in (table.caption, *table.notes) if part]
    if caption:
        sentences = (part if part.endswith(".") else f"{part}." for part in caption)
        lines.append(rf"\caption{{{' '.join(sentences)}}}")
    return "\n".join([*lines, rf"\end{{{float_}}}"])


def escape_latex(words: str) -> str:
    """Escape what LaTeX would take as a command."""
    return re.sub("|".join(map(re.escape, LATEX)), lambda found: LATEX[found[0]], words)


def comma_separated(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Write rows for spreadsheets and data frames, numbers unrounded."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows(rows)
    return out.getvalue().rstrip("\n")


def as_csv(table: Table) -> str:
    """Write a table's cells as they are shown."""
    heads = [f"{column.group} {column.title}".strip() for column in table.columns]
    return comma_separated(heads, [[cell.text for cell in row] for row in table.rows])


FACES: dict[str, Callable[[Table], str]] = {"text": text, "markdown": markdown, "latex": latex, "csv": as_csv}
