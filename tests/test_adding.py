"""docs/adding.md is followed word by word: its blocks go to the files in their titles, its commands are run.

A block whose title is a path in `src/` changes a copy of Referee: it is a new file, or stands before a name
or in a list of an existing one. All others are files of the reader. `pyproject.toml` is installed, as far as
its entry points go; once a section changes Referee itself, its package is there no more.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

import referee
from made_packages import make_package

PAGE = Path(__file__).parents[1] / "docs" / "adding.md"
BLOCK = re.compile(r'^```(?P<kind>\w+)(?: title="(?P<title>[^"]+)")?\n(?P<text>.*?)^```$', re.M | re.S)
MUST_HAVE = ("A metric", "A format", "A resolver", "A command")


class Block(NamedTuple):
    kind: str
    title: str
    text: str

    @property
    def changes_referee(self) -> bool:
        return self.title.startswith("src/") or self.kind == "sh"


def sections() -> dict[str, list[Block]]:
    parts = re.split(r"^## (.+)\n", PAGE.read_text(encoding="utf-8"), flags=re.M)
    found = {
        name: [Block(match["kind"], match["title"] or "", match["text"]) for match in BLOCK.finditer(text)]
        for name, text in zip(parts[1::2], parts[2::2], strict=True)
    }
    return {name: blocks for name, blocks in found.items() if blocks}


def test_the_page_shows_what_it_promises() -> None:
    assert {*MUST_HAVE} <= sections().keys()
    assert all(any(block.kind == "console" for block in blocks) for blocks in sections().values())


@pytest.mark.parametrize("name", sections())
def test_the_page_is_followed_word_by_word(name: str, tmp_path: Path) -> None:
    shutil.copytree(Path(referee.__file__).parent / "sample", tmp_path, dirs_exist_ok=True)
    shutil.copytree(Path(referee.__file__).parent, tmp_path / "src" / "referee")
    for block in sections()[name]:
        if block.changes_referee:
            for installed in tmp_path.glob("*.dist-info"):
                shutil.rmtree(installed)
        if block.kind == "console":
            for line in block.text.splitlines():
                run(line.removeprefix("$ "), tmp_path)
        elif block.kind == "sh":
            for line in block.text.splitlines():
                copy, source, target = line.split()
                assert copy == "cp"
                shutil.copy(tmp_path / source, tmp_path / target)
        elif block.title == "pyproject.toml":
            install(block.text, tmp_path)
        else:
            put(block, tmp_path)


def run(command: str, folder: Path) -> None:
    """Run a command, which neither fails nor reports something that is skipped."""
    program, *words = shlex.split(command)
    assert program == "referee"
    made = subprocess.run(
        [sys.executable, "-m", "referee", *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(folder / "src")])},
    )
    assert made.returncode == 0, made.stderr
    assert "skipped" not in made.stderr
    assert made.stdout or "convert" in words


def install(pyproject: str, folder: Path) -> None:
    """Install a project whose modules lie in the folder."""
    project = tomllib.loads(pyproject)["project"]
    make_package(folder, project["name"], project["entry-points"])


def put(block: Block, folder: Path) -> None:
    """Write a block to its file: all of it, or before a name, or at the beginning of a list of that name."""
    path, place, name = re.fullmatch(r"([^,]+)(?:, (before|in) (\w+))?", block.title).groups()  # type: ignore[union-attr]
    file = folder / path
    if not place:
        assert path == Path(path).name or not file.exists()
        file.write_text(block.text, encoding="utf-8")
        return
    text = file.read_text(encoding="utf-8")
    found = re.search(rf"^(?:def {name}\(|{name}\b.*= ?\{{\n)", text, re.M)
    assert found, f"{path} has no {name}"
    at = found.end() if place == "in" else found.start()
    file.write_text(text[:at] + block.text + text[at:], encoding="utf-8")
