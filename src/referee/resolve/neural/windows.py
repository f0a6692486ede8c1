"""Windows: a long text is encoded in parts that overlap; each piece is read where its context is widest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from referee.arrays import IntArray, run_starts
from referee.resolve.neural.surface import CAPITAL_CLASSES, Columns

WIDTH = 510  # pieces in a window, without the two marks around them
OVERLAP = 32  # the least that neighbouring windows share; on OntoGUM and LitBank more gives nothing
SECTION = 2000  # words of a text whose vectors are held at a time


class Windows(NamedTuple):
    """Rows of pieces with marks around them, how long each is, and where each piece of the text is read."""

    rows: IntArray  # window, column → piece; the padding after a row's end
    lengths: IntArray  # window → columns in use
    read: IntArray  # piece of the text → its index among all rows laid end to end
    starts: IntArray  # window → its first piece


def window_starts(pieces: int, width: int = WIDTH, overlap: int = OVERLAP) -> IntArray:
    """Say where windows begin: as few as cover the text, and as far apart as that allows.

    >>> window_starts(1000, 510, 96).tolist()
    [0, 245, 490]
    >>> window_starts(300, 510, 96).tolist()
    [0]
    """
    count = 1 if pieces <= width else -(-(pieces - overlap) // (width - overlap))
    return np.linspace(0, max(pieces - width, 0), count).astype(np.int64)


def windows(
    pieces: IntArray, marks: tuple[int, int, int], width: int = WIDTH, overlap: int = OVERLAP
) -> Windows:
    """Cut a text's pieces into windows; `marks` are what begins a window, what ends it and what pads it.

    >>> cut = windows(np.array([5, 6, 7, 8]), (1, 2, 0), width=3, overlap=1)
    >>> cut.rows.tolist(), cut.read.tolist()
    ([[1, 5, 6, 7, 2], [1, 6, 7, 8, 2]], [1, 2, 7, 8])
    """
    first, last, padding = marks
    starts = window_starts(pieces.size, width, overlap)
    length = min(width, pieces.size)
    rows = np.full((starts.size, length + 2), padding, np.int64)
    rows[:, 0] = first
    rows[:, 1:-1] = pieces[starts[:, None] + np.arange(length)]
    rows[:, -1] = last
    # A piece belongs to the last window in which it is past the middle of the overlap.
    middles = (starts[1:] + starts[:-1] + length) // 2
    own = np.searchsorted(middles, np.arange(pieces.size), side="right")
    read = own * (length + 2) + np.arange(pieces.size) - starts[own] + 1
    return Windows(rows, np.full(starts.size, length + 2), read, starts)


def piece_kinds(words: Columns, ends: IntArray, cut: Windows) -> IntArray:
    """Tell each piece's kind, window by window: its word's capital, and the guideline."""
    kind = words.capital + CAPITAL_CLASSES * words.guideline
    by_piece = np.repeat(kind, ends[:, 1] - ends[:, 0] + 1)
    inner = by_piece[cut.starts[:, None] + np.arange(cut.rows.shape[1] - 2)]
    return np.pad(inner, ((0, 0), (1, 1)), constant_values=CAPITAL_CLASSES * int(words.guideline[0]))


def sections(sentences: IntArray, most: int = SECTION) -> Iterator[slice]:
    """Cut a text into sections of whole sentences; one that is too long itself is cut like the rest.

    >>> [(own.start, own.stop) for own in sections(np.array([0, 0, 1, 1, 2, 3, 3, 3, 3, 3]), 4)]
    [(0, 4), (4, 5), (5, 9), (9, 10)]
    """
    begins, begin = np.append(np.flatnonzero(run_starts(sentences)), sentences.size), 0
    while begin < sentences.size:
        last = int(begins[np.searchsorted(begins, begin + most, side="right") - 1])
        end = last if last > begin else begin + most
        yield slice(begin, end)
        begin = end
