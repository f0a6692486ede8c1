"""Reads constituency trees with numpy, all documents at once, from their two spellings.

* Penn brackets, one tree after the other: `(ROOT (NP-SBJ (DT The) (NN end)))`. A bracket in the first
  column of a line starts a tree; the tree may run on over indented lines. The outer label may be ROOT, TOP
  or missing. A label follows its bracket at once. Traces, `(-NONE- *T*-1)`, are dropped, and so are phrases
  that hold nothing else. A round bracket in a word is written -LRB- or -RRB-.
* The parse column of CoNLL-2012, `(TOP(S(NP*` and `*)`, with the part of speech in another column. Each
  cell has one asterisk, its word; a sentence closes the brackets it opens.

A malformed tree raises a TreeError, or is skipped: its words are then in a phrase labelled UNREAD.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from referee.arrays import BoolArray, IntArray, depths, ragged
from referee.encoding import encoded
from referee.language.trees.mending import LEAF, mend, quote
from referee.language.trees.phrase_trees import (
    BLANK,
    CLOSE,
    OPEN,
    STAR,
    UNREAD,
    WIDTH,
    Brackets,
    Bytes,
    TreeError,
    Trees,
    Words,
    assemble,
    code,
    codes_at,
    labels_at,
    lengths_at,
    unescape,
    windows_of,
)

Cells = tuple[IntArray, IntArray]  # where the cells of a column begin and end, in bytes

NEWLINE, TAB = b"\n\t"
PADDING = b"\n" * 2 * WIDTH  # so that eight bytes can be read anywhere
TRACE = code("-NONE-")
HIDDEN_CELL = encoded(f"({UNREAD}*)")


def read_penn(texts: Sequence[bytes], *, skip_bad: bool = False) -> Trees:
    """Read Penn brackets, one text per document.

    >>> trees = read_penn([b"(ROOT (NP (DT the) (NN end)))"])
    >>> trees.start.tolist(), trees.end.tolist(), trees.holder.tolist()
    ([0, 0], [2, 2], [1, 1])
    """
    penn = _Penn.scan(texts)
    if penn.is_sound():
        return penn.trees(texts, bad=())
    mended, bad = mend(texts)
    if not skip_bad:
        raise bad[0]
    return _Penn.scan(mended).trees(mended, bad)


def read_parse_bits(
    data: bytes,
    *,
    words: Cells,
    tags: Cells,
    bits: Cells,
    sentences: IntArray,
    documents: IntArray,
    skip_bad: bool = False,
) -> Trees:
    """Read the parse column of CoNLL-2012 out of a file's bytes, given where the cells of each column are.

    `sentences` and `documents` say the first token of each, and at the end the number of tokens.
    """
    columns = _Columns(data + HIDDEN_CELL + PADDING, words, tags, bits, sentences, documents)
    column = _ParseColumn.scan(columns)
    if column.is_sound():
        return column.trees(bad=())
    bad = list(_flaws_of_bits(columns))
    if not skip_bad:
        raise bad[0]
    return _ParseColumn.scan(columns.hiding(bad)).trees(bad)


def first_misaligned(trees: Trees, data: bytes, column: Cells) -> int | None:
    """Find the first token that is another word in the trees than in a column with as many cells.

    An empty cell agrees with any word.
    """
    words, (begin, end) = trees.words, column
    here, there = windows_of(words.data), windows_of(data + PADDING)  # the first have padding already
    length = end - begin
    differs = (length != words.end - words.begin) & (length > 0)
    rest = np.flatnonzero(~differs)
    for offset in range(0, int(length.max(initial=0)), WIDTH):
        rest = rest[length[rest] > offset]
        beyond = np.maximum(WIDTH - length[rest] + offset, 0).astype(np.uint64) * np.uint64(8)
        change = (here[words.begin[rest] + offset] ^ there[begin[rest] + offset]) << beyond
        differs[rest[change != 0]] = True
    for token in np.flatnonzero(differs).tolist():
        if unescape(data[begin[token] : end[token]]).decode(errors="replace") != words[token]:
            return int(token)
    return None


def column_cells(data: bytes, rows: IntArray, wanted: Sequence[int]) -> list[Cells]:
    """Cut columns out of rows, given the bytes at which the rows begin; columns are counted from 0.

    Tabs separate the columns of a row that has any, else runs of white space. Where a row has too few
    columns, the cell is empty.
    """
    if regular := _regular_cells(np.frombuffer(data, np.uint8), rows, wanted):
        return regular
    text = np.frombuffer(b"\n" + data + b"\n", np.uint8)
    edges = np.flatnonzero((text == TAB) | (text == NEWLINE))
    first = np.searchsorted(edges, rows)
    has_tabs = text[edges[first + 1]] == TAB
    cells = [(np.empty_like(rows), np.empty_like(rows)) for _ in wanted]
    for which, fields in ((has_tabs, (edges[:-1], edges[1:] - 1)), (~has_tabs, _words_in(text))):
        if which.any():
            for cell, (begin, end) in zip(cells, _cells_of(fields, rows, wanted), strict=True):
                cell[0][which], cell[1][which] = begin[which], end[which]
    return cells


def _cells_of(fields: Cells, rows: IntArray, wanted: Sequence[int]) -> Iterator[Cells]:
    """Find the cells of rows among all fields of a text."""
    begin, end = fields
    first = np.searchsorted(begin, rows)
    beyond = np.append(first[1:], begin.size)
    for number in wanted:
        field = np.minimum(first + number, begin.size - 1)
        yield begin[field], np.where(first + number < beyond, end[field], begin[field])


def _regular_cells(text: Bytes, rows: IntArray, wanted: Sequence[int]) -> list[Cells] | None:
    """Cut columns, but not the last, where every row has as many tabs and no other line has any."""
    tabs = np.flatnonzero(text == TAB)
    if not rows.size or tabs.size % rows.size or tabs.size // rows.size <= max(wanted):
        return None
    edges = tabs.reshape(rows.size, -1)
    if (edges[:, 0] < rows).any() or (edges[:-1, -1] > rows[1:]).any():
        return None
    return [(rows if not n else edges[:, n - 1] + 1, edges[:, n]) for n in wanted]


def _words_in(text: Bytes) -> Cells:
    """Find what is between white space, counted without the line end before the text."""
    filled = text > BLANK
    begin, end = np.flatnonzero(filled[1:] != filled[:-1]).reshape(-1, 2).T
    return begin, end


@dataclass(frozen=True, slots=True)
class _Penn:
    """Where the brackets of Penn trees are: a leaf is one around a tag and a word, a phrase any other."""

    data: bytes
    text: Bytes
    is_bracket: BoolArray
    at: IntArray  # bracket → byte
    leaf: IntArray  # indices of the opening brackets in `at`
    phrase: IntArray  # indices of all brackets in `at`
    opening: BoolArray  # bracket of a phrase → whether it opens
    depth: npt.NDArray[np.int32]  # after each bracket of a phrase
    before: IntArray  # leaf → brackets of phrases before it
    words: Words

    @classmethod
    def scan(cls, texts: Sequence[bytes]) -> _Penn:
        """Find the brackets of all texts at once; one that closes as soon as it opens is a leaf."""
        data = b"\n".join([b"", *texts, PADDING])
        text = np.frombuffer(data, np.uint8)
        is_bracket = (text == OPEN) | (text == CLOSE)
        at = np.flatnonzero(is_bracket)
        opening = text[at] == OPEN
        leaf = np.flatnonzero(opening[:-1] > opening[1:])
        inner = np.ones(at.size, np.bool_)
        inner[leaf] = inner[leaf + 1] = False
        phrase = np.flatnonzero(inner)
        return cls(
            data=data,
            text=text,
            is_bracket=is_bracket,
            at=at,
            leaf=leaf,
            phrase=phrase,
            opening=opening[phrase],
            depth=depths(opening[phrase]),
            before=leaf - 2 * np.arange(leaf.size),
            words=_words(data, text, at[leaf], at[leaf + 1]),
        )

    def is_sound(self) -> bool:
        """Say whether the brackets of each tree match, and hold a label, or a tag and a word, no more."""
        balanced = self.depth.min(initial=0) >= 0 and not self.depth[-1:].any()
        line_starts = self.text[:-1] == NEWLINE
        lines = np.count_nonzero(np.logical_and(line_starts, self.text[1:] == OPEN, out=line_starts))
        outermost = np.count_nonzero(self.text[self.roots() - 1] == NEWLINE)
        item = self.text > BLANK
        item ^= self.is_bracket
        items = np.count_nonzero(item[1:] > item[:-1])
        labels = np.count_nonzero(item[self.at[self.phrase[self.opening]] + 1])
        single = items == labels + 2 * self.leaf.size
        return bool(balanced and lines == outermost and single and self.words.end.all())

    def roots(self) -> IntArray:
        """Find the bytes at which trees start; a tree may be a leaf alone."""
        outside = np.append(self.depth, 0)[self.before - 1] == 0
        outermost = self.opening & (self.depth == 1)
        return np.sort(np.append(self.at[self.leaf[outside]], self.at[self.phrase[outermost]]))

    def trees(self, texts: Sequence[bytes], bad: Sequence[TreeError]) -> Trees:
        """Drop the traces and put the trees together."""
        windows = windows_of(self.data)
        leaf, words, before = self.at[self.leaf], self.words, self.before
        tokens = (self.phrase - np.arange(self.phrase.size)) >> 1
        tag = codes_at(windows[leaf + 1])
        real = tag != TRACE
        if not real.all():
            leaf, tag, before = leaf[real], tag[real], before[real]
            words = Words(self.data, words.begin[real], words.end[real])
            tokens = np.append(0, np.cumsum(real))[tokens]
        label = labels_at(windows[self.at[self.phrase[self.opening]] + 1])
        ends = np.cumsum([1 + len(text) for text in texts], dtype=np.int64)
        sentences = np.searchsorted(leaf, np.append(self.roots(), len(self.data)))
        documents = np.searchsorted(leaf, np.append(0, ends))
        return assemble(Brackets(self.opening, label, tokens, before), words, tag, sentences, documents, bad)


def _words(data: bytes, text: Bytes, begin: IntArray, end: IntArray) -> Words:
    """Find the words in leaves, given their brackets; where there is none, it ends at 0."""
    length = lengths_at(windows_of(data)[begin + 1])
    first, end = begin + 2 + length, end.copy()
    odd = (length == WIDTH) | (text[first] <= BLANK) | (text[end - 1] <= BLANK) | (first >= end)
    for leaf in np.flatnonzero(odd).tolist():
        match = LEAF.fullmatch(data, begin[leaf], end[leaf] + 1)
        first[leaf], end[leaf] = match.span(2) if match else (0, 0)
    return Words(data, first, end)


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns of a CoNLL-2012 file; after its last line comes a cell to put instead of others."""

    data: bytes
    words: Cells
    tags: Cells
    bits: Cells
    sentences: IntArray
    documents: IntArray

    def hiding(self, bad: Sequence[TreeError]) -> _Columns:
        """Put another cell instead of those of bad sentences."""
        begin, end = self.bits[0].copy(), self.bits[1].copy()
        first = np.array([self.documents[error.document] + error.token for error in bad])
        last = self.sentences[np.searchsorted(self.sentences, first, side="right")]
        hidden = ragged(first, last)
        end[hidden] = len(self.data) - len(PADDING)
        begin[hidden] = end[hidden] - len(HIDDEN_CELL)
        return replace(self, bits=(begin, end))


