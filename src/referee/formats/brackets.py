"""Reads the coreference column of CoNLL files, for many documents at once, with numpy.

The grammar of a cell. `(7` opens a mention of cluster 7, `7)` closes one, `(7)` is a mention of one token;
several stand side by side with or without a bar: `(7|(12)`, `3)4)`, `(1(2)3)`. Between two delimiters
(a bracket, a bar, the column's edge) there is a cluster's name or nothing, so the delimiter on either side
tells what an event is. A name is any run of other characters; `007` is not `7`.

The rules are those of the reference scorer 8.01:
* the column is the last one; `_`, `-` and `*` are empty cells, and so is any text without brackets;
* within a cell mentions of one token come first, then openings, then closings, so that `7)|(7` is a
  mention of one token inside a longer one; a closing takes the latest opening of its cluster;
* clusters are numbered in the order in which they are first met that way;
* a double antecedent such as `(12+3)` is left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
import numpy.typing as npt

from referee.arrays import IntArray
from referee.model import Chains

Bytes = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]

TAB, NEWLINE, SPACE, HASH = b"\t\n #"
LEFT, RIGHT, BAR = b"()|"
GAPS = (b" ", b"\t", b"\n", b"\r", b"\v", b"\f")
SINGLE, OPEN, CLOSE = 0, 1, 2
DOUBLE_ANTECEDENT = re.compile(rb"\d+\+\d")
CELL = re.compile(rb"[-_*]|(?:(?:\([^()|\s]+\)?|[^()|\s]+\))\|?)+")
LONGEST_USUAL_CELL = 64  # bytes; longer ones are read one by one
LONGEST_NUMBER = 18  # digits that are sure to fit a machine integer

EMPTY = np.zeros(256, np.bool_)
EMPTY[list(b"-_*")] = True
DELIMITER = np.zeros(256, np.bool_)
DELIMITER[[*range(SPACE + 1), LEFT, RIGHT, BAR]] = True


class Fault(Enum):
    """What can be wrong with a coreference cell."""

    UNOPENED = "cluster {} is closed but never opened"
    UNCLOSED = "cluster {} is opened but never closed"
    STRAY = "'{}' is not a coreference annotation"
    DOUBLE = "the double antecedent ({}) is left out"


@dataclass(frozen=True, slots=True)
class Flaw:
    """A fault, the line that it is on (counted in the block, from 0) and what stands there."""

    document: int
    line: int
    fault: Fault
    text: str


@dataclass(frozen=True, slots=True)
class Scan:
    """The mentions of a stack of documents, the names of their clusters, and what was wrong."""

    chains: Chains
    cluster_names: Sequence[str]
    token_lines: IntArray  # token → line, from 0; documents one after the other
    flaws: list[Flaw]
    data: bytes
    lines: Lines


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of all blocks, and which of them are tokens."""

    first: IntArray  # line → its first byte
    last: IntArray  # line → its last byte that is not white space
    block_starts: IntArray  # document → its first line
    tokens: IntArray  # row → line
    filled: IntArray  # rows whose coreference cell holds something

    def flaw(self, row: int, fault: Fault, text: bytes) -> Flaw:
        """Describe a fault of one row."""
        line = int(self.tokens[row])
        document = int(np.searchsorted(self.block_starts, line, side="right")) - 1
        return Flaw(document, line - int(self.block_starts[document]), fault, text.decode("utf-8", "replace"))


@dataclass(frozen=True, slots=True)
class _Events:
    """Openings, closings and mentions of one token, in the order in which the reference scorer takes them."""

    row: IntArray
    kind: npt.NDArray[np.int8]
    name_start: IntArray
    name_length: IntArray

    def __getitem__(self, which: npt.NDArray[np.generic]) -> _Events:
        return _Events(self.row[which], self.kind[which], self.name_start[which], self.name_length[which])


def scan(blocks: Sequence[bytes]) -> Scan:
    """Find the mentions in blocks of lines, one block per document, without their begin and end lines."""
    data = joined(blocks)
    text = np.frombuffer(data, np.uint8)
    lines = find_lines(blocks, text, np.flatnonzero(text == NEWLINE))
    row_edges = np.searchsorted(lines.tokens, np.append(lines.block_starts, lines.first.size))

    cells, events, flaws = _read_cells(data, text, lines)
    events, names = _number_names(cells, lines, events, flaws)
    document = np.searchsorted(row_edges, events.row, side="right") - 1
    cluster, first_events = _number_clusters(document, names)
    pairs, singles = _pair(events, cluster, cells, lines, flaws)

    opening = np.concatenate([singles, pairs[0]])
    closing = np.concatenate([singles, pairs[1]])
    base = row_edges[document[opening]]
    chains = Chains(
        document[opening],
        events.row[opening] - base,
        events.row[closing] - base + 1,
        cluster[opening],
        document[first_events],
        np.diff(row_edges),
    )
    first = events[first_events]
    return Scan(chains, _Names(cells, first.name_start, first.name_length), lines.tokens, flaws, data, lines)


