"""The integer form of annotations: the mentions of many documents in columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

import numpy as np

from referee.arrays import BoolArray, IntArray
from referee.model.mentions import Mention, Span
from referee.model.text import Document

UNKNOWN = -1  # a head that is not known, the length of a document that is missing


@dataclass(frozen=True, slots=True)
class RowSpans:
    """Spans of some rows of a table, in columns: as many lines for a row as it has spans, in order."""

    row: IntArray
    start: IntArray
    end: IntArray

    @classmethod
    def of(cls, spans: Mapping[int, Sequence[Span]]) -> RowSpans:
        """Lay out the spans of rows."""
        lines = [(row, start, end) for row, some in spans.items() for start, end in some]
        row, start, end = np.array(lines, np.int64).reshape(-1, 3).T
        return cls(row, start, end)

    @classmethod
    def joined(cls, some: Sequence[RowSpans], offsets: Sequence[int]) -> RowSpans:
        """Put the spans of tables that follow each other into one, given where their rows begin."""
        return cls(
            _shifted([spans.row for spans in some], offsets),
            np.concatenate([spans.start for spans in some]),
            np.concatenate([spans.end for spans in some]),
        )

    def by_row(self) -> dict[int, tuple[Span, ...]]:
        """List the spans of each row that has any."""
        spans: dict[int, list[Span]] = {}
        for row, start, end in zip(self.row.tolist(), self.start.tolist(), self.end.tolist(), strict=True):
            spans.setdefault(row, []).append((start, end))
        return {row: tuple(some) for row, some in spans.items()}


NO_SPANS = RowSpans.of({})


@dataclass(frozen=True, slots=True)
class Chains:
    """The mentions of some documents, one row per occurrence: all that matching and scoring need.

    Clusters are numbered document by document, in the order in which a reader first meets them; a cluster
    that spans documents has a number in each, and `entity` says that they are one.
    """

    document: IntArray  # row → document, as asked for
    start: IntArray
    end: IntArray
    cluster: IntArray
    cluster_document: IntArray  # cluster → document
    lengths: IntArray  # document → written words, to see that key and response fit; UNKNOWN if it is missing
    parts: RowSpans = NO_SPANS  # of rows that have more than one span
    minimums: RowSpans = NO_SPANS  # annotated MINs, of rows that have one
    head: IntArray | None = None  # row → annotated head, UNKNOWN for none; None if no row has one
    entity: IntArray | None = None  # cluster → entity, if clusters span documents; in order of first sight
    notices: tuple[str, ...] = field(default=())  # what was skipped while reading

    @classmethod
    def of(cls, documents: Iterable[Document | None], *, cross_document: bool = False) -> Chains:
        """Flatten documents; None is a missing one, which has no mentions.

        `cross_document` says that a cluster's id means the same in all documents.
        """
        rows: list[tuple[int, Mention, int]] = []  # document, mention, cluster
        cluster_document: list[int] = []
        lengths: list[int] = []
        entities: dict[str, int] = {}
        entity: list[int] = []
        for number, document in enumerate(documents):
            lengths.append(UNKNOWN if document is None else document.text.length)
            for cluster in document.clusters if document else ():
                rows += [(number, mention, len(cluster_document)) for mention in cluster.mentions]
                cluster_document.append(number)
                entity.append(entities.setdefault(cluster.id, len(entities)))
        columns = np.array([(d, m.start, m.end, c) for d, m, c in rows], np.int64).reshape(-1, 4)
        mentions = [mention for _, mention, _ in rows]
        document_column, start, end, cluster_column = columns.T
        return cls(
            document_column,
            start,
            end,
            cluster_column,
            np.array(cluster_document, np.int64),
            np.array(lengths, np.int64),
            parts=RowSpans.of({row: m.spans for row, m in enumerate(mentions) if len(m.spans) > 1}),
            minimums=RowSpans.of({row: m.minimum for row, m in enumerate(mentions) if m.minimum}),
            head=_heads(mentions),
            entity=np.array(entity, np.int64) if cross_document else None,
        )

    @classmethod
    def joined(cls, some: Sequence[Chains]) -> Chains:
        """Put the chains of documents that follow each other into one."""
        documents = _offsets([chains.lengths.size for chains in some])
        clusters = _offsets([chains.cluster_document.size for chains in some])
        rows = _offsets([chains.start.size for chains in some])
        heads = [np.full(c.start.size, UNKNOWN) if c.head is None else c.head for c in some]
        entities = [c.entity for c in some if c.entity is not None]
        firsts = _offsets([int(entity.max(initial=-1)) + 1 for entity in entities])
        return cls(
            _shifted([chains.document for chains in some], documents),
            np.concatenate([chains.start for chains in some]),
            np.concatenate([chains.end for chains in some]),
            _shifted([chains.cluster for chains in some], clusters),
            _shifted([chains.cluster_document for chains in some], documents),
            np.concatenate([chains.lengths for chains in some]),
            RowSpans.joined([chains.parts for chains in some], rows),
            RowSpans.joined([chains.minimums for chains in some], rows),
            None if all(chains.head is None for chains in some) else np.concatenate(heads),
            _shifted(entities, firsts) if entities else None,
            tuple(notice for chains in some for notice in chains.notices),
        )

    @property
    def filled(self) -> Chains:
        """The same mentions from their first word to their last; one that ends in a zero stays as it is."""
        written = self.end <= self.lengths[self.document]
        unwritten = ~written[self.parts.row]
        parts = RowSpans(self.parts.row[unwritten], self.parts.start[unwritten], self.parts.end[unwritten])
        return replace(self, parts=parts)

    def of_clusters(self, chosen: BoolArray) -> Chains:
        """Keep the mentions of some clusters."""
        rows = chosen[self.cluster]
        renumbered = np.cumsum(rows) - 1

        def spans(some: RowSpans) -> RowSpans:
            kept = rows[some.row]
            return RowSpans(renumbered[some.row[kept]], some.start[kept], some.end[kept])

        return replace(
            self,
            document=self.document[rows],
            start=self.start[rows],
            end=self.end[rows],
            cluster=(np.cumsum(chosen) - 1)[self.cluster[rows]],
            cluster_document=self.cluster_document[chosen],
            parts=spans(self.parts),
            minimums=spans(self.minimums),
            head=None if self.head is None else self.head[rows],
            entity=None if self.entity is None else self.entity[chosen],
        )

    def mention(self, row: int, parts: Mapping[int, tuple[Span, ...]]) -> Mention:
        """Make a mention of a row, given the spans of those that have several (`parts.by_row()`)."""
        return Mention(parts.get(row) or ((int(self.start[row]), int(self.end[row])),))


def _offsets(sizes: Sequence[int]) -> list[int]:
    """Say where each of several columns begins when they are put one after the other."""
    return list(accumulate(sizes, initial=0))[:-1]


def _shifted(columns: Sequence[IntArray], offsets: Sequence[int]) -> IntArray:
    return np.concatenate([offset + column for column, offset in zip(columns, offsets, strict=True)])


def _heads(mentions: Sequence[Mention]) -> IntArray | None:
    if all(mention.head is None for mention in mentions):
        return None
    return np.array([UNKNOWN if m.head is None else m.head for m in mentions], np.int64)
