"""Passages: consecutive sentences of a document that are read as one, and the lower states of each.

Lower states of many documents would fill the memory, and are wanted again a little at a time: they wait in a
temporary file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from tempfile import TemporaryFile
from threading import Lock
from typing import Any, NamedTuple
from weakref import finalize

import numpy as np
import numpy.typing as npt

from referee.arrays import IntArray
from referee.exceptions import RefereeError
from referee.model import Text
from referee.resolvers.neural.cutting import words_of
from referee.resolvers.neural.encoder import Encoder
from referee.resolvers.neural.features import WordFeatures, describe_words
from referee.resolvers.neural.forward import Floats
from referee.resolvers.neural.subwords import windows

PASSAGE = 128  # subwords of the sentences of a passage together
LONGEST_PASSAGE = 254  # subwords of a single sentence; a longer one is not read again
MAPPED_ROWS = 512  # read at a time: with each, the system maps 64 KiB around it, which count as memory
AROUND = 2  # subwords: what stands before a passage and after it

LAST = ("states",)
SEVERAL = ("lower", "middle", *LAST)  # what an encoder gives after three of its layers
Halves = npt.NDArray[np.float16]
Rows = npt.NDArray[Any]


class RowFile:
    """Rows of one width and one kind of number, like an array that is read only; the file is gone with it."""

    def __init__(self) -> None:
        """Begin with none."""
        self._file = TemporaryFile()  # noqa: SIM115
        finalize(self, self._file.close)
        self._kind, self._width, self._size = np.dtype(np.float32), 0, 0
        self._lock = Lock()

    def add(self, rows: Rows) -> int:
        """Write rows after the others: the number of the first of them."""
        with self._lock:
            first, self._kind, self._width = self._size, rows.dtype, rows.shape[1]
            try:
                self._file.seek(0, 2)
                self._file.write(rows.tobytes())
            except OSError as error:
                raise RefereeError(
                    f"the temporary file: {error.strerror}; set the variable TMPDIR to a folder with room"
                ) from error
            self._size += len(rows)
        return first

    def read(self, first: int, count: int) -> Rows:
        """Read so many rows."""
        bytes_of_row = self._width * self._kind.itemsize
        with self._lock:
            self._file.seek(first * bytes_of_row)
            content = self._file.read(count * bytes_of_row)
        return np.frombuffer(content, self._kind).reshape(count, self._width)

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows, and of columns."""
        return self._size, self._width

    def __len__(self) -> int:
        """Count the rows."""
        return self._size

    def __getitem__(self, rows: npt.NDArray[np.int64] | slice) -> Rows:
        """Read some rows, as an array gives them; what is read for that is not held."""
        with self._lock:
            self._file.flush()
        if not self._size:
            return np.zeros(self.shape, self._kind)[rows]
        wanted = np.arange(self._size)[rows]
        result = np.empty((wanted.size, self._width), self._kind)
        for at in range(0, wanted.size, MAPPED_ROWS):
            mapped = np.memmap(self._file, self._kind, "r", shape=self.shape)
            result[at : at + MAPPED_ROWS] = mapped[wanted[at : at + MAPPED_ROWS]]
        return result


def passage_ends(sentences: Sequence[int], most: int = PASSAGE, longest: int = LONGEST_PASSAGE) -> IntArray:
    """Cut a document into passages, given the subwords of each sentence: first subword and end of each.

    >>> passage_ends([60, 60, 60, 200, 300, 5]).tolist()
    [[0, 120], [120, 180], [180, 380], [680, 685]]
    """
    ends: list[list[int]] = []
    begin = 0
    for size in sentences:
        if ends and ends[-1][1] == begin and begin + size - ends[-1][0] <= most:
            ends[-1][1] += size
        elif 0 < size <= longest:
            ends.append([begin, begin + size])
        begin += size
    return np.array(ends, np.int64).reshape(-1, 2)


class CutText(NamedTuple):
    """A text as a model reads it: its words, its subwords, and the first and last subword of each word."""

    words: WordFeatures
    subwords: IntArray
    ends: IntArray

    @classmethod
    def of(cls, model: Encoder, text: Text) -> CutText:
        """Cut the written words of a text, which has some."""
        words = words_of(text)
        lengths = [end - start for start, end in text.stretches]
        return cls(describe_words(words, np.repeat(np.arange(len(lengths)), lengths)), *model.cut(words))

    def passages(self, text: Text) -> IntArray:
        """Say where passages begin and end."""
        edges = np.r_[self.ends[:, 0], self.subwords.size]
        return passage_ends([int(edges[end] - edges[start]) for start, end in text.stretches])


class LowerStates:
    """The lower states of passages, in a file from when their text is read."""

    def __init__(self, model: Encoder, texts: Sequence[Text], seen: Sequence[str] = LAST) -> None:
        """Begin with none; `seen` are the states that words are given, beside each other."""
        self.model, self.texts, self.seen = model, texts, seen
        self.rows, self.first = RowFile(), dict[tuple[int, int], int]()  # text, first subword → row
        self._kept, self._kept_first = np.zeros((0, 0), np.float16), dict[tuple[int, int], int]()

    def remember(self, first: dict[tuple[int, int], int], rows: Rows) -> None:
        """Take the states of texts that were read before."""
        self._kept, self._kept_first = rows, first

    def read(self, number: int) -> tuple[Floats, IntArray, IntArray]:
        """Read a text that has words: the states of each, its passages, and the ends of words in subwords."""
        cut, lower = CutText.of(self.model, self.texts[number]), list[Floats]()

        def encode(row: IntArray, kinds: IntArray) -> Floats:
            results = tuple(dict.fromkeys((*self.seen, "lower")))
            given = dict(zip(results, self.model.run(results, row, kinds), strict=True))
            lower.append(given["lower"])
            return beside([given[name] for name in self.seen])

        states = np.concatenate([part for _, part in self.model.states(*cut, encode)])
        passages = cut.passages(self.texts[number])
        read = windows(cut.subwords, self.model.special_tokens).read
        for begin, end in passages.tolist():
            self.first[number, begin] = self.rows.add(_passage(lower, read[begin:end]))
        return states, passages, cut.ends

    def handed_over(self) -> tuple[dict[tuple[int, int], int], Rows]:
        """Give what was read to another process, and forget it."""
        first, rows = self.first, self.rows[:]
        self.first, self.rows = {}, RowFile()
        return first, rows

    def include(self, first: Mapping[tuple[int, int], int], rows: Rows) -> None:
        """Take the states of texts that another process has read."""
        if first:
            before = self.rows.add(rows)
            self.first |= {place: before + row for place, row in first.items()}

    def of(self, number: int, begin: int, end: int) -> Halves:
        """Give the lower states of a passage of a text that was read, and of what stands around it."""
        count = end - begin + AROUND
        if (number, begin) in self.first:
            return self.rows.read(self.first[number, begin], count)
        kept = self._kept_first[number, begin]
        return np.array(self._kept[kept : kept + count])


def beside(states: Sequence[Floats]) -> Floats:
    """Put states of the same subwords beside each other."""
    return states[0] if len(states) == 1 else np.concatenate(states, 1)


def _passage(windows_read: Sequence[Floats], read: IntArray) -> Halves:
    """Take a passage's subwords out of windows, with the marks of its first one."""
    columns = len(windows_read[0])
    first = int(read[0]) // columns * columns
    rows = np.r_[first, read, first + columns - 1]
    every = windows_read[0] if len(windows_read) == 1 else np.concatenate(windows_read)
    return every[rows].astype(np.float16)
