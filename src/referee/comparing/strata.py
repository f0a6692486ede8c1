"""Scores by what mentions are like: the size of their entity, how far back it was mentioned, their type.

B³ gives each mention a credit of its own: the share of its cluster that the other side keeps together. So
it can be summed over any kind of mention: recall over the key's mentions of a kind, precision over the
response's. A kind on the response side is told by the response's own clusters, and by the key's text.

Where a mention is repeated, its first occurrence counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from referee.exceptions import ProtocolError
from referee.language.head_words import NOTHING, head_source
from referee.language.mention_types import TYPES, describe
from referee.matching.matcher import Matcher
from referee.matching.protocol import Protocol
from referee.metrics.contingency import FloatArray, IntArray
from referee.model import Chains, Cluster, Corpus, Document, Mention
from referee.model.characters import InCharacters
from referee.scoring.evaluate import comparable
from referee.scoring.result import Result

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
    if document.offsets != "tokens":
        raise ProtocolError(
            f"document {document.id} counts characters, so distances in words are unknown; "
            "give key and responses with tokens"
        )
    found: dict[Mention, str] = {}
    for cluster in document.clusters:
        mentions = sorted(set(cluster.mentions))
        steps = [_name(b.start - a.start, DISTANCES, FARTHER) for a, b in pairwise(mentions)]
        found.update(zip(mentions, [FIRST, *steps], strict=True))
    return found


def mention_types(document: Document) -> Labels:
    """Sort mentions into names, nouns, pronouns and so on, by the parts of speech of their heads."""
    mentions = list(dict.fromkeys(m for cluster in document.clusters for m in cluster.mentions))
    if mentions and head_source(document) == NOTHING:
        raise ProtocolError(
            f"document {document.id} has no parts of speech, so mention types are unknown; give "
            "--layers with CoNLL-U files, or --nlp spacy"
        )
    return {found.mention: found.type for found in describe(document, mentions)}


def _name(number: int, names: Mapping[int, str], more: str) -> str:
    return next((name for most, name in names.items() if number <= most), more)


STRATIFICATIONS: dict[str, Stratification] = {
    "entity-size": Stratification("Entity size", entity_sizes, (*SIZES.values(), MORE_MENTIONS)),
    "mention-type": Stratification("Mention type", mention_types, TYPES),
    "distance": Stratification("Distance", distances, (FIRST, *DISTANCES.values(), FARTHER)),
}


def stratify(
    key: Corpus,
    response: Corpus,
    protocol: Protocol,
    by: Stratification,
    system: str,
    *,
    texts: Corpus | None = None,
    parses: str | None = None,
) -> dict[str, Result]:
    """Score each kind of mention in B³, document by document.

    `texts` is the key with the layers that tell kinds, if it lacks them itself; `parses` as in `evaluate`.
    """
    texts = texts or key
    key, response, pairs, _ = comparable(key, response, protocol)
    if isinstance(key, InCharacters):
        texts = InCharacters(texts)
    matcher = Matcher.of(key, protocol, parses)
    parts: dict[str, FloatArray] = {}
    for unit, (k, r) in enumerate(pairs):
        document = texts.document(k)
        ours, rows = matcher.read_key([k])
        theirs = response.chains([r])
        numbers = matcher.number([k], ours, theirs, rows).numbers
        labels = by.label(document), by.label(replace(document, clusters=_clusters(theirs)))
        sides = (_Side.of(*side, protocol) for side in zip((ours, theirs), numbers, labels, strict=True))
        for label, counts in _count(*sides).items():
            parts.setdefault(label, np.zeros((len(pairs), 4)))[unit] = counts
    units = [key.ids[k] for k, _ in pairs]
    shown = [label for label in by.order if label in parts] + sorted(parts.keys() - set(by.order))
    return {label: Result(system, units, {"b_cubed": parts[label]}, protocol) for label in shown}


def _clusters(chains: Chains) -> tuple[Cluster, ...]:
    """Put one document's mentions back into clusters."""
    clusters: dict[int, list[Mention]] = {}
    for row, cluster in enumerate(chains.cluster.tolist()):
        clusters.setdefault(cluster, []).append(_mention(chains, row))
    return tuple(Cluster(str(number), tuple(mentions)) for number, mentions in clusters.items())


@dataclass(frozen=True, slots=True)
class _Side:
    """One side's mentions, each once and sorted by number: its cluster, the cluster's size, its kind."""

    number: IntArray
    cluster: IntArray
    size: IntArray
    kind: Sequence[str]

    @classmethod
    def of(cls, chains: Chains, numbers: IntArray, labels: Labels, protocol: Protocol) -> _Side:
        number, row = np.unique(numbers, return_index=True)
        cluster = chains.cluster[row]
        size = np.bincount(cluster, minlength=1)[cluster] if cluster.size else cluster
        if protocol.singletons == "drop":
            number, row, cluster, size = (column[size > 1] for column in (number, row, cluster, size))
        return cls(number, cluster, size, [labels[_mention(chains, r)] for r in row.tolist()])


def _mention(chains: Chains, row: int) -> Mention:
    return Mention(chains.parts.get(row, ((int(chains.start[row]), int(chains.end[row])),)))


def _count(key: _Side, response: _Side) -> dict[str, FloatArray]:
    """Sum up B³'s credits by kind: recall's numerator and denominator, then precision's."""
    _, k, r = np.intersect1d(key.number, response.number, assume_unique=True, return_indices=True)
    code = key.cluster[k] * (int(response.cluster.max(initial=0)) + 1) + response.cluster[r]
    _, cell, common = np.unique(code, return_inverse=True, return_counts=True)
    counts: dict[str, FloatArray] = {}
    for column, side, found in ((0, key, k), (2, response, r)):
        credit = np.zeros(side.number.size)
        credit[found] = common[cell] / side.size[found]
        for kind, share in zip(side.kind, credit.tolist(), strict=True):
            counts.setdefault(kind, np.zeros(4))[column : column + 2] += share, 1
    return counts
