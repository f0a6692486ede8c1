"""Cuts rows of CONLL-UA into columns, and lists the markables that brackets in one of them delimit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.display import number_of
from referee.formats.conllu.entities import LineFlaw
from referee.formats.conllu.rows import UNKNOWN_VALUE
from referee.model import Span

ROW_ID = re.compile(r"(\d{1,9})(\.\d{1,9}|-\d{1,9})?", re.ASCII)
EVENT = re.compile(r"\(([^()]*)|([^()]*)\)")
IDENTITY_COLUMN = "IDENTITY"


@dataclass(slots=True)
class Markable:
    """A mention as its brackets say it."""

    name: str
    entity: str
    attributes: list[dict[str, str]]  # of each opening
    spans: list[Span]
    line: int
    is_open: bool = False


@dataclass(slots=True)
class Rows:
    """The rows of a document, by columns."""

    names: list[str]
    flaws: list[LineFlaw]
    first_version: bool = False
    words: list[tuple[int, dict[str, str]]] = field(default_factory=list)  # line, and what the columns say
    zeros: list[tuple[int, dict[str, str], int, int]] = field(
        default_factory=list
    )  # and words before, sentence
    order: list[tuple[bool, int]] = field(default_factory=list)  # of all rows: whether a zero, and which
    sentences: list[Span] = field(default_factory=list)


def cut_row(line: str, width: int) -> list[str]:
    """Cut a row at its tabs, if that gives all columns, or at white space."""
    cells = line.rstrip("\r").split("\t")
    return cells if len(cells) == width else line.split()


def read_lines(rows: Rows, lines: Sequence[str]) -> None:
    """Sort lines into words, zeros and sentences."""
    start, identity = 0, rows.names.index(IDENTITY_COLUMN)
    for number, line in enumerate([*lines, ""]):
        if line.startswith("#"):
            continue
        if not line.strip():
            if len(rows.words) > start:
                rows.sentences.append((start, len(rows.words)))
                start = len(rows.words)
            continue
        cells = cut_row(line, len(rows.names))
        id_ = ROW_ID.fullmatch(cells[0]) if cells else None
        if rows.first_version and len(cells) > identity:
            rows.order.append((False, len(rows.words)))
            rows.words.append((number, _named(rows, cells)))
        elif id_ is None:
            rows.flaws.append(LineFlaw(number, f"'{line.strip()[:40]}' does not begin with a word's number"))
        elif id_[0] == "0" and (len(cells) < 2 or _named(rows, cells).get("FORM") == UNKNOWN_VALUE):
            continue  # a scene
        elif len(cells) <= identity:
            what = f"the line has {number_of(len(cells), 'column')}, but IDENTITY is column {identity + 1}"
            rows.flaws.append(LineFlaw(number, what))
        elif id_[2] and id_[2].startswith("."):
            rows.order.append((True, len(rows.zeros)))
            rows.zeros.append((number, _named(rows, cells), len(rows.words), len(rows.sentences)))
        elif not id_[2]:
            rows.order.append((False, len(rows.words)))
            rows.words.append((number, _named(rows, cells)))


def _named(rows: Rows, cells: Sequence[str]) -> dict[str, str]:
    return {name: cell.strip() or UNKNOWN_VALUE for name, cell in zip(rows.names, cells, strict=False)}


def attributes_of(chunk: str) -> dict[str, str]:
    """Cut what an opening says into its parts; only the letters of a name count.

    >>> attributes_of("EntityID=3|Markable_ID=m1|Min=4,5@")
    {'entityid': '3', 'markableid': 'm1', 'min': '4,5'}
    """
    pairs = (pair.partition("=") for pair in chunk.strip("@ ").split("|"))
    return {key.lower().replace("_", "").replace("mentionid", "markableid"): value for key, _, value in pairs}


class MarkableReader:
    """Takes the cells of a column in order, and lists the markables."""

    def __init__(self, rows: Rows, flaws: list[LineFlaw], column: str) -> None:
        """Read a column of these rows."""
        self._rows = rows
        self._column = column
        self._flaws = flaws
        self._stack: list[Markable] = []
        self._by_name: dict[str, Markable] = {}

    def read(self) -> list[Markable]:
        """Read all cells; markables that never close are left out."""
        written = len(self._rows.words)
        for is_zero, number in self._rows.order:
            entry = self._rows.zeros[number] if is_zero else self._rows.words[number]
            cell = entry[1].get(self._column, UNKNOWN_VALUE)
            if cell != UNKNOWN_VALUE:
                self._cell(entry[0], cell, written + number if is_zero else number, is_zero=is_zero)
        for markable in self._stack:
            what = f"markable {markable.name} is opened but never closed"
            self._flaws.append(LineFlaw(markable.line, what, fatal=False))
        return [markable for markable in self._by_name.values() if not markable.is_open]

    def _cell(self, line: int, cell: str, word: int, *, is_zero: bool) -> None:
        before = len(self._stack)
        for event in EVENT.finditer(cell):
            if event[1] is not None:
                self._open(line, event[1], word)
            else:
                self._close(line, event[2].strip("@ "), word)
        rest = EVENT.sub("", cell).strip("@ ")
        if rest:
            self._flaws.append(LineFlaw(line, f"'{rest}' is not a markable", fatal=False))
        if is_zero and len(self._stack) != before:
            self._flaws.append(LineFlaw(line, "a zero begins or ends a markable of several words"))

    def _open(self, line: int, chunk: str, word: int) -> None:
        said = attributes_of(chunk)
        entity = said.get("entityid", "")
        if not entity:
            self._flaws.append(LineFlaw(line, f"'({chunk}' has no EntityID"))
        name = said.get("markableid") or f"word {word}, {len(self._by_name)}"
        markable = self._by_name.setdefault(name, Markable(name, entity, [], [], line))
        markable.attributes.append(said)
        if markable.entity != entity:
            what = f"markable {name} belongs to entity {markable.entity} and to {entity}"
            self._flaws.append(LineFlaw(line, what))
        if markable.is_open:
            self._flaws.append(LineFlaw(line, f"markable {name} is opened again before it is closed"))
            return
        markable.spans.append((word, word + 1))
        markable.is_open = True
        self._stack.append(markable)

    def _close(self, line: int, name: str, word: int) -> None:
        """Close the markable of this name, or the one that was opened last."""
        named = (i for i in range(len(self._stack) - 1, -1, -1) if not name or self._stack[i].name == name)
        at = next(named, None)
        if at is None:
            self._flaws.append(LineFlaw(line, f"markable {name or ')'} is closed but never opened"))
            return
        markable = self._stack.pop(at)
        markable.is_open = False
        start = markable.spans[-1][0]
        markable.spans[-1] = start, max(word, start) + 1
        if self._rows.first_version:
            del markable.spans[:-1]
