"""Says which key mention and which response mention are the same, and numbers them alike.

Matching comes before the table and never inside a metric. `exact` compares spans; other matchings can only
differ in the numbers that they give to mentions.

Under all others two mentions *may* be the same: `mina` and `head` ask for the same minimum span, `min` for a
response that contains the annotated minimum and stays inside the maximum span. Several mentions of a
document may then compete. There is one matching, one-to-one, for recall and precision alike, and it prefers
the same maximum span, then the largest overlap of maximum spans (of equal ones, the one that leaves fewest
tokens over), then document order.

`mina-coval` alone is many to many: it is there to check figures that were published with coval.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from referee.arrays import BoolArray, Grouped, IntArray
from referee.exceptions import ProtocolError
from referee.model import Chains, Span

if TYPE_CHECKING:  # what looks at trees is loaded by the matchings that need them
    from referee.language.dependencies import Syntax

Numbers = tuple[IntArray, IntArray]  # a number for each row of key and response


@dataclass(frozen=True, slots=True)
class Matching:
    """When two mentions are the same: how they are numbered, in a few words, and what that needs of the key.

    `number` gives a number to each row of key and response, the same to mentions that are the same.
    """

    number: Callable[[Chains, Chains, Syntax | None], Numbers]
    meaning: str
    needs_trees: bool = False  # the key's parse trees
    needs_minimums: bool = False  # annotated minimum spans
    many_to_many: bool = False  # whether one mention may be the same as several


def exact(key: Chains, response: Chains, trees: Syntax | None = None) -> Numbers:
    """Number mentions so that two are equal when they cover the same tokens of the same document."""
    del trees
    sides = (key, response)
    start = np.concatenate([side.start for side in sides])
    end = np.concatenate([side.end for side in sides])
    document = np.concatenate([side.document for side in sides])
    _separate_parts(end, key, response)
    start_base, end_base = int(start.max(initial=0)) + 1, int(end.max(initial=0)) + 1
    if (int(document.max(initial=0)) + 1) * start_base * end_base >= 2**63:  # offsets beyond any real text
        start, end = (np.unique(column, return_inverse=True)[1] for column in (start, end))
        start_base = end_base = start.size + 1
    number = (document * start_base + start) * end_base + end
    return number[: key.start.size], number[key.start.size :]


def _separate_parts(end: IntArray, key: Chains, response: Chains) -> None:
    """Give mentions of several spans an end past every other, the same for the same spans."""
    known: dict[tuple[Span, ...], int] = {}
    past = int(end.max(initial=0)) + 1
    for side, offset in ((key, 0), (response, key.start.size)):
        for row, spans in side.parts.by_row().items():
            end[offset + row] = past + known.setdefault(spans, len(known))


def mina(key: Chains, response: Chains, trees: Syntax | None = None) -> Numbers:
    """Number mentions so that two are equal when they have the same MINA span (Moosavi et al., 2019)."""
    from referee.language.minimum_spans import mina_spans
    from referee.language.trees.phrase_trees import Trees

    if not isinstance(trees, Trees):
        raise ProtocolError("match='mina' needs the key's constituency trees")
    mentions = _Mentions.of(key, response)
    rows, starts, ends = mentions.alone(trees)
    return mentions.paired(rows, mina_spans(trees, starts, ends).identity)


def mina_of_coval(key: Chains, response: Chains, trees: Syntax | None = None) -> Numbers:
    """Number mentions so that all are equal that have the same minimum span by coval's rules."""
    from referee.language.coval_spans import coval_spans
    from referee.language.trees.phrase_trees import Trees

    if not isinstance(trees, Trees):
        raise ProtocolError("match='mina-coval' needs the key's constituency trees")
    first, start, end = (
        np.concatenate([getattr(side, column) for side in (key, response)])
        for column in ("document", "start", "end")
    )
    identity = coval_spans(trees, trees.documents[first] + start, trees.documents[first] + end).identity
    parts = [*key.parts.by_row(), *(key.start.size + row for row in response.parts.by_row())]
    identity[parts] = -1 - np.concatenate(exact(key, response))[parts]  # not part of a tree
    return identity[: key.start.size], identity[key.start.size :]


def head(key: Chains, response: Chains, trees: Syntax | None = None) -> Numbers:
    """Number mentions so that two are equal when they have the same head word."""
    from referee.language.dependencies import Dependencies
    from referee.language.minimum_spans import head_tokens

    if trees is None:
        raise ProtocolError("match='head' needs the key's parse trees")
    mentions = _Mentions.of(key, response)
    rows, starts, ends = mentions.alone(trees)
    if isinstance(trees, Dependencies):
        return mentions.paired(rows, trees.heads(starts, ends))
    identity = head_tokens(trees, starts, ends)
    unread = trees.unread()[starts] & (ends - starts > 1)
    identity[unread] = trees.holder.size + np.flatnonzero(unread)  # their maximum spans: each its own
    return mentions.paired(rows, identity)


def annotated(key: Chains, response: Chains, trees: Syntax | None = None) -> Numbers:
    """Number mentions so that a response matches if it contains a key mention's MIN and no more than it."""
    del trees
    mentions = _Mentions.of(key, response)
    minimum = {int(mentions.number[row]): spans for row, spans in key.minimums.by_row().items()}
    return mentions.joined(_fitting(mentions, minimum))


