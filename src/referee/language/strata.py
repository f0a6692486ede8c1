"""Kinds of mentions and entities: by type, by size and span, by how far back the entity was mentioned.

A stratification gives each mention of a document one kind, so that scores can be taken apart by it. It looks
at clusters over the key's text, whoever made them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from referee.exceptions import ProtocolError
from referee.language.entity_types import TypesOf, voted_types
from referee.language.heads import NOTHING, head_source
from referee.language.mention_types import TYPES, UNTYPED, describe
from referee.model import Cluster, Document, Mention

Labels = Mapping[Mention, str]
FIRST = "first mention"
SIZES = {1: "1", 2: "2", 5: "3–5", 10: "6–10"}  # up to so many mentions → name
MORE_MENTIONS = "over 10"
DISTANCES = {10: "up to 10 words", 50: "11–50 words", 200: "51–200 words"}
FARTHER = "over 200 words"
SPANS = {50: "up to 50 words", 200: "51–200 words", 500: "201–500 words"}
LONGEST = "over 500 words"
WITHIN = " · "  # between an entity's type and its span


@dataclass(frozen=True, slots=True)
class Stratification:
    """A way to sort a document's mentions into kinds, the order of the kinds, and the metrics to show."""

    title: str
    label: Callable[[Document], Labels]
    order: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ("mentions", "b_cubed")
    typed: bool = False  # whether mentions need the types of what they refer to
    strict: bool = False  # whether a mention is right only if both sides have it in the same kind


def entity_sizes(document: Document) -> Labels:
    """Sort mentions by how many their entity has."""
    return {
        mention: named_interval(len(set(cluster.mentions)), SIZES, MORE_MENTIONS)
        for cluster in document.clusters
        for mention in cluster.mentions
    }


def distances(document: Document) -> Labels:
    """Sort mentions by how many words back their entity was last mentioned, from start to start."""
    kinds: dict[Mention, str] = {}
    for cluster in document.clusters:
        places = _places(document, cluster)
        steps = [named_interval(b - a, DISTANCES, FARTHER) for a, b in pairwise(places.values())]
        kinds.update(zip(places, [FIRST, *steps], strict=True))
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


def entity_types(document: Document) -> Labels:
    """Sort mentions by the type of their entity."""
    types = voted_types(document)
    return {mention: types[cluster.id] for cluster in document.clusters for mention in cluster.mentions}


def entity_spans(document: Document) -> Labels:
    """Sort mentions by how many words there are from the first mention of their entity to the last."""
    kinds: dict[Mention, str] = {}
    for cluster in document.clusters:
        places = list(_places(document, cluster).values())
        kinds.update(dict.fromkeys(cluster.mentions, named_interval(places[-1] - places[0], SPANS, LONGEST)))
    return kinds


def spans_within_types(document: Document) -> Labels:
    """Sort mentions by the type of their entity, then by its span: long entities are mostly people."""
    types, spans = entity_types(document), entity_spans(document)
    return {mention: f"{kind}{WITHIN}{spans[mention]}" for mention, kind in types.items()}


@dataclass(frozen=True, slots=True)
class SideMentions:
    """One side's mentions of a document, in columns: numbers are equal where mentions of two sides are."""

    mentions: Sequence[Mention]
    numbers: Sequence[int]
    clusters: Sequence[int]


def labels_of_sides(
    by: Stratification, document: Document, key: SideMentions, response: SideMentions, types_of: TypesOf
) -> tuple[list[str], list[str]]:
    """Name the kind of each mention of key and response; a mention of the response has the type of the
    key's mention that it matches, or else that of its own span.
    """
    sides = _typed(document, key, response, types_of) if by.typed else (key.mentions, response.mentions)
    named: list[list[str]] = []
    for mentions, numbers in zip(sides, (key.clusters, response.clusters), strict=True):
        clusters: dict[int, list[Mention]] = {}
        for number, mention in zip(numbers, mentions, strict=True):
            clusters.setdefault(number, []).append(mention)
        made = tuple(Cluster(str(number), tuple(some)) for number, some in clusters.items())
        kinds = by.label(Document(document.text, made))
        named.append([kinds[mention] for mention in mentions])
    return named[0], named[1]