def joined(blocks: Sequence[bytes]) -> bytes:
    """Join blocks, each with a line end of its own."""
    return b"".join(block if block.endswith(b"\n") else block + b"\n" for block in blocks if block)


class _Names(Sequence[str]):
    """The clusters' names, decoded when asked for."""

    def __init__(self, cells: bytes, start: IntArray, length: IntArray) -> None:
        self._cells, self._start, self._length = cells, start, length

    def __len__(self) -> int:
        return self._start.size

    def __getitem__(self, cluster):  # type: ignore[no-untyped-def]
        start = self._start[cluster]
        return self._cells[start : start + self._length[cluster]].decode("utf-8", "replace")


def find_lines(blocks: Sequence[bytes], text: Bytes, line_ends: IntArray) -> Lines:
    """Leave out blank lines and comments, and see which cells are filled."""
    sizes = [len(block) + (not block.endswith(b"\n")) if block else 0 for block in blocks]
    block_starts = np.searchsorted(line_ends, np.cumsum([0, *sizes])[:-1])
    first = np.empty_like(line_ends)
    first[:1], first[1:] = 0, line_ends[:-1] + 1
    last = line_ends - 1
    trimmed = np.flatnonzero((last >= first) & (text[last] <= SPACE))
    tabbed = trimmed[text[last[trimmed]] != ord("\r")]
    while trimmed.size:
        last[trimmed] -= 1
        trimmed = trimmed[(last[trimmed] >= first[trimmed]) & (text[last[trimmed]] <= SPACE)]
    filled = ~(EMPTY[text[last]] & (text.take(last - 1, mode="clip") <= SPACE))
    tabbed = tabbed[filled[tabbed]]
    if tabbed.size:
        document = np.searchsorted(block_starts, np.arange(first.size), side="right")
        filled[tabbed[_lack_last_column(text, first, line_ends, document, tabbed)]] = False
    token = last >= first
    for number in np.flatnonzero(token & (text[first] == HASH)).tolist():
        token[number] = _is_token(text, first, last, block_starts, number)
    tokens = np.flatnonzero(token)
    return Lines(first, last, block_starts, tokens, np.flatnonzero(filled[tokens]))


def _lack_last_column(
    text: Bytes, first: IntArray, line_ends: IntArray, document: IntArray, tabbed: IntArray
) -> Bools:
    """Tell which lines that end in white space have an empty coreference cell.

    They are as wide as lines that do not end so; others merely have white space after the cell, and the
    reference scorer drops that.
    """
    tabs = np.add.reduceat(text == TAB, first, dtype=np.int64)
    width = document * (tabs.max() + 1) + tabs
    return np.isin(width[tabbed], width[text[line_ends - 1] > SPACE])


def _is_token(text: Bytes, first: IntArray, last: IntArray, block_starts: IntArray, number: int) -> bool:
    """Tell a token `#` from a comment: it has a coreference cell, and as many columns as its neighbour."""

    def columns(line: int) -> list[bytes]:
        return text[first[line] : last[line] + 1].tobytes().split()

    own = columns(number)
    if len(own) < 2 or not CELL.fullmatch(own[-1]):
        return False
    block = int(np.searchsorted(block_starts, number, side="right"))
    block_end = first.size if block == block_starts.size else int(block_starts[block])
    neighbours = (n for n in (number - 1, number + 1) if block_starts[block - 1] <= n < block_end)
    return any(len(columns(n)) == len(own) and text[first[n]] != HASH for n in neighbours)


def _read_cells(data: bytes, text: Bytes, lines: Lines) -> tuple[bytes, _Events, list[Flaw]]:
    """Cut the filled cells at their delimiters and sort what lies between into events."""
    filled = lines.filled
    first, last = lines.first[lines.tokens[filled]], lines.last[lines.tokens[filled]]
    gap = _gaps_before(data, text, last)
    has_cell = (gap > first) | ((gap == first) & (text[gap] == TAB))  # else it has one column, a word
    filled, last, gap = filled[has_cell], last[has_cell], gap[has_cell]
    # Each cell is copied with the gap before it, which ends the cell before: all segments then look alike.
    lengths = last - gap + 1
    offsets = np.cumsum(lengths) - lengths
    where = np.repeat(gap - offsets, lengths) + np.arange(lengths.sum())
    cells = np.append(text[where], np.uint8(NEWLINE))
    delimiters = np.flatnonzero(DELIMITER[cells])
    mark = cells[delimiters]
    left, right = mark[:-1], mark[1:]
    start = delimiters[:-1] + 1
    length = delimiters[1:] - start
    row = filled[np.cumsum(left <= SPACE) - 1]
    opens, closes, named = left == LEFT, right == RIGHT, length > 0
    kind = np.where(opens & closes, SINGLE, np.where(opens, OPEN, CLOSE)).astype(np.int8)
    event = (opens | closes) & named
    raw = cells.tobytes()
    stray = np.flatnonzero((~(opens | closes) & named) | (opens & ~named))
    flaws = [lines.flaw(int(row[i]), Fault.STRAY, _cell_around(raw, int(start[i]))) for i in stray]
    found = np.flatnonzero(event)
    found = found[np.argsort(row[found] * 3 + kind[found], kind="stable")]
    return raw, _Events(row, kind, start, length)[found], flaws


