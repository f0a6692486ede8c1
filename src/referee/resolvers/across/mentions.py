"""What a resolver across documents works on: mentions in columns, and a model that compares them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast, runtime_checkable

import numpy as np

from referee.arrays import FloatArray, IntArray
from referee.model import Document, Mention
from referee.resolvers.across.neighbours import RowPairs, Vectors
from referee.resolvers.across.progress import Done, unwatched

if TYPE_CHECKING:
    from referee.resolvers.across.compatibility.names import NamedMention
    from referee.resolvers.across.passages import LowerStates


class MentionArrays(NamedTuple):
    """Mentions in columns."""

    start: IntArray
    end: IntArray  # the last word
    score: FloatArray  # how sure it is that each is a mention
    vector: Vectors
    document: IntArray  # its number
    kind: IntArray  # event or entity, as the scorer numbers them
    places: IntArray  # columns that say where a scorer reads each again; none, if it does not

    @property
    def size(self) -> int:
        """The number of mentions."""
        return self.start.size

    def chosen(self, rows: IntArray | slice) -> MentionArrays:
        """Keep some of them."""
        columns: list[Any] = [column[rows] for column in self]
        return MentionArrays(*columns)


class JoinedRows:
    """Rows of several arrays one after the other, some left out; they are read when they are asked for."""

    def __init__(self, parts: Sequence[Vectors], kept: IntArray) -> None:
        """Take the parts, and which rows of all of them there are."""
        self._parts, self._kept = parts, kept
        self._edges = np.cumsum([0, *map(len, parts)])
        self.shape = kept.size, max(part.shape[1] for part in parts)

    def __len__(self) -> int:
        """Count the rows."""
        return self._kept.size

    def __getitem__(self, rows: IntArray | slice) -> Vectors:
        """Read some rows."""
        wanted = self._kept[rows]
        result = np.zeros((wanted.size, self.shape[1]), np.float16)
        for begin, end, part in zip(self._edges, self._edges[1:], self._parts, strict=False):
            inside = np.flatnonzero((begin <= wanted) & (wanted < end))
            if inside.size:
                result[inside] = part[wanted[inside] - begin]
        return result


def joined_mentions(parts: Sequence[MentionArrays], kept: IntArray) -> MentionArrays:
    """Put mentions one after the other and keep some; their vectors are read when they are asked for."""
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in parts])[kept]
        for name in MentionArrays._fields
        if name != "vector"
    }
    vectors = JoinedRows([part.vector for part in parts], kept)
    return MentionArrays(**columns, vector=cast(Vectors, vectors))


class SimilarDocuments(NamedTuple):
    """Pairs of documents that are alike, and how much."""

    pairs: RowPairs
    similarity: FloatArray

    @classmethod
    def none(cls) -> SimilarDocuments:
        """Say that no documents are alike."""
        return cls(RowPairs.none(), np.zeros(0))


class ComparedMentions(Protocol):
    """Mentions, pairs of which can be compared."""

    def scores(self, pairs: RowPairs) -> FloatArray:
        """Compare pairs of the mentions: log odds."""


@runtime_checkable
class Rereading(Protocol):
    """Mentions whose pairs can be compared again, with their passages read together."""

    def second_look(self, pairs: RowPairs, odds: FloatArray, done: Done = unwatched) -> FloatArray:
        """Give the log odds of pairs, sorted and each once, when what is most alike is read together."""


@runtime_checkable
class Remembering(Protocol):
    """Studied documents whose passages can be kept, so that none is encoded twice."""

    @property
    def lower(self) -> LowerStates:
        """The states of passages: those that were read, and those that are remembered."""


@runtime_checkable
class Naming(Protocol):
    """Studied documents that know proper names."""

    def names(self, mentions: MentionArrays) -> Sequence[NamedMention | None]:
        """Give the names of mentions of people and things; None for others."""


class StudiedDocuments(Protocol):
    """Documents that a scorer has seen, so that their mentions can be found and compared."""

    @property
    def documents(self) -> Sequence[Document]:
        """The documents, in order."""

    @property
    def alike(self) -> SimilarDocuments:
        """Which documents are alike: they are resolved together if there are too many for all."""

    @property
    def workers(self) -> int:
        """How many documents may be read at a time, each in a thread."""

    def mentions(self, number: int, kind: str, given: Sequence[Mention] | None = None) -> MentionArrays:
        """Find the mentions of the document of this number, or describe those that are given."""

    def compare(self, mentions: MentionArrays) -> ComparedMentions:
        """Prepare to compare pairs of these mentions."""


class AcrossScorer(Protocol):
    """Finds mentions, and says how likely two of them mean the same."""

    def study(self, documents: Sequence[Document], words: Sequence[Sequence[str]]) -> StudiedDocuments:
        """See all documents, and all words of each, annotated or not."""

    def threshold(self, kind: str) -> float:
        """Say how likely mentions of two clusters must be the same on average, for a merge (τ)."""


def stacked(parts: list[MentionArrays]) -> MentionArrays:
    """Put the mentions of several documents into the same columns; the list is emptied on the way.

    So no vector is held twice.
    """
    end = sum(part.size for part in parts)
    every = MentionArrays(*(np.empty((end, *column.shape[1:]), column.dtype) for column in parts[0]))
    while parts:
        part = parts.pop()
        for column, values in zip(every, part, strict=True):
            column[end - part.size : end] = values
        end -= part.size
    return every
