"""Dependency trees out of CoNLL-U or the layer `head`, for the heads of mentions.

Columns are ID, FORM and, the seventh, HEAD; comments, ranges of words (`3-4`) and empty nodes (`5.1`) are
skipped. The head of a mention is its word with the fewest arcs up to the root; of several, the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise

import numpy as np

from referee.arrays import IntArray
from referee.exceptions import FormatError
from referee.language.trees.phrase_trees import Trees
from referee.model import NO_WORD, Document
from referee.model.layers import HEAD as HEAD_LAYER
from referee.model.layers import governors_of

FORM, HEAD = 1, 6


@dataclass(frozen=True, slots=True)
class Dependencies:
    """The dependency trees of some documents, in columns over their tokens."""

    documents: IntArray  # document → its first token; and the number of tokens
    sentences: IntArray  # sentence → its first token; and the number of tokens
    words: Sequence[str]
    depth: IntArray  # token → arcs up to the root of its sentence

    def digests(self) -> list[bytes]:
        """Sum up the trees of each document."""
        edges = pairwise(self.documents.tolist())
        return [blake2b(self.depth[start:end].tobytes(), digest_size=8).digest() for start, end in edges]

    def heads(self, starts: IntArray, ends: IntArray) -> IntArray:
        """Find the head words of mentions, given as half-open spans of tokens."""
        scale = self.depth.size + 1
        rank = np.append(self.depth * scale + np.arange(self.depth.size), scale * scale)
        if not starts.size:
            return starts
        return np.minimum.reduceat(rank, np.column_stack([starts, ends]).ravel())[::2] % scale


Syntax = Trees | Dependencies


def read_conllu(texts: Sequence[tuple[str, bytes]]) -> Dependencies:
    """Read CoNLL-U, one text per document, each with the path that errors name."""
    words: list[str] = []
    head: list[int] = []  # token → the one it depends on, or −1
    documents, sentences = [0], [0]
    for path, data in texts:
        rows: list[list[str]] = []
        lines = data.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
        for number, line in enumerate([*lines, ""], start=1):
            columns = line.split("\t")
            if not line.strip() and rows:
                head += _heads(rows, len(words), f"{path}:{number - len(rows)}")
                words += [row[FORM] for row in rows]
                sentences.append(len(words))
                rows = []
            elif columns[0].isdecimal():
                if len(columns) <= HEAD:
                    raise FormatError(
                        f"{path}:{number}: CoNLL-U has ten columns, but this line has {len(columns)}"
                    )
                rows.append(columns)
        documents.append(len(words))
    return Dependencies(
        np.array(documents, np.int64),
        np.array(sentences, np.int64),
        words,
        _depths(np.array(head, np.int64)),
    )


def _heads(rows: Sequence[Sequence[str]], first: int, where: str) -> list[int]:
    """Number the heads of a sentence through all tokens."""
    heads = []
    for row in rows:
        if not row[HEAD].isdigit() or int(row[HEAD]) > len(rows):
            raise FormatError(
                f"{where}: word {row[0]} of this sentence depends on '{row[HEAD]}', which is not a word of it"
            )
        heads.append(first + int(row[HEAD]) - 1 if int(row[HEAD]) else -1)
    reached = {-1}  # from the root downwards
    while more := {first + i for i, above in enumerate(heads) if above in reached} - reached:
        reached |= more
    if len(reached) <= len(heads):
        word = next(row[0] for i, row in enumerate(rows) if first + i not in reached)
        raise FormatError(f"{where}: word {word} of this sentence does not lead up to a word whose HEAD is 0")
    return heads


def dependencies_of(documents: Sequence[Document]) -> Dependencies:
    """Take the trees of documents out of their layer `head`; zeros are not in them."""
    words: list[str] = []
    head: list[int] = []
    edges, sentences = [0], [0]
    for document in documents:
        text, first = document.text, len(words)
        governors = governors_of(document.id, text.layers[HEAD_LAYER][: text.length])
        _refuse_circles(governors, document.id)
        head += [above if above == NO_WORD else first + above for above in governors]
        words += text.words[: text.length]
        sentences += [first + end for _, end in text.sentences]
        edges.append(len(words))
    return Dependencies(
        np.array(edges, np.int64), np.array(sentences, np.int64), words, _depths(np.array(head, np.int64))
    )


def _refuse_circles(head: Sequence[int], id_: str) -> None:
    """See that all words of a document lead up to one that depends on nothing."""
    state = [0] * len(head)  # 1 on the way, 2 known to lead up
    for word in range(len(head)):
        path = []
        while word >= 0 and not state[word]:
            state[word] = 1
            path.append(word)
            word = head[word]
        if word >= 0 and state[word] == 1:
            raise FormatError(
                f"document {id_}: word {word} depends on itself through other words; correct its HEAD"
            )
        for passed in path:
            state[passed] = 2


def _depths(head: IntArray) -> IntArray:
    """Count arcs up to the root, for all tokens at once."""
    depth = np.zeros(head.size, np.int64)
    above = head
    while (climbing := above >= 0).any():
        depth += climbing
        above = np.where(climbing, head[above], -1)
    return depth
