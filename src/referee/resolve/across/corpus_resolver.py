"""Resolves coreference across documents: mentions, candidate pairs, their scores, average linkage.

Mentions are compared within groups of documents: topics that are given or predicted, or one group for the
whole corpus. In a small group all pairs are scored, as Cattan et al. (2021) do it. In a large one only near
neighbours are; then what is mentioned more often than a mention has neighbours falls into parts, each of
which is compared as a whole in further rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from referee.arrays import FloatArray, Grouped, IntArray, by_first_sight
from referee.exceptions import ProtocolError
from referee.model import Document, DocumentCorpus
from referee.resolve.across.cluster_parts import PartAverages, part_pairs
from referee.resolve.across.linkage import average_linkage
from referee.resolve.across.mention_table import MentionTable
from referee.resolve.across.neighbours import (
    RowPairs,
    Vectors,
    all_pairs,
    bucket_pairs,
    joined_pairs,
    narrowed,
    near_chunks,
)
from referee.resolve.across.spotted import AcrossScorer, Rereading
from referee.resolve.across.workers import one_blas_thread, workers_of

MENTION_KINDS = ("events", "entities", "all")
COMPARED = 4096  # mentions of a group of which all pairs are scored
NEAREST = 24  # neighbours of a mention in a larger one
OF_ONE_HEAD = 8  # among those with the same head, and with the same words
FAINT = 0.02  # a candidate that is less likely counts as none
TOGETHER = 2**20  # candidates
ROUNDS = 6  # at most; clusters double in each
SCORED_AT_ONCE = 2**16  # pairs


@dataclass(frozen=True)
class AcrossResolver:
    """Links mentions across documents by a model's scores."""

    scorer: AcrossScorer
    kind: str = "all"
    threshold: float | None = None  # the model's own for the kind, unless given
    compared: int = COMPARED

    def __post_init__(self) -> None:
        """Refuse kinds that there are not."""
        if self.kind not in MENTION_KINDS:
            raise ProtocolError(
                f"there is no kind of mention '{self.kind}'; there are {', '.join(MENTION_KINDS)}"
            )

    def resolve(
        self,
        documents: Sequence[Document],
        groups: Mapping[str, str] | None = None,
        *,
        given: bool = False,
        words: Sequence[Sequence[str]] | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> DocumentCorpus:
        """Give documents clusters that reach across them, within `groups` (document → group) if given.

        The mentions that they have are kept if `given`; otherwise mentions are found, and only those are
        kept that are linked. `words` are all words of each document, annotated or not. `progress` hears of
        each document twice: when its mentions are found, and when those of its group are linked.
        """
        with one_blas_thread():
            table = MentionTable.of(
                documents, self.scorer, self.kind, given=given, words=words, progress=progress
            )
            label = self.labels(table, groups, progress)
        kept = np.ones(label.size, np.bool_) if given else table.linked(label)
        return table.clustered(label, kept)

    def labels(
        self,
        table: MentionTable,
        groups: Mapping[str, str] | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> IntArray:
        """Number the cluster of each mention, group by group."""
        label = np.zeros(table.size, np.int64)
        parts = grouped_rows(table, groups)
        before = 0
        for number in range(parts.sizes.size):
            rows = parts[number]
            if rows.size <= self.compared:
                clusters = self._linked_once(table, rows, all_pairs(rows.size))
            else:
                clusters = self._linked_in_rounds(table, rows)
            label[rows] = before + clusters
            before += int(clusters.max()) + 1
            if progress:
                progress(np.unique(table.homes[rows]).size)
        return by_first_sight(label)[0]

    @property
    def least(self) -> float:
        """How likely mentions of two clusters must be the same on average (τ)."""
        return self.scorer.threshold(self.kind) if self.threshold is None else self.threshold

    def probabilities(self, table: MentionTable, pairs: RowPairs) -> FloatArray:
        """Say how likely each pair is the same, by all that the model can do."""
        return _likely(self.second_look(table, pairs, self.first_look(table, pairs)))

    def second_look(self, table: MentionTable, pairs: RowPairs, odds: FloatArray) -> FloatArray:
        """Change the log odds of pairs that are not quite unlikely, if a model can read them together."""
        if not isinstance(self.scorer, Rereading):
            return odds
        likely = np.flatnonzero(_likely(odds) >= FAINT)
        changed = odds.copy()
        chosen = pairs.chosen(likely)
        changed[likely] = self.scorer.second_look(table.spotted, chosen, odds[likely])
        return changed

    def first_look(self, table: MentionTable, pairs: RowPairs) -> FloatArray:
        """Compare pairs, some at a time: log odds."""
        parts = [
            self.scorer.pair_scores(
                table.spotted, RowPairs(*(side[at : at + SCORED_AT_ONCE] for side in pairs))
            )
            for at in range(0, pairs.size, SCORED_AT_ONCE)
        ]
        return np.concatenate([np.zeros(0), *parts])

    def _linked_once(self, table: MentionTable, rows: IntArray, pairs: RowPairs) -> IntArray:
        scores = self.probabilities(table, RowPairs(rows[pairs.first], rows[pairs.second]))
        return average_linkage(pairs, scores, rows.size, self.least)

    def _linked_in_rounds(self, table: MentionTable, rows: IntArray) -> IntArray:
        """Link near neighbours, then what became of them."""
        vectors, workers = narrowed(table.spotted.vector, rows), workers_of(self.scorer)
        pairs, scores = self._likely_pairs(table, rows, vectors)
        label = average_linkage(pairs, scores, rows.size, self.least)

        def likely(some: RowPairs) -> FloatArray:
            return _likely(self.first_look(table, RowPairs(rows[some.first], rows[some.second])))

        known = PartAverages.none()
        for _ in range(ROUNDS):
            members = Grouped.of(label)
            near = part_pairs(members, vectors, pairs, scores, workers)
            known = known.of(members, near, likely, self.least)
            sizes = members.sizes
            joined = average_linkage(near, known.averages, sizes.size, self.least, members=sizes)
            if joined.max() + 1 == sizes.size:
                break
            label = by_first_sight(joined[label])[0]
        return label

    def _likely_pairs(
        self, table: MentionTable, rows: IntArray, vectors: Vectors
    ) -> tuple[RowPairs, FloatArray]:
        """Score candidates, some at a time, and keep those that are not quite unlikely."""
        kept: list[tuple[IntArray, npt.NDArray[np.float32]]] = []
        for chunk in _chunks(_candidates(table, rows, vectors, workers_of(self.scorer))):
            pairs = joined_pairs(chunk, rows.size)
            odds = self.first_look(table, RowPairs(rows[pairs.first], rows[pairs.second]))
            likely = _likely(odds) >= FAINT
            code = pairs.first[likely] * rows.size + pairs.second[likely]
            kept.append((code, odds[likely].astype(np.float32)))
        codes, scored = (np.concatenate(side) for side in zip(*kept, strict=True))
        code, first = np.unique(codes, return_index=True)
        pairs, odds = RowPairs(code // rows.size, code % rows.size), scored[first].astype(np.float64)
        odds = self.second_look(table, RowPairs(rows[pairs.first], rows[pairs.second]), odds)
        return pairs, _likely(odds)


def _likely(odds: FloatArray) -> FloatArray:
    likely: FloatArray = 1 / (1 + np.exp(-np.clip(odds, -60, 60)))
    return likely


def grouped_rows(table: MentionTable, groups: Mapping[str, str] | None) -> Grouped:
    """Sort mentions by the group of their document; None is one group for all."""
    names = ["" if groups is None else groups[document.id] for document in table.documents]
    number = np.unique(np.array([*names, ""]), return_inverse=True)[1].astype(np.int64)
    return Grouped.of(number[table.homes])


def _candidates(
    table: MentionTable, rows: IntArray, vectors: Vectors, workers: int
) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield pairs of near mentions, among all, among those of one head, and among those of the same words."""
    yield from near_chunks(vectors, NEAREST, workers)
    for buckets in table.buckets(rows):
        yield from bucket_pairs(buckets, vectors, OF_ONE_HEAD, workers)


def _chunks(
    pairs: Iterator[tuple[IntArray, IntArray]],
) -> Iterator[list[tuple[IntArray, IntArray]]]:
    """Put pairs together until they are many enough to be scored at once."""
    chunk: list[tuple[IntArray, IntArray]] = []
    waiting = 0
    for part in pairs:
        chunk.append(part)
        waiting += part[0].size
        if waiting >= TOGETHER:
            yield chunk
            chunk, waiting = [], 0
    yield chunk
