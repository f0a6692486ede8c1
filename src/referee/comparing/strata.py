"""Scores by what mentions are like: the size of their entity, how far back it was mentioned, their type.

B³ gives each mention a credit of its own: the share of its cluster that the other side keeps together. So
it can be summed over any kind of mention: recall over the key's mentions of a kind, precision over the
response's. On the response side the kind follows from the response's clusters and the key's text.

Where a mention is repeated, its first occurrence counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from referee.arrays import FloatArray, IntArray, distinct
from referee.exceptions import ProtocolError
from referee.language.heads import NOTHING, head_source
from referee.language.mention_types import TYPES, describe
from referee.matching.aligned import Aligned
from referee.matching.protocol import Protocol
from referee.model import Chains, Cluster, Corpus, Document, Mention
from referee.scoring.engines import Engine
from referee.scoring.result import Result
from referee.scoring.task import Task

Labels = Mapping[Mention, str]
FIRST = "first mention"
SIZES = {1: "1", 2: "2", 5: "3–5", 10: "6–10"}  # up to so many mentions → name
MORE_MENTIONS = "over 10"
DISTANCES = {10: "up to 10 words", 50: "11–50 words", 200: "51–200 words"}
FARTHER = "over 200 words"


@dataclass(frozen=True, slots=True)
class Stratification:
    """A way to sort a document's mentions into kinds, and the order in which kinds are shown."""

    title: str
    label: Callable[[Document], Labels]
    order: tuple[str, ...] = ()


def entity_sizes(document: Document) -> Labels:
    """Sort mentions by how many their entity has."""
    return {
        mention: _name(len(set(cluster.mentions)), SIZES, MORE_MENTIONS)
        for cluster in document.clusters
        for mention in cluster.mentions
    }


def distances(document: Document) -> Labels:
    """Sort mentions by how many words back their entity was last mentioned, from start to start."""
    kinds: dict[Mention, str] = {}
    for cluster in document.clusters:
        mentions = sorted(set(cluster.mentions))
        steps = [_name(b.start - a.start, DISTANCES, FARTHER) for a, b in pairwise(mentions)]
        kinds.update(zip(mentions, [FIRST, *steps], strict=True))
    return kinds


def mention_types(document: Document) -> Labels:
    """Sort mentions into names, nouns, pronouns and so on, by the parts of speech of their heads."""
    mentions = list(dict.fromkeys(m for cluster in document.clusters for m in cluster.mentions))
    if mentions and head_source(document) == NOTHING:
        raise ProtocolError(
            f"document {document.id} has no parts of speech, so mention types are unknown; give "
            "layers= with CoNLL-U files, or nlp=spacy"
        )
    return {each.mention: each.type for each in describe(document, mentions)}


def _name(number: int, names: Mapping[int, str], more: str) -> str:
    return next((name for most, name in names.items() if number <= most), more)


STRATIFICATIONS: dict[str, Stratification] = {
    "entity-size": Stratification("Entity size", entity_sizes, (*SIZES.values(), MORE_MENTIONS)),
    "mention-type": Stratification("Mention type", mention_types, TYPES),
    "distance": Stratification("Distance", distances, (FIRST, *DISTANCES.values(), FARTHER)),
}


def stratify(task: Task, by: Stratification, texts: Corpus | None = None) -> list[dict[str, Result]]:
    """Score each system on each kind of mention in B³, document by document.

    `texts` is the key with the layers that the kinds need, if the key itself lacks them.
    """
    return [
        _stratified(aligned, task.engine, by, system, texts or aligned.key)
        for system, aligned in zip(task.systems, task.aligned(), strict=True)
    ]


