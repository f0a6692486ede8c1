"""What the page shows of a text: its words in the order of reading, and spans of them.

Words that are not written come last in a text, so that they never shift the numbers of others; a page shows
them where they belong. Here spans are told in either numbering.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from referee.model import Document, Span, Text, joined_spans
from referee.page.documents import Displayed, displayed

LEFT = ("R", "AL")  # directions of characters that are written to the left
SAMPLE = 2000  # words by which the direction is judged


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text as it is shown, and both directions between its words and the tokens that are shown."""

    shown: Displayed
    words: Sequence[int] | None  # token → word, where there are words that are not written

    @classmethod
    def of(cls, document: Document) -> Tokens:
        """Show a text."""
        text = document.text
        return cls(displayed(document), text.reading_order() if text.zeros else None)

    def token(self, word: int) -> int:
        """Say where a word is shown."""
        return word if self.shown.position is None else self.shown.position[word]

    def to_tokens(self, spans: Iterable[Span]) -> list[Span]:
        """Tell spans of words in tokens."""
        if self.shown.position is None:
            return list(spans)
        return _runs(self.shown.position[word] for span in spans for word in range(*span))

    def to_words(self, spans: Iterable[Span]) -> list[Span]:
        """Tell spans of tokens in words; what is outside of the text stays outside."""
        if self.words is None:
            return list(spans)
        order, length = self.words, len(self.words)
        inside = [(start, end) for start, end in spans if 0 <= start < end <= length]
        outside = [span for span in spans if span not in inside]
        return [*_runs(order[token] for span in inside for token in range(*span)), *outside]


def _runs(numbers: Iterable[int]) -> list[Span]:
    return list(joined_spans([(number, number + 1) for number in numbers]))


def text_value(document: Document, tokens: Tokens) -> dict[str, Any]:
    """Tell the page what it shows of a text."""
    text, ends = document.text, tokens.shown.ends
    starts = [0, *ends][: len(ends)]
    if tokens.words is None:
        starts = [start for start, _ in text.sentences]
    return {
        "words": list(tokens.shown.tokens),
        "space_after": _spaces(text) if tokens.words is None else None,
        "zeros": [token for token, word in enumerate(tokens.words or ()) if word >= text.length],
        "sentences": [list(span) for span in zip(starts, ends, strict=True)],
        "direction": direction(text),
        "speakers": [list(turn) for turn in tokens.shown.speakers],
    }


def _spaces(text: Text) -> list[int] | None:
    """Say after which words there is a blank, where the text is known as it was written."""
    if text.running is None or len(text.characters) != text.length:
        return None
    starts = [start for start, _ in text.characters[1:]] + [len(text.running)]
    return [int(end < start) for (_, end), start in zip(text.characters, starts, strict=True)]


def direction(text: Text) -> str:
    """Say in which direction a text is written, by its letters.

    >>> direction(Text("d", ("שלום",), ((0, 1),))), direction(Text("d", ("peace",), ((0, 1),)))
    ('rtl', 'ltr')
    """
    kinds = [unicodedata.bidirectional(letter) for word in text.words[:SAMPLE] for letter in word]
    left = sum(kind in LEFT for kind in kinds)
    return "rtl" if left > kinds.count("L") else "ltr"
