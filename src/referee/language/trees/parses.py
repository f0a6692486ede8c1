"""The parse trees of a key: from its parse column, or from Penn-bracketed files beside it.

Trees are read batch by batch and must have the key's tokens, word by word. A tree that cannot be read is
only an error where it is needed, in a sentence with a mention of more than one token.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from os import PathLike, fspath

import numpy as np

from referee.arrays import BoolArray, IntArray
from referee.exceptions import FormatError, ParseError, ProtocolError
from referee.formats.conll.rows import Rows, chains_and_rows, rows_of_blocks
from referee.formats.conll.rows import rows as rows_of
from referee.formats.io.opening import DEPENDENCY_ENDINGS
from referee.language.dependencies import Dependencies, Syntax, dependencies_of, read_conllu
from referee.language.trees.mending import hide_trees
from referee.language.trees.parse_files import ParseFiles, holds_dependencies
from referee.language.trees.phrase_trees import TreeError, Trees
from referee.language.trees.treebank import column_cells, first_misaligned, read_parse_bits, read_penn
from referee.model import Chains, Corpus
from referee.model.layers import HEAD, PARSE

WORD, TAG, BITS = 3, 4, 5  # columns of CoNLL-2012
LEAST_WIDTH = 12
AT_ONCE = 64  # documents whose rows are read at a time
SHOWN = 8  # words of a sentence that an error quotes
QUOTES = dict.fromkeys(("``", "''", "“", "”"), '"')
HOW_TO = (
    "give parses=PATH (Penn brackets, one tree per sentence, from a treebank or a constituency "
    "parser), or take a key in CoNLL-2012's twelve columns with its parses"
)


class Parses(ABC):
    """The trees of a key's documents."""

    def __init__(self, key: Corpus, *, skip_bad: bool) -> None:
        """Take a key; `skip_bad` skips trees that cannot be read."""
        if key.cut:
            raise ProtocolError(f"{key.name}: a running text has no words of its own, which parse trees need")
        self._key = key
        self._skip_bad = skip_bad

    @abstractmethod
    def trees(self, indices: Sequence[int], sides: Sequence[Chains], rows: Rows) -> Syntax:
        """Read the trees of some documents; `sides` are the mentions that they are needed for."""

    def chains_and_rows(self, indices: Sequence[int]) -> tuple[Chains, Rows]:
        """Read the key's mentions, and the rows that `trees` asks for."""
        return chains_and_rows(self._key, indices)


class PhraseParses(Parses):
    """Trees of phrases."""

    def trees(self, indices: Sequence[int], sides: Sequence[Chains], rows: Rows) -> Trees:
        """Read the trees of some documents, and refuse bad ones where they are needed."""
        trees = self._read(indices, rows)
        if trees.bad and not self._skip_bad:
            used = used_tokens(trees, sides)
            for error in trees.bad:
                start, end = _sentence_of(trees, error)
                if used[start:end].any():
                    raise self._located(error, indices)
        return trees

    @abstractmethod
    def _read(self, indices: Sequence[int], rows: Rows) -> Trees:
        """Read trees, whatever is wrong with them."""

    @abstractmethod
    def _location(self, error: TreeError, index: int) -> str:
        """Say where a tree is: FILE:LINE."""

    def _located(self, error: TreeError, indices: Sequence[int]) -> ParseError:
        index = indices[error.document]
        return ParseError(
            f"{self._location(error, index)}: sentence {error.sentence + 1} of {self._key.ids[index]}: "
            f"{error.reason}; correct the tree, or give bad_parses='skip' to score the sentence's mentions "
            "by their maximum spans"
        )


def parses_of(
    key: Corpus,
    path: str | PathLike[str] | None,
    *,
    skip_bad: bool = False,
    match: str = "mina",
) -> Parses:
    """Find the trees of a key: in files if a path is given, else in its parse column or dependency layer."""
    if not path and match == "head" and has_dependencies(key):
        return LayerDependencies(key)
    if not path:
        return ColumnParses(key, f"match='{match}'", skip_bad=skip_bad)
    if match == "head" and holds_dependencies(fspath(path)):
        return DependencyParses(key, path)
    return PennParses(key, path, skip_bad=skip_bad)


