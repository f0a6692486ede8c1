"""Writes JSON lines; `jsonlines` says what the fields mean."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import IO, Any

from referee.model import Cluster, Document, Mention, Relation, Span, Text, cut_text, in_characters
from referee.model.layers import HEAD, heads_in_sentences

LAYER_FIELDS = {"speakers": "speaker"}  # field → layer, where they differ
FIELD_OF = {layer: name for name, layer in LAYER_FIELDS.items()}
# A value for each mention.
BESIDE = ("minimum_spans", "mention_heads", "mention_types", "mention_scores", "link_scores")
OWN_FIELDS = frozenset({  # all others that run parallel to the words are layers
    "doc_key", "doc_id", "id", "sentences", "tokens", "sentence_spans", "text", "characters", "cut", "zeros",
    "topic", "subtopic", "clusters", "predicted_clusters", "clusters_token_offsets", "cluster_ids",
    "cluster_types", *BESIDE, "relations", "non_referring", "cluster_layers", "layout",
    "clusters_strings",  # the clusters in words
})  # fmt: skip


def write(documents: Iterable[Document], file: IO[str]) -> None:
    """Write documents: with words, or as running text if we cut the words ourselves."""
    for document in documents:
        file.write(json.dumps(_fields(document), ensure_ascii=True) + "\n")


def _fields(document: Document) -> dict[str, Any]:
    text = document.text
    plain = not (text.layers or text.zeros or document.non_referring or document.cluster_layers)
    by_characters = text.cut and plain and _is_cut_again(document)
    fields: dict[str, Any] = {"doc_key": document.id}
    fields |= {"text": text.running} if by_characters else text_fields(text)
    fields |= annotation_fields(document, by_characters=by_characters)
    extras = {
        "topic": text.topic,
        "subtopic": text.subtopic,
    }
    return fields | {name: value for name, value in extras.items() if value is not None}


def _is_cut_again(document: Document) -> bool:
    """Whether the running text and the clusters are enough to make the same words once more."""
    text = document.text
    if text.running is None or len(text.characters) != len(text.words):
        return False

    def in_text(mention: Mention) -> Mention:
        minimum = mention.minimum and tuple(in_characters(text, mention.minimum))
        return Mention(tuple(in_characters(text, mention.spans)), minimum)

    clusters = [replace(c, mentions=tuple(map(in_text, c.mentions))) for c in document.clusters]
    again = cut_text(text.id, text.running, clusters).text
    return (again.characters, again.sentences) == (text.characters, text.sentences)


def text_fields(text: Text) -> dict[str, Any]:
    """Give words, sentences, layers, zeros, and the running text where it is known."""
    whole = [0, *(end for _, end in text.sentences)]
    tiled = list(pairwise(whole)) == list(text.sentences) and whole[-1] == text.length
    spans = list(text.sentences) if tiled else [(0, text.length)]
    fields: dict[str, Any] = {}
    if tiled:
        fields["sentences"] = [text.words[start:end] for start, end in spans]
    else:
        fields["tokens"] = text.words[: text.length]
        fields["sentence_spans"] = [[start, end - 1] for start, end in text.sentences]
    for name, layer in text.layers.items():
        if name == HEAD:
            layer = (*heads_in_sentences(layer, spans), *layer[text.length :])
        fields[FIELD_OF.get(name, name)] = [layer[start:end] for start, end in spans]
    if text.zeros:
        fields["zeros"] = [_zero(text, number) for number in range(len(text.zeros))]
    if text.running is not None:
        fields |= {"text": text.running, "characters": text.characters}
    return fields | ({"cut": True} if text.cut else {})


def _zero(text: Text, number: int) -> dict[str, Any]:
    zero, word = text.zeros[number], text.length + number
    fields: dict[str, Any] = {"word": text.words[word], "before": zero.before}
    fields |= {"ordinal": zero.ordinal} if zero.ordinal != 1 else {}
    fields |= {"sentence": zero.sentence} if zero.sentence else {}
    fields |= {"governors": zero.governors} if zero.governors else {}
    layers = {name: layer[word] for name, layer in text.layers.items()}
    return fields | ({"layers": layers} if layers else {})


def annotation_fields(document: Document, *, by_characters: bool = False) -> dict[str, Any]:
    """Give the clusters, what is known of them and their mentions, and how a file wrote them."""
    text, clusters = document.text, document.clusters

    def offsets(spans: Iterable[Span]) -> list[list[int]]:
        if by_characters:
            return [list(span) for span in in_characters(text, spans)]
        return [[start, end - 1] for start, end in spans]

    def mention_offsets(mention: Mention) -> list[int] | list[list[int]]:
        pairs = offsets(mention.spans)
        return pairs[0] if len(pairs) == 1 else pairs

    def head(mention: Mention) -> int | None:
        by_character = by_characters and mention.head is not None
        return text.characters[mention.head][0] if by_character else mention.head  # type: ignore[index]

    values: Mapping[str, Callable[[Mention], Any]] = {
        "minimum_spans": lambda mention: None if mention.minimum is None else offsets(mention.minimum),
        "mention_heads": head,
        "mention_types": lambda mention: mention.type,
        "mention_scores": lambda mention: mention.score,
        "link_scores": lambda mention: mention.link_score,
    }
    fields: dict[str, Any] = {"clusters": [list(map(mention_offsets, c.mentions)) for c in clusters]}
    if [cluster.id for cluster in clusters] != list(map(str, range(len(clusters)))):
        fields["cluster_ids"] = [cluster.id for cluster in clusters]
    if any(cluster.type is not None for cluster in clusters):
        fields["cluster_types"] = [cluster.type for cluster in clusters]
    for name in BESIDE:
        rows: Sequence[list[Any]] = [list(map(values[name], cluster.mentions)) for cluster in clusters]
        if any(value is not None for row in rows for value in row):
            fields[name] = rows
    beyond = {
        "relations": list(map(_relation, document.relations)),
        "non_referring": _others(document, document.non_referring),
        "cluster_layers": {
            layer.name: annotation_fields(document.of_layer(layer.name)) for layer in document.cluster_layers
        },
        "layout": document.layout,
    }
    return fields | {name: value for name, value in beyond.items() if value}


def _others(document: Document, clusters: tuple[Cluster, ...]) -> dict[str, Any]:
    """Write clusters that are beside those of the document."""
    return annotation_fields(Document(document.text, clusters)) if clusters else {}


def _relation(relation: Relation) -> dict[str, Any]:
    """Write a relation, and the mentions at its ends where they are named."""
    fields: dict[str, Any] = {"kind": relation.kind, "anaphor": relation.anaphor}
    fields |= {"antecedents": relation.antecedents, "label": relation.label}
    if relation.anaphor_spans:
        fields["anaphor_mention"] = _pairs(relation.anaphor_spans)
    if any(relation.antecedent_spans):
        fields["antecedent_mentions"] = list(map(_pairs, relation.antecedent_spans))
    return fields


def _pairs(spans: Sequence[Span]) -> list[list[int]]:
    return [[start, end - 1] for start, end in spans]
