"""The journal of a document: every edit is on the disk before anybody is told that it is kept.

A folder beside the corpus has one file for each document: a first line with the document as it was, and a
line for each event after it. Lines are only added, each flushed and synced; a file appears at once, and is
replaced at once where it is compacted. Whoever writes holds the folder's lock.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any

from referee import __version__
from referee.corrections.history import History, Step
from referee.corrections.lines import document_value, step_value
from referee.corrections.reading import ENDING, VERSION, Corrections, read_journal
from referee.corrections.state import is_same, state_of
from referee.encoding import encoded
from referee.exceptions import FormatError
from referee.formats.fitting import file_name
from referee.formats.io.saving import locked, remove_abandoned
from referee.model import Document, Text
from referee.model.corpus import digest_of_words

LOCK = ".lock"
LONGEST = 80  # characters of a document's name in that of its journal
IDLE = 1000  # events that are of no more use, after which a journal is compacted
WORDS, RUNNING = "words", "running text"  # what a fingerprint is of


def now() -> str:
    """Say what time it is."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def fingerprint(text: Text, what: str) -> str:
    """Sum up the written words of a text, or the text as it runs."""
    told = "".join(f"{word}\t" for word in text.words[: text.length]) if what == WORDS else text.running or ""
    return digest_of_words(encoded(told)).hex()


