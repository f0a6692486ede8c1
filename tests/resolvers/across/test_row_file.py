"""Rows in a file are those that were written, whoever reads them and in whatever order."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from referee.exceptions import RefereeError
from referee.resolvers.across.passages import MAPPED_ROWS, RowFile


def test_rows_are_read_where_they_were_written() -> None:
    stored = RowFile()
    parts = [np.arange(6, dtype=np.float16).reshape(2, 3), np.full((1, 3), 7, np.float16)]
    assert [stored.add(part) for part in parts] == [0, 2]
    assert stored.read(2, 1).tolist() == [[7, 7, 7]]
    assert stored.read(0, 2).dtype == np.float16
    assert stored.add(parts[1]) == 3  # after it was read, too
    assert stored.read(1, 3).tolist() == [[3, 4, 5], [7, 7, 7], [7, 7, 7]]
    assert stored[:].tolist() == [[0, 1, 2], [3, 4, 5], [7, 7, 7], [7, 7, 7]]
    assert stored[np.array([2, 0, 2])].tolist() == [[7, 7, 7], [0, 1, 2], [7, 7, 7]]
    assert stored[1:3].tolist() == [[3, 4, 5], [7, 7, 7]]
    assert (len(stored), stored.shape) == (4, (4, 3))


def test_many_rows_are_read_in_any_order() -> None:
    stored, rows = RowFile(), np.arange(6000).reshape(-1, 2)
    stored.add(rows)
    wanted = np.random.default_rng(1).integers(0, len(rows), 3 * MAPPED_ROWS + 1)
    assert (stored[wanted] == rows[wanted]).all()
    assert (stored[5:] == rows[5:]).all()


def test_a_file_without_rows_gives_none() -> None:
    stored = RowFile()
    assert stored.add(np.zeros((0, 3), np.float16)) == 0
    assert stored[:].shape == stored.shape == (0, 3)


def test_threads_write_whole_rows_and_read_their_own() -> None:
    stored = RowFile()

    def written(number: int) -> bool:
        rows = np.full((number % 7 + 1, 50), number, np.int64)
        first = stored.add(rows)
        return bool((stored.read(first, len(rows)) == rows).all())

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(written, range(400)))
    every = stored[:]
    assert len(every) == sum(number % 7 + 1 for number in range(400))
    assert (every == every[:, :1]).all()


def test_a_full_disk_is_told_with_what_to_do() -> None:
    class Full:
        def seek(self, *_: int) -> None: ...

        def write(self, _: bytes) -> None:
            raise OSError(28, "No space left on device")

    stored = RowFile()
    stored._file = Full()  # type: ignore[assignment]
    with pytest.raises(RefereeError, match="No space left on device; set the variable TMPDIR"):
        stored.add(np.zeros((1, 3)))
