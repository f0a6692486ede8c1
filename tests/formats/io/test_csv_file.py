"""Lines of text files, read piece by piece."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import FormatError
from referee.formats.io import csv_file as module
from referee.formats.io.csv_file import text_lines
from referee.formats.io.opening import SeekableFile


def put(folder: Path, content: bytes) -> SeekableFile:
    (folder / "a.csv").write_bytes(content)
    return SeekableFile(str(folder / "a.csv"))


@given(words=st.text("aé\n€\r", max_size=30), size=st.integers(1, 4))
def test_lines_are_those_of_the_whole_text_whatever_the_chunks(
    tmp_path_factory: pytest.TempPathFactory, words: str, size: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHUNK", size)
        found = list(text_lines(put(tmp_path_factory.mktemp("lines"), words.encode())))
    assert "".join(found) == words
    assert all(line.endswith("\n") for line in found[:-1])
    assert [line.count("\n") for line in found] == [1] * words.count("\n") + [0] * bool(words.split("\n")[-1])


@pytest.mark.parametrize("size", [1, 3, 100])
def test_bad_bytes_are_refused_with_their_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(module, "CHUNK", size)
    with pytest.raises(FormatError, match=r"a\.csv:3: not UTF-8"):
        list(text_lines(put(tmp_path, b"a\nbc\nd\xff\ne\n")))


def test_a_cut_character_at_the_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"a\.csv:2: not UTF-8"):
        list(text_lines(put(tmp_path, "a\né".encode()[:-1])))


def test_lines_too_long_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST", 5)
    with pytest.raises(FormatError, match=r"a\.csv:2: a line of more than"):
        list(text_lines(put(tmp_path, b"a\nabcdefgh")))
