"""Says which mentions are the same by the rules of Universal Anaphora's scorer.

`exact`: the same words. `partial` (version 2): of mentions that the other side does not have as they are,
those whose words are a part of the other's and include its annotated minimum span; the assignment is chosen
whose shares of words have the largest sum. `craft` (version 2): the response has a part inside the first part
of the key's mention; the first such key mention in the text is asked, and has one partner at most. `min`
(version 1): the response's span is inside the key's and covers its minimum, in CEAF alone, for non-referring
expressions and for anchors; elsewhere spans are compared, and a mention whose minimum is not inside it is
like nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from referee.arrays import IntArray
from referee.matching.matchings import Numbers, exact
from referee.metrics.each_way import Likeness
from referee.model import Chains, Span


class UaNumbers(NamedTuple):
    """Numbers for the rows of key and response: their own, and those by which the other side is asked."""

    own: Numbers
    looked_up: Numbers
    alike: Likeness | None = None  # own numbers that are the same in CEAF, if these are others


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A mention that the other side does not have as it is."""

    number: int
    parts: tuple[Span, ...]
    minimum: frozenset[int]
    words: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", frozenset(w for a, b in self.parts for w in range(a, b)))

    @property
    def place(self) -> tuple[int, int, int]:
        """Sort by first word, last word and number of words."""
        return self.parts[0][0], self.parts[-1][1], len(self.words)


@dataclass(frozen=True)
class UaMatcher:
    """Numbers the mentions of key and response."""

    key: Chains
    response: Chains
    match: str

    @cached_property
    def own(self) -> Numbers:
        """Number mentions by their words; under `min` a key mention without its minimum is like nothing."""
        ours, theirs = exact(self.key, self.response)
        if self.match == "min":
            outside = self._minimum_outside()
            ours = ours.copy()
            ours[outside] = (
                1 + max(int(side.max(initial=0)) for side in (ours, theirs)) + np.arange(outside.size)
            )
        return ours, theirs

    def numbers(self, counted: tuple[IntArray, IntArray]) -> UaNumbers:
        """Number mentions by the matching, given the rows that entities are scored by."""
        if self.match == "exact":
            return UaNumbers(self.own, self.own)
        if self.match == "min":
            alike = np.array([*dict.fromkeys(self._covered())], np.int64).reshape(-1, 2)
            return UaNumbers(self.own, self.own, (alike[:, 0], alike[:, 1]))
        choose = _inside_first_parts if self.match == "craft" else _shares
        partners: dict[int, int] = {}
        for keys, responses in self._candidates(counted):
            for key, response in choose(keys, responses):
                partners[key.number], partners[response.number] = response.number, key.number
        looked_up = [_replaced(side, partners) for side in self.own]
        return UaNumbers(self.own, (looked_up[0], looked_up[1]))

    def _candidates(
        self, counted: tuple[IntArray, IntArray]
    ) -> Iterator[tuple[list[_Candidate], list[_Candidate]]]:
        """List what is left after equal mentions, by document; repeats as often as they are there."""
        listed = [
            self._left(chains, rows, number, others[other_rows])
            for chains, rows, number, others, other_rows in zip(
                (self.key, self.response), counted, self.own, self.own[::-1], counted[::-1], strict=True
            )
        ]
        for document in sorted(listed[0].keys() & listed[1].keys()):
            ours, theirs = (sorted(side[document], key=lambda each: each.place) for side in listed)
            yield ours, theirs

    @staticmethod
    def _left(
        chains: Chains, rows: IntArray, number: IntArray, others: IntArray
    ) -> dict[int, list[_Candidate]]:
        """List those of the rows that the other side does not have, by document; zeros are none of them."""
        written = chains.end[rows] <= chains.lengths[chains.document[rows]]
        parts, minimums = chains.parts.by_row(), chains.minimums.by_row()
        left: dict[int, list[_Candidate]] = {}
        for row in rows[written & ~np.isin(number[rows], others)].tolist():
            spans = parts.get(row) or ((int(chains.start[row]), int(chains.end[row])),)
            minimum = minimums.get(row, ())  # one with a gap is not inside of anything
            words = frozenset(range(*minimum[0])) if len(minimum) == 1 else frozenset()
            candidate = _Candidate(int(number[row]), spans, words)
            left.setdefault(int(chains.document[row]), []).append(candidate)
        return left

    def _minimum_outside(self) -> IntArray:
        minimums = self.key.minimums.by_row()
        start, end = self.key.start, self.key.end
        return np.array(
            [row for row, ((a, b), *_) in minimums.items() if a < start[row] or b > end[row]], np.int64
        )

    def _covered(self) -> Iterator[tuple[int, int]]:
        """List the numbers of key and response mentions that are alike: equal, or with the minimum inside."""
        own, minimums = self.own, self.key.minimums.by_row()
        spans: dict[int, list[tuple[int, int, int]]] = {}
        columns = (self.response.document, self.response.start, self.response.end, own[1])
        for document, start, end, number in zip(*(c.tolist() for c in columns), strict=True):
            spans.setdefault(document, []).append((start, end, number))
        known = set(own[1].tolist())
        for row, number in enumerate(own[0].tolist()):
            if row not in minimums:
                if number in known:
                    yield number, number
                continue
            (first, last), *_ = minimums[row]
            low, high = int(self.key.start[row]), int(self.key.end[row])
            for start, end, other in spans.get(int(self.key.document[row]), ()):
                if low <= start <= first and last <= end <= high:
                    yield number, other


def _replaced(numbers: IntArray, partners: dict[int, int]) -> IntArray:
    if not partners:
        return numbers
    return np.array([partners.get(number, number) for number in numbers.tolist()], np.int64)


def _shares(
    keys: Sequence[_Candidate], responses: Sequence[_Candidate]
) -> Iterator[tuple[_Candidate, _Candidate]]:
    """Choose the pairs whose shares have the largest sum, as SciPy's solver does for the document."""
    weight = np.zeros((len(keys), len(responses)))
    for i, key in enumerate(keys):
        for j, response in enumerate(responses):
            weight[i, j] = _share(key, response)
    if not weight.any():
        return
    from scipy.optimize import linear_sum_assignment  # when needed: it takes long to load

    for i, j in zip(*(side.tolist() for side in linear_sum_assignment(-weight)), strict=True):
        if weight[i, j] > 0:
            yield keys[i], responses[j]


def _share(key: _Candidate, response: _Candidate) -> float:
    if key.minimum and key.minimum <= response.words <= key.words:
        return len(response.words) / len(key.words)
    if response.minimum and response.minimum <= key.words <= response.words:
        return len(key.words) / len(response.words)
    return 0.0


def _inside_first_parts(
    keys: Sequence[_Candidate], responses: Sequence[_Candidate]
) -> Iterator[tuple[_Candidate, _Candidate]]:
    """Choose for each response mention the first key mention that has it inside its first part."""
    taken: set[int] = set()
    for response in responses:
        for key in keys:
            low, high = key.parts[0]
            if any(low <= start and end <= high for start, end in response.parts):
                if key.number not in taken:
                    taken.add(key.number)
                    yield key, response
                break
