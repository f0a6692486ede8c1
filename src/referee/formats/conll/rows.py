"""The rows of documents as bytes: where tokens, sentences and documents begin, for readers of columns.

CoNLL files are taken as they stand. Documents of any other kind are laid out in CoNLL-2012's columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.arrays import IntArray
from referee.encoding import encoded
from referee.formats.conll.lines import Lines, find_lines, joined
from referee.formats.conll.reading import ConllCorpus
from referee.formats.conll.writing import new_rows
from referee.model import Chains, Corpus


@dataclass(frozen=True, slots=True)
class Rows:
    """One row per token, documents one after the other."""

    data: bytes
    begin: IntArray  # token → the first byte of its row
    sentences: IntArray  # sentence → its first token; and the number of tokens
    documents: IntArray  # document → its first token; and the number of tokens

    def first(self, document: int) -> list[bytes]:
        """Cut the first row of a document into its columns; a document without rows has none."""
        token = int(self.documents[document])
        return [] if token == self.documents[document + 1] else self.columns(token)

    def columns(self, token: int) -> list[bytes]:
        """Cut the row of a token into its columns."""
        begin = int(self.begin[token])
        row = self.data[begin : self.data.index(b"\n", begin)].rstrip(b"\r")
        return row.split(b"\t") if b"\t" in row else row.split()


def rows(corpus: Corpus, numbers: Sequence[int]) -> Rows:
    """Read the rows of some documents."""
    if isinstance(corpus, ConllCorpus):
        return rows_of_blocks(corpus.blocks(numbers))
    return rows_of_blocks([_block(corpus, number) for number in numbers])


def chains_and_rows(corpus: Corpus, numbers: Sequence[int]) -> tuple[Chains, Rows]:
    """Read the mentions of some documents, and their rows with them."""
    if isinstance(corpus, ConllCorpus):
        found = corpus.scan(numbers)
        return corpus.chains_in(found, numbers), _rows(found.lines)
    return corpus.chains(numbers), rows(corpus, numbers)


def rows_of_blocks(blocks: Sequence[bytes]) -> Rows:
    """Find the rows in blocks of lines, one block per document."""
    return _rows(find_lines(blocks, joined(blocks)))


def _rows(lines: Lines) -> Rows:
    documents = np.searchsorted(lines.tokens, np.append(lines.block_starts, lines.first.size))
    sentences = np.union1d(lines.sentence_starts(), documents)
    return Rows(lines.data, lines.first[lines.tokens], sentences, documents)


def _block(corpus: Corpus, number: int) -> bytes:
    document = corpus.document(number)
    ends = {end for _, end in document.sentences}
    lines = [
        f"{row}-\n\n" if token in ends else f"{row}-\n"
        for token, row in enumerate(new_rows(document), start=1)
    ]
    return encoded("".join(lines))
