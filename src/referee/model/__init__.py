"""Mentions, clusters, documents and corpora: frozen values, and their integer form."""

from referee.model.corpus import (
    Chains,
    Cluster,
    Corpus,
    Document,
    DocumentCorpus,
    IntArray,
    Mention,
    Place,
    Span,
)

__all__ = [
    "Chains",
    "Cluster",
    "Corpus",
    "Document",
    "DocumentCorpus",
    "IntArray",
    "Mention",
    "Place",
    "Span",
]
