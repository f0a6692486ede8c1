"""Every command that a page shows runs: on the sample, or on small files of the names that it gives."""

from __future__ import annotations

import re
import shlex
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import refresh_docs
from readers_files import lay_out
from referee.cli import main as command_line

SHOWN = re.compile(r"^ *(?:\$ )?(?P<command>referee [a-z]+ (?:.*\\\n)*.*)$", re.MULTILINE)
IN_TABLES = re.compile(r"^\|.*\| `(?P<command>referee [^`]+)` \|$", re.MULTILINE)

TEXTS = 2  # of those that a pattern names
MISSING = ("not installed: pip install", "no model is installed: pip install")  # what tests do without


def commands() -> list[tuple[str, str]]:
    """List the commands of all pages that are in a block of code or a table, without their comments."""
    listed: dict[str, str] = {}
    for page in refresh_docs.pages():
        if page.name == "adding.md":  # its commands need what it adds: tests/test_adding.py
            continue
        text = page.read_text("utf-8")
        blocks = re.findall(r"^(?:    .*\n)+|^```.*\n(?:.*\n)*?```$", text, re.MULTILINE)
        for match in (*SHOWN.finditer("\n".join(blocks)), *IN_TABLES.finditer(text)):
            command = refresh_docs.on_one_line(match["command"])
            listed.setdefault(re.split(r"\s+#\s", command)[0].strip(), page.stem)
    return [(page, command) for command, page in listed.items()]


def with_a_small_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start one process, which has to load a pipeline: tests/scoring/test_engines.py starts several."""
    with suppress(ImportError):  # the environment of training has no Dask
        import distributed

        cluster: Any = distributed.LocalCluster
        monkeypatch.setattr(
            distributed, "LocalCluster", lambda **settings: cluster(**{**settings, "n_workers": 1})
        )


@pytest.mark.parametrize(("page", "command"), commands())
def test_commands_of_the_pages_run(
    page: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.service.running.serve_until_stopped", lambda *_: None)
    shutil.copytree(refresh_docs.SAMPLE, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    if "://" in command:
        pytest.skip("files and machines that are elsewhere")
    monkeypatch.setattr("referee.service.workbench.running.OpenWorkbench.wait", lambda _opened: None)
    monkeypatch.setattr("webbrowser.open_new_tab", lambda _address: True)
    with_a_small_cluster(monkeypatch)
    words = shlex.split(command)[1:]
    lay_out(words)
    expanded = [
        str(path) for word in words for path in (sorted(Path().glob(word))[:TEXTS] if "*" in word else [word])
    ]
    if "-o" in words:  # into a folder that the page has made before
        Path(words[words.index("-o") + 1]).parent.mkdir(exist_ok=True)
    result = CliRunner().invoke(command_line, expanded, prog_name="referee")
    if any(missing in result.output for missing in MISSING):
        pytest.skip(result.output)
    assert result.exit_code == 0, f"{page}: {result.output}"
