"""What the pre-flight found, repaired: a response gets the key's names of documents, words and offsets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from referee.matching.pairing import folded_pairs, pair_documents
from referee.matching.preflight import Finding
from referee.model import Corpus, Document, DocumentCorpus, Mention, SelectedDocuments


def repaired(key: Corpus, response: Corpus, found: Sequence[Finding]) -> Corpus:
    """Give a response the key's names of documents, words and offsets, as far as the findings ask for it."""
    needed = {finding.repair: finding for finding in found}
    if "offsets" in needed:
        moved = [_moved(document, *needed["offsets"].move) for document in response]
        response = _made_of(moved, response)
    if not {*needed} & {"names", "case"}:
        return response
    names, documents = list(response.ids), dict[int, int]()
    pairs = (
        folded_pairs(key, response) if "names" in needed else pair_documents(key, response, strict=False)[0]
    )
    for k, r in pairs:
        if r is not None:
            names[r], documents[r] = key.ids[k], k
    if not isinstance(response, DocumentCorpus):  # whose words no matching reads
        return SelectedDocuments(response, range(len(response)), names)
    renamed = [document.with_text(id=name) for document, name in zip(response.documents, names, strict=True)]
    for r, k in documents.items():
        words = key.words(k)
        if "case" in needed and [w.lower() for w in words] == [w.lower() for w in renamed[r].words]:
            renamed[r] = renamed[r].with_text(words=tuple(words))
    return _made_of(renamed, response)


def _made_of(documents: Sequence[Document], corpus: Corpus) -> DocumentCorpus:
    """Make a corpus of changed documents, with all else as it was."""
    made = DocumentCorpus(list(documents), corpus.name, cross_document=corpus.cross_document)
    made.notices, made.kinds, made.usual_protocol = corpus.notices, corpus.kinds, corpus.usual_protocol
    return made


def _moved(document: Document, start: int, end: int) -> Document:
    """Move the starts and ends of mentions; one stays that would leave the text, be empty or touch itself."""
    length = document.text.length  # zeros come after it, and are not counted with words

    def moved(mention: Mention) -> Mention:
        spans = tuple((first + start, last + end) for first, last in mention.spans)
        edges = [-1, *(edge for span in spans for edge in span), length + 1]
        fits = all(one < other for one, other in pairwise(edges))
        return replace(mention, spans=spans) if fits else mention

    clusters = tuple(
        replace(cluster, mentions=tuple(map(moved, cluster.mentions))) for cluster in document.clusters
    )
    return replace(document, clusters=clusters)