def used_tokens(trees: Trees, sides: Sequence[Chains]) -> BoolArray:
    """Say of each token whether a mention of several tokens covers it."""
    change = np.zeros(trees.holder.size + 1, np.int64)
    for side in sides:
        long = side.end - side.start > 1
        first = trees.documents[side.document[long]]
        np.add.at(change, first + side.start[long], 1)
        np.add.at(change, first + side.end[long], -1)
    covered: BoolArray = np.cumsum(change[:-1]) > 0
    return covered


def skipped_mentions(trees: Syntax | None, sides: Sequence[Chains]) -> int:
    """Count the mentions of several tokens whose trees cannot be read."""
    if not isinstance(trees, Trees) or not trees.bad:
        return 0
    unread = np.append(trees.unread(), False)
    return sum(
        int((unread[trees.documents[side.document] + side.start] & (side.end - side.start > 1)).sum())
        for side in sides
    )


def _sentence_of(trees: Trees, error: TreeError) -> tuple[int, int]:
    """Find the first token of a bad sentence, and the one after its last."""
    first = int(np.searchsorted(trees.sentences, trees.documents[error.document]))
    start, end = trees.sentences[first + error.sentence : first + error.sentence + 2].tolist()
    return start, end


class ColumnParses(PhraseParses):
    """Trees out of the parse column of CoNLL-2012."""

    def __init__(self, key: Corpus, purpose: str = "match='mina'", *, skip_bad: bool = False) -> None:
        """Take the key's column; `purpose` is what the trees are for."""
        super().__init__(key, skip_bad=skip_bad)
        self._purpose = purpose

    def _read(self, indices: Sequence[int], rows: Rows) -> Trees:
        self._check(rows, indices)
        words, tags, bits = column_cells(rows.data, rows.begin, (WORD, TAG, BITS))
        return read_parse_bits(
            rows.data, words=words, tags=tags, bits=bits, sentences=rows.sentences,
            documents=rows.documents, skip_bad=True,
        )  # fmt: skip

    def _check(self, rows: Rows, indices: Sequence[int]) -> None:
        """See that each document has parses at all."""
        for document, index in enumerate(indices):
            if not _is_parsed(rows, document):
                raise ProtocolError(
                    f"{self._key.name}: document {self._key.ids[index]} has no parse trees, which "
                    f"{self._purpose} needs; {HOW_TO}"
                )

    def _location(self, error: TreeError, index: int) -> str:
        return self._key.location(index, error.token)


def has_parses(corpus: Corpus) -> bool:
    """Say whether every document of a corpus has trees in its parse column.

    That there is such a column is not enough: where there are no parses, it holds dashes or asterisks.
    """
    if corpus.cut:
        return False
    for first in range(0, len(corpus), AT_ONCE):
        indices = range(first, min(first + AT_ONCE, len(corpus)))
        rows = rows_of(corpus, indices)
        if not all(_is_parsed(rows, document) for document in range(len(indices))):
            return False
    return True


def _is_parsed(rows: Rows, document: int) -> bool:
    """Say whether the parse column of a document has a bracket; a document without rows lacks nothing."""
    first = rows.first(document)
    if len(first) < LEAST_WIDTH:
        return not first
    tokens = range(*rows.documents[document : document + 2].tolist())
    return any(b"(" in column for token in tokens for column in rows.columns(token)[BITS : BITS + 1])


