"""Mentions of many documents in columns, and the documents that clusters of them make."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from zlib import crc32

import numpy as np

from referee.arrays import BoolArray, Grouped, IntArray, by_first_sight
from referee.language.head_stems import head_stem
from referee.model import Cluster, Corpus, Document, DocumentCorpus, Mention
from referee.resolve.across.spotted import AcrossScorer, Spotted, stacked
from referee.resolve.across.workers import in_threads, workers_of


@dataclass(frozen=True, slots=True)
class MentionTable:
    """The mentions of documents: the columns of a scorer, and the document of each."""

    documents: Sequence[Document]
    spotted: Spotted
    homes: IntArray
    mentions: Sequence[Mention]

    @classmethod
    def of(
        cls,
        documents: Sequence[Document],
        scorer: AcrossScorer,
        kind: str,
        *,
        given: bool,
        words: Sequence[Sequence[str]] | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> MentionTable:
        """Let a scorer find the mentions of documents, or describe those that they have.

        `words` are all words of each document, where it has more than those that are annotated.
        """
        scorer.study(documents, words or [document.words for document in documents])
        parts, mentions, homes = list[Spotted](), list[Mention](), list[int]()
        spotted = in_threads(
            lambda document: scorer.mentions(document, kind, document.mentions if given else None),
            documents,
            workers_of(scorer),
        )
        for number, (document, part) in enumerate(zip(documents, spotted, strict=True)):
            mentions += document.mentions if given else _as_mentions(part)
            parts.append(part)
            homes += [number] * part.size
            if progress:
                progress(1)
        return cls(documents, stacked(parts), np.array(homes, np.int64), mentions)

    @property
    def size(self) -> int:
        """The number of mentions."""
        return self.homes.size

    def buckets(self, rows: IntArray) -> tuple[IntArray, IntArray]:
        """Number the heads of mentions, and their words; that two have one number by chance does no harm."""
        numbers = np.zeros((2, rows.size), np.int64)
        for at, row in enumerate(rows.tolist()):
            words = self.documents[self.homes[row]].words
            own = [word for start, end in self.mentions[row].spans for word in words[start:end]]
            numbers[:, at] = _number(head_stem(own)), _number(" ".join(own).lower())
        return numbers[0], numbers[1]

    def linked(self, label: IntArray) -> BoolArray:
        """Tell mentions that are linked; of nested ones of one cluster, only the surest counts."""
        kept = label >= 0
        groups = Grouped.of(label * len(self.documents) + self.homes)
        for number in np.flatnonzero(groups.sizes > 1).tolist():
            rows = groups[number]
            if kept[rows[0]]:
                kept[rows] = self._surest(rows)
        return kept & (np.bincount(label[kept], minlength=int(label.max(initial=0)) + 1)[label] > 1)

    def _surest(self, rows: IntArray) -> BoolArray:
        """Tell mentions of one document that are not nested with a surer one; of two as sure, the longer."""
        start, end, score = (column[rows] for column in self.spotted[:3])
        chosen: list[int] = []
        for at in np.lexsort((start - end, -score)).tolist():
            inside = any(
                (start[at] <= start[other] and end[other] <= end[at])
                or (start[other] <= start[at] and end[at] <= end[other])
                for other in chosen
            )
            chosen += [] if inside else [at]
        return np.isin(np.arange(rows.size), chosen)

    def clustered(self, label: IntArray, kept: BoolArray) -> DocumentCorpus:
        """Give each document its part of the clusters; those of one number are the same in all."""
        names = np.full(label.size, -1)
        names[kept] = by_first_sight(label[kept])[0] + 1
        clusters: list[dict[int, list[Mention]]] = [{} for _ in self.documents]
        for row in np.flatnonzero(kept).tolist():
            clusters[self.homes[row]].setdefault(int(names[row]), []).append(self.mentions[row])
        return DocumentCorpus(self._documents(clusters), "resolved", cross_document=True)

    def _documents(self, clusters: Sequence[dict[int, list[Mention]]]) -> Iterator[Document]:
        for document, parts in zip(self.documents, clusters, strict=True):
            own = (Cluster(str(name), tuple(sorted(mentions))) for name, mentions in sorted(parts.items()))
            yield replace(document, clusters=tuple(own), relations=(), layout=())


def every_word(corpus: Corpus) -> list[Sequence[str]]:
    """List all words of each document, annotated or not."""
    return [corpus.all_words(number) for number in range(len(corpus))]


def _number(words: str) -> int:
    return crc32(words.encode("utf-8", "surrogatepass"))


def _as_mentions(part: Spotted) -> list[Mention]:
    columns = zip(part.start.tolist(), part.end.tolist(), part.score.tolist(), strict=True)
    return [Mention(((start, end + 1),), score=score) for start, end, score in columns]
