"""What people decide about entities: merges, splits and names, in a file of JSON lines.

    {"referee": "decisions", "version": 1}
    {"decision": "merge", "mentions": [["monday", 0, 1], ["friday", 7, 9]]}
    {"decision": "split", "mentions": [["friday", 7, 9]], "from": [["monday", 0, 1]]}
    {"decision": "rename", "mentions": [["monday", 0, 1]], "name": "Timothy Cook"}

A mention is the name of its text, its first word and the one after its last, counted from 0: entities have
other numbers in each store, mentions have not. All `mentions` of a decision are one thing. A merge is to list
the mentions of both entities. A split keeps `mentions` apart from those in `from`. A line may also say `who`
decided, and `when`, and have a `note`. Where decisions contradict each other, the later one holds.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.encoding import decoded
from referee.exceptions import FormatError, did_you_mean
from referee.formats.io.opening import SeekableFile
from referee.formats.io.saving import save
from referee.resolvers.across.explaining import MentionKey

VERSION = 1
LARGEST_FILE = 2**26  # bytes
LONGEST_NAME = 1000  # characters of a name or a remark
MERGE, SPLIT, RENAME = "merge", "split", "rename"
FIELDS = {MERGE: ("mentions",), SPLIT: ("mentions", "from"), RENAME: ("mentions", "name")}
REMARKS = ("who", "when", "note")


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decided.

    >>> same = MentionKey("monday", 0, 1), MentionKey("friday", 7, 9)
    >>> Decision("merge", same).to_dict()
    {'decision': 'merge', 'mentions': [['monday', 0, 1], ['friday', 7, 9]]}
    """

    kind: str
    mentions: tuple[MentionKey, ...]
    others: tuple[MentionKey, ...] = ()  # of a split: what the mentions are kept apart from
    name: str = ""  # of a rename
    remarks: tuple[tuple[str, str], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Write it as a line of the file has it."""
        value: dict[str, Any] = {"decision": self.kind, "mentions": [list(key) for key in self.mentions]}
        if self.kind == SPLIT:
            value["from"] = [list(key) for key in self.others]
        if self.kind == RENAME:
            value["name"] = self.name
        return value | dict(self.remarks)

    @property
    def keys(self) -> tuple[MentionKey, ...]:
        """All mentions that it names."""
        return self.mentions + self.others


def write_decisions(decisions: Iterable[Decision], path: str | Path) -> None:
    """Write a file of decisions."""
    head = {"referee": "decisions", "version": VERSION}
    lines = [json.dumps(value) for value in (head, *(decision.to_dict() for decision in decisions))]
    save(path, lambda file: file.writelines(f"{line}\n" for line in lines))


def read_decisions(path: str | Path) -> list[Decision]:
    """Read a file of decisions; each line is checked, and errors name it."""
    data = SeekableFile(str(path)).read(0, LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise FormatError(f"{path}: more than {LARGEST_FILE >> 20} MiB; split it into several files")
    lines = decoded(data, path).split("\n")
    values = [(f"{path}:{number}", line) for number, line in enumerate(lines, start=1) if line.strip()]
    if not values:
        raise FormatError(f"{path}: empty; a file of decisions begins with {_head()}")
    _check_head(_value(values[0][1], values[0][0]), values[0][0])
    return [read_decision(_value(line, where), where) for where, line in values[1:]]


def read_decision(value: Mapping[str, Any], where: str) -> Decision:
    """Read one decision; `where` is named in errors.

    >>> read_decision({"decision": "rename", "mentions": [["d", 0, 1]], "name": "Ann"}, "f:2").name
    'Ann'
    """
    kind = value.get("decision")
    if not isinstance(kind, str) or kind not in FIELDS:
        near = did_you_mean(kind, FIELDS) if isinstance(kind, str) else ""
        raise FormatError(f"{where}: 'decision' must be one of {', '.join(FIELDS)}, not {kind!r}{near}")
    known = ("decision", *FIELDS[kind], *REMARKS)
    if unknown := [field for field in value if field not in known]:
        raise FormatError(f"{where}: a {kind} has no '{unknown[0]}'; it has {', '.join(known)}")
    if missing := [field for field in FIELDS[kind] if field not in value]:
        raise FormatError(f"{where}: a {kind} needs '{missing[0]}'")
    mentions = _mentions(value["mentions"], f"{where}: 'mentions'")
    others = _mentions(value["from"], f"{where}: 'from'") if kind == SPLIT else ()
    if both := set(mentions) & set(others):
        raise FormatError(f"{where}: {_shown(min(both))} is in 'mentions' and in 'from'")
    if kind == MERGE and len(mentions) < 2:
        raise FormatError(f"{where}: a merge needs two mentions or more")
    name = _words(value["name"], f"{where}: 'name'") if kind == RENAME else ""
    remarks = tuple(
        (field, _words(value[field], f"{where}: '{field}'")) for field in REMARKS if field in value
    )
    return Decision(kind, mentions, others, name, remarks)


def _value(line: str, where: str) -> Mapping[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:  # also numbers of thousands of digits
        raise FormatError(f"{where}: not JSON: {error}") from error
    if not isinstance(value, dict):
        raise FormatError(f"{where}: not a JSON object")
    return value


def _head() -> str:
    return json.dumps({"referee": "decisions", "version": VERSION})


def _check_head(value: Mapping[str, Any], where: str) -> None:
    if value.get("referee") != "decisions":
        raise FormatError(f"{where}: not a file of decisions, which begins with {_head()}")
    if value.get("version") != VERSION:
        raise FormatError(
            f"{where}: version {value.get('version')!r} of the file; this Referee reads {VERSION}: update it"
        )


def _mentions(value: object, where: str) -> tuple[MentionKey, ...]:
    if not isinstance(value, list) or not value:
        raise FormatError(f"{where} must be a list of mentions, [text, first word, word after the last]")
    return tuple(dict.fromkeys(_mention(each, where) for each in value))


def _mention(value: object, where: str) -> MentionKey:
    if isinstance(value, list) and len(value) == 3:
        text, start, end = value
        numbers = all(isinstance(number, int) and not isinstance(number, bool) for number in (start, end))
        if isinstance(text, str) and numbers and 0 <= start < end:
            return MentionKey(text, start, end)
    raise FormatError(f"{where} has {value!r:.60}, not [text, first word, word after the last]")


def _words(value: object, where: str) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > LONGEST_NAME:
        raise FormatError(f"{where} must be a text of 1 to {LONGEST_NAME} characters")
    return " ".join(value.split())


def _shown(key: MentionKey) -> str:
    return f"[{key.text!r}, {key.start}, {key.end}]"