class PennParses(PhraseParses):
    """Trees out of files beside the key."""

    def __init__(self, key: Corpus, path: str | PathLike[str], *, skip_bad: bool = False) -> None:
        """Find the file of each document of the key, and its part of the file."""
        super().__init__(key, skip_bad=skip_bad)
        self._files = ParseFiles(path, key)

    def _read(self, indices: Sequence[int], rows: Rows) -> Trees:
        texts = [text.data for text in self._files.texts(indices)]
        trees = read_penn(texts, skip_bad=True)
        if self._is_aligned(trees, rows):
            return trees
        words = [self._words(index) for index in indices]
        if trees.bad and (refilled := _refill(texts, trees, words, _sentences_by_document(rows))):
            trees = replace(read_penn(refilled), bad=trees.bad)
        for document, index in enumerate(indices):
            self._check_words(document, index, trees, words[document])
        return trees

    def _is_aligned(self, trees: Trees, rows: Rows) -> bool:
        """Compare the words with those in the rows, all at once."""
        if not np.array_equal(trees.documents, rows.documents):
            return False
        first = next((row for row in map(rows.first, range(rows.documents.size - 1)) if row), [])
        column = _word_column(first)
        cells = column_cells(rows.data, rows.begin, (column,))[0] if first else None
        return cells is None or first_misaligned(trees, rows.data, cells) is None

    def _words(self, index: int) -> list[str]:
        return list(self._key.document(index).words)

    def _check_words(self, document: int, index: int, trees: Trees, words: Sequence[str]) -> None:
        """Compare the words of one document one by one, and name the first sentence that does not align."""
        start, end = trees.documents[document : document + 2].tolist()
        ours = [trees.words[token] for token in range(start, end)]
        if len(ours) == len(words) and all(map(_alike, ours, words)):
            return
        pairs = zip(ours, words, strict=False)
        token = next((i for i, pair in enumerate(pairs) if not _alike(*pair)), min(len(ours), len(words)))
        sentence = max(int(np.searchsorted(trees.sentences, start + token, side="right")) - 1, 0)
        first = int(np.searchsorted(trees.sentences, start))
        sentence = min(sentence, max(int(np.searchsorted(trees.sentences, end)) - 1, first))
        begin = int(trees.sentences[sentence]) - start
        where = self._files.texts([index])[0].location(sentence - first)
        raise ParseError(
            f"{where}: sentence {sentence - first + 1} of {self._key.ids[index]} does not align with the "
            f"key: the tree has '{_quoted(ours, begin, token)}', the key "
            f"'{_quoted(words, begin, token)}' ({len(ours)} and {len(words)} tokens in all)"
        )

    def _location(self, error: TreeError, index: int) -> str:
        return self._files.texts([index])[0].location_of_line(error.line or 1)


class DependencyParses(Parses):
    """Dependency trees out of CoNLL-U files beside the key, a file for each document or one for all."""

    def __init__(self, key: Corpus, path: str | PathLike[str]) -> None:
        """Find the file of each document of the key."""
        super().__init__(key, skip_bad=False)
        self._files = ParseFiles(path, key, DEPENDENCY_ENDINGS)

    def trees(self, indices: Sequence[int], sides: Sequence[Chains], rows: Rows) -> Dependencies:
        """Read the trees of some documents, and see that they have the key's words."""
        texts = self._files.texts(indices)
        try:
            trees = read_conllu([(text.path, text.data) for text in texts])
        except FormatError:  # once more, to say on which line of the file: documents may share one
            read_conllu([(text.path, b"\n" * text.lines_before + text.data) for text in texts])
            raise
        for document, index in enumerate(indices):
            start, end = trees.documents[document : document + 2].tolist()
            key_text = self._key.document(index).text
            ours, words = trees.words[start:end], key_text.words[: key_text.length]
            if len(ours) != len(words) or not all(map(_alike, ours, words)):
                pairs = zip(ours, words, strict=False)
                token = next((i for i, pair in enumerate(pairs) if not _alike(*pair)), len(ours))
                sentence = int(np.searchsorted(trees.sentences, start + token, side="right"))
                sentence -= int(np.searchsorted(trees.sentences, start))
                raise ParseError(
                    f"{texts[document].path}: sentence {sentence} of {self._key.ids[index]} does not align "
                    f"with the key: the tree has '{_quoted(ours, 0, token)}', the key "
                    f"'{_quoted(words, 0, token)}'"
                )
        return trees


