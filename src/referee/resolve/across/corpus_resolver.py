"""Resolves coreference across documents: mentions, candidate pairs, their scores, average linkage.

Mentions are compared within groups of documents: topics that are given or predicted, or one group for the
whole corpus. In a small group all pairs are scored, as Cattan et al. (2021) do it. In a large one only near
neighbours are; then what is mentioned more often than a mention has neighbours falls into parts, each of
which is compared as a whole in further rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from referee.arrays import FloatArray, Grouped, IntArray, by_first_sight, totals
from referee.exceptions import ProtocolError
from referee.language.head_stems import head_stem
from referee.model import Cluster, Document, DocumentCorpus, Mention
from referee.resolve.across.linkage import average_linkage
from referee.resolve.across.neighbours import (
    Pairs,
    Vectors,
    all_pairs,
    bucket_pairs,
    joined_pairs,
    near_pairs,
    nearest_rows,
)
from referee.resolve.across.spotted import AcrossScorer, Spotted, stacked

MENTION_KINDS = ("events", "entities", "all")
COMPARED = 2048  # mentions of a group of which all pairs are scored
NEAREST = 48  # neighbours of a mention in a larger one
OF_ONE_HEAD = 16  # among those with the same head, and with the same words
PARTS_COMPARED = 8  # neighbours of a part
PARTS_OF_ONE = 2  # parts near a single mention
MEMBERS_COMPARED = 16  # pairs of two parts
ROUNDS = 12  # at most; what a cluster has doubles in each
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
        progress: Callable[[int], None] | None = None,
    ) -> DocumentCorpus:
        """Give documents clusters that reach across them, within `groups` (document → group) if given.

        The mentions that they have are kept if `given`; otherwise mentions are found, and only those are
        kept that are linked.
        """
        parts, mentions, homes = list[Spotted](), list[Mention](), list[int]()
        for number, document in enumerate(documents):
            own = document.mentions if given else None
            part = self.scorer.mentions(document, self.kind, own)
            mentions += own if own is not None else _as_mentions(part)
            parts.append(part)
            homes += [number] * part.size
            if progress:
                progress(1)
        if not mentions:
            return DocumentCorpus(
                [replace(each, clusters=()) for each in documents], "resolved", cross_document=True
            )
        described = _Described(stacked(parts), np.array(homes, np.int64), mentions)
        group_of = [0 if groups is None else groups[document.id] for document in documents]
        label = self._labels(described, documents, np.unique(group_of, return_inverse=True)[1])
        kept = np.ones(label.size, np.bool_) if given else _linked(described, label)
        return DocumentCorpus(
            _with_clusters(documents, described, label, kept), "resolved", cross_document=True
        )

    def _labels(self, own: _Described, documents: Sequence[Document], group: IntArray) -> IntArray:
        """Number the cluster of each mention, group by group."""
        label = np.zeros(own.homes.size, np.int64)
        groups = Grouped.of(group[own.homes])
        threshold = self.scorer.threshold(self.kind) if self.threshold is None else self.threshold
        before = 0
        for number in range(groups.sizes.size):
            rows = groups[number]
            if rows.size <= self.compared:
                clusters = self._linked_once(own.spotted, rows, all_pairs(rows.size), threshold)
            else:
                clusters = self._linked_in_rounds(own, rows, documents, threshold)
            label[rows] = before + clusters
            before += int(clusters.max()) + 1
        return by_first_sight(label)[0]

    def _linked_once(self, spotted: Spotted, rows: IntArray, pairs: Pairs, threshold: float) -> IntArray:
        scores = self._scored(spotted, Pairs(rows[pairs.first], rows[pairs.second]))
        return average_linkage(pairs, scores, rows.size, threshold)

    def _linked_in_rounds(
        self, own: _Described, rows: IntArray, documents: Sequence[Document], threshold: float
    ) -> IntArray:
        """Link near neighbours, then what became of them."""
        vectors = own.spotted.vector[rows]
        stems, strings = own.buckets(documents, rows)
        near = near_pairs(vectors, NEAREST)
        alike = [pair for buckets in (stems, strings) for pair in bucket_pairs(buckets, vectors, OF_ONE_HEAD)]
        label = self._linked_once(
            own.spotted, rows, joined_pairs([(near.first, near.second), *alike], rows.size), threshold
        )
        for _ in range(ROUNDS):
            merged = self._parts_linked(own.spotted, rows, label, vectors, threshold)
            if merged.max() == label.max():
                break
            label = merged
        return label

    def _parts_linked(
        self, spotted: Spotted, rows: IntArray, label: IntArray, vectors: Vectors, threshold: float
    ) -> IntArray:
        """Link parts of several mentions with each other and with single ones, by some of the pairs."""
        members = Grouped.of(label)
        pairs = _part_pairs(members, vectors)
        if not pairs.size:
            return label
        ends = zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)
        chosen = [_spread(members[one], members[other]) for one, other in ends]
        of_pair = np.repeat(np.arange(pairs.size), [first.size for first, _ in chosen])
        first, second = (rows[np.concatenate(side)] for side in zip(*chosen, strict=True))
        scores = self._scored(spotted, Pairs(first, second))
        average = totals(of_pair, scores, pairs.size) / np.bincount(of_pair)
        sizes = members.sizes
        joined = average_linkage(pairs, average, sizes.size, threshold, members=sizes)
        return by_first_sight(joined[label])[0]

    def _scored(self, spotted: Spotted, pairs: Pairs) -> FloatArray:
        """Say how likely each pair is the same, some pairs at a time."""
        parts = [
            self.scorer.pair_scores(spotted, Pairs(*(side[at : at + SCORED_AT_ONCE] for side in pairs)))
            for at in range(0, pairs.size, SCORED_AT_ONCE)
        ]
        odds: FloatArray = np.clip(np.concatenate([np.zeros(0), *parts]), -60, 60)
        likely: FloatArray = 1 / (1 + np.exp(-odds))
        return likely


@dataclass(frozen=True, slots=True)
class _Described:
    """The mentions of all documents, and the document of each."""

    spotted: Spotted
    homes: IntArray
    mentions: Sequence[Mention]

    def buckets(self, documents: Sequence[Document], rows: IntArray) -> tuple[IntArray, IntArray]:
        """Number the heads of mentions, and their words."""
        stems, strings = dict[str, int](), dict[str, int]()
        numbers = []
        for row in rows.tolist():
            words = documents[self.homes[row]].words
            own = [word for start, end in self.mentions[row].spans for word in words[start:end]]
            stem, string = head_stem(own), " ".join(own).lower()
            numbers.append((stems.setdefault(stem, len(stems)), strings.setdefault(string, len(strings))))
        columns = np.array(numbers, np.int64).T
        return columns[0], columns[1]


def _as_mentions(part: Spotted) -> list[Mention]:
    columns = zip(part.start.tolist(), part.end.tolist(), part.score.tolist(), strict=True)
    return [Mention(((start, end + 1),), score=score) for start, end, score in columns]


def _part_pairs(members: Grouped, vectors: Vectors) -> Pairs:
    """Pair parts of several mentions with the nearest of them, and single mentions with the nearest parts."""
    large, single = np.flatnonzero(members.sizes > 1), np.flatnonzero(members.sizes == 1)
    if not large.size:
        return all_pairs(0)
    middles = np.stack([vectors[members[part]].mean(0, dtype=np.float32) for part in large.tolist()])
    between = near_pairs(middles, PARTS_COMPARED)
    alone = members.order[members.edges[:-1][single]]
    one, part = nearest_rows(vectors[alone], middles, PARTS_OF_ONE)
    pairs = [(large[between.first], large[between.second]), (single[one], large[part])]
    return joined_pairs(pairs, members.sizes.size)


def _spread(one: IntArray, other: IntArray) -> tuple[IntArray, IntArray]:
    """Choose pairs of members of two parts, evenly spaced; all if they are few."""
    count = min(one.size * other.size, MEMBERS_COMPARED)
    at = np.linspace(0, one.size * other.size - 1, count).astype(np.int64)
    return one[at // other.size], other[at % other.size]


def _linked(own: _Described, label: IntArray) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Tell mentions that are linked; of nested ones of one cluster, only the surest counts."""
    start, end, score = own.spotted.start, own.spotted.end, own.spotted.score
    kept = np.ones(label.size, np.bool_)
    groups = Grouped.of(label * (int(own.homes.max()) + 1) + own.homes)
    for number in np.flatnonzero(groups.sizes > 1).tolist():
        surest = groups[number]
        chosen: list[int] = []
        for row in surest[np.lexsort((start[surest] - end[surest], -score[surest]))].tolist():
            inside = any(
                (start[row] <= start[other] and end[other] <= end[row])
                or (start[other] <= start[row] and end[row] <= end[other])
                for other in chosen
            )
            kept[row] = not inside
            chosen += [] if inside else [row]
    return kept & (np.bincount(label[kept], minlength=label.max() + 1)[label] > 1)


def _with_clusters(
    documents: Sequence[Document],
    own: _Described,
    label: IntArray,
    kept: np.ndarray[tuple[int], np.dtype[np.bool_]],
) -> Iterator[Document]:
    """Give each document its part of the clusters; those of one number are the same in all."""
    names = np.full(label.size, -1)
    names[kept] = by_first_sight(label[kept])[0] + 1
    clusters: list[dict[int, list[Mention]]] = [{} for _ in documents]
    for row in np.flatnonzero(kept).tolist():
        clusters[own.homes[row]].setdefault(int(names[row]), []).append(own.mentions[row])
    for document, parts in zip(documents, clusters, strict=True):
        found = (Cluster(str(name), tuple(sorted(mentions))) for name, mentions in sorted(parts.items()))
        yield replace(document, clusters=tuple(found), relations=(), layout=())
