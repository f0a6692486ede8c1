"""Reads files of antecedent decisions: which antecedent a system chose for which anaphor.

A decision a line: document, anaphor, antecedent, with tabs between. A mention is written as its first and
its last token, both included and counted from 0 through the document: `(12, 14)`. Lines that start with
`#` followed by a blank are comments.
"""

from __future__ import annotations

import re
from os import PathLike

from referee.analysis.link_errors import Decisions
from referee.display import number_of
from referee.exceptions import FormatError
from referee.formats.io.opening import read_text
from referee.model import Mention

SPAN = re.compile(r"\(?\s*(\d+)\s*[,\s-]\s*(\d+)\s*\)?")


def read_antecedents(path: str | PathLike[str]) -> Decisions:
    """Read the decisions of one system."""
    lines = read_text(path).splitlines()
    decisions: dict[tuple[str, Mention], Mention] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("# "):
            continue
        cells = line.split("\t")
        if len(cells) != 3:
            raise FormatError(
                f"{path}:{number}: {number_of(len(cells), 'column')}, not document, anaphor, "
                f"antecedent with tabs between"
            )
        where = f"{path}:{number}"
        anaphor, antecedent = _mention(cells[1], where), _mention(cells[2], where)
        known = decisions.setdefault((cells[0].strip(), anaphor), antecedent)
        if known != antecedent:
            raise FormatError(f"{where}: the anaphor {cells[1].strip()} has another antecedent already")
    return decisions


def _mention(cell: str, where: str) -> Mention:
    span = SPAN.fullmatch(cell.strip())
    if not span or int(span[1]) > int(span[2]):
        raise FormatError(f"{where}: '{cell.strip()}' is not a mention like (12, 14), first and last token")
    return Mention.at(int(span[1]), int(span[2]) + 1)
