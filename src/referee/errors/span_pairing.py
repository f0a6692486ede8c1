"""Pairs mentions that differ in their boundaries only: a missing one of the key, an extra one of a response.

Two mentions are a pair if they have the same head in the same document, and no third has it. Where heads are
not known, they are if they begin together, or else if they end together. The tool of Kummerfeld & Klein
(2013) has other rules (`as_the_tool`): articles, possessive marks and punctuation at the edges do not count,
and heads are its own (`tool_heads`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_letters

import numpy as np

from referee.arrays import IntArray, pair_equal
from referee.errors.tool_heads import tool_heads
from referee.language.mention_types import Described
from referee.model import Span

Sides = tuple[Sequence[Described], Sequence[Described]]  # the missing mentions, and the extra ones
Pairs = tuple[IntArray, IntArray]  # positions among these
Values = list[list[int]]  # of both sides: what two mentions must have in common; NONE pairs with nothing
NONE = -1


def pair_spans(missing: Sequence[Described], extra: Sequence[Described], *, as_the_tool: bool) -> Pairs:
    """Pair mentions in rounds; what a round has paired is not there for the next."""
    sides = missing, extra
    documents = _document_numbers(sides)
    free = [np.ones(len(side), np.bool_) for side in sides]
    pairs: list[Pairs] = []
    for values, once in _tool_rounds(sides) if as_the_tool else _rounds(sides):
        width = max(max(some, default=0) for some in values) + 1
        ours, theirs = (
            np.where(left & (value != NONE), document * width + value, NONE)
            for left, document, value in zip(free, documents, map(_column, values), strict=True)
        )
        pairs.append(pair_equal(ours, theirs, once=once))
        free[0][pairs[-1][0]] = free[1][pairs[-1][1]] = False
    return np.concatenate([pair[0] for pair in pairs]), np.concatenate([pair[1] for pair in pairs])


def _column(values: Sequence[int]) -> IntArray:
    return np.array(values, np.int64)


def _document_numbers(sides: Sides) -> list[IntArray]:
    """Number the documents that mentions are in, alike on both sides."""
    known: dict[str, int] = {}
    return [_column([known.setdefault(m.document_id, len(known)) for m in side]) for side in sides]


def _rounds(sides: Sides) -> Iterator[tuple[Values, bool]]:
    """Give each round's values, and whether they must occur once."""
    yield [[NONE if m.head is None else m.head for m in side] for side in sides], True
    if any(m.head is None for side in sides for m in side):
        yield [[m.mention.start if m.head is None else NONE for m in side] for side in sides], True
        yield [[m.mention.end if m.head is None else NONE for m in side] for side in sides], True


def _tool_rounds(sides: Sides) -> Iterator[tuple[Values, bool]]:
    spans = [list(map(trimmed, side)) for side in sides]
    width = max((end for side in spans for _, end in side), default=0) + 1
    yield [[start * width + end for start, end in side] for side in spans], False
    heads = tool_heads([mention for side in sides for mention in side])
    yield [[heads.get(m, NONE) for m in side] for side in sides], True


def trimmed(mention: Described) -> Span:
    """Take 'the', 's and single characters that are no letters from the edges; one word stays."""
    words = mention.document.words if mention.document else ()
    start, end = mention.mention.start, mention.mention.end
    while words and start < end - 1 and (words[start] == "the" or _is_mark(words[start])):
        start += 1
    while words and start < end - 1 and (words[end - 1] == "'s" or _is_mark(words[end - 1])):
        end -= 1
    return start, end


def _is_mark(word: str) -> bool:
    return len(word) == 1 and word not in ascii_letters
