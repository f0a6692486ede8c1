"""Baselines: responses that need no training, made from a key's mentions.

They say what a score is worth. `singletons` links nothing, so what it earns is free; `one-cluster` links
everything; the others link mentions with the same head lemma or the same words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from referee.language.heads import head_lemma, lemmas_and_governors
from referee.model import Cluster, Corpus, Document, DocumentCorpus, Mention

Names = Iterator[list[tuple[Mention, str]]]  # for each document its mentions, and what makes two of them one


@dataclass(frozen=True, slots=True)
class Baseline:
    """What a baseline links, in a few words and how, and which documents share clusters by default."""

    meaning: str
    names: Callable[[Corpus], Names]
    scope: str  # a scope, or "predicted"


def _each_alone(corpus: Corpus) -> Names:
    for document in corpus:
        yield [(mention, f"{document.id} {mention.spans}") for mention in document.mentions]


def _all_alike(corpus: Corpus) -> Names:
    for document in corpus:
        yield [(mention, "") for mention in document.mentions]


def _by_head_lemma(corpus: Corpus) -> Names:
    for document, (lemmas, governors) in zip(corpus, lemmas_and_governors(corpus), strict=True):
        yield [(mention, head_lemma(mention, lemmas, governors)) for mention in document.mentions]


def _by_string(corpus: Corpus) -> Names:
    for document in corpus:
        yield [(mention, document.text.spelled(mention.spans).lower()) for mention in document.mentions]


BASELINES = {
    "singletons": Baseline("every mention alone, without any link", _each_alone, "document"),
    "one-cluster": Baseline("all mentions together", _all_alike, "corpus"),
    "head-lemma": Baseline(
        "mentions with the same head lemma, within predicted topics", _by_head_lemma, "predicted"
    ),
    "lemma-by-document": Baseline(
        "mentions with the same head lemma, within their document", _by_head_lemma, "document"
    ),
    "same-string": Baseline("mentions with the same words, within predicted topics", _by_string, "predicted"),
}


def respond(
    corpus: Corpus,
    baseline: str,
    groups: Mapping[str, str],
    *,
    progress: Callable[[int], None] | None = None,
) -> DocumentCorpus:
    """Make a baseline's response to a key; `groups` says which documents may share clusters."""
    numbers: dict[tuple[str, str], str] = {}
    documents = []
    for document, names in zip(corpus, BASELINES[baseline].names(corpus), strict=True):
        clusters: dict[str, list[Mention]] = {}
        for mention, name in names:
            id_ = numbers.setdefault((groups[document.id], name), str(len(numbers)))
            clusters.setdefault(id_, []).append(mention)
        found = tuple(Cluster(id_, tuple(mentions)) for id_, mentions in clusters.items())
        documents.append(Document(document.text, found))
        if progress:
            progress(1)
    return DocumentCorpus(documents, baseline, cross_document=True)
