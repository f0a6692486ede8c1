"""Passages: consecutive sentences of a document that are read as one, and the lower states of each."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from referee.arrays import IntArray
from referee.model import Text
from referee.resolve.neural.eight_bits import Floats
from referee.resolve.neural.running import Model
from referee.resolve.neural.surface import Columns, describe_words
from referee.resolve.neural.windows import piece_kinds, windows

PASSAGE = 128  # pieces of the sentences of a passage together
LONGEST_PASSAGE = 254  # pieces of a single sentence; a longer one is not read again
KEPT_PIECES = 1_000_000  # whose lower states are held: 768 MB of 384 numbers each

LAST = ("states",)
SEVERAL = ("lower", "middle", *LAST)  # what an encoder gives after three of its layers

Halves = npt.NDArray[np.float16]


def passage_ends(sentences: Sequence[int], most: int = PASSAGE, longest: int = LONGEST_PASSAGE) -> IntArray:
    """Cut a document into passages, from the number of pieces of each sentence: first piece and end of each.

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
    """A text as a model reads it: its words, its pieces, and the first and last piece of each word."""

    words: Columns
    pieces: IntArray
    ends: IntArray

    @classmethod
    def of(cls, model: Model, text: Text) -> CutText:
        """Cut the written words of a text, which has some."""
        words = text.words[: text.length]
        lengths = [end - start for start, end in text.stretches]
        return cls(describe_words(words, np.repeat(np.arange(len(lengths)), lengths)), *model.cut(words))

    def passages(self, text: Text) -> IntArray:
        """Say where passages begin and end."""
        edges = np.r_[self.ends[:, 0], self.pieces.size]
        return passage_ends([int(edges[end] - edges[start]) for start, end in text.stretches])


class LowerStates:
    """The lower states of passages: those read last are kept, others are made again when they are wanted."""

    def __init__(
        self,
        model: Model,
        texts: Sequence[Text],
        most: int = KEPT_PIECES,
        *,
        seen: Sequence[str] = LAST,
    ) -> None:
        """Begin with none; `seen` are the states that words are given, beside each other."""
        self.model, self.texts, self.most, self.seen = model, texts, most, seen
        self._kept: OrderedDict[tuple[int, int], Halves] = OrderedDict()
        self._pieces = 0
        self._lock = Lock()

    def read(self, number: int) -> tuple[Floats, IntArray, IntArray]:
        """Read a text that has words: the states of each, its passages, and the ends of words in pieces."""
        cut, lower = CutText.of(self.model, self.texts[number]), list[Floats]()

        def encode(row: IntArray, kinds: IntArray) -> Floats:
            results = tuple(dict.fromkeys((*self.seen, "lower")))
            given = dict(zip(results, self.model.run(results, row, kinds), strict=True))
            lower.append(given["lower"])
            return beside([given[name] for name in self.seen])

        states = np.concatenate([part for _, part in self.model.states(*cut, encode)])
        passages = cut.passages(self.texts[number])
        read = windows(cut.pieces, self.model.marks).read
        for begin, end in passages.tolist():
            self._keep(number, begin, _passage(lower, 0, read[begin:end]))
        return states, passages, cut.ends

    def of(self, number: int, begin: int, end: int) -> Halves:
        """Give the lower states of a passage of a text, and of what stands before and after it."""
        with self._lock:
            kept = self._kept.get((number, begin))
            if kept is not None:
                self._kept.move_to_end((number, begin))
        return self._again(number, begin, end) if kept is None else kept

    def _again(self, number: int, begin: int, end: int) -> Halves:
        """Read the windows of a passage once more; what else they hold will be wanted soon, too."""
        text = self.texts[number]
        cut = CutText.of(self.model, text)
        rows = windows(cut.pieces, self.model.marks)
        kinds, columns = piece_kinds(cut.words, cut.ends, rows), rows.rows.shape[1]
        window = rows.read // columns
        needed = range(int(window[begin]), int(window[end - 1]) + 1)
        lower = [self.model.run(("lower",), rows.rows[each], kinds[each])[0] for each in needed]
        for first, last in cut.passages(text).tolist():
            if window[first] in needed and window[last - 1] in needed and first != begin:
                self._keep(number, first, _passage(lower, needed.start, rows.read[first:last]))
        wanted = _passage(lower, needed.start, rows.read[begin:end])
        self._keep(number, begin, wanted)
        return wanted

    def _keep(self, number: int, begin: int, states: Halves) -> None:
        with self._lock:
            self._pieces += len(states) if (number, begin) not in self._kept else 0
            self._kept[number, begin] = states
            while self._pieces > self.most:
                self._pieces -= len(self._kept.popitem(last=False)[1])


def beside(states: Sequence[Floats]) -> Floats:
    """Put states of the same pieces beside each other."""
    return states[0] if len(states) == 1 else np.concatenate(states, 1)


def _passage(windows_read: Sequence[Floats], before: int, read: IntArray) -> Halves:
    """Take a passage's pieces out of windows, of which some came before, with the marks of its first one."""
    columns = len(windows_read[0])
    first = int(read[0]) // columns * columns
    rows = np.r_[first, read, first + columns - 1] - before * columns
    every = windows_read[0] if len(windows_read) == 1 else np.concatenate(windows_read)
    return every[rows].astype(np.float16)
