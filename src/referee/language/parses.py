"""The parse trees of a key: from its parse column, or from Penn-bracketed files beside it.

Trees are read batch by batch and must have the key's tokens, word by word. A tree that cannot be read is
only an error where it is needed, in a sentence with a mention of more than one token.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from os import PathLike

import numpy as np

from referee.arrays import IntArray
from referee.exceptions import FormatError, ProtocolError
from referee.formats.rows import Rows, chains_and_rows
from referee.language.dependencies import Dependencies, Syntax, read_conllu
from referee.language.mending import hide_trees
from referee.language.parse_files import DEPENDENCY_SUFFIXES, ParseFiles, holds_dependencies
from referee.language.phrase_trees import TreeError, Trees
from referee.language.treebank import column_cells, first_misaligned, read_parse_bits, read_penn
from referee.model import Chains, Corpus

WORD, TAG, BITS = 3, 4, 5  # columns of CoNLL-2012
LEAST_WIDTH = 12
SHOWN = 8  # words of a sentence that an error quotes
QUOTES = dict.fromkeys(("``", "''", "“", "”"), '"')
HOW_TO = (
    "give them with --parses FILE|DIR (Penn brackets, one tree per sentence, from a treebank or a "
    "constituency parser), or take a key in CoNLL-2012's twelve columns with its parses"
)


class Parses(ABC):
    """The trees of a key's documents."""

    def __init__(self, key: Corpus, *, skip_bad: bool) -> None:
        """Look after a key; `skip_bad` passes over trees that cannot be read."""
        if key.cut:
            raise ProtocolError(f"{key.name}: a running text has no words of its own, which parse trees need")
        self._key = key
        self._skip_bad = skip_bad

    @abstractmethod
    def trees(self, numbers: Sequence[int], sides: Sequence[Chains], found: Rows) -> Syntax:
        """Read the trees of some documents; `sides` are the mentions that they are needed for."""

    def chains_and_rows(self, numbers: Sequence[int]) -> tuple[Chains, Rows]:
        """Read the key's mentions, and the rows that `trees` asks for."""
        return chains_and_rows(self._key, numbers)


class PhraseParses(Parses):
    """Trees of phrases."""

    def trees(self, numbers: Sequence[int], sides: Sequence[Chains], found: Rows) -> Trees:
        """Read the trees of some documents, and refuse bad ones where they are needed."""
        trees = self._read(numbers, found)
        if trees.bad and not self._skip_bad:
            used = used_tokens(trees, sides)
            for error in trees.bad:
                start, end = _sentence_of(trees, error)
                if used[start:end].any():
                    raise self._located(error, numbers)
        return trees

    @abstractmethod
    def _read(self, numbers: Sequence[int], found: Rows) -> Trees:
        """Read trees, whatever is wrong with them."""

    @abstractmethod
    def _place(self, error: TreeError, number: int) -> str:
        """Say where a tree stands: FILE:LINE."""

    def _located(self, error: TreeError, numbers: Sequence[int]) -> FormatError:
        number = numbers[error.document]
        return FormatError(
            f"{self._place(error, number)}: sentence {error.sentence + 1} of {self._key.ids[number]}: "
            f"{error.reason}; mend the tree, or give --on-bad-parse skip to score the sentence's mentions by "
            "their maximum spans"
        )


def parses_of(
    key: Corpus,
    path: str | PathLike[str] | None,
    *,
    skip_bad: bool = False,
    match: str = "mina",
    option: str = "--match",
) -> Parses:
    """Find the trees of a key: in files if a path is given, else in its parse column.

    `option` is how a user says what the trees are for.
    """
    if not path:
        return ColumnParses(key, f"{option} {match}", skip_bad=skip_bad)
    if match == "head" and holds_dependencies(str(path)):
        return DependencyParses(key, path)
    return PennParses(key, path, skip_bad=skip_bad)


def used_tokens(trees: Trees, sides: Sequence[Chains]) -> np.typing.NDArray[np.bool_]:
    """Say of each token whether a mention of several tokens covers it."""
    change = np.zeros(trees.holder.size + 1, np.int64)
    for side in sides:
        long = side.end - side.start > 1
        first = trees.documents[side.document[long]]
        np.add.at(change, first + side.start[long], 1)
        np.add.at(change, first + side.end[long], -1)
    covered: np.typing.NDArray[np.bool_] = np.cumsum(change[:-1]) > 0
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

    def __init__(self, key: Corpus, purpose: str = "--match mina", *, skip_bad: bool = False) -> None:
        """Take the key's own column; `purpose` is what the trees are for."""
        super().__init__(key, skip_bad=skip_bad)
        self._purpose = purpose

    def _read(self, numbers: Sequence[int], found: Rows) -> Trees:
        self._check(found, numbers)
        words, tags, bits = column_cells(found.data, found.begin, (WORD, TAG, BITS))
        return read_parse_bits(
            found.data, words=words, tags=tags, bits=bits, sentences=found.sentences,
            documents=found.documents, skip_bad=True,
        )  # fmt: skip

    def are_there(self) -> bool:
        """See from the first document whether the key has parses."""
        return not len(self._key) or _has_parses(chains_and_rows(self._key, [0])[1], 0)

    def _check(self, found: Rows, numbers: Sequence[int]) -> None:
        """See from the first row of each document whether there are parses at all."""
        for document, number in enumerate(numbers):
            if not _has_parses(found, document):
                raise ProtocolError(
                    f"{self._key.name}: document {self._key.ids[number]} has no parse trees, which "
                    f"{self._purpose} needs; {HOW_TO}"
                )

    def _place(self, error: TreeError, number: int) -> str:
        return self._key.location(number, error.token)