@dataclass(frozen=True, slots=True)
class _ParseColumn:
    """The cells of the parse column put together, and where their brackets and asterisks are."""

    columns: _Columns
    text: Bytes
    at: IntArray  # bracket or asterisk → byte
    bracket: IntArray  # indices in `at`
    star: IntArray  # indices in `at`
    opening: BoolArray  # bracket → whether it opens

    @classmethod
    def scan(cls, columns: _Columns) -> _ParseColumn:
        """Cut the column out of the file."""
        cells = ragged(*columns.bits)
        text = np.zeros(cells.size + WIDTH, np.uint8)
        text[: cells.size] = np.frombuffer(columns.data, np.uint8)[cells]
        at = np.flatnonzero((text >= OPEN) & (text <= STAR))
        is_star = text[at] == STAR
        bracket = np.flatnonzero(~is_star)
        return cls(columns, text, at, bracket, np.flatnonzero(is_star), text[at[bracket]] == OPEN)

    def is_sound(self) -> bool:
        """Say whether each cell has its asterisk, and each sentence closes the brackets it opens."""
        begin, end = self.columns.bits
        edge = np.append(0, np.cumsum(end - begin))
        star, depth = self.at[self.star], depths(self.opening)
        if star.size != begin.size or (star < edge[:-1]).any() or (star >= edge[1:]).any():
            return False
        last = np.searchsorted(self.at[self.bracket], edge[self.columns.sentences]) - 1
        return bool(depth.min(initial=0) >= 0 and not np.append(depth, 0)[last].any())

    def trees(self, bad: Sequence[TreeError]) -> Trees:
        """Put the trees together."""
        columns = self.columns
        brackets = Brackets(
            self.opening,
            label=labels_at(windows_of(self.text)[self.at[self.bracket[self.opening]] + 1]),
            tokens=self.bracket - np.arange(self.bracket.size),
            before=self.star - np.arange(self.star.size),
        )
        tag = codes_at(windows_of(columns.data)[columns.tags[0]])
        words = Words(columns.data, *columns.words)
        return assemble(brackets, words, tag, columns.sentences, columns.documents, bad)


def _flaws_of_bits(columns: _Columns) -> Iterator[TreeError]:
    """Say what is wrong with each malformed sentence."""
    begin, end = columns.bits
    document, first = 0, 0
    for sentence, (start, stop) in enumerate(pairwise(columns.sentences.tolist())):
        while start >= columns.documents[document + 1]:
            document, first = document + 1, sentence
        cells = [columns.data[begin[token] : end[token]] for token in range(start, stop)]
        if reason := _flaw_of_cells(cells):
            token = start - int(columns.documents[document])
            yield TreeError(reason, document=document, sentence=sentence - first, token=token)


def _flaw_of_cells(cells: Sequence[bytes]) -> str | None:
    """Say what is wrong with the parse of a sentence, if anything is."""
    depth = 0
    for cell in cells:
        if cell.count(b"*") != 1:
            return f"the parse {quote(cell)} should have one asterisk"
        for bracket in re.findall(rb"[()]", cell):
            depth += 1 if bracket == b"(" else -1
            if depth < 0:
                return f"{quote(cell)} closes a bracket that is not open"
    return f"{depth} of its brackets never close" if depth else None
