"""Rows of numbers in a temporary file: what would fill the memory, and is wanted again a little at a time."""

from __future__ import annotations

from tempfile import TemporaryFile
from threading import Lock
from typing import Any
from weakref import finalize

import numpy as np
import numpy.typing as npt

from referee.exceptions import RefereeError

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
        mapped = np.memmap(self._file, self._kind, "r", shape=self.shape)
        return np.array(mapped[rows])