def _has_parses(found: Rows, document: int) -> bool:
    """See from the first row of a document whether its parse column is filled."""
    first = found.first(document)
    return not first or (len(first) >= LEAST_WIDTH and first[BITS].strip() not in (b"-", b"_", b"*", b""))


class PennParses(PhraseParses):
    """Trees out of files beside the key."""

    def __init__(self, key: Corpus, path: str | PathLike[str], *, skip_bad: bool = False) -> None:
        """Find the file of each document of the key, and its part of the file."""
        super().__init__(key, skip_bad=skip_bad)
        self._files = ParseFiles(str(path), key)

    def _read(self, numbers: Sequence[int], found: Rows) -> Trees:
        texts = [text.data for text in self._files.texts(numbers)]
        trees = read_penn(texts, skip_bad=True)
        if self._is_aligned(trees, found):
            return trees
        words = [self._words(number) for number in numbers]
        if trees.bad and (refilled := _refill(texts, trees, words, _sentences_by_document(found))):
            trees = replace(read_penn(refilled), bad=trees.bad)
        for document, number in enumerate(numbers):
            self._check_words(document, number, trees, words[document])
        return trees

    def _is_aligned(self, trees: Trees, found: Rows) -> bool:
        """Compare the words with those in the rows, all at once."""
        if not np.array_equal(trees.documents, found.documents):
            return False
        first = next((row for row in map(found.first, range(found.documents.size - 1)) if row), [])
        column = _word_column(first)
        cells = column_cells(found.data, found.begin, (column,))[0] if first else None
        return cells is None or first_misaligned(trees, found.data, cells) is None

    def _words(self, number: int) -> list[str]:
        return list(self._key.document(number).words)

    def _check_words(self, document: int, number: int, trees: Trees, words: Sequence[str]) -> None:
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
        where = self._files.texts([number])[0].place(sentence - first)
        raise FormatError(
            f"{where}: sentence {sentence - first + 1} of {self._key.ids[number]} does not align with the "
            f"key: the tree has '{_quoted(ours, begin, token)}', the key "
            f"'{_quoted(words, begin, token)}' ({len(ours)} and {len(words)} tokens in all)"
        )

    def _place(self, error: TreeError, number: int) -> str:
        return self._files.texts([number])[0].place_of_line(error.line or 1)


class DependencyParses(Parses):
    """Dependency trees out of CoNLL-U files beside the key, a file for each document."""

    def __init__(self, key: Corpus, path: str | PathLike[str]) -> None:
        """Find the file of each document of the key."""
        super().__init__(key, skip_bad=False)
        self._files = ParseFiles(str(path), key, DEPENDENCY_SUFFIXES)

    def trees(self, numbers: Sequence[int], sides: Sequence[Chains], found: Rows) -> Dependencies:
        """Read the trees of some documents, and see that they have the key's words."""
        texts = self._files.texts(numbers)
        trees = read_conllu([(text.path, text.data) for text in texts])
        for document, number in enumerate(numbers):
            start, end = trees.documents[document : document + 2].tolist()
            ours, words = trees.words[start:end], self._key.document(number).words
            if len(ours) != len(words) or not all(map(_alike, ours, words)):
                pairs = zip(ours, words, strict=False)
                token = next((i for i, pair in enumerate(pairs) if not _alike(*pair)), len(ours))
                sentence = int(np.searchsorted(trees.sentences, start + token, side="right"))
                sentence -= int(np.searchsorted(trees.sentences, start))
                raise FormatError(
                    f"{texts[document].path}: sentence {sentence} of {self._key.ids[number]} does not align "
                    f"with the key: the tree has '{_quoted(ours, 0, token)}', the key "
                    f"'{_quoted(words, 0, token)}'"
                )
        return trees


def _word_column(first: Sequence[bytes]) -> int:
    """Find the column of the words from a row, as the reader of CoNLL does."""
    return 3 if len(first) > 4 and first[2].isdigit() else 1 if len(first) > 2 and first[0].isdigit() else 0


def _alike(ours: str, theirs: str) -> bool:
    """Tell whether a treebank's spelling and a key's are one word; a key may have lost one."""
    return not theirs or _plain(ours) == _plain(theirs)


def _plain(word: str) -> str:
    for escaped, plain in (("-LRB-", "("), ("-RRB-", ")"), ("\\/", "/"), ("\\*", "*")):
        word = word.replace(escaped, plain)
    return QUOTES.get(word, word)


def _quoted(words: Sequence[str], begin: int, token: int) -> str:
    """Quote a sentence up to the word at issue."""
    begin = max(begin, token + 1 - SHOWN)
    return " ".join(words[begin : token + 1]) or "nothing more"


def _sentences_by_document(found: Rows) -> list[IntArray]:
    """Cut the key's sentences apart: for each document the first tokens of its sentences, and its length."""
    cut = []
    for start, end in pairwise(found.documents.tolist()):
        inside = found.sentences[(found.sentences >= start) & (found.sentences < end)]
        cut.append(np.append(inside, end) - start)
    return cut


def _refill(
    texts: Sequence[bytes], trees: Trees, words: Sequence[Sequence[str]], sentences: Sequence[IntArray]
) -> list[bytes] | None:
    """Put the key's words in the place of trees that cannot be read, where it is plain which ones they are.

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