def _gaps_before(data: bytes, text: Bytes, last: IntArray) -> IntArray:
    """Find the white space before each cell, −1 if there is none, going back from the cell's last byte."""
    gap = last.copy()
    going = np.arange(last.size)
    for _ in range(LONGEST_USUAL_CELL):
        gap[going] -= 1
        going = going[(gap[going] >= 0) & (text[gap[going]] > SPACE)]
        if not going.size:
            return gap
    for i in going.tolist():
        gap[i] = max(data.rfind(space, 0, int(last[i])) for space in GAPS)
    return gap


def _cell_around(cells: bytes, position: int) -> bytes:
    found = re.compile(rb"\S*").match(cells, max(cells.rfind(gap, 0, position) for gap in GAPS) + 1)
    return found[0] if found else b""


def _number_names(cells: bytes, lines: Lines, events: _Events, flaws: list[Flaw]) -> tuple[_Events, IntArray]:
    """Give equal names equal numbers: plain numbers by their value, all at once; others one by one."""
    longest = int(events.name_length.max(initial=0))
    text = np.frombuffer(cells, np.uint8)
    number = np.zeros(events.row.size, np.int64)
    plain = longest <= LONGEST_NUMBER
    for place in range(longest if plain else 0):
        inside = events.name_length > place
        digit = text.take(events.name_start + place, mode="clip").astype(np.int64) - ord("0")
        plain = not (inside & ((digit < 0) | (digit > 9))).any()
        if place == 0:
            plain = plain and not ((digit == 0) & (events.name_length > 1)).any()
        if not plain:
            break
        number = np.where(inside, number * 10 + digit, number)
    if plain:
        return events, number
    ends = events.name_start + events.name_length
    names = [cells[s:e] for s, e in zip(events.name_start.tolist(), ends.tolist(), strict=True)]
    kept = np.ones(len(names), np.bool_)
    for i in np.flatnonzero(events.kind == SINGLE).tolist():
        if DOUBLE_ANTECEDENT.fullmatch(names[i]):
            kept[i] = False
            flaws.append(lines.flaw(int(events.row[i]), Fault.DOUBLE, names[i]))
    known: dict[bytes, int] = {}
    number = np.array([known.setdefault(name, len(known)) for name in names], np.int64)
    return events[kept], number[kept]


def _number_clusters(document: IntArray, name: IntArray) -> tuple[IntArray, IntArray]:
    """Number (document, name) in order of first sight; also return each cluster's first event."""
    name = np.unique(name, return_inverse=True)[1] if name.max(initial=0) >= 2**31 else name
    code = document * (name.max(initial=0) + 1) + name
    _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    order = np.argsort(first)
    number = np.empty_like(order)
    number[order] = np.arange(order.size)
    return number[inverse], first[order]


def _pair(
    events: _Events, cluster: IntArray, cells: bytes, lines: Lines, flaws: list[Flaw]
) -> tuple[tuple[IntArray, IntArray], IntArray]:
    """Match openings with closings, latest first, cluster by cluster."""
    singles = np.flatnonzero(events.kind == SINGLE)
    brackets = np.flatnonzero(events.kind != SINGLE)
    brackets = brackets[np.argsort(cluster[brackets], kind="stable")]
    step = np.where(events.kind[brackets] == OPEN, 1, -1)
    depth = np.cumsum(step)
    ends = np.flatnonzero(np.diff(cluster[brackets], append=-1))
    if depth.min(initial=0) < 0 or depth[ends].any():
        brackets = _balanced(events, cluster, brackets, cells, lines, flaws)
        step = np.where(events.kind[brackets] == OPEN, 1, -1)
        depth = np.cumsum(step)
    depth = np.where(step > 0, depth, depth + 1)
    if depth.max(initial=0) > 1:  # a cluster nested in itself
        brackets = brackets[np.lexsort((depth, cluster[brackets]))]
    return (brackets[0::2], brackets[1::2]), singles


def _balanced(
    events: _Events, cluster: IntArray, brackets: IntArray, cells: bytes, lines: Lines, flaws: list[Flaw]
) -> IntArray:
    """Leave out brackets without a partner, and report them."""
    open_brackets: dict[int, list[int]] = defaultdict(list)
    alone: list[tuple[int, Fault]] = []
    for position, event in enumerate(brackets.tolist()):
        stack = open_brackets[int(cluster[event])]
        if events.kind[event] == OPEN:
            stack.append(position)
        elif stack:
            stack.pop()
        else:
            alone.append((position, Fault.UNOPENED))
    alone += [(position, Fault.UNCLOSED) for stack in open_brackets.values() for position in stack]
    for position, fault in sorted(alone, key=lambda found: int(events.row[brackets[found[0]]])):
        event = brackets[position]
        start = int(events.name_start[event])
        name = cells[start : start + int(events.name_length[event])]
        flaws.append(lines.flaw(int(events.row[event]), fault, name))
    kept = np.ones(brackets.size, np.bool_)
    kept[[position for position, _ in alone]] = False
    return brackets[kept]
