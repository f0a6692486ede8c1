"""The words around mentions, with brackets about them, as people read them."""

from __future__ import annotations

from collections.abc import Sequence

from referee.language.mention_types import Described
from referee.model import Document

WINDOW = 15  # words shown on either side of a mention, within its sentence


def surroundings(described: Described, window: int = WINDOW) -> tuple[int, int]:
    """Take the mention's sentence, as far as the window goes."""
    mention, document = described.mention, described.document
    if document is None:
        return mention.start, mention.end
    first, last = max(mention.start - window, 0), min(mention.end + window, document.text.length)
    for start, end in document.sentences:
        if start <= mention.start < end:
            return max(first, start), max(min(last, end), mention.end)
    return first, last


def marked(document: Document | None, window: tuple[int, int], marks: Sequence[tuple[Described, str]]) -> str:
    """Write some words, with brackets around mentions; the longer of two with a common end is outside."""
    if document is None:
        return ""
    opening: dict[int, str] = {}
    closing: dict[int, str] = {}
    longest_first = sorted(marks, key=lambda mark: (-mark[0].mention.end, mark[0].mention.start))
    for described, brackets in longest_first:
        for start, end in described.mention.spans:
            opening[start] = opening.get(start, "") + brackets[0]
            closing[end] = brackets[1] + closing.get(end, "")
    words = [opening.get(i, "") + document.words[i] + closing.get(i + 1, "") for i in range(*window)]
    return " ".join(words).replace("\n", " ")
