"""Quotations: found by their marks, by how marks stand at words, and by paragraphs.

A straight mark in front of a word opens, one behind a word closes. A quotation that goes on in the next
paragraph is opened there again, and one whose mark was forgotten ends with its paragraph. Where blanks and
paragraphs are not known, as in corpora of words, marks open and close by turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.resolvers.camp.lexicon import Lexicon
from referee.resolvers.camp.markables import Markable
from referee.resolvers.camp.parse_view import Parse

PAIRS = {"``": "''", "“": "”", "«": "»", "„": "“"}
SINGLE_PAIRS = {"‘": "’", "`": "'"}
EVEN, EVEN_SINGLE = '"', "'"
OPENS, CLOSES, EITHER = "opens", "closes", "either"


@dataclass(slots=True, eq=False)
class Quote:
    """A quotation: its words without the marks, and its speaker where known."""

    start: int
    end: int
    paragraph: int = 0
    goes_on: bool = False  # whether it is opened again in the next paragraph
    speaker: Markable | None = None
    hearer: Markable | None = None
    rule: str = "speaker"  # by which the speaker was found
    turn: int = -1  # quotations of one turn have one number


class Layout:
    """Where a text has blanks and paragraphs, if it is known."""

    def __init__(self, parse: Parse) -> None:
        """Look at the characters between words."""
        text = parse.text
        self.known = text.running is not None and len(text.characters) >= len(parse.words) > 0
        self.paragraph = [0] * len(parse.words)
        self.blank_before = [True] * (len(parse.words) + 1)
        if not self.known:
            return
        for word in range(1, len(parse.words)):
            between = (text.running or "")[text.characters[word - 1][1] : text.characters[word][0]]
            self.blank_before[word] = between != ""
            self.paragraph[word] = self.paragraph[word - 1] + (between.count("\n") > 1)

    def role(self, word: int) -> str:
        """Say whether a straight mark opens or closes."""
        before, behind = self.blank_before[word], self.blank_before[word + 1]
        return OPENS if before > behind else CLOSES if behind > before else EITHER


def find_quotes(parse: Parse, lexicon: Lexicon, layout: Layout | None = None) -> list[Quote]:
    """Find quotations by their marks: double ones, or single ones where a text has no others."""
    layout = layout or Layout(parse)
    doubles = sum(word in PAIRS or word == EVEN for word in parse.words)
    pairs, even = (PAIRS, EVEN) if doubles > 1 else (SINGLE_PAIRS, EVEN_SINGLE)
    longest = lexicon.limits["quotation"]
    quotes: list[Quote] = []
    opened, closing = -1, ""
    marks = {*pairs, *pairs.values(), even}
    for word, written in enumerate(parse.words):
        role = _role(parse, layout, word, pairs, even) if written in marks else ""
        if opened >= 0 and layout.paragraph[word] != layout.paragraph[opened]:
            _add(
                quotes, layout, opened, word, goes_on=written in pairs or (written == even and role != CLOSES)
            )
            opened = -1
        elif opened >= 0 and word - opened > longest and not layout.known:
            opened = -1
        if opened >= 0 and (
            (written == closing and parse.tags[word] != "POS" and role != OPENS)
            or (layout.known and role == OPENS)
        ):
            _add(quotes, layout, opened, word)
            opened = word if role == OPENS else -1
        elif opened < 0 and role in (OPENS, EITHER):
            opened = word
        if opened == word:
            closing = pairs.get(written, even)
    return quotes


def _role(parse: Parse, layout: Layout, word: int, pairs: dict[str, str], even: str) -> str:
    """Say what a mark does; an apostrophe does nothing."""
    written = parse.words[word]
    if written in pairs:
        return OPENS
    if written in pairs.values() and written != even:
        return CLOSES
    if parse.tags[word] == "POS":
        return ""
    return layout.role(word) if layout.known else EITHER


def _add(quotes: list[Quote], layout: Layout, opened: int, end: int, *, goes_on: bool = False) -> None:
    if end - opened > 1:
        quotes.append(Quote(opened + 1, end, layout.paragraph[opened], goes_on))


def quoted_words(parse: Parse, quotes: Sequence[Quote]) -> list[bool]:
    """Say of each word whether it is inside of a quotation."""
    inside = [False] * len(parse.words)
    for quote in quotes:
        inside[quote.start : quote.end] = [True] * (quote.end - quote.start)
    return inside
