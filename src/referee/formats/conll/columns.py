"""Sees when the last column of a CoNLL file is not coreference, which would score 0 without a word."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from referee.formats.conll.brackets import Fault, Scan
from referee.formats.conll.lines import CELL, Lines, gaps_before

MOST = 0.9  # of the rows: so many with text in the last cell are another column
BRACKET = re.compile(rb"[()]")
ADVICE = "Referee reads the last column: put the coreference there"


def doubt(scan: Scan) -> str | None:
    """Say why the last column is none of coreference, or that another one is; None if it may well be."""
    lines = scan.lines
    if not lines.tokens.size:
        return None
    stray = [flaw.text for flaw in scan.flaws if flaw.fault is Fault.STRAY and not set("()") & set(flaw.text)]
    if len(stray) >= MOST * lines.tokens.size:
        return f"the last column holds no coreference but text such as '{stray[0]}'; {ADVICE}"
    if scan.chains.start.size:
        return None
    first, last = lines.first[lines.tokens], lines.last[lines.tokens]
    if (gaps_before(lines.data, first, last) < first).all():
        return f"the lines have one column, and so no coreference; {ADVICE}"
    column = _other_column(lines)
    if column:
        return f"the last column is empty throughout, and column {column} looks like coreference; {ADVICE}"
    return None


def _other_column(lines: Lines) -> int | None:
    """Find a column before the last that holds nothing but coreference cells, counted from 1."""
    rows = [_columns(lines, line) for line in lines.tokens.tolist()]
    narrowest = min(map(len, rows))
    for from_right in range(2, narrowest + 1):
        if _is_coreference([row[-from_right] for row in rows]):
            return len(rows[0]) - from_right + 1
    return None


def _columns(lines: Lines, line: int) -> list[bytes]:
    row = lines.data[lines.first[line] : lines.last[line] + 1]
    return row.split(b"\t") if b"\t" in row else row.split()


def _is_coreference(column: Iterable[bytes]) -> bool:
    """Whether all cells are annotations or empty, some are not empty, and brackets are balanced.

    Columns of parse trees, names and roles have brackets too, but with an asterisk for the word.
    """
    brackets: Counter[bytes] = Counter()
    for cell in column:
        if not CELL.fullmatch(cell) and cell:
            return False
        if len(cell) > 1:
            if b"*" in cell:
                return False
            brackets.update(BRACKET.findall(cell))
    return brackets[b"("] == brackets[b")"] > 0
