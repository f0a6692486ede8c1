"""Formats that one corpus, or one family of corpora, is published in."""

from collections.abc import Callable, Sequence

from referee.formats.io.opening import SeekableFile
from referee.formats.ledger import Ledger
from referee.model import Document, DocumentCorpus


def document_per_file(
    files: Sequence[SeekableFile], name: str, document: Callable[[SeekableFile, Ledger], Document]
) -> DocumentCorpus:
    """Read each file as a document, by a function that is also given the ledger of what it skips."""
    ledger = Ledger()
    corpus = DocumentCorpus([document(file, ledger) for file in files], name)
    ledger.close(corpus)
    return corpus
