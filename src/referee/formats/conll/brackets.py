"""Reads the coreference column of CoNLL files, for many documents at once, with numpy.

The grammar of a cell. `(7` opens a mention of cluster 7, `7)` closes one, `(7)` is a mention of one token;
several occur side by side with or without a bar: `(7|(12)`, `3)4)`, `(1(2)3)`. Between two delimiters
(a bracket, a bar, the column's edge) there is a cluster's name or nothing, so the delimiter on either side
shows what an event is. A name is any run of other characters; `007` is not `7`. Where the cell follows a tab,
there may be blanks between its brackets, which stand for bars: `(7)| (12)`.

The rules are those of the reference scorer 8.01:
* the column is the last one; `_`, `-` and `*` are empty cells, and so is any text without brackets;
* within a cell mentions of one token come first, then openings, then closings, so that `7)|(7` is a
  mention of one token inside a longer one; a closing takes the latest opening of its cluster;
* clusters are numbered in the order in which they are first met that way;
* a double antecedent such as `(12+3)` is left out.

Where the last column is not coreference, which would score 0 without a word, `doubt` says so.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
import numpy.typing as npt

from referee.arrays import IntArray, by_first_sight, pairs_by_depth, ragged
from referee.formats.conll.lines import (
    CELL,
    NEWLINE,
    SPACE,
    TAB,
    Bytes,
    Lines,
    find_lines,
    gaps_before,
    joined,
)
from referee.model import Chains

LEFT, RIGHT, BAR = b"()|"
SINGLE, OPEN, CLOSE = 0, 1, 2
DOUBLE_ANTECEDENT = re.compile(rb"\d+\+\d")
LONGEST_NUMBER = 18  # digits that are sure to fit a machine integer

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
    """A fault, the line that it is on (counted in the block, from 0) and what is written there."""

    document: int
    line: int
    fault: Fault
    text: str


@dataclass(frozen=True, slots=True)
class Scan:
    """The mentions of a stack of documents, the names of their clusters, and what was wrong."""

    chains: Chains
    cluster_names: Sequence[str]
    flaws: list[Flaw]
    lines: Lines


@dataclass(frozen=True, slots=True)
class _Cells:
    """The filled cells, joined, each with the white space before it: all look alike then."""

    text: Bytes
    row: IntArray  # cell → row
    start: IntArray  # cell → its first byte
    end: IntArray

    @classmethod
    def of(cls, lines: Lines) -> _Cells:
        text = np.frombuffer(lines.data, np.uint8)
        line = lines.tokens[lines.filled]
        first, last = lines.first[line], lines.last[line]
        gap = gaps_before(lines.data, first, last)
        has_cell = (gap > first) | ((gap == first) & (text[gap] == TAB))  # else it has one column, a word
        gap, last = gap[has_cell], last[has_cell]
        end = np.cumsum(last - gap + 1)
        copied = np.append(text[ragged(gap, last + 1)], np.uint8(NEWLINE))
        start = np.append(0, end[:-1])[: end.size] + 1
        inside = copied[:-1] <= SPACE
        inside[start - 1] = False
        copied[:-1][inside] = BAR  # blanks between the brackets of one cell
        return cls(copied, lines.filled[has_cell], start, end)

    def written(self, cells: IntArray) -> list[str]:
        """Decode some cells."""
        raw = self.text.tobytes() if cells.size else b""
        edges = zip(self.start[cells].tolist(), self.end[cells].tolist(), strict=True)
        return [raw[start:end].decode("utf-8", "replace") for start, end in edges]


@dataclass(frozen=True, slots=True)
class _Names(Sequence[str]):
    """Names, decoded when asked for."""

    raw: bytes
    start: IntArray
    length: IntArray

    def __len__(self) -> int:
        return self.start.size

    def __getitem__(self, number):  # type: ignore[no-untyped-def]
        return self.bytes_of(number).decode("utf-8", "replace")

    def bytes_of(self, number: int) -> bytes:
        start = int(self.start[number])
        return self.raw[start : start + int(self.length[number])]

    def of(self, which: npt.NDArray[np.generic]) -> _Names:
        return _Names(self.raw, self.start[which], self.length[which])


@dataclass(frozen=True, slots=True)
class _Events:
    """Openings, closings and mentions of one token, in the order in which the reference scorer takes them."""

    row: IntArray
    kind: npt.NDArray[np.int8]
    names: _Names

    def __getitem__(self, which: npt.NDArray[np.generic]) -> _Events:
        return _Events(self.row[which], self.kind[which], self.names.of(which))


@dataclass(frozen=True, slots=True)
class _Flaws:
    """What was wrong, as it comes up."""

    lines: Lines
    listed: list[Flaw]

    def add(self, rows: IntArray, faults: Sequence[Fault], texts: Sequence[str]) -> None:
        """Add faults, each with its row and what is written there."""
        lines = self.lines.tokens[rows]
        documents = self.lines.documents_of(lines)
        lines = lines - self.lines.block_starts[documents]
        self.listed.extend(map(Flaw, documents.tolist(), lines.tolist(), faults, texts))


def scan(blocks: Sequence[bytes]) -> Scan:
    """Find the mentions in blocks of lines, one block per document, without their begin and end lines."""
    lines = find_lines(blocks, joined(blocks))
    flaws = _Flaws(lines, [])
    events, name = _numbered(_read_events(_Cells.of(lines), flaws), flaws)

    row_edges = np.searchsorted(lines.tokens, np.append(lines.block_starts, lines.first.size))
    document = np.searchsorted(row_edges, events.row, side="right") - 1
    cluster, first_events = _number_clusters(document, name)
    opening, closing = _pair(events, cluster, flaws)

    first_row = row_edges[document[opening]]
    chains = Chains(
        document[opening],
        events.row[opening] - first_row,
        events.row[closing] - first_row + 1,
        cluster[opening],
        document[first_events],
        np.diff(row_edges),
    )
    return Scan(chains, events.names.of(first_events), flaws.listed, lines)


def _read_events(cells: _Cells, flaws: _Flaws) -> _Events:
    """Cut cells at their delimiters: those on either side of a name show what event it is."""
    delimiters = np.flatnonzero(DELIMITER[cells.text])
    mark = cells.text[delimiters]
    left, right = mark[:-1], mark[1:]
    start = delimiters[:-1] + 1
    length = delimiters[1:] - start
    cell = np.cumsum(left <= SPACE) - 1
    opens, closes, named = left == LEFT, right == RIGHT, length > 0
    stray = np.flatnonzero((~(opens | closes) & named) | (opens & ~named))
    flaws.add(cells.row[cell[stray]], [Fault.STRAY] * stray.size, cells.written(cell[stray]))
    event = np.flatnonzero((opens | closes) & named)
    opens, closes, row = opens[event], closes[event], cells.row[cell[event]]
    kind = np.where(opens, np.where(closes, SINGLE, OPEN), CLOSE).astype(np.int8)
    order = np.argsort(row * 3 + kind, kind="stable")  # cell by cell: singles, openings, closings
    event = event[order]
    return _Events(row[order], kind[order], _Names(cells.text.tobytes(), start[event], length[event]))


def _numbered(events: _Events, flaws: _Flaws) -> tuple[_Events, IntArray]:
    """Give equal names equal numbers: plain numbers by their value, all at once; others one by one."""
    number = _values(events.names)
    if number is not None:
        return events, number
    names = list(map(events.names.bytes_of, range(len(events.names))))
    single = events.kind == SINGLE
    double = np.array([bool(DOUBLE_ANTECEDENT.fullmatch(name)) for name in names], np.bool_) & single
    twins = np.flatnonzero(double)
    twin_names = [events.names[event] for event in twins.tolist()]
    flaws.add(events.row[twins], [Fault.DOUBLE] * twins.size, twin_names)
    known: dict[bytes, int] = {}
    number = np.array([known.setdefault(name, len(known)) for name in names], np.int64)
    return events[~double], number[~double]


def _values(names: _Names) -> IntArray | None:
    """Read names as decimal numbers, digit by digit; None if one is not written as a number is."""
    longest = int(names.length.max(initial=0))
    if longest > LONGEST_NUMBER:
        return None
    text = np.frombuffer(names.raw, np.uint8)
    value = np.zeros(names.start.size, np.int64)
    for position in range(longest):
        inside = names.length > position
        digit = text.take(names.start + position, mode="clip").astype(np.int64) - ord("0")
        if (inside & ((digit < 0) | (digit > 9))).any():
            return None
        if position == 0 and ((digit == 0) & (names.length > 1)).any():
            return None
        value = np.where(inside, value * 10 + digit, value)
    return value


def _number_clusters(document: IntArray, name: IntArray) -> tuple[IntArray, IntArray]:
    """Number (document, name) in order of first sight; also return each cluster's first event."""
    name = np.unique(name, return_inverse=True)[1] if name.max(initial=0) >= 2**31 else name
    return by_first_sight(document * (name.max(initial=0) + 1) + name)