def _stratified(
    aligned: Aligned, engine: Engine, by: Stratification, system: str, texts: Corpus
) -> dict[str, Result]:
    parts: dict[str, FloatArray] = {}
    unit = 0
    for some in engine.map(_Strata(aligned, texts, by.title), list(aligned.batches())):
        for counts in some:
            for label, row in counts.items():
                parts.setdefault(label, np.zeros((len(aligned.units), 4)))[unit] = row
            unit += 1
    shown = [label for label in by.order if label in parts] + sorted(parts.keys() - set(by.order))
    return {
        label: Result(system, aligned.labels, {"b_cubed": parts[label]}, aligned.protocol) for label in shown
    }


@dataclass(frozen=True, slots=True)
class _Strata:
    """Counts B³'s credits by kind of mention, for each document of a batch."""

    aligned: Aligned
    texts: Corpus
    title: str  # of the stratification: its function need not travel to another process

    def __call__(self, batch: range) -> list[dict[str, FloatArray]]:
        read = self.aligned.read(batch)
        by = next(each for each in STRATIFICATIONS.values() if each.title == self.title)
        sides = (read.key, read.response)
        rows = [_rows_by_document(side) for side in sides]
        parts = [side.parts.by_row() for side in sides]
        counted = []
        for document, (k, _) in enumerate(read.pairs):
            text = self.texts.document(k).text
            kinds = []
            for side, by_document, numbers, several in zip(sides, rows, read.numbers, parts, strict=True):
                here = by_document[document]
                mentions = [side.mention(row, several) for row in here.tolist()]
                labels = by.label(Document(text, _clusters(side.cluster[here].tolist(), mentions)))
                kinds.append(
                    _Kinds.of(
                        numbers[here],
                        side.cluster[here],
                        [labels[m] for m in mentions],
                        self.aligned.protocol,
                    )
                )
            counted.append(_count(*kinds))
        return counted


def _rows_by_document(chains: Chains) -> list[IntArray]:
    order = np.argsort(chains.document, kind="stable")
    edges = np.searchsorted(chains.document[order], np.arange(chains.lengths.size + 1))
    return [order[start:end] for start, end in pairwise(edges.tolist())]


def _clusters(cluster: Sequence[int], mentions: Sequence[Mention]) -> tuple[Cluster, ...]:
    """Put one document's mentions back into clusters."""
    clusters: dict[int, list[Mention]] = {}
    for number, mention in zip(cluster, mentions, strict=True):
        clusters.setdefault(number, []).append(mention)
    return tuple(Cluster(str(number), tuple(some)) for number, some in clusters.items())


@dataclass(frozen=True, slots=True)
class _Kinds:
    """One side's mentions, each once and sorted by number: its cluster, the cluster's size, its kind."""

    number: IntArray
    cluster: IntArray
    size: IntArray
    kind: Sequence[str]

    @classmethod
    def of(cls, numbers: IntArray, clusters: IntArray, kinds: Sequence[str], protocol: Protocol) -> _Kinds:
        number, row = np.unique(numbers, return_index=True)
        cluster = clusters[row]
        size = np.bincount(cluster, minlength=1)[cluster] if cluster.size else cluster
        if protocol.singletons == "drop":
            number, row, cluster, size = (column[size > 1] for column in (number, row, cluster, size))
        return cls(number, cluster, size, [kinds[r] for r in row.tolist()])


def _count(key: _Kinds, response: _Kinds) -> dict[str, FloatArray]:
    """Sum up B³'s credits by kind: recall's numerator and denominator, then precision's."""
    _, k, r = np.intersect1d(key.number, response.number, assume_unique=True, return_indices=True)
    cell, _ = distinct(key.cluster[k], response.cluster[r])
    common = np.bincount(cell)
    counts: dict[str, FloatArray] = {}
    for column, side, matched in ((0, key, k), (2, response, r)):
        credit = np.zeros(side.number.size)
        credit[matched] = common[cell] / side.size[matched]
        for kind, share in zip(side.kind, credit.tolist(), strict=True):
            counts.setdefault(kind, np.zeros(4))[column : column + 2] += share, 1
    return counts
