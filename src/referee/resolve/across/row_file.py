"""Rows of numbers in a temporary file: what would fill the memory, and is wanted again a little at a time."""

from __future__ import annotations

from tempfile import TemporaryFile
from threading import Lock
from typing import Any
from weakref import finalize

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[Any]


class RowFile:
    """Rows of one width and one kind of number; the file is gone when this is."""

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
            self._file.seek(0, 2)
            self._file.write(rows.tobytes())
            self._size += len(rows)
        return first

    def read(self, first: int, count: int) -> Rows:
        """Read so many rows."""
        bytes_of_row = self._width * self._kind.itemsize
        with self._lock:
            self._file.seek(first * bytes_of_row)
            content = self._file.read(count * bytes_of_row)
        return np.frombuffer(content, self._kind).reshape(count, self._width)

    def mapped(self) -> Rows:
        """Give all rows, of which there are some, as an array that is read where it is looked at."""
        with self._lock:
            self._file.flush()
        return np.memmap(self._file, self._kind, "r", shape=(self._size, self._width))
