"""The lines of CoNLL blocks, found with numpy: which of them are tokens, and which cells hold something.

A line is as long as its last byte that is not white space. Blank lines are not tokens. A line that starts
with `#` is a comment, unless it has a coreference cell and as many columns as other lines of its document;
where all lines start so, as many as two.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from referee.arrays import BoolArray, IntArray

Bytes = npt.NDArray[np.uint8]

TAB, NEWLINE, SPACE, HASH, CARRIAGE_RETURN = b"\t\n #\r"
BLANKS = bytes(range(SPACE + 1))  # what ends a cell: all up to the space
LONGEST_USUAL_GAP = 64  # bytes of white space at the end of a line; longer ones are cut one by one
LONGEST_USUAL_CELL = 64  # bytes; the white space before longer ones is found one by one
GAPS = tuple(bytes([blank]) for blank in BLANKS)
# A bracketed cell in which only one reading is possible, so that a match takes as long as the cell.
BRACKETS = rb"(?:\([^()|\s]+(?:\)\|?|\||(?=\()|\Z)|[^()|\s]+\)\|?)+"
CELL = re.compile(rb"[-_*]|" + BRACKETS)
SPACED_PIECE = re.compile(rb"\|*(?:" + BRACKETS + rb")?\|*")  # a piece of a cell that has blanks
EMPTY = np.zeros(256, np.bool_)
EMPTY[list(b"-_*")] = True


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of all blocks, and which of them are tokens."""

    data: bytes
    first: IntArray  # line → its first byte
    last: IntArray  # line → its last byte that is not white space
    end: IntArray  # line → its newline
    block_starts: IntArray  # document → its first line
    tokens: IntArray  # row → line
    filled: IntArray  # rows whose coreference cell holds something

    def documents_of(self, lines: IntArray) -> IntArray:
        """Say which document lines belong to."""
        return np.searchsorted(self.block_starts, lines, side="right") - 1

    def cell_starts(self) -> IntArray:
        """Find the first byte of each row's cell; of a line with one column, its end."""
        text = np.frombuffer(self.data, np.uint8)
        first, last, end = self.first[self.tokens], self.last[self.tokens], self.end[self.tokens]
        gap = gaps_before(self.data, first, last)
        starts = np.where(gap >= first, gap, last) + 1
        lacking = _lacks_last_column(self, self.tokens)
        starts[lacking] = (end - (text.take(end - 1, mode="clip") == CARRIAGE_RETURN))[lacking]
        return starts

    def sentence_starts(self) -> IntArray:
        """List the rows that begin a sentence: the first, and those after a blank line."""
        blanks = np.cumsum(self.last < self.first)[self.tokens]  # row → blank lines before it
        return np.flatnonzero(np.diff(blanks, prepend=-1))


def joined(blocks: Sequence[bytes]) -> bytes:
    """Join blocks, each with a line end."""
    return b"".join(block if block.endswith(b"\n") else block + b"\n" for block in blocks if block)


def find_lines(blocks: Sequence[bytes], data: bytes) -> Lines:
    """Find the lines of blocks, one block per document; `data` is what they are joined."""
    text = np.frombuffer(data, np.uint8)
    end = np.flatnonzero(text == NEWLINE)
    first = np.append(0, end[:-1] + 1) if end.size else end
    sizes = [len(block) + (not block.endswith(b"\n")) if block else 0 for block in blocks]
    block_starts = np.searchsorted(end, np.cumsum([0, *sizes])[:-1])
    ending = text.take(end - 1, mode="clip")
    spaced = np.flatnonzero((ending <= SPACE) & (end > first))  # lines that end in white space
    last = _last_written(data, text, first, end, spaced)
    filled = ~(EMPTY[text[last]] & (text.take(last - 1, mode="clip") <= SPACE))
    token = last >= first
    lines = Lines(data, first, last, end, block_starts, end, end)
    spaced = spaced[filled[spaced] & token[spaced] & (ending[spaced] != CARRIAGE_RETURN)]
    if spaced.size:
        filled[spaced[_lacks_last_column(lines, spaced)]] = False
    hashed = np.flatnonzero(token & (text[first] == HASH))
    if hashed.size:
        token[_comments(lines, hashed)] = False
    tokens = np.flatnonzero(token)
    return Lines(data, first, last, end, block_starts, tokens, np.flatnonzero(filled[tokens]))


