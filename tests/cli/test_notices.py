"""What reading skipped is said by every command that reads annotation, as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import referee
from referee.cli import COMMANDS, main

ROWS = "{name}\t0\t{number}\t{word}\tN\t(NP*)\t-\t-\t-\t-\t*\t{cell}\n"
OUTSIDE, STRAY = "outside of any document, and not read", "is not a coreference annotation: skipped"
# Commands that read annotation, each with its arguments; all but those of FILES have JSON.
READERS = {
    "score": ("KEY", "KEY"), "errors": ("KEY", "OTHER"),
    "compare": ("KEY", "KEY", "OTHER", "--samples", "100"),
    "report": ("KEY", "OTHER", "-o", "OUT.html"), "agree": ("KEY", "OTHER"), "stats": ("KEY",),
    "curate": ("KEY", "OTHER"),
    "spans": ("KEY",), "convert": ("KEY", "OUT.jsonl"), "baseline": ("same-string", "KEY", "-o", "OUT.jsonl"),
    "topics": ("KEY",), "components": ("KEY", "--nlp", "none"), "validate": ("KEY",),
    "resolve": ("KEY", "-o", "OUT.jsonl", "--resolver", "camp"),
    "link": ("KEY", "-o", "OUT.jsonl", "--mentions", "gold"),
}  # fmt: skip
RECORDED = ("resolve", "link", "convert")
FILES = ("report", "baseline", *RECORDED)
OTHERS = {
    "gap": "reads GAP's tables alone", "train": "tests/training", "tune": "tests/training",
    "export": "reads a model", "models": "reads nothing", "llm": "tests/llm",
    "restore": "reads a text and its table", "serve": "tests/service", "workbench": "tests/service",
    "store": "reads its own store",
}  # fmt: skip


def put(path: Path, words: str) -> str:
    """Write a document with a row outside of it and a cell that is not coreference."""
    rows = [
        ROWS.format(name="d", number=number, word=word, cell={0: "(1)", 2: "(1)", 3: "(1"}.get(number, "-"))
        for number, word in enumerate(words.split())
    ]
    rows[3] = rows[3].replace("(1\n", "(1)|odd\n")
    path.write_text(f"lost\t(1)\n#begin document (d)\n{''.join(rows)}\n#end document\n", encoding="utf-8")
    return str(path)


def run(name: str, folder: Path, *more: str) -> Result:
    """Run a command on these files."""
    if name == "resolve":
        pytest.importorskip("en_core_web_sm")
    names = {
        "KEY": put(folder / "key.conll", "Ann saw her cat and slept"),
        "OTHER": put(folder / "other.conll", "Ann saw her cat and slept"),
        "OUT.html": str(folder / "out.html"),
        "OUT.jsonl": str(folder / "out.jsonl"),
    }
    arguments = [names.get(word, word) for word in READERS[name]]
    return CliRunner().invoke(main, [name, *arguments, *more])


def test_every_command_is_here() -> None:
    assert {*READERS, *OTHERS} == {*COMMANDS}


@pytest.mark.parametrize("name", [name for name in READERS if name not in ("components", "topics")])
def test_what_was_skipped_is_printed(name: str, tmp_path: Path) -> None:
    shown = run(name, tmp_path, *([] if name == "validate" else ["--verbose"]))
    assert "key.conll:1: " + OUTSIDE in shown.output, shown.output
    assert STRAY.removesuffix(": skipped") in shown.output


@pytest.mark.parametrize("name", [name for name in READERS if name not in (*FILES, "components", "topics")])
def test_what_was_skipped_is_in_json(name: str, tmp_path: Path) -> None:
    shown = run(name, tmp_path, "--format", "json")
    data = json.loads(shown.stdout)
    said = json.dumps(data["problems"] if name == "validate" else data["notices"])
    assert OUTSIDE in said
    assert STRAY.removesuffix(": skipped") in said


@pytest.mark.parametrize("name", [*RECORDED, "resolve --jobs 2"])
def test_what_was_skipped_is_in_the_record(name: str, tmp_path: Path) -> None:
    command, *more = name.split()
    shown = run(command, tmp_path, "--record", str(tmp_path / "record.json"), *more)
    assert shown.exit_code == 0, shown.output
    said = json.loads((tmp_path / "record.json").read_text("utf-8"))["notices"]
    assert len(said) == len(set(said))
    assert any(OUTSIDE in notice for notice in said)
    assert any(STRAY in notice for notice in said)


def test_a_workbench_has_what_was_skipped(tmp_path: Path) -> None:
    path = put(tmp_path / "key.conll", "Ann saw her cat and slept")
    with referee.workbench(path, resolver="none", no_open=True) as open_page:
        said = " ".join(open_page.bench.notices)
    assert OUTSIDE in said
    assert STRAY.removesuffix(": skipped") in said
