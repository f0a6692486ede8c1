"""Mentions, clusters, texts, documents and corpora: frozen values, and their integer form."""

from referee.model.anaphora import Anaphora
from referee.model.chains import NO_SPANS, UNKNOWN, Chains, RowSpans
from referee.model.corpus import Corpus, CorpusView, DocumentCorpus, SelectedDocuments, Topic
from referee.model.layer_view import LayerView
from referee.model.layers import NO_WORD
from referee.model.mentions import (
    Cluster,
    ClusterLayer,
    Mention,
    Relation,
    Span,
    joined_spans,
    linked_groups,
)
from referee.model.names import Names
from referee.model.text import Document, Text, Zero, cut_text, in_characters, word_edges
from referee.model.windows import Window, window_spans

__all__ = [
    "NO_SPANS",
    "NO_WORD",
    "UNKNOWN",
    "Anaphora",
    "Chains",
    "Cluster",
    "ClusterLayer",
    "Corpus",
    "CorpusView",
    "Document",
    "DocumentCorpus",
    "LayerView",
    "Mention",
    "Names",
    "Relation",
    "RowSpans",
    "SelectedDocuments",
    "Span",
    "Text",
    "Topic",
    "Window",
    "Zero",
    "cut_text",
    "in_characters",
    "joined_spans",
    "linked_groups",
    "window_spans",
    "word_edges",
]