def _pair(events: _Events, cluster: IntArray, flaws: _Flaws) -> tuple[IntArray, IntArray]:
    """List mentions by the events that open and close them: those of one token, then the others."""
    singles = np.flatnonzero(events.kind == SINGLE)
    brackets = np.flatnonzero(events.kind != SINGLE)
    brackets = brackets[np.argsort(cluster[brackets], kind="stable")]
    step = np.where(events.kind[brackets] == OPEN, 1, -1)
    depth = np.cumsum(step)
    ends = np.flatnonzero(np.diff(cluster[brackets], append=-1))
    if depth.min(initial=0) < 0 or depth[ends].any():
        brackets = _balanced(events, cluster, brackets, flaws)
        step = np.where(events.kind[brackets] == OPEN, 1, -1)
    brackets = brackets[pairs_by_depth(cluster[brackets], step)]
    return np.concatenate([singles, brackets[0::2]]), np.concatenate([singles, brackets[1::2]])


def _balanced(events: _Events, cluster: IntArray, brackets: IntArray, flaws: _Flaws) -> IntArray:
    """Leave out brackets without a partner, and report them."""
    still_open: dict[int, list[int]] = defaultdict(list)
    alone: dict[int, Fault] = {}  # event → what is wrong with it
    clusters, kinds = cluster[brackets].tolist(), events.kind[brackets].tolist()
    for event, number, kind in zip(brackets.tolist(), clusters, kinds, strict=True):
        if kind == OPEN:
            still_open[number].append(event)
        elif still_open[number]:
            still_open[number].pop()
        else:
            alone[event] = Fault.UNOPENED
    alone |= {event: Fault.UNCLOSED for left in still_open.values() for event in left}
    events_alone = np.array(list(alone), np.int64)
    events_alone = events_alone[np.argsort(events.row[events_alone], kind="stable")]
    listed = events_alone.tolist()
    flaws.add(events.row[events_alone], [alone[e] for e in listed], [events.names[e] for e in listed])
    return brackets[~np.isin(brackets, events_alone)]


