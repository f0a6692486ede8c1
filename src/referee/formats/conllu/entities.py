"""Reads the entity brackets of CorefUD out of a document's cells `Entity=`, by the official scorer's rules.

`# global.Entity = eid-etype-head-other` names the fields of an opening chunk; missing ones at the end are
absent, surplus ones are ignored. `(e1-person-2` opens a mention, `e1)` closes the one of that entity that
was opened last, `(e1-person-1)` is a mention of one word. Parts of a discontinuous mention are
`(e1[1/2]-person-3`, closed by `e1[1/2])`. A mention's words are all nodes from its opening to its closing,
empty ones included, and `head` and `minspan` count them from 1.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from referee.model import Span, joined_spans
from referee.model.mentions import Runs

CHUNK = re.compile(r"\(([^()]+)(\)?)|([^()]+)\)")
PART = re.compile(r"([^\[]+)\[(\d{1,6})/(\d{1,6})\]")
ID_FIELDS = ("eid", "GRP")  # GRP, of older files: the ids hold within a document only
TYPE_FIELDS = ("etype", "entity")  # entity: the older name
ABSENT = 10**6  # the position of a field that a header does not have


class EntityCell(NamedTuple):
    """What a node's `Entity=` says."""

    node: int  # counted through the document, empty nodes included
    sentence: int
    line: int
    text: str


class LineFlaw(NamedTuple):
    """What is wrong with a line of a document, from 0; `fatal` if the official scorer refuses it."""

    line: int
    what: str
    fatal: bool = True


@dataclass(slots=True)
class Bracketed:
    """A mention as its brackets say it. The words of each part are the nodes from its first to its last."""

    name: str
    values: list[str]  # the fields of its first chunk
    parts: list[tuple[int, int]]
    line: int
    sentence: int
    head: str | None = None  # as it is written, in the last part
    total: int = 1  # how many parts are announced
    is_open: bool = False


class EntityFields:
    """The fields that a header announces, and where each is in an opening chunk."""

    def __init__(self, header: str) -> None:
        """Look the fields up; the names are those after `# global.Entity =`."""
        self.header = header
        self.names = header.split("-") if header else []
        self.id = self._position(*ID_FIELDS)
        self.type = self._position(*TYPE_FIELDS)
        self.head = self._position("head")
        self.minimum = self._position("minspan")
        self.other = self._position("other")
        self.within_document = "GRP" in self.names

    def minimum_of(self, values: Sequence[str]) -> str:
        """Take a mention's minimum span: a separate field, or one among others (`minspan:2%2C4`)."""
        if self.minimum < len(values):
            return values[self.minimum]
        other = values[self.other] if self.other < len(values) else ""
        if "minspan:" not in other:
            return ""
        pairs = dict(pair.partition(":")[::2] for pair in other.split(","))
        return pairs.get("minspan", "").replace("%2C", ",")

    def _position(self, *names: str) -> int:
        return next((self.names.index(name) for name in names if name in self.names), ABSENT)


