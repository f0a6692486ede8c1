"""Spans as columns of word numbers: the first and last word, those beside it, and the head.

The heads of a model describe a span by the states of these words and by its width.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from referee.arrays import IntArray
from referee.language.stems import head_index, is_spoken
from referee.model import Text

WIDEST_SPAN = 12  # words; a wider mention that is given counts as so wide
SHORT_TITLES = frozenset(
    ("dr", "mr", "mrs", "ms", "prof")
)  # that are written with the name they stand before
PARTS = ("first", "last", "before", "after", "head", "mean")


class SpanWords(NamedTuple):
    """The words of spans: the first, the last, those beside (−1 if none), the head; and the width."""

    first: IntArray
    last: IntArray
    before: IntArray
    after: IntArray
    head: IntArray

    @property
    def size(self) -> int:
        """The number of spans."""
        return self.first.size

    @property
    def width(self) -> IntArray:
        """The number of words, from 0 for one word."""
        width: IntArray = np.minimum(self.last - self.first, WIDEST_SPAN - 1)
        return width

    def shifted(self, by: int) -> SpanWords:
        """Count words from elsewhere; −1, where there is no word, stays."""
        return SpanWords(*(np.where(column < 0, -1, column + by) for column in self))

    def moved(self, index: IntArray) -> SpanWords:
        """Say where each word is now; the last is for no word."""
        return SpanWords(*(index[column] for column in self))

    def chosen(self, rows: IntArray) -> SpanWords:
        """Keep some spans."""
        return SpanWords(*(column[rows] for column in self))


def span_words(text: Text, first: IntArray, last: IntArray) -> SpanWords:
    """Say which words describe spans of a text."""
    ends = zip(first.tolist(), last.tolist(), strict=True)
    head = np.array([head_index(text.words, start, end + 1) for start, end in ends], np.int64)
    after = np.where(last + 1 < text.length, last + 1, -1)
    return SpanWords(first, last, first - 1, after, head)


def all_spans(text: Text) -> SpanWords:
    """List the spans of each sentence up to the widest, none of signs alone; heads are not looked for."""
    starts, ends = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for begin, end in text.stretches:
        first = np.repeat(np.arange(begin, end), WIDEST_SPAN)
        last = first + np.tile(np.arange(WIDEST_SPAN), end - begin)
        starts.append(first[last < end])
        ends.append(last[last < end])
    first, last = np.concatenate(starts), np.concatenate(ends)
    spoken = np.cumsum([0, *map(is_spoken, text.words)])
    said = spoken[last + 1] > spoken[first]
    first, last = first[said], last[said]
    return SpanWords(first, last, first - 1, np.where(last + 1 < text.length, last + 1, -1), first)


def behind_titles(text: Text, spans: SpanWords) -> tuple[IntArray, IntArray]:
    """Pair spans that begin behind a short title, or between it and its dot, with those that include it.

    >>> text = Text("", tuple("saw Dr . Gupta today".split()), ((0, 5),))
    >>> spans = all_spans(text)
    >>> short, long = behind_titles(text, spans)
    >>> [(text.words[spans.first[a]], text.words[spans.first[b]]) for a, b in zip(short, long)]
    [('.', 'Dr'), ('Gupta', 'Dr')]
    """
    pairs: list[tuple[int, int]] = []
    number: dict[tuple[int, int], int] = {}
    for at, word in enumerate(text.words):
        if word[:1].isupper() and word.lower().rstrip(".") in SHORT_TITLES:
            number = number or {
                span: row
                for row, span in enumerate(zip(spans.first.tolist(), spans.last.tolist(), strict=True))
            }
            behind = at + 1 + (text.words[at + 1 : at + 2] == (".",))
            pairs += [
                (row, number[at, last])
                for (first, last), row in number.items()
                if at < first <= behind and (at, last) in number and text.words[last][:1].isupper()
            ]
    short, long = np.array(pairs, np.int64).reshape(-1, 2).T
    return short, long


def spans_together(parts: Sequence[SpanWords]) -> SpanWords:
    """Put spans of several texts into the same columns."""
    return SpanWords(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
