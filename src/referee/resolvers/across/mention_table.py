"""Mentions of many documents in columns, and the documents that clusters of them make."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from zlib import crc32

import numpy as np

from referee.arrays import BoolArray, Grouped, IntArray, by_first_sight
from referee.language.stems import head_stem
from referee.model import Cluster, Corpus, Document, DocumentCorpus, Mention
from referee.resolvers.across import CLUSTER_TYPES
from referee.resolvers.across.mentions import MentionArrays, StudiedDocuments, stacked
from referee.resolvers.across.workers import in_threads


def found_mentions(
    studied: StudiedDocuments, numbers: Iterable[int], kind: str, *, given: bool
) -> Iterator[MentionArrays]:
    """Find the mentions of the documents of these numbers, or describe those that they have."""

    def found(number: int) -> MentionArrays:
        return studied.mentions(number, kind, studied.documents[number].mentions if given else None)

    return in_threads(found, numbers, studied.workers)


@dataclass(frozen=True, slots=True)
class MentionTable:
    """The mentions of documents, in the columns of a scorer.

    Those of a document come one after the other; if they were given, in its order.
    """

    documents: Sequence[Document]
    arrays: MentionArrays
    given: bool

    @classmethod
    def of(
        cls,
        studied: StudiedDocuments,
        kind: str,
        *,
        given: bool,
        progress: Callable[[int], None] | None = None,
    ) -> MentionTable:
        """Find the mentions of documents, or describe those that they have."""
        documents, parts = studied.documents, list[MentionArrays]()
        for part in found_mentions(studied, range(len(documents)), kind, given=given):
            parts.append(part)
            if progress:
                progress(1)
        return cls(documents, stacked(parts), given)

    @property
    def size(self) -> int:
        """The number of mentions."""
        return self.arrays.size

    def linked(self, label: IntArray, *, singletons: bool = False) -> BoolArray:
        """Say which mentions are linked, or that and alone; the surest of nested ones of a cluster."""
        linked = label >= 0
        groups = Grouped.of(label * len(self.documents) + self.arrays.document)
        for number in np.flatnonzero(groups.sizes > 1).tolist():
            rows = groups[number]
            if linked[rows[0]]:
                linked[rows] = self._surest(rows)
        if singletons:
            return linked
        return linked & (np.bincount(label[linked], minlength=int(label.max(initial=0)) + 1)[label] > 1)

    def _surest(self, rows: IntArray) -> BoolArray:
        """Say which mentions of a document are not nested with a surer one; of two as sure, the longer."""
        start, end, score = (column[rows] for column in self.arrays[:3])
        chosen: list[int] = []
        for at in np.lexsort((start - end, -score)).tolist():
            inside = any(
                (start[at] <= start[other] and end[other] <= end[at])
                or (start[other] <= start[at] and end[at] <= end[other])
                for other in chosen
            )
            chosen += [] if inside else [at]
        return np.isin(np.arange(rows.size), chosen)

    def clustered(
        self, label: IntArray, chosen: BoolArray, named: Callable[[int], str] | None = None
    ) -> DocumentCorpus:
        """Give each document its part of the clusters; those of one number are the same in all.

        They are numbered in order from 1, or called what `named` makes of their labels.
        """
        by_document = np.argsort(self.arrays.document, kind="stable")
        rows = by_document[chosen[by_document]]
        numbered = cluster_names(self.arrays.document, label, chosen)
        names = np.where(chosen, label, -1) if named else numbered
        types = dict(zip(names[rows].tolist(), self.arrays.kind[rows].tolist(), strict=True))
        documents = self._documents(by_document, names, types, named or str)
        return DocumentCorpus(documents, "resolved", cross_document=True)

    def _documents(
        self, by_document: IntArray, names: IntArray, types: dict[int, int], named: Callable[[int], str]
    ) -> Iterator[Document]:
        """Give documents the clusters that their mentions name; −1 is not a cluster."""
        edges = np.searchsorted(self.arrays.document[by_document], np.arange(len(self.documents) + 1))
        for document, begin, end in zip(self.documents, edges, edges[1:], strict=False):
            rows, clusters = by_document[begin:end], dict[int, list[Mention]]()
            for name, mention in zip(names[rows].tolist(), self._mentions(document, rows), strict=True):
                if name >= 0:
                    clusters.setdefault(name, []).append(mention)
            parts = (
                Cluster(named(name), tuple(sorted(part)), CLUSTER_TYPES[types[name]])
                for name, part in sorted(clusters.items())
            )
            yield replace(document, clusters=tuple(parts), relations=(), layout=())

    def _mentions(self, document: Document, rows: IntArray) -> Sequence[Mention]:
        if self.given:
            return document.mentions
        columns = zip(*(column[rows].tolist() for column in self.arrays[:3]), strict=True)
        return [Mention(((start, end + 1),), score=score) for start, end, score in columns]


def cluster_names(document: IntArray, label: IntArray, chosen: BoolArray) -> IntArray:
    """Number the clusters of chosen mentions from 1, in the order of the documents; others have −1.

    >>> document, chosen = np.array([1, 0, 0]), np.array([True, True, False])
    >>> cluster_names(document, np.array([5, 7, 5]), chosen).tolist()
    [2, 1, -1]
    """
    by_document = np.argsort(document, kind="stable")
    rows = by_document[chosen[by_document]]
    names = np.full(label.size, -1)
    names[rows] = by_first_sight(label[rows])[0] + 1
    return names


def word_buckets(
    documents: Sequence[Document], mentions: MentionArrays, rows: IntArray
) -> tuple[IntArray, IntArray]:
    """Number the heads of some mentions, and their words; that two have one number by chance does no harm.

    Others have −1.
    """
    numbers = np.full((2, mentions.size), -1)
    for row in rows.tolist():
        words = documents[mentions.document[row]].words[mentions.start[row] : mentions.end[row] + 1]
        numbers[:, row] = head_number(words), _number(" ".join(words).lower())
    return numbers[0], numbers[1]


def head_number(words: Sequence[str]) -> int:
    """Number the stem of a mention's head."""
    return _number(head_stem(words))


def every_word(corpus: Corpus) -> list[Sequence[str]]:
    """List all words of each document, annotated or not."""
    return [corpus.all_words(number) for number in range(len(corpus))]


def _number(words: str) -> int:
    return crc32(words.encode("utf-8", "surrogatepass"))