@dataclass(slots=True)
class EntityReader:
    """Takes the cells of a document in order, and lists its mentions in the order of their openings."""

    fields: EntityFields
    mentions: list[Bracketed] = field(default_factory=list)
    flaws: list[LineFlaw] = field(default_factory=list)
    _open: dict[str, list[Bracketed]] = field(default_factory=lambda: defaultdict(list))
    _broken: dict[str, list[Bracketed]] = field(default_factory=lambda: defaultdict(list))

    def read(self, cells: Iterable[EntityCell]) -> None:
        """Take all cells; then say which mentions are not whole, and leave out those that never closed."""
        for cell in cells:
            length = 0
            for opened, single, closed in CHUNK.findall(cell.text):
                if opened:
                    length += len(opened) + len(single) + 1
                    self._opening(cell, opened, is_single=bool(single))
                else:
                    length += len(closed) + 1
                    self._closing(cell, closed)
            if length != len(cell.text):
                self._stray(cell)
        self._finish()

    def _flaw(self, cell: EntityCell, what: str, *, fatal: bool = True) -> None:
        self.flaws.append(LineFlaw(cell.line, what, fatal))

    def _stray(self, cell: EntityCell) -> None:
        for piece in filter(None, CHUNK.sub("\n", cell.text).split("\n")):
            is_empty = "(" in piece or ")" in piece
            what = "has no name between its brackets" if is_empty else "has no bracket"
            self._flaw(cell, f"'{piece}' in Entity {what}", fatal=is_empty)

    def _opening(self, cell: EntityCell, chunk: str, *, is_single: bool) -> None:
        values = chunk.split("-")
        if self.fields.id >= len(values) or not values[self.fields.id]:
            self._flaw(cell, f"'({chunk}' names no entity")
            return
        name = values[self.fields.id]
        head = values[self.fields.head] if self.fields.head < len(values) else None
        if head is not None and not (head.isascii() and head.isdigit()):
            self._flaw(cell, f"'({chunk}' has the head '{head}', which is not a number")
            head = None
        part = PART.fullmatch(name) if name.endswith("]") else None
        if part and part[2] != "1":
            self._next_part(cell, part, head, is_single=is_single)
            return
        mention = Bracketed(name, values, [(cell.node, cell.node)], cell.line, cell.sentence, head)
        if part:
            mention.name, mention.total, mention.head = part[1], int(part[3]), None
            self._broken[part[1]].append(mention)
        self.mentions.append(mention)
        if not is_single:
            mention.is_open = True
            mention.head = head
            self._open[mention.name].append(mention)

    def _next_part(self, cell: EntityCell, part: re.Match[str], head: str | None, *, is_single: bool) -> None:
        """Continue the discontinuous mention of this entity that has no open part."""
        name, index, total = part.groups()
        mention = next((broken for broken in self._broken[name] if not broken.is_open), None)
        if mention is None:
            self._flaw(cell, f"part [{index}/{total}] of a mention of {name} comes without a part before it")
            return
        mention.parts.append((cell.node, cell.node))
        mention.sentence = cell.sentence
        if not is_single:
            mention.is_open = True
            mention.head = head
            self._open[name].append(mention)
        elif index == total:
            mention.head = head
            self._end_broken(cell, mention)

    def _closing(self, cell: EntityCell, name: str) -> None:
        part = PART.fullmatch(name) if name.endswith("]") and name not in self._open else None
        name = part[1] if part else name
        if not self._open.get(name):
            self._flaw(cell, f"entity {name} is closed but never opened")
            return
        mention = self._open[name].pop()
        mention.is_open = False
        first, _ = mention.parts[-1]
        mention.parts[-1] = first, cell.node
        if mention.sentence != cell.sentence:
            self._flaw(
                cell,
                f"a mention of {name} runs over the end of its sentence",
            )
        if part and part[2] == part[3]:
            self._end_broken(cell, mention)
        elif part:
            mention.head = None  # the last part says it

    def _end_broken(self, cell: EntityCell, mention: Bracketed) -> None:
        broken = self._broken[mention.name]
        if not broken or broken.pop() is not mention:
            self._flaw(cell, f"two discontinuous mentions of {mention.name} are mixed up")

    def _finish(self) -> None:
        for name, left in self._open.items():
            for mention in left:
                self.flaws.append(
                    LineFlaw(mention.line, f"entity {name} is opened but never closed", fatal=False)
                )
        for name, broken in self._broken.items():
            for mention in broken:
                if len(mention.parts) < mention.total and not mention.is_open:
                    what = f"a mention of {name} has {len(mention.parts)} of {mention.total} parts"
                    self.flaws.append(LineFlaw(mention.line, what, fatal=False))
        if any(self._open.values()):
            self.mentions = [mention for mention in self.mentions if not mention.is_open]


def numbered_words(mention: Bracketed, numbers: Runs) -> Sequence[int]:
    """List the words of a mention in the order of the text, given the number of each node.

    Where they are a range, it is given as one; zeros, which are numbered last, interrupt it.
    """
    spans = [span for first, last in mention.parts for span in numbers.spans(first, last + 1)]
    if len(spans) == 1:
        return range(*spans[0])
    return [number for span in spans for number in range(*span)]


def spans_of_words(words: Sequence[int]) -> tuple[Span, ...]:
    """Give words, in any order, as spans."""
    if isinstance(words, range):
        return ((words.start, words.stop),)
    if len(words) == 1:
        return ((words[0], words[0] + 1),)
    return joined_spans([(word, word + 1) for word in words])


@lru_cache(maxsize=4096)  # most say one of a few things
def minimum_positions(text: str, length: int) -> tuple[int, ...] | None:
    """Read a minimum span such as `2,4`, which counts a mention's words from 1; None if it says nothing.

    >>> minimum_positions("2,4", 5), minimum_positions("9", 5), minimum_positions("", 5)
    ((1, 3), None, None)
    """
    positions = text.split(",")
    if not all(position.isascii() and position.isdigit() for position in positions):
        return None
    counted = tuple(int(position[:9]) - 1 for position in positions)
    return counted if min(counted) >= 0 and max(counted) < length else None