def _last_written(data: bytes, text: Bytes, first: IntArray, end: IntArray, spaced: IntArray) -> IntArray:
    """Go back from the end of each line to its last byte that is not white space; `spaced` end in some."""
    last = end - 1
    blank = spaced
    for _ in range(LONGEST_USUAL_GAP):
        if not blank.size:
            return last
        last[blank] -= 1
        blank = blank[(last[blank] >= first[blank]) & (text[last[blank]] <= SPACE)]
    for line in blank.tolist():
        last[line] = first[line] + len(data[first[line] : last[line] + 1].rstrip(BLANKS)) - 1
    return last


def _gaps_before_spaced(data: bytes, first: IntArray, last: IntArray, gap: IntArray) -> None:
    """Go back to the tab where a cell has blanks between its brackets, such as `(1)| (2)`."""
    if b"\t" not in data:
        return
    text = np.frombuffer(data, np.uint8)
    for cell in np.flatnonzero((gap > first) & (text.take(gap, mode="clip") == SPACE)).tolist():
        line = data[first[cell] : last[cell] + 1]
        tab = line.rfind(b"\t")
        if tab >= 0 and all(map(SPACED_PIECE.fullmatch, line[tab + 1 :].split())):
            gap[cell] = first[cell] + tab


def gaps_before(data: bytes, first: IntArray, last: IntArray) -> IntArray:
    """Find the white space before each cell, given the line's first byte and the cell's last one.

    Where a line has none, what is found is before its first byte. Brackets that follow a tab may have
    blanks between them.
    """
    gap = _nearest_gaps(data, first, last)
    _gaps_before_spaced(data, first, last, gap)
    return gap


def _nearest_gaps(data: bytes, first: IntArray, last: IntArray) -> IntArray:
    text = np.frombuffer(data, np.uint8)
    gap = last.copy()
    going = np.arange(last.size)
    for _ in range(LONGEST_USUAL_CELL):
        gap[going] -= 1
        going = going[(gap[going] >= 0) & (text[gap[going]] > SPACE)]
        if not going.size:
            return gap
    for cell in going.tolist():
        line = data[first[cell] : last[cell] + 1]
        gap[cell] = first[cell] + max(line.rfind(blank) for blank in GAPS)
    return gap


def _lacks_last_column(lines: Lines, some: IntArray) -> BoolArray:
    """Find which lines that end in white space have an empty coreference cell.

    They are as wide as lines of their document that do not end so; others merely have white space after the
    cell, and the reference scorer drops that.
    """
    text = np.frombuffer(lines.data, np.uint8)
    tabs = np.add.reduceat(text == TAB, lines.first, dtype=np.int64) if some.size else lines.first
    last = text.take(lines.end - 1, mode="clip")
    last = np.where(last == CARRIAGE_RETURN, text.take(lines.end - 2, mode="clip"), last)
    width = lines.documents_of(np.arange(lines.first.size)) * (tabs.max(initial=0) + 1) + tabs
    whole = width[(last > SPACE) & (lines.last >= lines.first)]
    lacks: BoolArray = (last[some] == TAB) & np.isin(width[some], whole)
    return lacks


def _comments(lines: Lines, hashed: IntArray) -> list[int]:
    """List which of the lines that start with `#` are not tokens."""
    shapes: dict[int, set[tuple[bool, int]]] = {}  # document → shapes of its lines that start otherwise
    comments = []
    for line, document in zip(hashed.tolist(), lines.documents_of(hashed).tolist(), strict=True):
        columns = _columns(lines, line)
        cell = columns[-1].strip()
        if len(columns) < 2 or not (CELL.fullmatch(cell) or not cell):
            comments.append(line)
            continue
        if document not in shapes:
            shapes[document] = _shapes(lines, document)
        usual = shapes[document]
        as_two = len(columns) == 2 and (not usual or {width for _, width in usual} & {2})
        if not as_two and _shape(lines, line) not in usual:
            comments.append(line)
    return comments


def _columns(lines: Lines, line: int) -> list[bytes]:
    row = lines.data[lines.first[line] : lines.end[line]].rstrip(b"\r")
    return row.split(b"\t") if b"\t" in row else row.split()


def _shape(lines: Lines, line: int) -> tuple[bool, int]:
    """Say whether a line has tabs, and how many columns."""
    row = lines.data[lines.first[line] : lines.end[line]]
    tabs = row.count(b"\t")
    return (True, tabs + 1) if tabs else (False, len(row.split()))


def _shapes(lines: Lines, document: int) -> set[tuple[bool, int]]:
    """List the shapes of a document's lines that do not start with `#`."""
    start, stop = np.append(lines.block_starts, lines.first.size)[document : document + 2].tolist()
    return {
        _shape(lines, line)
        for line in range(start, stop)
        if lines.last[line] >= lines.first[line] and lines.data[lines.first[line]] != HASH
    }
