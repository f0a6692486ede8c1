"""A path is opened once, whatever it is: what comes through a pipe is recognised and read all the same."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

import referee
from referee import formats
from referee.formats.io.opening import SeekableFile

SAMPLE = Path(referee.__file__).parent / "sample"
KEY = SAMPLE / "key.conll"


def piped(folder: Path, content: bytes) -> str:
    """Make a named pipe that gives this content once."""
    path = folder / "pipe"
    os.mkfifo(path)
    threading.Thread(target=path.write_bytes, args=(content,), daemon=True).start()
    return str(path)


@pytest.mark.parametrize("ending", [".jsonl", ".conllu", ".tags.txt"])
def test_a_pipe_is_recognised_and_read(ending: str, tmp_path: Path) -> None:
    written = tmp_path / f"a{ending}"
    formats.write(formats.read(KEY), written)
    corpus = formats.read(piped(tmp_path, written.read_bytes()))
    assert [document.clusters for document in corpus] == [
        document.clusters for document in formats.read(written)
    ]


def test_a_file_that_is_open_is_read_as_its_path() -> None:
    corpus = formats.read(SeekableFile(str(KEY)))
    assert corpus.name == str(KEY)
    assert list(corpus) == list(formats.read(KEY))


def test_lines_without_names_are_scored_from_a_pipe(tmp_path: Path) -> None:
    key = tmp_path / "key.jsonl"
    key.write_text(
        '{"doc_key": "a", "sentences": [["Ann", "won", "."], ["She", "left"]], '
        '"clusters": [[[0, 0], [3, 3]]]}\n',
        encoding="utf-8",
    )
    lines = b"Ann|[e1],e1] won .\nShe|[e1],e1] left\n"
    (tmp_path / "a.crac.txt").write_bytes(lines)
    from_file = referee.score(key, tmp_path / "a.crac.txt")
    from_pipe = referee.score(key, piped(tmp_path, lines))
    assert from_pipe.conll == from_file.conll
