"""Gathers what CorefUD's rules ask for beside mentions: heads, zeros, and texts that are the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from referee.arrays import IntArray
from referee.display import number_of
from referee.encoding import encoded
from referee.exceptions import FormatError
from referee.formats.conllu.heads import HeadFinder
from referee.matching.corefud.matching import CorefudMatching, CorefudMentions
from referee.matching.matcher import Matched
from referee.matching.protocol import Protocol
from referee.matching.text_order import TextOrder, ZeroList
from referee.metrics.standard import COREFUD
from referee.model import UNKNOWN, Chains, Corpus, Span
from referee.model.layers import HEAD

Numbering = Sequence[int | None]  # documents of a corpus; None is a missing one


@dataclass(frozen=True, slots=True)
class CorefudReader:
    """Matches batches of two corpora by CorefUD's rules."""

    key: Corpus
    response: Corpus
    protocol: Protocol

    def matched(
        self,
        numbers: tuple[Numbering, Numbering],
        sides: tuple[Chains, Chains],
        zeros: tuple[ZeroList, ZeroList],
        orders: tuple[TextOrder, TextOrder],
        *,
        same_words: bool,
    ) -> tuple[Matched, CorefudMentions, list[str]]:
        """Match the mentions of some documents, and say what that took; they may be known to have the same
        words already.
        """
        notices = [] if same_words else self._compare_texts(*numbers)
        heads = _Heads(self.key, numbers[0], self.protocol.heads == "tree")
        known = (
            heads.of(sides[0], self.key, numbers[0], orders[0]),
            heads.of(sides[1], self.key if same_words else self.response, numbers[1], orders[1]),
        )
        matching = CorefudMatching(
            sides, known, orders, zeros, (_ids(self.key, numbers[0]), _ids(self.response, numbers[1]))
        )
        paired, mentions = matching.match(
            self.protocol.match,
            official=self.protocol.official,
            dependent=self.protocol.zeros == "dependent",
            drop=self.protocol.singletons == "drop",
        )
        by_tree = numbers[0] if self.protocol.heads == "tree" else ()
        trees = [_digest_of_tree(self.key, number) for number in by_tree]
        return Matched(paired, 0, trees), mentions, notices + heads.notices

    def _compare_texts(self, keys: Numbering, responses: Numbering) -> list[str]:
        """Refuse a response with other words; the official scorer looks no further than the shorter text."""
        notices = []
        for k, r in zip(keys, responses, strict=True):
            if k is None or r is None:
                continue
            if self.key.text_digest(k) == self.response.text_digest(r):
                continue
            ours, theirs = (
                text.words[: text.length]
                for text in (self.key.document(k).text, self.response.document(r).text)
            )
            first = next(
                (i for i, two in enumerate(zip(ours, theirs, strict=False)) if two[0] != two[1]), None
            )
            if first is not None or not self.protocol.official:
                raise FormatError(self._difference(k, r, ours, theirs, first))
            notices.append(
                f"document {self.key.ids[k]}: {number_of(len(ours), 'word')} in the key, "
                f"{len(theirs)} in the response "
                f"({self.response.name}), which the official scorer ignores; protocol='corefud' refuses "
                "it"
            )
        return notices

    def _difference(
        self, k: int, r: int, ours: Sequence[str], theirs: Sequence[str], first: int | None
    ) -> str:
        index = min(len(ours), len(theirs)) if first is None else first
        word, other = (side[index] if index < len(side) else "no more word" for side in (ours, theirs))
        last = min(index, max(len(theirs) - 1, 0))
        return (
            f"{self.response.location(r, last)}: document {self.response.ids[r]} has '{other}' where the "
            f"key has '{word}' ({self.key.location(k, min(index, max(len(ours) - 1, 0)))}); give the same "
            "text"
        )


