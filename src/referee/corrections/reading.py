"""Reads journals: a document as it was, as it is now, and the edits between both.

A file may end in a line that was not written to its end, when the machine or the process died: nobody was
told that this edit is kept, so it is left out, and a notice says so.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

from referee.corrections.history import History, Step
from referee.corrections.lines import read_document, replayed
from referee.corrections.state import state_of, to_document
from referee.exceptions import FormatError
from referee.model import Document
from referee.model.mentions import Span

ENDING = ".journal"
VERSION = 1  # of the lines; a change that breaks readers raises it
LARGEST = 2**31  # bytes of a file


@dataclass(frozen=True, eq=False)
class Corrections:
    """A document that people correct.

    Attributes:
        path: The journal's file.
        header: Its first line.
        before: The document as it was.
        history: The edits, and what was undone.
        size: How many bytes of the file are whole.
        notices: What should be known about the file.
        last: Its last event.

    Examples:
        >>> from referee.corrections import read_corrections
        >>> read_corrections("no.such.folder")
        Traceback (most recent call last):
            ...
        referee.exceptions.FormatError: no.such.folder: no journal is here
    """

    path: Path
    header: dict[str, Any]
    before: Document
    history: History
    size: int
    notices: tuple[str, ...] = ()
    last: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def after(self) -> Document:
        """The document as it is now."""
        return to_document(self.history.state, self.before)

    @property
    def edits(self) -> tuple[Step, ...]:
        """The edits that are in force, in order."""
        return self.history.past

    @property
    def done(self) -> bool:
        """Whether a person marked the document as finished."""
        return self.history.done

    @property
    def made_by(self) -> str:
        """Where the clusters of `before` come from: an annotation, or a resolver."""
        return str(self.header.get("made_by", ""))

    @property
    def confirmed(self) -> frozenset[tuple[Span, ...]]:
        """The mentions, by their spans, of which a person decided where they belong."""
        mentions = self.history.state.mentions.values()
        return frozenset(placed.mention.spans for placed in mentions if placed.confirmed)


def read_corrections(path: str | PathLike[str]) -> list[Corrections]:
    """Read a journal, or all those of a folder in the order of their names.

    Raises:
        FormatError: If there is none, or one is damaged.
    """
    place = Path(path)
    paths = sorted(place.glob(f"*{ENDING}")) if place.is_dir() else [place] * place.is_file()
    if not paths:
        raise FormatError(f"{path}: no journal is here")
    read = (read_journal(each) for each in paths)
    return [corrections for corrections in read if corrections]


def read_journal(path: Path) -> Corrections | None:
    """Read one journal; None if not even its first line is whole, so that it has no edit."""
    try:
        if path.stat().st_size > LARGEST:
            raise FormatError(f"{path}: more than {LARGEST >> 30} GiB; this is not a journal")
        data = path.read_bytes()
    except OSError as error:
        raise FormatError(f"{path}: {error.strerror or error}") from error
    lines = list(_lines(data))
    if not lines:
        return None
    size, first = lines[0]
    header = _header(first, path)
    before = read_document(header.get("document"), f"{path}:1")
    history, least = _begun(header, before, path)
    last: dict[str, Any] = {}
    for number, (end, line) in enumerate(lines[1:], start=2):
        value = _value(line)
        if value is None and number == len(lines):
            break  # the last line is not whole
        if value is None:
            raise FormatError(f"{path}:{number}: damaged: not a line of a journal; move it away, and keep it")
        history, size = replayed(history, value, f"{path}:{number}"), end
        last = value
    history = replace(history, revision=max(history.revision, least))
    torn = len(data) - size
    said = (f"{path}: the last line is not whole ({torn} bytes, which were never confirmed); it is left out",)
    return Corrections(path, header, before, history, size, said * bool(torn), last)


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Cut off whole lines, each with where it ends."""
    start = 0
    while (end := data.find(b"\n", start)) >= 0:
        yield end + 1, data[start:end]
        start = end + 1


def _value(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _header(line: bytes, path: Path) -> dict[str, Any]:
    header = _value(line)
    if header is None or "journal" not in header:
        raise FormatError(f"{path}: not a journal of the workbench: its first line says nothing of one")
    if header["journal"] != VERSION:
        raise FormatError(
            f"{path}: a journal of version {header['journal']!r}; this Referee reads version {VERSION}"
        )
    return header


def _begun(header: dict[str, Any], before: Document, path: Path) -> tuple[History, int]:
    """Begin with the document as it was; also say how much had happened when the journal was compacted."""
    least = header.get("revision", 0)
    if not isinstance(least, int):
        raise FormatError(f"{path}:1: damaged: the revision is {least!r}")
    return History.of(state_of(before)).finished(0, done=bool(header.get("done"))), least
