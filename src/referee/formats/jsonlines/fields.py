"""Makes a document of the fields of a JSON line; `jsonlines` says what they mean."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Any

from referee.exceptions import FormatError
from referee.formats.jsonlines.writing import BESIDE, LAYER_FIELDS, OWN_FIELDS
from referee.model import Cluster, ClusterLayer, Document, Mention, Relation, Span, Text, Zero, cut_text
from referee.model.layers import HEAD, heads_from_sentences

Fields = dict[str, Any]
# Those that hold clusters, the first that is there; Maverick's count tokens as e2e's do, the last included.
CLUSTER_FIELDS = ("predicted_clusters", "clusters", "clusters_token_offsets")


def has_words(fields: Fields) -> bool:
    """Whether a line has words, and mentions count them; otherwise they count characters."""
    return "sentences" in fields or "tokens" in fields


def cluster_field(fields: Fields, *, predicted: bool) -> str:
    """Name the field that holds a line's clusters."""
    choices = CLUSTER_FIELDS if predicted else CLUSTER_FIELDS[1:]
    return next((name for name in choices if name in fields), "clusters")


def document_of(fields: Fields, id_: str, where: str, *, predicted: bool) -> Document:
    """Make a document of a line, or say what is wrong with it."""
    field = cluster_field(fields, predicted=predicted)
    if not isinstance(fields.get(field), list):
        raise FormatError(f"{where}: has no list of {field}")
    said = fields if field == "clusters" else {}  # what is said beside clusters is said of these alone
    try:
        if has_words(fields):
            text = text_of(fields, id_, where)
            clusters = _clusters(fields[field], len(text.words), 1, where)
            document = Document(text, with_attributes(clusters, said, 1, where))
        else:
            document = _running(fields, id_, field, said, where)
        relations = relations_of(said)
        clusters = tuple(cluster for cluster in document.clusters if cluster.mentions)
        document = replace(
            document, clusters=clusters, relations=relations, layout=tuple(fields.get("layout", ()))
        )
        return with_others(document, said, where)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
        raise FormatError(f"{where}: a field has a wrong value: {error!r}") from error


def with_others(document: Document, said: Fields, where: str) -> Document:
    """Add expressions that refer to nothing, and other layers of clusters; their mentions count words."""
    if not said.get("non_referring") and not said.get("cluster_layers"):
        return document
    length = len(document.text.words)

    def clusters_of(fields: Fields) -> tuple[Cluster, ...]:
        clusters = _clusters(fields["clusters"], length, 1, where)
        return tuple(c for c in with_attributes(clusters, fields, 1, where) if c.mentions)

    def empty_of(fields: Fields) -> tuple[Cluster, ...]:
        return clusters_of(fields["non_referring"]) if fields.get("non_referring") else ()

    return replace(
        document,
        non_referring=empty_of(said),
        cluster_layers=tuple(
            ClusterLayer(str(name), clusters_of(fields), relations_of(fields), empty_of(fields))
            for name, fields in (said.get("cluster_layers") or {}).items()
        ),
    )


def relations_of(fields: Fields) -> tuple[Relation, ...]:
    """Read what ties clusters together."""
    return tuple(
        Relation(
            r["kind"],
            r["anaphor"],
            tuple(r["antecedents"]),
            r.get("label", ""),
            _spans(r.get("anaphor_mention") or [], 1) or (),
            tuple(_spans(pairs, 1) or () for pairs in r.get("antecedent_mentions", ())),
        )
        for r in fields.get("relations", ())
    )


def text_of(fields: Fields, id_: str, where: str) -> Text:
    """Read words, sentences, layers, zeros and the running text."""
    sentences = fields.get("sentences", [fields.get("tokens")])
    if not is_table(sentences):
        raise FormatError(f"{where}: sentences must be a list of lists of words")
    zeros = fields.get("zeros", [])
    words = [word for sentence in sentences for word in sentence]
    edges = tuple(edge for edge in pairwise(accumulate(map(len, sentences), initial=0)) if edge[0] < edge[1])
    layers = {
        LAYER_FIELDS.get(name, name): tuple(value for row in table for value in row)
        for name, table in fields.items()
        if name not in OWN_FIELDS and is_table(table) and list(map(len, table)) == list(map(len, sentences))
    }
    if HEAD in layers:  # numbered as in CoNLL-U
        layers[HEAD] = tuple(heads_from_sentences(layers[HEAD], edges, where))
    beside = {name: (*layer, *(zero["layers"][name] for zero in zeros)) for name, layer in layers.items()}
    if "sentence_spans" in fields:
        edges = tuple((first, last + 1) for first, last in fields["sentence_spans"])
    is_placed = "characters" in fields
    return Text(
        id_,
        (*words, *(zero["word"] for zero in zeros)),
        edges,
        beside,
        running=fields["text"] if is_placed else None,
        characters=tuple((start, end) for start, end in fields["characters"]) if is_placed else (),
        cut=fields.get("cut") is True,
        zeros=tuple(map(_zero, zeros)),
        topic=name_of(fields.get("topic")),
        subtopic=name_of(fields.get("subtopic")),
    )