@dataclass(frozen=True, slots=True)
class _Mentions:
    """The distinct mentions of key and response by their maximum spans; repeated ones are one mention."""

    number: IntArray  # row of key, then of response → mention; in document order
    keys: int  # rows of the key
    document: IntArray  # mention → document
    start: IntArray
    end: IntArray
    parts: dict[int, tuple[Span, ...]]  # mention → spans, if more than one
    in_key: BoolArray
    in_response: BoolArray

    @classmethod
    def of(cls, key: Chains, response: Chains) -> _Mentions:
        """Give equal spans one number."""
        code = np.concatenate(exact(key, response))
        _, first, number = np.unique(code, return_index=True, return_inverse=True)
        columns = ((key.document, response.document), (key.start, response.start), (key.end, response.end))
        document, start, end = (np.concatenate(sides)[first] for sides in columns)
        in_key, in_response = np.zeros((2, first.size), np.bool_)
        in_key[number[: key.start.size]] = in_response[number[key.start.size :]] = True
        rows = list(key.parts.by_row().items())
        rows += [(key.start.size + row, spans) for row, spans in response.parts.by_row().items()]
        parts = {int(number[row]): spans for row, spans in rows}
        return cls(number, key.start.size, document, start, end, parts, in_key, in_response)

    def alone(self, trees: Syntax) -> tuple[IntArray, IntArray, IntArray]:
        """List the mentions that only one side has, and where they begin and end in the trees.

        Discontinuous ones and zeros are left out: they are not part of a tree, and keep their maximum spans.
        """
        one_sided = self.in_key != self.in_response
        one_sided[list(self.parts)] = False
        one_sided &= self.end <= np.diff(trees.documents)[self.document]
        rows = np.flatnonzero(one_sided)
        first = trees.documents[self.document[rows]]
        return rows, first + self.start[rows], first + self.end[rows]

    def spans(self, mention: int) -> tuple[Span, ...]:
        """List the spans of a mention."""
        return self.parts.get(mention) or ((int(self.start[mention]), int(self.end[mention])),)

    def paired(self, rows: IntArray, identity: IntArray) -> Numbers:
        """Pair mentions that only one side has, if they have the same identity."""
        groups = Grouped.of(identity)
        keys = groups.count(self.in_key[rows])
        partner = np.arange(self.document.size)
        two = np.flatnonzero((groups.sizes == 2) & (keys == 1))
        one, other = (rows[groups.order[groups.edges[two] + place]] for place in (0, 1))
        partner[other] = one
        competing = (groups.sizes > 2) & (keys > 0) & (keys < groups.sizes)
        for group in np.flatnonzero(competing).tolist():
            self._settle(partner, self._pairs(rows[groups[group]].tolist()))
        return self._numbers(partner)

    def _pairs(self, members: Iterable[int]) -> Iterator[tuple[int, int]]:
        rows = list(members)
        keys = [row for row in rows if self.in_key[row]]
        return ((k, r) for k in keys for r in rows if not self.in_key[r])

    def joined(self, pairs: Iterable[tuple[int, int]]) -> Numbers:
        """Choose among pairs that may be the same."""
        partner = np.arange(self.document.size)
        self._settle(partner, pairs)
        return self._numbers(partner)

    def _settle(self, partner: IntArray, pairs: Iterable[tuple[int, int]]) -> None:
        """Take pairs by preference, each mention once."""
        taken: set[int] = set()
        for *_, k, r in sorted((*self._preference(k, r), k, r) for k, r in pairs):
            if k not in taken and r not in taken:
                taken |= {k, r}
                partner[r] = k

    def _preference(self, key: int, response: int) -> tuple[int, int]:
        """Rank a pair: the largest overlap first, then the fewest tokens that only one of the two has."""
        ours, theirs = (_tokens(self.spans(mention)) for mention in (key, response))
        return -len(ours & theirs), len(ours ^ theirs)

    def _numbers(self, partner: IntArray) -> Numbers:
        number = partner[self.number]
        return number[: self.keys], number[self.keys :]


def _tokens(spans: Iterable[Span]) -> set[int]:
    return {token for start, end in spans for token in range(start, end)}


def _fitting(mentions: _Mentions, minimum: dict[int, tuple[Span, ...]]) -> Iterator[tuple[int, int]]:
    """List key mentions with the response mentions that fit between their minimum and maximum spans."""
    starts: dict[int, list[tuple[int, int]]] = defaultdict(list)  # document → start and response mention
    for row in np.flatnonzero(mentions.in_response & ~mentions.in_key).tolist():
        starts[int(mentions.document[row])].append((int(mentions.start[row]), row))
    for responses in starts.values():
        responses.sort()
    for row, spans in minimum.items():
        if mentions.in_response[row]:  # its like is there
            continue
        ours, needed = _tokens(mentions.spans(row)), _tokens(spans)
        responses = starts[int(mentions.document[row])]
        low = bisect_left(responses, (int(mentions.start[row]), -1))
        high = bisect_right(responses, (spans[0][0], mentions.document.size))
        for _, other in responses[low:high]:
            if needed <= _tokens(mentions.spans(other)) <= ours:
                yield row, other


MATCHINGS: dict[str, Matching] = {
    "exact": Matching(exact, "the same span"),
    "mina": Matching(mina, "the same minimum span in the key's parse", needs_trees=True),
    "head": Matching(head, "the same head word in the key's parse", needs_trees=True),
    "min": Matching(annotated, "within the annotated minimum and maximum", needs_minimums=True),
    "mina-coval": Matching(
        mina_of_coval,
        "the same minimum span by coval's rules; may match several",
        needs_trees=True,
        many_to_many=True,
    ),
}
FROM_TREES = tuple(name for name, matching in MATCHINGS.items() if matching.needs_trees)
