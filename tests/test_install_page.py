"""The page on installing: each command on it runs here, or is named with what a test cannot have."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import refresh_docs
from chromium import Browser
from open_page import first_found

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "install.md").read_text("utf-8")
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
NEEDS = {  # how a command begins that is not run: what it needs
    "pip ": "a registry",
    "referee-env/bin/pip ": "a registry",
    "cd ": "the folder that the line before it makes",
    "git clone ": "a network",
    "make ": "a registry",
    "python -m spacy download ": "a network",
}
RUN_ELSEWHERE = r"referee [a-z]+ .*|\$ referee .*"  # by test_docs_commands and test_docs
SHELLS = {"bash_source": "bash", "zsh_source": "zsh", "fish_source": "fish"}


def commands() -> list[str]:
    """List the lines of the page's blocks, without outputs and comments."""
    page = refresh_docs.COMMAND.sub(r"    $ \g<command>\n", PAGE)
    lines = re.findall(r"^    (\S.*)$", page, re.MULTILINE)
    return [re.split(r"\s{2,}#\s", line)[0] for line in lines]


def is_run_here(command: str) -> bool:
    return not command.startswith(tuple(NEEDS)) and not re.fullmatch(RUN_ELSEWHERE, command)


def test_what_is_not_run_is_on_the_page() -> None:
    assert [start for start in NEEDS if not any(each.startswith(start) for each in commands())] == []
    assert sum(map(is_run_here, commands())) >= 6


@pytest.mark.parametrize("command", [each for each in commands() if is_run_here(each)])
def test_commands_that_need_nothing_run(command: str, tmp_path: Path) -> None:
    shell = next((name for variable, name in SHELLS.items() if variable in command), "bash")
    if not shutil.which(shell):
        pytest.skip(f"no {shell} here")
    programs = tmp_path / "referee-env" / "bin"
    if "-m venv" not in command:
        programs.mkdir(parents=True)
        (programs / "python").symlink_to(sys.executable)
        (programs / "referee").write_text(f'#!/bin/sh\nexec {sys.executable} -m referee "$@"\n', "utf-8")
        (programs / "referee").chmod(0o755)
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    environment = os.environ | {"PATH": path, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [shell, "-ec", command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_table_has_every_extra() -> None:
    assert sorted(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) == sorted(EXTRAS)
    named = {extra for names in re.findall(r"\[([\w,]+)\]'", PAGE) for extra in names.split(",")}
    assert named <= EXTRAS.keys()


def test_the_targets_are_those_of_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in re.findall(r"^    make (\w+)", PAGE, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize("query", ["install", "installation", "extras"])
def test_the_search_finds_the_page_first(query: str, site: Path, chromium: Browser) -> None:
    assert first_found(query, site, chromium).partition("#")[0].partition("?")[0].endswith("install.html")
