"""Says which group each unit of a result belongs to: itself, or a genre that its name or a file tells."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from referee.exceptions import FormatError, ProtocolError
from referee.formats.opening import read_text
from referee.scoring.result import Result


def group_labels(result: Result, by: str, genres: Mapping[str, str] | None = None) -> Sequence[str]:
    """Name the group of each unit: "unit", "document" or "genre"; `genres` where names do not tell."""
    if by == "unit":
        return result.units
    if result.protocol.scope != "document":
        raise ProtocolError(f"the units are {result.protocol.scope}s, not documents: break down by=unit")
    if by == "document":
        return result.units
    labels = [(genres or {}).get(unit) or genre(unit) for unit in result.units]
    unknown = [unit for unit, label in zip(result.units, labels, strict=True) if not label]
    if unknown:
        raise ProtocolError(
            f"cannot tell the genre of {unknown[0]} from its name; give genres=FILE with a line "
            "'document<tab>genre' for each document"
        )
    return labels


def genre(document: str) -> str:
    """Tell the genre from a name: `(nw/wsj/…); part 000` in OntoNotes, `GUM_news_…` in GUM; else nothing.

    >>> genre("(nw/wsj/00/wsj_0001); part 000"), genre("GUM_news_nasa"), genre("a")
    ('nw', 'news', '')
    """
    match = re.match(r"\(?(?:GUM|AMALGUM)_([^_/]+)_", document) or re.match(r"\(?([^/()\s]+)/", document)
    return match[1] if match else ""


def read_genres(path: str) -> dict[str, str]:
    """Read lines of document, tab, genre."""
    lines = read_text(path).splitlines()
    pairs: dict[str, str] = {}
    for number, line in enumerate(lines, start=1):
        document, tab, name = line.rstrip().partition("\t")
        if line.strip() and not (tab and name):
            raise FormatError(f"{path}:{number}: expected a document, a tab and its genre")
        if tab:
            pairs[document] = name
    return pairs
