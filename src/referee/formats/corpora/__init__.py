"""Formats that one corpus, or one family of corpora, is published in."""

from collections.abc import Callable, Sequence

from referee.formats.io.opening import SeekableFile
from referee.model import Document, DocumentCorpus


def document_per_file(
    files: Sequence[SeekableFile], name: str, document: Callable[[SeekableFile, list[str]], Document]
) -> DocumentCorpus:
    """Read each file as a document, by a function that is also given the list for its notices."""
    notices: list[str] = []
    corpus = DocumentCorpus([document(file, notices) for file in files], name)
    corpus.notices = notices
    return corpus
