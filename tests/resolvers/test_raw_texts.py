"""What is to be resolved: files of text, folders, pipes, corpora."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from referee.exceptions import FormatError
from referee.model import Corpus
from referee.resolvers.raw_texts import texts_of

CONLL = "#begin document (d); part 000\nd\t0\t0\tHi\t(1)\n\n#end document\n"


def test_a_file_is_a_text_named_after_it(tmp_path: Path) -> None:
    (tmp_path / "story.txt").write_bytes(b"\xef\xbb\xbfOne.\r\nTwo.\n")
    texts = texts_of([str(tmp_path / "story.txt")])
    assert not isinstance(texts, Corpus)
    assert [(text.id, text.running, text.words) for text in texts] == [("story", "One.\r\nTwo.\n", ())]


def test_packed_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.txt.gz").write_bytes(gzip.compress(b"Two."))
    (tmp_path / "a.md").write_text("One.", "utf-8")
    (tmp_path / "ignored.png").write_bytes(b"\0")
    texts = texts_of([str(tmp_path)])
    assert not isinstance(texts, Corpus)
    assert [(text.id, text.running) for text in texts] == [("a", "One."), ("b", "Two.")]


def test_other_files_are_corpora(tmp_path: Path) -> None:
    (tmp_path / "key.conll").write_text(CONLL, "utf-8")
    assert isinstance(texts_of([str(tmp_path / "key.conll")]), Corpus)


def test_texts_and_corpora_are_not_mixed(tmp_path: Path) -> None:
    (tmp_path / "key.conll").write_text(CONLL, "utf-8")
    (tmp_path / "a.txt").write_text("One.", "utf-8")
    with pytest.raises(FormatError, match=r"key\.conll: give running text or a corpus, not both"):
        texts_of([str(tmp_path / "a.txt"), str(tmp_path / "key.conll")])


@pytest.mark.parametrize(
    ("data", "message"), [(b"one\nt\xffwo", r"a\.txt:2: not UTF-8"), (b"a\0b", "a binary file")]
)
def test_bad_files_are_named(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "a.txt").write_bytes(data)
    with pytest.raises(FormatError, match=message):
        texts_of([str(tmp_path / "a.txt")])