MOST = 0.9  # of the rows: so many with text in the last cell are another column
BRACKET = re.compile(rb"[()]")
ADVICE = "Referee reads the last column: put the coreference there"


def doubt(scan: Scan) -> str | None:
    """Say why the last column is not coreference, or that another one is; None if it may well be."""
    lines = scan.lines
    if not lines.tokens.size:
        return None
    stray = [flaw.text for flaw in scan.flaws if flaw.fault is Fault.STRAY and not set("()") & set(flaw.text)]
    if len(stray) >= MOST * lines.tokens.size:
        return f"the last column holds text such as '{stray[0]}', not coreference; {ADVICE}"
    if scan.chains.start.size:
        return None
    first, last = lines.first[lines.tokens], lines.last[lines.tokens]
    if (gaps_before(lines.data, first, last) < first).all():
        return f"the lines have only one column, so there is no coreference; {ADVICE}"
    column = _other_column(lines)
    if column:
        return f"the last column is empty throughout, and column {column} looks like coreference; {ADVICE}"
    return None


def _other_column(lines: Lines) -> int | None:
    """Find a column before the last that holds nothing but coreference cells, counted from 1."""
    rows = [_columns(lines, line) for line in lines.tokens.tolist()]
    narrowest = min(map(len, rows))
    for from_right in range(2, narrowest + 1):
        if _is_coreference([row[-from_right] for row in rows]):
            return len(rows[0]) - from_right + 1
    return None


def _columns(lines: Lines, line: int) -> list[bytes]:
    row = lines.data[lines.first[line] : lines.last[line] + 1]
    return row.split(b"\t") if b"\t" in row else row.split()


def _is_coreference(column: Iterable[bytes]) -> bool:
    """Whether all cells are annotations or empty, some are not empty, and brackets are balanced.

    Columns of parse trees, names and roles have brackets too, but with an asterisk for the word.
    """
    brackets: Counter[bytes] = Counter()
    for cell in column:
        if not CELL.fullmatch(cell) and cell:
            return False
        if len(cell) > 1:
            if b"*" in cell:
                return False
            brackets.update(BRACKET.findall(cell))
    return brackets[b"("] == brackets[b")"] > 0
