"""What a resolver across documents works on: mentions in columns, and a model that compares them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from referee.arrays import FloatArray, IntArray
from referee.model import Document, Mention
from referee.resolvers.across.neighbours import RowPairs, Vectors


class Spotted(NamedTuple):
    """Mentions in columns: first and last word (inclusive), how sure each is, its vector, and its traits.

    The traits are the number of the document, and what else a scorer wants to know of a mention.
    """

    start: IntArray
    end: IntArray
    score: FloatArray
    vector: Vectors
    traits: IntArray

    @property
    def size(self) -> int:
        """The number of mentions."""
        return self.start.size

    def chosen(self, rows: IntArray | slice) -> Spotted:
        """Keep some of them."""
        start, end, score, vector, traits = self
        return Spotted(start[rows], end[rows], score[rows], vector[rows], traits[rows])


class AlikeDocuments(NamedTuple):
    """Pairs of documents that are alike, and how much."""

    pairs: RowPairs
    likeness: FloatArray

    @classmethod
    def none(cls) -> AlikeDocuments:
        """Say that no documents are alike."""
        return cls(RowPairs.none(), np.zeros(0))


class AcrossScorer(Protocol):
    """Finds mentions, and says how likely two of them mean the same."""

    def study(self, documents: Sequence[Document], words: Sequence[Sequence[str]]) -> AlikeDocuments:
        """See all documents before their mentions are looked for, and all words of each, annotated or not.

        Says which documents are alike: they are resolved together if there are too many for all.
        """

    def mentions(self, document: Document, kind: str, given: Sequence[Mention] | None = None) -> Spotted:
        """Find the mentions of a document, or describe those that are given."""

    def pair_scores(self, mentions: Spotted, pairs: RowPairs) -> FloatArray:
        """Compare pairs of mentions: log odds."""

    def threshold(self, kind: str) -> float:
        """Say how likely mentions of two clusters must be the same on average, for a merge (τ)."""


@runtime_checkable
class Rereading(Protocol):
    """A scorer that can look at pairs once more, in the company of others."""

    def second_look(self, mentions: Spotted, pairs: RowPairs, odds: FloatArray) -> FloatArray:
        """Give the log odds of pairs, sorted and each once, when what is most alike is read together."""


def stacked(parts: list[Spotted]) -> Spotted:
    """Put the mentions of several documents into the same columns; the list is emptied on the way.

    So no vector is held twice.
    """
    end = sum(part.size for part in parts)
    every = Spotted(*(np.empty((end, *column.shape[1:]), column.dtype) for column in parts[0]))
    while parts:
        part = parts.pop()
        for column, own in zip(every, part, strict=True):
            column[end - part.size : end] = own
        end -= part.size
    return every
