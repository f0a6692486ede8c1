"""Says which genre a document is of: by its name, or by a file."""

from __future__ import annotations

import re

from referee.exceptions import FormatError
from referee.formats.io.opening import read_text


def genre(document: str) -> str:
    """Read the genre off a name: `(nw/wsj/…); part 000` in OntoNotes, `GUM_news_…` in GUM; else nothing.

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
