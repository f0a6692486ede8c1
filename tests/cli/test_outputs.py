"""What can be seen to fail is refused before the work: an output's folder, name, ending, format and disk."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from referee.cli import main

COMMANDS = {  # the files to be read are not there, so that an error about the output comes before reading
    "resolve": "resolve no.txt -o {}", "link": "link no.txt -o {}", "convert": "convert no.conll {}",
    "baseline": "baseline same-string no.conll -o {}", "report": "report no.conll no.conll -o {}",
    "topics": "topics no.conll -o {}", "score": "score no.conll no.conll -o {}",
    "compare": "compare no.conll no.conll no.conll -o {}", "gap": "gap no.tsv no.tsv --decisions {}",
}  # fmt: skip
FOLDERS = {
    "train": "train no.conll --dev no.conll -o {}", "export": "export no -o {}",
    "compare --plot": "compare no.conll no.conll no.conll --plot {}",
}  # fmt: skip
FORMATTED = ("resolve", "link", "convert", "baseline")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def refused(line: str, output: str) -> tuple[int, str]:
    shown = CliRunner().invoke(main, line.format(output).split())
    return shown.exit_code, " ".join(shown.stderr.split())


@pytest.mark.parametrize("line", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize(
    ("output", "message"),
    [("no/such/out.conll", "mkdir -p no/such"), (f"{'x' * 300}.conll", "too long for a name")],
    ids=["folder", "name"],
)
def test_an_output_that_cannot_be_written_is_refused_before_reading(
    line: str, output: str, message: str
) -> None:
    code, said = refused(line, output)
    assert (code, message in said) == (2, True), said


@pytest.mark.parametrize("line", [COMMANDS[name] for name in COMMANDS if name not in FORMATTED])
def test_a_folder_is_not_a_file(line: str) -> None:
    code, said = refused(line, ".")
    assert (code, "is a folder" in said) == (2, True), said


@pytest.mark.parametrize("line", FOLDERS.values(), ids=FOLDERS)
def test_a_file_is_not_a_folder(line: str) -> None:
    Path("there").touch()
    code, said = refused(line, "there")
    assert (code, "is a file" in said) == (2, True), said
    code, said = refused(line, "there/model")
    assert (code, "no folder 'there'" in said) == (2, True), said


@pytest.mark.parametrize("name", FORMATTED)
def test_a_format_that_is_not_known_is_refused_before_reading(name: str) -> None:
    for output in ("out.docx", "out.docx --to conl", "out.xml"):
        code, said = refused(COMMANDS[name], output)
        assert (code, "no.txt" in said or "no.conll:" in said) == (2, False), said


def test_link_refuses_a_format_of_one_document_before_the_model_is_loaded() -> None:
    code, said = refused(COMMANDS["link"], "out.conll --to conll")
    assert code in (1, 2)
    assert "only holds clusters within a document" in said


def test_a_full_disk_is_seen_before_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
    code, said = refused(COMMANDS["resolve"], "out.conll")
    assert (code, "is full; make room" in said) == (1, True)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_seen_before_reading() -> None:
    Path("closed").mkdir(mode=0o555)
    code, said = refused(COMMANDS["resolve"], "closed/out.conll")
    assert (code, "nothing can be written to the folder 'closed'" in said) == (2, True)


def test_folders_that_are_outputs_are_made() -> None:
    Path("story.txt").write_text("Clara smiled.", "utf-8")
    shown = CliRunner().invoke(main, ["resolve", "story.txt", "-o", "new/deep/", "--resolver", "camp"])
    assert shown.exit_code == 0, shown.output
    assert list(Path("new/deep").iterdir())
