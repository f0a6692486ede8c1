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

Pairs = tuple[IntArray, IntArray]  # positions among the missing mentions, and among the extra ones
Value = Sequence[int] | None  # what two mentions must have in common; None pairs with nothing


def pair_spans(missing: Sequence[Described], extra: Sequence[Described], *, as_the_tool: bool) -> Pairs:
    """Pair mentions in rounds; what a round has paired is not there for the next."""
    sides = missing, extra
    free = [np.ones(len(side), np.bool_) for side in sides]
    pairs: list[Pairs] = []
    for values, once in _tool_rounds(sides) if as_the_tool else _rounds(sides):
        ours, theirs = (
            np.where(left, code, -1) for left, code in zip(free, _codes(sides, values), strict=True)
        )
        pairs.append(pair_equal(ours, theirs, once=once))
        free[0][pairs[-1][0]] = free[1][pairs[-1][1]] = False
    return np.concatenate([pair[0] for pair in pairs]), np.concatenate([pair[1] for pair in pairs])


Round = tuple[Sequence[Sequence[Value]], bool]  # the values of both sides; and whether they must occur once


def _rounds(sides: Sequence[Sequence[Described]]) -> Iterator[Round]:
    yield [[None if m.head is None else (m.head,) for m in side] for side in sides], True
    if any(m.head is None for side in sides for m in side):
        yield [[(m.mention.start,) if m.head is None else None for m in side] for side in sides], True
        yield [[(m.mention.end,) if m.head is None else None for m in side] for side in sides], True


def _tool_rounds(sides: Sequence[Sequence[Described]]) -> Iterator[Round]:
    yield [[trimmed(m) for m in side] for side in sides], False
    heads = tool_heads([mention for side in sides for mention in side])
    by_head: list[list[Value]] = [[(heads[m],) if m in heads else None for m in side] for side in sides]
    yield by_head, True


def _codes(
    sides: Sequence[Sequence[Described]], values: Sequence[Sequence[Value]]
) -> tuple[IntArray, IntArray]:
    """Number values of a document alike on both sides; −1 for none."""
    codes_of: dict[tuple[str, *tuple[int, ...]], int] = {}
    codes = [
        [
            -1 if value is None else codes_of.setdefault((m.document_id, *value), len(codes_of))
            for m, value in zip(side, some, strict=True)
        ]
        for side, some in zip(sides, values, strict=True)
    ]
    return np.array(codes[0], np.int64), np.array(codes[1], np.int64)


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
