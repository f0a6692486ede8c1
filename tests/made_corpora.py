"""Documents made by hand, a line each, for the tests of the page."""

from __future__ import annotations

from collections.abc import Sequence

from referee.model import Cluster, Document, DocumentCorpus, Mention

Clusters = Sequence[Sequence[tuple[int, int]]]


def document(clusters: Clusters, words: str = "a b c d e f g h i j", **layers: str) -> Document:
    tokens = tuple(words.split())
    columns = {name: tuple(layer.split()) for name, layer in layers.items()}
    made = tuple(Cluster(str(i), tuple(Mention.at(*m) for m in c)) for i, c in enumerate(clusters))
    return Document.of("d", tokens, ((0, len(tokens)),), made, columns)


def corpus(clusters: Clusters, **options: str) -> DocumentCorpus:
    return DocumentCorpus([document(clusters, **options)], "made")
