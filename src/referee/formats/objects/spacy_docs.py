"""spaCy's documents, seen from outside: its tokens, and the clusters that its many extensions leave on it.

    doc.spans["coref_clusters_N"]   span groups (spacy-experimental); a span's label is its type, the group's
                                    attribute `type` the cluster's
    doc._.coref_clusters            fastcoref: pairs of characters, the end excluded; beside
                                    `doc._.cluster_heads`, as crosslingual-coreference has them: pairs of
                                    tokens, the last included;
                                    neuralcoref: clusters whose `mentions` are spans; or plain lists of spans
    doc._.coref_chains              coreferee: mentions are the indices of head tokens

Nothing of spaCy is imported: whatever has these attributes will do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from referee.exceptions import FormatError
from referee.model import Cluster, Document, Mention, Span, Text, cut_text, joined_spans
from referee.model.layers import HEAD, LEMMA, POS, ROOT

GROUP = "coref_clusters_"
COREFERENCE = re.compile(rf"{GROUP}(\w+)")  # what spaCy's coreference component calls its span groups


def has_span_groups(given: Any) -> bool:
    """Whether something looks like spaCy's `Doc`: it has span groups by name."""
    return isinstance(getattr(given, "spans", None), Mapping) and not isinstance(given, type)


def is_spacy_document(given: Any) -> bool:
    """Whether something looks like spaCy's `Doc`, tokens included."""
    return has_span_groups(given) and hasattr(given, "text") and isinstance(given, Iterable)


def document_of_spacy(doc: Any, where: str) -> Document:
    """Make a document of spaCy's."""
    tokens = list(doc)
    name = next((str(doc.user_data[key]) for key in ("id", "doc_key") if key in doc.user_data), "")
    try:
        clusters = spacy_clusters(doc, where)
    except _InsideToken:  # another tokeniser found the mentions: words are cut by their characters
        return cut_text(name, doc.text, _of_characters(doc._.coref_clusters, len(doc.text), where), where)
    is_spaced = not getattr(doc, "has_unknown_spaces", False)
    starts = [token.i for token in tokens if token.i == 0 or token.is_sent_start]
    text = Text(
        name,
        tuple(token.text for token in tokens),
        tuple(pairwise([*starts, len(tokens)])),
        _layers(tokens),
        running=doc.text if is_spaced else None,
        characters=tuple((token.idx, token.idx + len(token.text)) for token in tokens) if is_spaced else (),
    )
    return Document(text, tuple(clusters))


def _layers(tokens: Sequence[Any]) -> dict[str, tuple[str, ...]]:
    """Take what a pipeline has filled in."""
    layers = {
        POS: tuple(token.tag_ or token.pos_ for token in tokens),
        LEMMA: tuple(token.lemma_ for token in tokens),
    }
    if any(token.dep_ for token in tokens):
        layers[HEAD] = tuple(ROOT if token.head.i == token.i else str(token.head.i) for token in tokens)
    filled = {name: layer for name, layer in layers.items() if any(layer)}
    return {name: tuple(value or "_" for value in layer) for name, layer in filled.items()}


class _InsideToken(FormatError):  # noqa: N818 caught here, and said by the library as any other
    """A mention that begins or ends inside a token."""


def spacy_clusters(doc: Any, where: str) -> list[Cluster]:
    """List the clusters of spaCy's document: its span groups, or what an extension has put on it."""
    groups = {name[1]: group for key, group in doc.spans.items() if (name := COREFERENCE.fullmatch(str(key)))}
    extensions = getattr(doc, "_", None)
    attached, chains = (getattr(extensions, name, None) for name in ("coref_clusters", "coref_chains"))
    if groups:
        return [
            Cluster(name, _mentions(group, where), getattr(group, "attrs", {}).get("type"))
            for name, group in groups.items()
            if len(group)
        ]
    if attached is not None:
        return _attached(doc, attached, where)
    if chains is not None:
        return [_headed(number, chain) for number, chain in enumerate(chains, 1)]
    if doc.spans:
        raise FormatError(
            f"{where}: the spaCy document has the span groups {', '.join(map(str, doc.spans))}, and none "
            "has a name like coref_clusters_1; give lists of spans"
        )
    return []


def _mentions(spans: Iterable[Any], where: str) -> tuple[Mention, ...]:
    """Make mentions of spaCy's spans; a file may have any numbers in them."""
    mentions = []
    for span in spans:
        if not 0 <= span.start < span.end:
            raise FormatError(f"{where}: the span [{span.start}, {span.end}] is not one of its tokens")
        mentions.append(Mention(((span.start, span.end),), type=getattr(span, "label_", "") or None))
    return tuple(mentions)


def _attached(doc: Any, attached: Iterable[Any], where: str) -> list[Cluster]:
    """Read what extensions call `coref_clusters`."""
    parts = [getattr(part, "mentions", part) for part in attached]
    if not any(_is_pair(mention) for part in parts for mention in part):
        return [Cluster(str(number), _mentions(part, where)) for number, part in enumerate(parts, 1)]
    if getattr(doc._, "cluster_heads", None) is not None:  # crosslingual-coreference counts tokens
        return [
            Cluster(str(number), tuple(Mention.at(first, last + 1) for first, last in part))
            for number, part in enumerate(parts, 1)
        ]
    starts = {token.idx: token.i for token in doc}
    ends = {token.idx + len(token.text): token.i + 1 for token in doc}
    clusters = []
    for cluster in _of_characters(parts, len(doc.text), where):
        spans = [mention.spans[0] for mention in cluster.mentions]
        for start, end in spans:
            if start not in starts or end not in ends:
                raise _InsideToken(f"{where}: the mention at characters {start}-{end} cuts through a token")
        mentions = tuple(Mention.at(starts[start], ends[end]) for start, end in spans)
        clusters.append(Cluster(cluster.id, mentions))
    return clusters


def _of_characters(parts: Iterable[Iterable[Span]], length: int, where: str) -> list[Cluster]:
    """Make clusters that count characters."""
    clusters = []
    for number, part in enumerate(parts, 1):
        for start, end in part:
            if not 0 <= start < end <= length:
                raise FormatError(
                    f"{where}: the mention at characters {start}-{end} lies outside the text of {length}"
                )
        clusters.append(Cluster(str(number), tuple(Mention.at(int(start), int(end)) for start, end in part)))
    return clusters


def _headed(number: int, chain: Iterable[Any]) -> Cluster:
    """Read a chain of coreferee: each mention is the indices of the tokens that head it."""
    heads = [joined_spans([(index, index + 1) for index in mention.token_indexes]) for mention in chain]
    return Cluster(str(number), tuple(Mention(spans) for spans in heads))


def _is_pair(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2
