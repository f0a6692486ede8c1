"""Clusters whose ids hold in all documents, in formats that cannot say so themselves."""

from __future__ import annotations

from collections.abc import Sequence

from referee.model import Corpus, Document, DocumentCorpus

IDS = ("document", "corpus")  # where a cluster's id means the same, unless a format says it itself


class SharedIdCorpus(DocumentCorpus):
    """The documents of another corpus; a cluster of one id is the same in all of them."""

    def __init__(self, corpus: Corpus) -> None:
        """Read all documents, and keep what the corpus says about them."""
        super().__init__(corpus, corpus.name, cross_document=True)
        self._corpus = corpus
        self.named, self.reference_names = corpus.named, corpus.reference_names
        self.kinds, self.empty_files = corpus.kinds, corpus.empty_files
        self.usual_protocol = corpus.usual_protocol
        passed_over = [notice for number in range(len(corpus)) for notice in corpus.chains([number]).notices]
        self.notices = [*corpus.notices, *passed_over, *_doubts(corpus.name, self.documents)]

    def location(self, number: int, word: int | None = None) -> str:
        """Say where a document is."""
        return self._corpus.location(number, word)


def with_shared_ids(corpus: Corpus, ids: str) -> Corpus:
    """Let ids hold in the whole corpus if that is wanted and the corpus does not say so itself."""
    if ids != "corpus":
        return corpus
    from referee.formats.marked.text import MarkedCorpus  # few corpora need it

    if isinstance(corpus, MarkedCorpus):
        return corpus.changed(corpus.answers, named=corpus.named, across=True)
    return corpus if corpus.cross_document else SharedIdCorpus(corpus)


def _doubts(name: str, documents: Sequence[Document]) -> list[str]:
    """Say so if each document seems to number its own clusters."""
    annotated = [{cluster.id for cluster in document.clusters} for document in documents if document.clusters]
    if len(annotated) < 2 or not all(map(_is_count, annotated)):
        return []
    return [
        f"{name}: ids='corpus', but every document numbers its clusters from the beginning, as if ids held "
        "within it only; clusters that have nothing in common but a number are joined"
    ]


def _is_count(ids: set[str]) -> bool:
    """Whether ids are the first whole numbers, from 0 or from 1.

    >>> _is_count({"1", "0"}), _is_count({"1", "2"}), _is_count({"1", "7"})
    (True, True, False)
    """
    return any(ids == {str(number + first) for number in range(len(ids))} for first in (0, 1))
