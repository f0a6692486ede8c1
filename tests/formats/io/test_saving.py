"""Writing never loses what was there: files are replaced when whole, all else is written to."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO

import pytest

from referee import FormatError, formats
from referee.formats.io.saving import save

CONLL = b"#begin document d\nna\xefve\xff\t(1)\nx\t(1)\n#end document\n"


def words(file: IO[str]) -> None:
    file.write("new caf\u00e9\n")


def test_a_file_is_written_whole_and_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    own = tmp_path / "a.txt.part"
    own.write_text("mine", encoding="utf-8")
    save(path, words)
    assert path.read_text(encoding="utf-8") == "new café\n"
    assert own.read_text(encoding="utf-8") == "mine"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.txt", "a.txt.part"]


def test_a_failure_half_way_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old", encoding="utf-8")

    def fail(file: IO[str]) -> None:
        file.write("x" * 100_000)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save(path, fail)
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("mode", [0o600, 0o664, 0o755])
def test_permissions_are_kept(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old", encoding="utf-8")
    path.chmod(mode)
    save(path, words)
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    save(tmp_path / "a.txt", words)
    assert (tmp_path / "a.txt").stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_stays_a_link(tmp_path: Path, exists: bool) -> None:
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "a.txt", tmp_path / "link.txt"
    if exists:
        target.write_text("old", encoding="utf-8")
    link.symlink_to(target)
    save(link, words)
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "new café\n"
    assert list((tmp_path / "far").iterdir()) == [target]


def test_devices_and_pipes_are_written_to(tmp_path: Path) -> None:
    before = Path("/dev/null").stat()
    save("/dev/null", words)
    link = tmp_path / "null"
    link.symlink_to("/dev/null")
    save(link, words)
    assert Path("/dev/null").stat().st_rdev == before.st_rdev
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    os.mkfifo(tmp_path / "pipe")
    got: list[bytes] = []
    thread = threading.Thread(target=lambda: got.append((tmp_path / "pipe").read_bytes()))
    thread.start()
    save(tmp_path / "pipe", words)
    thread.join()
    assert got == ["new café\n".encode()]
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


@pytest.mark.parametrize("target", ["nowhere/a.conll", "."])
def test_what_cannot_be_written_is_said(tmp_path: Path, target: str) -> None:
    with pytest.raises(FormatError, match=r"No such file|Is a directory"):
        save(tmp_path / target, words)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_a_full_disk_is_said() -> None:
    with pytest.raises(FormatError, match="/dev/full: No space left"):
        save("/dev/full", lambda file: [file.write("x" * 10**6)].clear())


def convert(*arguments: str, stdin: bytes) -> bytes:
    """Run in a process with a strict UTF-8 output, as servers and CI have it."""
    command = [sys.executable, "-m", "referee", "convert", *arguments]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict", "PYTHONUTF8": "0"}
    return subprocess.run(command, input=stdin, capture_output=True, check=True, env=environment).stdout


def test_odd_bytes_come_out_as_they_went_in() -> None:
    assert convert("-", "-", "--to", "conll", stdin=CONLL) == CONLL
    lines = convert("-", "-", "--to", "jsonlines", stdin=CONLL)
    assert convert("-", "-", "--to", "conll", stdin=lines) == CONLL


def test_lone_surrogates_of_json_are_written(tmp_path: Path) -> None:
    line = r'{"doc_key": "\ud83d", "sentences": [["a\udfff", "\udce9"]], "clusters": [[[0, 0], [1, 1]]]}'
    out = convert("-", "-", "--to", "conll", stdin=line.encode())
    assert b"a\xed\xbf\xbf" in out
    assert b"\t\xe9\t" in out
    (tmp_path / "a.jsonl").write_text(line, encoding="utf-8")
    formats.write(formats.read(tmp_path / "a.jsonl"), tmp_path / "b.conll")
    assert (tmp_path / "b.conll").read_bytes() == out
