"""Numbers words as they come in the text, zeros between the written ones, alike in key and response.

A document's zeros are its last words, so that they never shift the number of a written one; and a response
may have other zeros than the key. Here a zero is known by its identity: where it is, and which of several.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from referee.arrays import BoolArray, IntArray, distinct, offsets_of, spread
from referee.model import UNKNOWN, Chains, RowSpans, Zero, joined_spans

ZeroList = Sequence[Sequence[Zero]]  # document → its zeros, in order


@dataclass(frozen=True, slots=True)
class WordRows:
    """The words of some mentions, in text order."""

    offsets: IntArray  # row → where its words begin; and the number of words
    words: IntArray

    @property
    def sizes(self) -> IntArray:
        """Count the words of each mention."""
        return np.diff(self.offsets)

    @property
    def first(self) -> IntArray:
        """Give the first word of each mention."""
        return self.words[self.offsets[:-1]]

    @property
    def last(self) -> IntArray:
        """Give the last word of each mention."""
        return self.words[self.offsets[1:] - 1]

    def of(self, rows: IntArray) -> WordRows:
        """Take the words of some rows."""
        which, index = spread(self.offsets[:-1][rows], self.offsets[1:][rows])
        return WordRows(offsets_of(which, rows.size), self.words[index])


@dataclass(frozen=True, slots=True)
class TextOrder:
    """Where the words of one side are in the text: written ones by their number, zeros by their identity."""

    lengths: IntArray  # document → written words
    width: int  # numbers that a document has; the same for key and response
    between: int  # numbers from one written word to the next
    zero: IntArray  # number of each zero, document after document
    first_zero: IntArray  # document → its first zero

    @classmethod
    def pair(
        cls, lengths: Sequence[IntArray], zeros: Sequence[ZeroList], *, decimal: bool = False
    ) -> tuple[TextOrder, TextOrder]:
        """Put the words of key and response in order.

        `decimal` takes a zero's ID for a decimal number, as the CorefUD scorer does: 1.10 is 1.1.
        """
        width = 2 + max(int(written.max(initial=0)) for written in lengths)
        columns = [_columns(side, decimal=decimal) for side in zeros]
        document, before, sentence, ordinal = np.concatenate(columns, axis=1)
        rank, first = distinct(sentence, ordinal)
        between = first.size + 1
        number = (document * width + before) * between + 1 + rank
        counts = [np.array([len(listed) for listed in side], np.int64) for side in zeros]
        sizes = [int(count.sum()) for count in counts]
        parts = number[: sizes[0]], number[sizes[0] :]
        ours, theirs = (
            cls(written, width, between, part, np.append(0, np.cumsum(count))[:-1])
            for written, part, count in zip(lengths, parts, counts, strict=True)
        )
        return ours, theirs

    def numbers(self, document: IntArray, word: IntArray) -> IntArray:
        """Number words in text order."""
        number: IntArray = (document * self.width + word + 1) * self.between
        beyond = np.flatnonzero(self.is_zero(document, word))
        place = document[beyond]
        number[beyond] = self.zero[self.first_zero[place] + word[beyond] - self.lengths[place]]
        return number

    def is_zero(self, document: IntArray, word: IntArray) -> BoolArray:
        """Tell the words that are not written."""
        zeros = np.append(self.first_zero[1:], self.zero.size) - self.first_zero
        beyond = word - self.lengths[document]  # past all zeros there is nothing, whatever a mention says
        return (beyond >= 0) & (beyond < zeros[document])

    def words_in(self, document: int) -> int:
        """Count the words of a document, zeros included."""
        last = self.first_zero[document + 1] if document + 1 < self.first_zero.size else self.zero.size
        return int(self.lengths[document] + last - self.first_zero[document])

    def words_of(self, chains: Chains) -> WordRows:
        """List the words of mentions in text order."""
        row, start, end = _spans(chains)
        which, word = spread(start, end)
        row = row[which]
        number = self.numbers(chains.document[row], word)
        if self.zero.size:
            order = np.lexsort((number, row))
            row, number = row[order], number[order]
        return WordRows(offsets_of(row, chains.start.size), number)


def _columns(zeros: ZeroList, *, decimal: bool) -> IntArray:
    """Lay out zeros: document, written words before it, sentence, and which of several."""
    rows = [
        (document, zero.before, zero.sentence, _as_decimal(zero.ordinal) if decimal else zero.ordinal)
        for document, listed in enumerate(zeros)
        for zero in listed
    ]
    return np.array(rows, np.int64).reshape(-1, 4).T


def _as_decimal(ordinal: int) -> int:
    """Order the digits after a point as the number they are.

    >>> _as_decimal(1) == _as_decimal(10), _as_decimal(12) < _as_decimal(2)
    (True, True)
    """
    return int(f"{ordinal}".ljust(18, "0")[:18])


def _spans(chains: Chains) -> tuple[IntArray, IntArray, IntArray]:
    """List the spans of all mentions, row after row."""
    parts = chains.parts
    if not parts.row.size:
        return np.arange(chains.start.size), chains.start, chains.end
    whole = np.setdiff1d(np.arange(chains.start.size), parts.row)
    row = np.concatenate([whole, parts.row])
    order = np.argsort(row, kind="stable")
    start = np.concatenate([chains.start[whole], parts.start])[order]
    return row[order], start, np.concatenate([chains.end[whole], parts.end])[order]


def across_sentences(zeros: Sequence[Zero]) -> list[Zero]:
    """Number the zeros between two written words through, whatever sentence they are in.

    >>> [zero.ordinal for zero in across_sentences([Zero(5, 1, 0), Zero(5, 1, 1), Zero(6, 1, 1)])]
    [1, 2, 1]
    """
    numbered: list[Zero] = []
    for zero in zeros:
        follows = bool(numbered) and numbered[-1].before == zero.before
        numbered.append(Zero(zero.before, numbered[-1].ordinal + 1 if follows else 1, 0, zero.governors))
    return numbered


def has_zeros(chains: Chains) -> bool:
    """Whether a mention has a word that is not written."""
    length = chains.lengths[chains.document]
    return bool(((chains.end > length) & (length != UNKNOWN)).any())


def with_key_zeros(response: Chains, zeros: Sequence[ZeroList], order: tuple[TextOrder, TextOrder]) -> Chains:
    """Give a response's zeros the numbers that they have in the key; those that it lacks come after them."""
    known = [
        {number: len_ + i for i, number in enumerate(numbers)}
        for len_, numbers in zip(order[0].lengths.tolist(), _by_document(order[0]), strict=True)
    ]
    moved: list[list[int]] = []  # document → zero of the response → its word in the key
    for document, numbers in enumerate(_by_document(order[1])):
        after = int(order[0].lengths[document]) + len(zeros[0][document])
        fresh = {number: after + i for i, number in enumerate(n for n in numbers if n not in known[document])}
        moved.append([known[document].get(number, fresh.get(number, 0)) for number in numbers])
    return _renumbered(response, moved)