@dataclass(slots=True)
class _Heads:
    """Finds the heads that mentions lack in the trees of the key."""

    key: Corpus
    numbers: Numbering
    always: bool
    notices: list[str] = field(default_factory=list)

    def of(self, chains: Chains, corpus: Corpus, numbers: Numbering, order: TextOrder) -> IntArray:
        """Give each mention a head."""
        head = np.full(chains.start.size, UNKNOWN) if chains.head is None else chains.head.copy()
        lacking = np.flatnonzero(head == UNKNOWN)
        if not self.always and (corpus.usual_protocol in COREFUD or not lacking.size):
            return _first_words(chains, head, lacking, order)
        if self.always:
            lacking = np.arange(head.size)
        found = self._put_heads(head, lacking, chains, _Side(corpus, numbers, order))
        if found and not self.always:
            self.notices.append(
                f"{corpus.name}: {number_of(found, 'mention')} without a head, which is taken "
                f"from the key's dependency trees"
            )
        left = np.flatnonzero(head == UNKNOWN)
        if left.size:
            self.notices.append(
                f"{corpus.name}: {number_of(left.size, 'mention')} without a head or a tree: the "
                f"first word is taken"
            )
        return _first_words(chains, head, left, order)

    def _put_heads(self, head: IntArray, lacking: IntArray, chains: Chains, side: _Side) -> int:
        """Find heads in the key's trees; of mentions with zeros, which the key may lack, in their side's."""
        parts = chains.parts.by_row()
        trees: dict[tuple[int, bool], HeadFinder | None] = {}
        found = 0
        for row in lacking.tolist():
            document = int(chains.document[row])
            words = _words_in_order(chains, row, parts, side.order)
            with_zero = max(words) >= side.order.lengths[document]
            if (document, with_zero) not in trees:
                corpus, numbers = (side.corpus, side.numbers) if with_zero else (self.key, self.numbers)
                trees[document, with_zero] = _head_finder(corpus, numbers[document])
            tree = trees[document, with_zero]
            known = side.order.words_in(document) if with_zero or tree is None else tree.length
            if tree is not None and max(words) < known:
                head[row] = tree.head(words)
                found += 1
        return found


class _Side(NamedTuple):
    """Where mentions come from."""

    corpus: Corpus
    numbers: Numbering
    order: TextOrder


def _digest_of_tree(corpus: Corpus, number: int | None) -> bytes:
    layer = () if number is None else corpus.document(number).layers.get(HEAD, ())
    return blake2b(encoded(" ".join(layer)), digest_size=8).digest()


def _head_finder(corpus: Corpus, number: int | None) -> HeadFinder | None:
    text = None if number is None else corpus.document(number).text
    return HeadFinder(text) if text is not None and HEAD in text.layers else None


def _first_words(chains: Chains, head: IntArray, rows: IntArray, order: TextOrder) -> IntArray:
    """Take the first words for heads; a zero may come before what is written."""
    head[rows] = chains.start[rows]
    with_zeros = rows[chains.end[rows] > order.lengths[chains.document[rows]]]
    parts = chains.parts.by_row() if with_zeros.size else {}
    for row in with_zeros.tolist():
        head[row] = _words_in_order(chains, row, parts, order)[0]
    return head


def _words_in_order(
    chains: Chains, row: int, parts: Mapping[int, Sequence[Span]], order: TextOrder
) -> list[int]:
    """List the words of a mention as they come in the text."""
    spans = parts.get(row) or ((int(chains.start[row]), int(chains.end[row])),)
    words = np.array([word for start, end in spans for word in range(start, end)])
    if words[-1] >= order.lengths[chains.document[row]]:
        words = words[np.argsort(order.numbers(np.full(words.size, chains.document[row]), words))]
    return [int(word) for word in words]


def _ids(corpus: Corpus, numbers: Numbering) -> Callable[[int], Sequence[str]]:
    """Look up the ids of a document's clusters."""

    def of(document: int) -> Sequence[str]:
        number = numbers[document]
        return [] if number is None else [cluster.id for cluster in corpus.document(number).clusters]

    return of