def _zero(fields: Fields) -> Zero:
    governors = tuple((int(word), str(relation)) for word, relation in fields.get("governors", ()))
    return Zero(fields["before"], fields.get("ordinal", 1), fields.get("sentence", 0), governors)


def _running(fields: Fields, id_: str, field: str, said: Fields, where: str) -> Document:
    """Cut a running text, and count its mentions in words."""
    running = fields["text"]
    if not isinstance(running, str):
        raise FormatError(f"{where}: text must be a string")
    by_word = {**said, "mention_heads": None}  # of a word that is not cut yet
    clusters = with_attributes(_clusters(fields[field], len(running), 0, where), by_word, 0, where)
    document = cut_text(id_, running, clusters, where)
    topics = {name: name_of(fields.get(name)) for name in ("topic", "subtopic")}
    document = document.with_text(**topics)
    if said.get("mention_heads") is None:
        return document
    starts = [start for start, _ in document.text.characters]
    heads = [[None if at is None else bisect_left(starts, at) for at in row] for row in said["mention_heads"]]
    return replace(document, clusters=with_attributes(document.clusters, {"mention_heads": heads}, 0, where))


def name_of(value: object) -> str | None:
    """Take a name, which may be a number."""
    return None if value is None else str(value)


def is_table(value: object) -> bool:
    """Whether a value is a list of lists of strings."""
    return isinstance(value, list) and all(
        isinstance(row, list) and all(isinstance(word, str) for word in row) for row in value
    )


def _clusters(value: list[Any], length: int, included: int, where: str) -> tuple[Cluster, ...]:
    """Check offsets and make them half-open; a mention may be a list of several spans."""

    def span(pair: object) -> Span:
        if not (isinstance(pair, list) and len(pair) == 2 and all(type(offset) is int for offset in pair)):
            raise FormatError(f"{where}: a mention is a pair of offsets, not {json.dumps(pair)[:60]}")
        start, end = pair[0], pair[1] + included
        if not 0 <= start < end <= length:
            raise FormatError(
                f"{where}: the mention {pair} lies outside the document, which ends at {length}"
            )
        return start, end

    def mention(value: object) -> Mention:
        pairs = value if isinstance(value, list) and value and isinstance(value[0], list) else [value]
        return Mention(tuple(sorted(map(span, pairs))))

    clusters = []
    for number, cluster in enumerate(value):
        if not isinstance(cluster, list):
            raise FormatError(f"{where}: cluster {number} is not a list of mentions")
        clusters.append(Cluster(str(number), tuple(mention(pair) for pair in cluster)))
    return tuple(clusters)


def with_attributes(
    clusters: tuple[Cluster, ...], said: Fields, included: int, where: str
) -> tuple[Cluster, ...]:
    """Add what a line says beside its clusters: ids, types, and what is known of each mention."""
    if said.get("cluster_ids") is not None:
        ids = _fitting(said, "cluster_ids", clusters, where)
        clusters = tuple(replace(cluster, id=str(id_)) for cluster, id_ in zip(clusters, ids, strict=True))
    if said.get("cluster_types") is not None:
        types = map(name_of, _fitting(said, "cluster_types", clusters, where))
        clusters = tuple(replace(cluster, type=kind) for cluster, kind in zip(clusters, types, strict=True))
    for name in BESIDE:
        if said.get(name) is not None:
            clusters = _with_mentions(clusters, said, name, included, where)
    return clusters


def _fitting(said: Fields, name: str, clusters: Sequence[Cluster], where: str) -> list[Any]:
    values = said[name]
    if not isinstance(values, list) or len(values) != len(clusters):
        raise FormatError(f"{where}: {name} do not fit the clusters: there must be one for each of them")
    return values


def _with_mentions(
    clusters: tuple[Cluster, ...], said: Fields, name: str, included: int, where: str
) -> tuple[Cluster, ...]:
    """Add what a field says of each mention."""
    attribute, convert = CONVERTERS[name]

    def changed(mention: Mention, value: Any) -> Mention:
        return mention if value is None else replace(mention, **{attribute: convert(value, included)})

    try:
        return tuple(
            replace(cluster, mentions=tuple(map(changed, cluster.mentions, _as_long(row, cluster))))
            for cluster, row in zip(clusters, _fitting(said, name, clusters, where), strict=True)
        )
    except (TypeError, ValueError, FormatError) as error:
        raise FormatError(f"{where}: {name} do not fit the clusters: {error}") from error


def _as_long(row: list[Any], cluster: Cluster) -> list[Any]:
    if len(row) != len(cluster.mentions):
        raise ValueError(f"{len(row)} values for {len(cluster.mentions)} mentions")
    return row


def _spans(pairs: list[list[int]], included: int) -> tuple[Span, ...] | None:
    return tuple((start, end + included) for start, end in pairs) or None


CONVERTERS: dict[str, tuple[str, Callable[[Any, int], Any]]] = {  # field → attribute of a mention
    "minimum_spans": ("minimum", _spans),
    "mention_heads": ("head", lambda value, _: int(value)),
    "mention_types": ("type", lambda value, _: str(value)),
    "mention_scores": ("score", lambda value, _: float(value)),
    "link_scores": ("link_score", lambda value, _: float(value)),
}
