"""Where documents are in their files, in columns: a corpus may have millions."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from referee.arrays import BoolArray
from referee.formats.io.opening import SeekableFile
from referee.model import Names


class Entry(NamedTuple):
    """Where a document is in its file."""

    id: str
    opening: int  # byte after the document before it
    start: int  # byte after the begin line
    stop: int  # byte of the end line, or where the document breaks off
    closing: int  # byte after the end line; the file's end for the last document
    ended: bool  # by an end line


class DocumentIndex:
    """Files, and where their documents are; thirty bytes for each document and its name."""

    def __init__(self) -> None:
        """Begin without documents."""
        self.ids = Names()
        self._files: list[SeekableFile] = []
        self._file = array("i")  # of each document
        self._start, self._stop, self._closing = array("q"), array("q"), array("q")
        self._ended = array("b")

    def append(self, file: SeekableFile, entry: Entry) -> None:
        """Add a document, which follows the one before it if that is in the same file."""
        if not self._files or self._files[-1] is not file:
            self._files.append(file)
        self.ids.append(entry.id)
        self._file.append(len(self._files) - 1)
        for column, value in zip(
            (self._start, self._stop, self._closing), (entry.start, entry.stop, entry.closing), strict=True
        ):
            column.append(value)
        self._ended.append(entry.ended)

    def __len__(self) -> int:
        """Count the documents."""
        return len(self._file)

    def __getitem__(self, number: int) -> tuple[SeekableFile, Entry]:
        """Say in which file a document is, and where."""
        file = self._file[number]
        follows = number > 0 and self._file[number - 1] == file
        opening = self._closing[number - 1] if follows else 0
        return self._files[file], Entry(
            self.ids[number],
            opening,
            self._start[number],
            self._stop[number],
            self._closing[number],
            bool(self._ended[number]),
        )

    def begun_and_ended(self) -> tuple[BoolArray, BoolArray]:
        """Say which documents have a begin line, and which an end line."""
        return np.array(self._start) > 0, np.array(self._ended, dtype=bool)

    def size(self, number: int) -> int:
        """Count the bytes of a document's lines."""
        return self._stop[number] - self._start[number]

    def beside(self, number: int) -> Iterator[tuple[int, int]]:
        """Give the documents of the same file, and where they start."""
        file = self._file[number]
        return ((i, self._start[i]) for i, each in enumerate(self._file) if each == file)
