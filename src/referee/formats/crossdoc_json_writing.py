"""Writes cross-document JSON lines; `crossdoc_json` says what the fields mean."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import IO, Any

from referee.formats.jsonlines_writing import FIELD_OF, annotation_fields, text_fields
from referee.model import Cluster, Document

IN_THE_LINE = ("sentences", "tokens", "clusters", "cluster_ids")  # what the line itself has for all documents


def write(documents: Iterable[Document], file: IO[str]) -> None:
    """Write all documents on one line, so that clusters may span any of them."""
    kept = [_with_joined_clusters(document) for document in documents]
    texts = [text_fields(document.text) for document in kept]
    shared = set.intersection(*(set(document.layers) for document in kept)) if kept else set()
    ids: list[str] = [document.id for document in kept]
    names: Sequence[str | int] = ids if len(set(ids)) == len(ids) else range(len(ids))
    apart = {*IN_THE_LINE, *(FIELD_OF.get(name, name) for name in shared)}
    own = [
        {name: value for name, value in (told | annotation_fields(document)).items() if name not in apart}
        for document, told in zip(kept, texts, strict=True)
    ]
    fields = {
        "doc_ids": ids,
        "topics": [document.text.topic for document in kept],
        "subtopics": [document.text.subtopic for document in kept],
        "tokens": [document.words[: document.text.length] for document in kept],
        "sentences": [[[start, end - 1] for start, end in document.sentences] for document in kept],
        "layers": {name: [_in_a_row(told, name) for told in texts] for name in sorted(shared)},
        "mentions": [
            [name, *(offset for start, end in mention.spans for offset in (start, end - 1)), cluster.id]
            for name, document in zip(names, kept, strict=True)
            for cluster in document.clusters
            for mention in cluster.mentions
        ],
    }
    json.dump(fields | ({"documents": own} if any(own) else {}), file, ensure_ascii=True)
    file.write("\n")


def _in_a_row(told: dict[str, Any], layer: str) -> list[str]:
    return [value for sentence in told[FIELD_OF.get(layer, layer)] for value in sentence]


def _with_joined_clusters(document: Document) -> Document:
    """Join clusters of one id, which a line cannot tell apart; those without mentions are left out."""
    joined: dict[str, Cluster] = {}
    for cluster in document.clusters:
        before = joined.get(cluster.id, Cluster(cluster.id, ()))
        joined[cluster.id] = Cluster(
            cluster.id, before.mentions + cluster.mentions, before.type or cluster.type
        )
    return replace(document, clusters=tuple(cluster for cluster in joined.values() if cluster.mentions))