def journal_name(document: str) -> str:
    """Name a document's journal; no two documents have one name, on any file system.

    >>> journal_name("nw/wsj_01")
    'nw%2Fwsj_01-2fa3e2cf.journal'
    """
    digest = blake2b(document.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{file_name(document)[:LONGEST]}-{digest}{ENDING}"


@contextmanager
def journal_folder(folder: Path) -> Iterator[None]:
    """Make a folder for journals, and keep others from writing there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FormatError(f"{folder}: {error.strerror or error}; choose a folder with journal=") from error
    taken = "another workbench has this journal open; use its page, end it, or choose a folder with journal="
    with locked(folder / LOCK, taken):
        remove_abandoned(folder)
        yield


@dataclass
class Journal:
    """The journal of one document, open for writing; its file is made with the first event."""

    path: Path
    header: Mapping[str, Any]
    history: History
    before: Document
    who: str = ""
    notices: tuple[str, ...] = ()
    last: Mapping[str, Any] = field(default_factory=dict)  # the last event
    _file: int | None = None

    @classmethod
    def new(cls, path: Path, document: Document, *, made_by: str, source: str, who: str) -> Journal:
        """Begin a journal, which is not on the disk yet."""
        header = {
            "journal": VERSION, "version": __version__, "made_by": made_by, "source": source, "who": who,
            "at": now(), "words": fingerprint(document.text, WORDS), "document": document_value(document),
        }  # fmt: skip
        if document.text.running is not None:
            header["running text"] = fingerprint(document.text, RUNNING)
        return cls(path, header, History.of(state_of(document)), document, who)

    @classmethod
    def continued(cls, read: Corrections, document: Document, who: str) -> Journal:
        """Go on with a journal, which must be of the same text.

        The annotation that it began with stays the beginning, even if the source has another one now.
        """
        text, before, said = document.text, read.before, list(read.notices)
        what = WORDS if text.words or text.running is None else RUNNING
        if read.header.get(what) != fingerprint(text, what):
            raise FormatError(
                f"{read.path}: a journal of another text than {text.id} has now; move the journal away, give "
                "back the old text, or choose another folder with journal="
            )
        if what == WORDS and is_same(state_of(document), read.history.base):
            before = document  # which may have more beside the annotation
        elif document.clusters:
            said.append(
                f"{read.path}: {text.id} has another annotation now; the journal goes on from the old one"
            )
        journal = cls(read.path, read.header, read.history, before, who, tuple(said), read.last)
        return journal.opened(read.size)

    def opened(self, size: int) -> Journal:
        """Open the file for writing, without what is not whole at its end."""
        self._file = os.open(self.path, os.O_WRONLY | os.O_APPEND)
        if os.fstat(self._file).st_size > size:
            os.ftruncate(self._file, size)
            os.fsync(self._file)
        if self.history.revision - len(self.history.past) - 2 * len(self.history.future) > IDLE + self._floor:
            self.compact()
        return self

    @property
    def _floor(self) -> int:
        """Events that were left out when it was compacted."""
        return int(self.header.get("left_out", 0))

    def make(self) -> None:
        """Write the file, if there is none yet."""
        if self._file is None:
            self._replace([])

    def add(self, history: History, event: Mapping[str, Any]) -> None:
        """Write an event to the disk; only then is the history what it brings."""
        self.make()
        assert self._file is not None  # which `make` opened
        told = {"at": now(), "who": self.who, **event}
        _write(self._file, _line(told))
        self.history, self.last = history, told

    def edit(self, step: Step, id_: str = "") -> None:
        """Keep an edit; `id_` is what its client calls it."""
        self.add(self.history.after(step), {**step_value(step), "step": id_})

    def undo(self, client: str, id_: str = "") -> None:
        """Keep that the last edit was taken back."""
        number = self.history.revision + 1
        self.add(self.history.undone(number), {"n": number, "undo": True, "client": client, "step": id_})

    def redo(self, client: str, id_: str = "") -> None:
        """Keep that it was made again."""
        number = self.history.revision + 1
        self.add(self.history.redone(number), {"n": number, "redo": True, "client": client, "step": id_})

    def finish(self, client: str, id_: str = "", *, done: bool) -> None:
        """Keep whether the document is finished."""
        number = self.history.revision + 1
        event = {"n": number, "done": done, "client": client, "step": id_}
        self.add(self.history.finished(number, done=done), event)

    def compact(self) -> None:
        """Leave out edits that were undone and cannot be done again, and undoing itself.

        What is in force and what can be done again stays, and so do all numbers.
        """
        history = self.history
        kept = [*history.past, *reversed(history.future)]
        undoing = range(history.revision - len(history.future) + 1, history.revision + 1)
        left_out = history.revision - len(kept) - len(undoing)
        self.header = {**self.header, "revision": history.revision, "done": history.done}
        self.header["left_out"] = left_out
        self._replace([*map(step_value, kept), *({"n": number, "undo": True} for number in undoing)])

    def _replace(self, events: list[dict[str, Any]]) -> None:
        """Write the whole file under another name, and give it its own when it is on the disk."""
        self.close()
        unfinished = self.path.with_name(f".{self.path.name}.unfinished")
        try:
            file = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
            try:
                _write(file, b"".join(map(_line, [self.header, *events])))
            finally:
                os.close(file)
            os.replace(unfinished, self.path)  # noqa: PTH105 two plain names
            _sync_folder(self.path.parent)
            self._file = os.open(self.path, os.O_WRONLY | os.O_APPEND)
        except OSError as error:
            raise FormatError(f"{self.path}: {error.strerror or error}") from error

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _line(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n"


def _write(file: int, data: bytes) -> None:
    """Write all of some bytes to the disk; if that fails, nothing of them stays."""
    size = os.fstat(file).st_size
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(file, left) :]
        os.fsync(file)
    except OSError as error:
        os.ftruncate(file, size)
        raise FormatError(f"the journal cannot be written: {error.strerror or error}") from error


def _sync_folder(folder: Path) -> None:
    """See that a new name is on the disk too, where folders can be synced."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # Windows
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def opened_journal(folder: Path, document: Document, *, made_by: str, source: str, who: str) -> Journal:
    """Go on with a document's journal, or begin one."""
    path = folder / journal_name(document.id)
    read = read_journal(path) if path.exists() else None
    if read is not None:
        return Journal.continued(read, document, who)
    return Journal.new(path, document, made_by=made_by, source=source, who=who)