class LayerDependencies(Parses):
    """Dependency trees out of the key's layer `head`, as CoNLL-U has it."""

    def __init__(self, key: Corpus) -> None:
        """Take a key."""
        super().__init__(key, skip_bad=False)

    def chains_and_rows(self, indices: Sequence[int]) -> tuple[Chains, Rows]:
        """Read the key's mentions; the trees need no rows."""
        return self._key.chains(indices), rows_of_blocks([])

    def trees(self, indices: Sequence[int], sides: Sequence[Chains], rows: Rows) -> Dependencies:
        """Take the trees of some documents."""
        documents = [self._key.document(index) for index in indices]
        for document in documents:
            if document.words and HEAD not in document.layers:
                raise ProtocolError(
                    f"{self._key.name}: document {document.id} has no dependency tree, which match='head' "
                    "needs"
                )
        return dependencies_of(documents)


def has_dependencies(key: Corpus) -> bool:
    """Say whether the first document of a key has a dependency tree, and no parse column."""
    layers = key.document(0).layers if len(key) and not key.cut else {}
    return HEAD in layers and PARSE not in layers


def _word_column(first: Sequence[bytes]) -> int:
    """Find the column of the words from a row, as the reader of CoNLL does."""
    return 3 if len(first) > 4 and first[2].isdigit() else 1 if len(first) > 2 and first[0].isdigit() else 0


def _alike(ours: str, theirs: str) -> bool:
    """Say whether a treebank's spelling and a key's are one word; a key may have lost one."""
    return not theirs or _plain(ours) == _plain(theirs)


def _plain(word: str) -> str:
    for escaped, plain in (("-LRB-", "("), ("-RRB-", ")"), ("\\/", "/"), ("\\*", "*")):
        word = word.replace(escaped, plain)
    return QUOTES.get(word, word)


def _quoted(words: Sequence[str], begin: int, token: int) -> str:
    """Quote a sentence up to the word at issue."""
    begin = max(begin, token + 1 - SHOWN)
    return " ".join(words[begin : token + 1]) or "nothing more"


def _sentences_by_document(rows: Rows) -> list[IntArray]:
    """Find the key's sentences: for each document the first tokens of its sentences, and its length."""
    cut = []
    for start, end in pairwise(rows.documents.tolist()):
        inside = rows.sentences[(rows.sentences >= start) & (rows.sentences < end)]
        cut.append(np.append(inside, end) - start)
    return cut


def _refill(
    texts: Sequence[bytes], trees: Trees, words: Sequence[Sequence[str]], sentences: Sequence[IntArray]
) -> list[bytes] | None:
    """Put the key's words instead of trees that cannot be read, where it is plain which ones they are.

    They are those of the key's sentence if the key has as many sentences as there are trees; and if only
    one tree of a document is bad, whatever the others leave over.
    """
    refilled = list(texts)
    for document in {error.document for error in trees.bad}:
        bad = [error.sentence for error in trees.bad if error.document == document]
        start, end = trees.documents[document : document + 2].tolist()
        edges = trees.sentences[(trees.sentences >= start) & (trees.sentences <= end)] - start
        hidden = dict(_words_of_bad(bad, edges, sentences[document], words[document]))
        if len(hidden) < len(bad):
            return None
        refilled[document] = hide_trees(texts[document], hidden)
    return refilled


def _words_of_bad(
    bad: Sequence[int], edges: IntArray, sentences: IntArray, words: Sequence[str]
) -> Iterator[tuple[int, Sequence[str]]]:
    if sentences.size == edges.size:
        for sentence in bad:
            start, end = sentences[sentence : sentence + 2].tolist()
            yield sentence, words[start:end]
    elif len(bad) == 1:
        after = int(edges[-1] - edges[bad[0] + 1])
        yield bad[0], words[int(edges[bad[0]]) : len(words) - after]
