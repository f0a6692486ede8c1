"""Many texts are resolved in order, by one process or several, and an error names the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from referee import formats
from referee.exceptions import FormatError, ProtocolError, RefereeError
from referee.model import Cluster, Document, Mention, Text
from referee.resolvers.base import Resolver, raw_text
from referee.resolvers.raw_texts import texts_of
from referee.resolvers.resolving import resolve_all


class Counting(Resolver):
    """Links the first two letters of a text, and fails in a way that the text asks for."""

    def resolve(self, texts: Iterable[Text]) -> Iterator[Document]:
        for text in texts:
            said = text.running or " ".join(text.words)
            if "odd" in said:
                raise FormatError(f"{text.id}: odd")
            if "setting" in said:
                raise ProtocolError("jobs= is wrong")
            if "broken" in said:
                raise ValueError("cannot")
            yield Document(
                Text(text.id, tuple(said), ((0, len(said)),)), (Cluster("0", (Mention.at(0, 2),)),)
            )


def put(folder: Path, **files: str) -> list[str]:
    for name, content in files.items():
        (folder / f"{name}.txt").write_text(content, "utf-8")
    return [str(folder / f"{name}.txt") for name in files]


def test_documents_come_in_order(tmp_path: Path) -> None:
    texts = texts_of(put(tmp_path, b="bbb", a="aaa"))
    assert [document.id for document in resolve_all(Counting(), texts)] == ["b", "a"]


def test_errors_name_the_file(tmp_path: Path) -> None:
    fine, odd, broken, setting = put(tmp_path, fine="ok", odd="odd", broken="broken", setting="setting")
    messages = {odd: f"{odd}: odd", broken: f"{broken}: ValueError: cannot"}
    for jobs, (path, message) in enumerate(messages.items(), start=1):
        with pytest.raises(RefereeError) as caught:
            list(resolve_all(Counting(), texts_of([fine, path]), jobs))
        assert str(caught.value) == message
    with pytest.raises(ProtocolError, match=r"^jobs= is wrong$"):
        list(resolve_all(Counting(), texts_of([fine, setting])))
    with pytest.raises(RefereeError, match=r"^odd: odd$"):
        list(resolve_all(Counting(), [raw_text("odd", "odd")]))


def test_an_error_in_a_corpus_names_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    documents = [Document.of(word, [word], [(0, 1)], []) for word in ("fine", "odd")]
    formats.write(documents, path)
    with pytest.raises(RefereeError, match=r"x\.jsonl:2: odd$"):
        list(resolve_all(Counting(), formats.read(path)))