def _by_document(order: TextOrder) -> list[list[int]]:
    edges = [*order.first_zero.tolist(), order.zero.size]
    return [order.zero[a:b].tolist() for a, b in pairwise(edges)]


def _renumbered(chains: Chains, moved: Sequence[Sequence[int]]) -> Chains:
    """Change the numbers of zeros in mentions that have any."""
    start, end, head = chains.start.copy(), chains.end.copy(), None
    if chains.head is not None:
        head = chains.head.copy()
        place = chains.document
        for row in np.flatnonzero(head >= chains.lengths[place]).tolist():
            words, which = moved[int(place[row])], int(head[row] - chains.lengths[place[row]])
            head[row] = words[which] if which < len(words) else head[row]
    parts = chains.parts.by_row()
    for row in np.flatnonzero(chains.end > chains.lengths[chains.document]).tolist():
        document, length = int(chains.document[row]), int(chains.lengths[chains.document[row]])
        words = [
            moved[document][word - length] if 0 <= word - length < len(moved[document]) else word
            for a, b in parts.get(row, ((int(chains.start[row]), int(chains.end[row])),))
            for word in range(a, b)
        ]
        spans = joined_spans([(word, word + 1) for word in words])
        start[row], end[row] = spans[0][0], spans[-1][1]
        parts.pop(row, None)
        if len(spans) > 1:
            parts[row] = spans
    return replace(chains, start=start, end=end, head=head, parts=RowSpans.of(parts))