def _typed(
    document: Document, key: SideMentions, response: SideMentions, types_of: TypesOf
) -> tuple[Sequence[Mention], Sequence[Mention]]:
    """Give mentions their types."""
    types = types_of(document, [*key.mentions, *response.mentions])
    ours, theirs = types[: len(key.mentions)], types[len(key.mentions) :]
    of_number = dict(zip(key.numbers, ours, strict=True))
    matched = [of_number.get(number) or own for number, own in zip(response.numbers, theirs, strict=True)]
    typed = [
        [replace(mention, type=kind) for mention, kind in zip(side.mentions, kinds, strict=True)]
        for side, kinds in ((key, ours), (response, matched))
    ]
    return typed[0], typed[1]


def _places(document: Document, cluster: Cluster) -> dict[Mention, int]:
    """Say how many written words come before each mention of a cluster, in the order of the text."""
    length, zeros = document.text.length, document.text.zeros

    def place(mention: Mention) -> int:
        return min(
            zeros[word - length].before if length <= word < length + len(zeros) else min(word, length)
            for word, _ in mention.spans
        )

    found = {mention: place(mention) for mention in cluster.mentions}
    return dict(sorted(found.items(), key=lambda each: (each[1], each[0])))


def named_interval(number: int, names: Mapping[int, str], more: str) -> str:
    """Name the interval that a number is in, given how far each goes."""
    return next((name for most, name in names.items() if number <= most), more)


LENGTHS = (*SPANS.values(), LONGEST)
TYPED_METRICS = ("mentions", "links")  # those of papers: F1 of mentions and of links by type

STRATIFICATIONS: dict[str, Stratification] = {
    "entity-size": Stratification("Entity size", entity_sizes, (*SIZES.values(), MORE_MENTIONS)),
    "entity-type": Stratification("Entity type", entity_types, (), TYPED_METRICS, typed=True),
    "entity-type-strict": Stratification(
        "Entity type", entity_types, (), TYPED_METRICS, typed=True, strict=True
    ),
    "entity-span": Stratification("Entity span", spans_within_types, (), TYPED_METRICS, typed=True),
    "mention-type": Stratification("Mention type", mention_types, TYPES),
    "distance": Stratification("Distance", distances, (FIRST, *DISTANCES.values(), FARTHER)),
}
WHERE_TYPES = (
    "give types= with a file or folder that has the same texts with types of entities, such as GUM's CoNLL-U "
    "or LitBank's files, or types='entity' for the named entities in a column of the key"
)
SPANS_ALONE = Stratification("Entity span", entity_spans, LENGTHS, TYPED_METRICS)  # where no type is known


def in_order(by: Stratification, sizes: Mapping[str, int]) -> list[str]:
    """Put kinds in order, given how many mentions of the key each has: types by their frequency.

    >>> sizes = {"place": 3, "person": 5, "untyped": 9}
    >>> in_order(STRATIFICATIONS["entity-type"], sizes)
    ['person', 'place', 'untyped']
    >>> spans = {"place · 51–200 words": 4, "person · over 500 words": 3, "person · up to 50 words": 2}
    >>> in_order(STRATIFICATIONS["entity-span"], spans)
    ['person · up to 50 words', 'person · over 500 words', 'place · 51–200 words']
    """
    totals: dict[str, int] = {}
    for label, size in sizes.items():
        kind, _ = _kind_and_span(label)
        totals[kind] = totals.get(kind, 0) + size

    def rank(label: str) -> tuple[object, ...]:
        kind, span = _kind_and_span(label)
        inside = LENGTHS.index(span) if span else 0
        return _place(kind, by.order), kind == UNTYPED, -totals[kind], kind, inside

    return sorted(sizes, key=rank)


def _kind_and_span(label: str) -> tuple[str, str]:
    """Take a span off, if there is one; types may have any name."""
    kind, _, span = label.rpartition(WITHIN)
    return (kind, span) if kind and span in LENGTHS else (label, "")


def _place(label: str, order: tuple[str, ...]) -> int:
    return order.index(label) if label in order else len(order)
