"""A path is opened once, whatever it is: what comes through a pipe is recognised and read all the same."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

import referee
from referee import Cluster, Document, DocumentCorpus, Mention, formats
from referee.formats.io.opening import SeekableFile
from referee.formats.reading import recognise
from referee.formats.recognition import abridged_json

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


LONG_FORMS = sorted(
    name
    for name in formats.writable()
    if formats.FORMATS[name].write and name not in ("docbin", "mentions-json")
)


@pytest.mark.filterwarnings(
    "ignore:.*left out.*mentions:referee.exceptions.LossWarning"
)  # of documents alone
@pytest.mark.parametrize("name", LONG_FORMS)
def test_a_long_document_is_recognised(name: str, tmp_path: Path) -> None:
    """The fields that tell a format of JSON from others may come after the words."""
    words = [f"\u041f{number}" for number in range(40_000)]
    clusters = [
        Cluster(str(n), (Mention.at(n, n + 1), Mention.at(n + 9, n + 10))) for n in range(0, 40_000, 80)
    ]
    form = formats.FORMATS[name]
    made = Document.of("d", words, [(n, n + 20) for n in range(0, 40_000, 20)], clusters)
    made = made.with_text(topic="t") if name == "topic-conll" else made
    formats.write(DocumentCorpus([made], "d"), tmp_path / "x", name, cross_document=form.across)
    assert recognise(SeekableFile(str(tmp_path / "x"))) in (name, form.part_of)


def test_long_json_is_cut_short_where_its_strings_end() -> None:
    """A quotation mark may be part of a string, and a string may look like a field."""
    long = "x" * 300
    value = {
        "text": f'\\"{long}", "entities": [',
        "tokens": ['a"', ",", "[", "\\"],
        "pairs": [[0, 1]] * 9,
        "last": 1,
    }
    short = json.loads(abridged_json(json.dumps(value).encode()))
    assert short == {"text": "\u2026", "tokens": ['a"'], "pairs": [[0, 1]], "last": 1}
