"""Noisy copies of documents with sets and bridging, and the counts that the rules give each of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import naive_sets
from naive_sets import Side
from referee import Cluster, Document, Mention
from referee.model import Relation
from referee.model.mentions import BRIDGING, SPLIT_ANTECEDENT


def noisy(document: Document, chance: random.Random, rate: float = 0.3) -> Document:
    """Lose mentions, move some to other entities, and change what sets and anaphors go back to."""
    kept: dict[str, list[Mention]] = {cluster.id: [] for cluster in document.clusters}
    names = [*kept]
    for cluster in document.clusters:
        for mention in cluster.mentions:
            if chance.random() > rate / 3:
                astray = chance.random() < rate / 3
                kept[chance.choice(names) if astray else cluster.id].append(mention)
    clusters = [Cluster(name, tuple(sorted(set(some)))) for name, some in kept.items() if some]
    there = {cluster.id: cluster for cluster in clusters}
    relations = [
        changed
        for relation in document.relations
        if chance.random() > rate / 3 and (changed := _noisy(relation, there, chance, rate))
    ]
    return replace(document, clusters=tuple(clusters), relations=tuple(relations), layout=())


def _noisy(
    relation: Relation, there: dict[str, Cluster], chance: random.Random, rate: float
) -> Relation | None:
    names = [name for name in there if name != relation.anaphor]
    if relation.anaphor not in there or not names:
        return None
    parts = [chance.choice(names) if chance.random() < rate else name for name in relation.antecedents]
    if chance.random() < rate and relation.kind == SPLIT_ANTECEDENT:
        parts.append(chance.choice(names))
    parts = [name for name in parts if name in there]
    if not parts or (relation.kind == SPLIT_ANTECEDENT and _goes_back(relation.anaphor, parts, there)):
        return None
    spans = chance.choice(there[relation.anaphor].mentions).spans
    if relation.kind == BRIDGING:
        parts = parts[:1]
        anchor = (chance.choice(there[parts[0]].mentions).spans,)
        return replace(relation, antecedents=tuple(parts), antecedent_spans=anchor, anaphor_spans=spans)
    return replace(relation, antecedents=tuple(dict.fromkeys(parts)), antecedent_spans=())


def _goes_back(anaphor: str, parts: Sequence[str], there: dict[str, Cluster]) -> bool:
    """Whether a set could contain itself: elements come before what they are together."""
    return any(there[part].mentions[0] >= there[anaphor].mentions[0] for part in parts)


def random_document(chance: random.Random, words: int = 30) -> Document:
    """Make a document of random mentions, with sets of earlier entities and bridging between mentions."""
    starts = [(chance.randrange(words), chance.randint(1, 3)) for _ in range(chance.randint(3, 16))]
    mentions = list({Mention.at(a, min(a + n, words)) for a, n in starts})
    owners = [chance.randrange(6) for _ in mentions]
    clusters = [
        Cluster(str(e), tuple(sorted(m for m, owner in zip(mentions, owners, strict=True) if owner == e)))
        for e in range(6)
    ]
    clusters = sorted((c for c in clusters if c.mentions), key=lambda cluster: cluster.mentions[0])
    relations = []
    for number, cluster in enumerate(clusters):
        if number > 1 and chance.random() < 0.5:
            parts = chance.sample([c.id for c in clusters[:number]], min(number, chance.randint(1, 3)))
            relations.append(Relation(SPLIT_ANTECEDENT, cluster.id, tuple(parts)))
    for anaphor in chance.sample(clusters, min(len(clusters), 3)):
        anchor = chance.choice(clusters)
        ends = chance.choice(anaphor.mentions).spans, (chance.choice(anchor.mentions).spans,)
        relations.append(Relation(BRIDGING, anaphor.id, (anchor.id,), "", *ends))
    plain = Document.of("d", ["w"] * words, [(0, words)], clusters)
    return replace(plain, relations=tuple(relations))


def side_of(document: Document) -> Side:
    """Make entities of a document: equal sets merged, elements that are sets replaced by theirs."""
    members = {cluster.id: [m.spans for m in cluster.mentions] for cluster in document.clusters}
    sets: dict[str, list[str]] = {}
    for relation in document.relations:
        if relation.kind == SPLIT_ANTECEDENT and relation.anaphor in members:
            parts = [part for part in relation.antecedents if part in members]
            sets[relation.anaphor] = [*dict.fromkeys(sets.get(relation.anaphor, []) + parts)]
    sets = {whole: parts for whole, parts in sets.items() if parts}

    def leaves(name: str) -> list[str]:
        return [leaf for part in sets[name] for leaf in leaves(part)] if name in sets else [name]

    entities: list[tuple[list[Any], list[list[Any]] | None]] = []
    first: dict[frozenset[Any], int] = {}
    for cluster in document.clusters:
        mine = list(dict.fromkeys(members[cluster.id]))
        if cluster.id not in sets:
            entities.append((mine, None))
            continue
        elements = [tuple(members[leaf]) for leaf in dict.fromkeys(leaves(cluster.id))]
        same = frozenset(elements)
        if same in first:
            merged = entities[first[same]][0]
            merged += [mention for mention in mine if mention not in merged]
            continue
        first[same] = len(entities)
        entities.append((mine, [list(part) for part in dict.fromkeys(elements)]))
    return entities


def expected(key: Document, response: Document) -> dict[str, list[float]]:
    """Count a pair of documents by the rules."""
    ours, theirs = side_of(key), side_of(response)
    counted = {name: naive_sets.counts(name, ours, theirs) for name in ("muc", "b_cubed", "lea")}
    counted |= {name: naive_sets.counts(name, ours, theirs) for name in ("ceaf_m", "ceaf_e")}
    halves = [naive_sets.counts(half, ours, theirs) for half in ("together", "apart")]
    counted["blanc"] = halves[0] + halves[1]
    entities = [mentions for mentions, _ in ours]
    for level, row in naive_sets.bridging(bridges(key), bridges(response), entities).items():
        counted[f"bridging_{level}"] = row
    return counted


def bridges(document: Document) -> dict[Any, Any]:
    """List anaphors with their last anchors."""
    return {r.anaphor_spans: r.antecedent_spans[0] for r in document.relations if r.kind == BRIDGING}
