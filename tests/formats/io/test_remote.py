"""Files that fsspec reaches are read as those of this machine; files that changed are refused."""

from __future__ import annotations

import gzip
import io
import os
import pickle
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest

import referee
from referee import FormatError, MissingExtra
from referee.formats.io.opening import SeekableFile

SAMPLE = Path(referee.__file__).parent / "sample"
SMALL = b"#begin document x\nhe\t(1)\nhim\t(1)\n#end document\n"


@pytest.fixture
def memory() -> Iterator[fsspec.AbstractFileSystem]:
    system = fsspec.filesystem("memory")
    for name in ("key", "alpha"):
        system.pipe(f"/corpus/{name}/{name}.conll", (SAMPLE / f"{name}.conll").read_bytes())
        system.pipe(f"/corpus/{name}/{name}.gz", gzip.compress((SAMPLE / f"{name}.conll").read_bytes()))
    yield system
    system.rm("/corpus", recursive=True)


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("ending", ["/{0}.conll", "/{0}.gz", ""])
def test_remote_files_folders_and_packed_files_score_as_local_ones(ending: str) -> None:
    local = referee.score(SAMPLE / "key.conll", SAMPLE / "alpha.conll")
    paths = [f"memory://corpus/{name}{ending.format(name)}" for name in ("key", "alpha")]
    assert referee.score(*paths).to_dict()["scores"] == local.to_dict()["scores"]
    assert [document.id for document in referee.read(paths[0])] == list(local.units)


def test_a_file_system_of_this_machine_has_a_protocol_too() -> None:
    assert referee.read(f"file://{SAMPLE / 'key.conll'}").ids == referee.read(SAMPLE / "key.conll").ids


def test_a_remote_file_that_changes_is_refused(memory: fsspec.AbstractFileSystem) -> None:
    corpus = referee.read("memory://corpus/key/key.conll")
    memory.pipe("/corpus/key/key.conll", (SAMPLE / "key.conll").read_bytes())  # the same bytes, written later
    with pytest.raises(FormatError, match=r"memory://corpus/key/key.conll: has changed since it was opened"):
        corpus.document(0)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("memory://corpus/none.conll", "No such file or directory"),
        ("nowhere://corpus/none.conll", "Protocol not known"),
    ],
)
def test_what_cannot_be_reached_is_named(path: str, said: str) -> None:
    with pytest.raises(FormatError, match=f"^{path}: {said}"):
        referee.read(path)


def test_the_package_that_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(
        MissingExtra, match=r"^fsspec is not installed: pip install 'referee-coref\[cluster\]'$"
    ):
        referee.read("s3://bucket/key.conll")


@pytest.mark.parametrize("change", ["longer", "touched", "gone"])
def test_a_local_file_that_changes_is_refused(tmp_path: Path, change: str) -> None:
    path = tmp_path / "x.conll"
    path.write_bytes(SMALL)
    corpus = referee.read(path)
    assert corpus.document(0).words == ("he", "him")
    if change == "longer":
        state = path.stat()
        path.write_bytes(SMALL + b"\n")
        os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    elif change == "touched":
        os.utime(path, ns=(0, 0))
    else:
        path.unlink()
    said = "No such file" if change == "gone" else "has changed since it was opened; run again"
    with pytest.raises(FormatError, match=rf"x\.conll: {said}"):
        corpus.document(0)


def on_another_machine(file: SeekableFile) -> SeekableFile:
    """Let a file travel to where its temporary file is not."""
    travelled: SeekableFile = pickle.loads(pickle.dumps(file))
    assert travelled._location != file.path
    travelled._location += "-elsewhere"
    return travelled


def test_a_packed_file_is_unpacked_where_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.conll.gz"
    path.write_bytes(gzip.compress(SMALL))
    file = SeekableFile(str(path))
    there = on_another_machine(file)
    assert there.read(17, 8) == SMALL[17:25]
    assert there.read() == SMALL
    path.write_bytes(gzip.compress(SMALL + b"\n"))
    assert file.read() == SMALL  # here it is unpacked already
    with pytest.raises(FormatError, match="has changed"):
        on_another_machine(file).read()


def test_standard_input_does_not_travel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(SMALL)))
    there = on_another_machine(SeekableFile("-"))
    with pytest.raises(FormatError, match=r"^-: came through a pipe, and a worker on another machine cannot"):
        there.read()
