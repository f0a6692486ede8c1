"""A sample of the documents of key and response as arrays: what the pre-flight looks at.

Reading words costs more than scoring, so only some documents are read, spread evenly over the corpus.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from referee.arrays import BoolArray, IntArray
from referee.language.english import (
    ARTICLES,
    DEMONSTRATIVES,
    FIRST_PLURAL,
    FIRST_SINGULAR,
    PERSONAL,
    POSSESSIVE_DETERMINERS,
    POSSESSIVE_MARKS,
    RELATIVES,
    SECOND,
)
from referee.matching.pairing import Pair
from referee.model import Chains, Corpus

WORDS = 12_000  # of the key: some 1,200 mentions, six times what a rule needs
DOCUMENTS = 1_000  # more are not looked at, however short they are
GOLDEN = 0.6180339887498949  # multiples of it, modulo 1, are spread evenly however many are taken
BITS = 21  # for a position in a document

WORD_CLASSES = {
    "article": ARTICLES,
    "possessive mark": POSSESSIVE_MARKS,
    "comma": frozenset((",",)),
    "copula": frozenset(("is", "was", "are", "were", "'s", "’s", "am", "be")),
    "pronoun": PERSONAL,
    "before is": PERSONAL | DEMONSTRATIVES | RELATIVES | {"there", "what", "here", "where", "how"},  # it's
    "I, we, you": FIRST_SINGULAR | FIRST_PLURAL | SECOND,
    "my, his, its": POSSESSIVE_DETERMINERS - {"her"},  # which is an object, too
}
BIT = {name: 1 << number for number, name in enumerate(WORD_CLASSES)}
CLASSES = {
    word: sum(BIT[name] for name, words in WORD_CLASSES.items() if word in words)
    for word in frozenset().union(*WORD_CLASSES.values())
}


@dataclass(frozen=True)
class Side:
    """The mentions and words of the sampled documents of one side; positions count from its first word."""

    classes: IntArray  # word → the classes that it is in, as bits
    first: IntArray  # document → its first word; and the number of all words
    document: IntArray  # mention → document
    start: IntArray
    end: IntArray
    entity: IntArray

    @classmethod
    def of(cls, chains: Chains, texts: Sequence[Sequence[str]]) -> Side:
        """Lay out the mentions and the words of some documents; repeated mentions count once."""
        first = np.cumsum([0, *map(len, texts)])
        entity = chains.cluster if chains.entity is None else chains.entity[chains.cluster]
        start, end = chains.start + first[chains.document], chains.end + first[chains.document]
        once = np.unique(start << 32 | end, return_index=True)[1]
        inside = once[end[once] <= first[chains.document[once] + 1]]
        classes = np.fromiter((CLASSES.get(word.lower(), 0) for text in texts for word in text), np.int64)
        return cls(
            np.append(classes, 0),
            first,
            *(column[inside] for column in (chains.document, start, end, entity)),
        )

    def chosen(self, rows: BoolArray) -> Side:
        """Keep some mentions."""
        columns = (self.document, self.start, self.end, self.entity)
        return Side(self.classes, self.first, *(column[rows] for column in columns))

    def moved(self, start: int | IntArray = 0, end: int | IntArray = 0) -> Side:
        """Move where mentions start and end, and leave out those without words."""
        moved = replace(self, start=self.start + start, end=self.end + end)
        within = moved.start >= self.first[self.document]
        within &= moved.end <= self.first[self.document + 1]
        return moved.chosen(within & (moved.start < moved.end))

    def places(self, documents: BoolArray) -> tuple[IntArray, IntArray]:
        """Number where mentions of some documents start, and their spans, alike for both sides."""
        rows = documents[self.document]
        before = self.first[self.document[rows]]
        start = self.document[rows] << BITS | (self.start[rows] - before)
        return start, start << BITS | (self.end[rows] - before)

    def among(self, name: str) -> BoolArray:
        """Say which words are in a class; the place after the last word is not."""
        return (self.classes & BIT[name]) > 0

    @cached_property
    def sizes(self) -> IntArray:
        """How many mentions the entity of each mention has."""
        _, number, count = np.unique(self.entity, return_inverse=True, return_counts=True)
        return count[number]

    @property
    def mentions(self) -> int:
        """How many mentions there are."""
        return self.start.size


@dataclass(frozen=True)
class Sample:
    """The same documents of key and response."""

    ids: Sequence[str]
    key: Side
    response: Side
    texts: tuple[Sequence[Sequence[str]], Sequence[Sequence[str]]]  # as written
    whole: bool  # whether it is the whole corpus

    @classmethod
    def of(cls, key: Corpus, response: Corpus, pairs: Sequence[Pair]) -> Sample:
        """Read documents that both sides have, until there are words enough."""
        found = [(k, r) for k, r in pairs if r is not None]
        some = np.linspace(0, max(len(found) - 1, 0), min(DOCUMENTS, len(found))).astype(np.int64)
        order = some[np.argsort(np.arange(some.size) * GOLDEN % 1)].tolist()
        chosen: list[tuple[int, int]] = []
        ours: list[Sequence[str]] = []
        read = 0
        for number in order:
            k, r = found[number]
            chosen.append((k, r))
            ours.append(key.words(k))
            read += len(ours[-1])
            if read >= WORDS:
                break
        theirs = [response.words(r) for _, r in chosen]
        keys = Side.of(key.chains([k for k, _ in chosen]), ours)
        responses = Side.of(response.chains([r for _, r in chosen]), theirs)
        ids = [key.ids[k] for k, _ in chosen]
        return cls(ids, keys, responses, (ours, theirs), len(chosen) == len(pairs))

    @cached_property
    def comparable(self) -> BoolArray:
        """Which documents have as many words on both sides, so that positions are the same."""
        same: BoolArray = np.diff(self.key.first) == np.diff(self.response.first)
        return same
