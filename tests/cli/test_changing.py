"""The options that change a text, and the command that undoes one of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from installed_toy import nothing_installed
from referee.cli import main
from referee.resolvers.replacing.pronouns import REFLEXIVE

pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'referee-coref[nlp]'")
STORY = "Clara Holt opened the door.\r\n\r\nShe smiled at herself. Write to clara@holt.org!"


@pytest.fixture
def story(tmp_path: Path) -> Path:
    path = tmp_path / "story.txt"
    path.write_bytes(STORY.encode())
    return path


def run(command: str, *arguments: str | Path) -> Result:
    how = ["--resolver", "camp"] if command == "resolve" else []
    return CliRunner().invoke(main, [command, *how, *map(str, arguments)])


def test_what_was_replaced_and_left_is_said_and_recorded(story: Path, tmp_path: Path) -> None:
    out, record = tmp_path / "out.txt", tmp_path / "run.json"
    shown = run("resolve", story, "--replace", "-o", out, "--record", record)
    assert out.read_bytes() == STORY.replace("She", "Clara Holt").encode()
    assert f"1 pronoun replaced, 1 left as they are ({REFLEXIVE}: 1)" in shown.stderr
    (entry,) = json.loads(record.read_text("utf-8"))["replaced"]
    assert [change["new"] for change in entry["changes"]] == ["Clara Holt"]
    assert [each["pronoun"] for each in entry["left"]] == ["herself"]


@pytest.mark.parametrize("table", ["names.json", "names.csv"])
def test_invented_names_are_undone_to_the_byte(table: str, story: Path, tmp_path: Path) -> None:
    out, names, again = tmp_path / "out.txt", tmp_path / table, tmp_path / "again.txt"
    shown = run("resolve", story, "--pseudonyms", names, "-o", out, "--record", tmp_path / "run.json")
    assert shown.exit_code == 0
    assert b"Clara" not in out.read_bytes()
    assert "clara@holt.org!, at character 63, was left: an address or a handle" in shown.stderr
    assert "keep it apart from the text" in shown.stderr
    assert json.loads((tmp_path / "run.json").read_text())["pseudonyms"]["left"] == 1
    back = run("restore", out, names, "-o", again)
    assert again.read_bytes() == STORY.encode()
    assert "2 names restored, to the byte" in back.stderr


def test_another_text_is_restored_by_name_and_said_to_be(story: Path, tmp_path: Path) -> None:
    run("resolve", story, "--pseudonyms", tmp_path / "t.json", "-o", tmp_path / "out.txt")
    invented = json.loads((tmp_path / "t.json").read_text("utf-8"))["people"][0]["invented"]
    (tmp_path / "answer.txt").write_text(f"Dear {invented},")
    back = run("restore", tmp_path / "answer.txt", tmp_path / "t.json")
    assert back.stdout == "Dear Clara Holt,"
    assert "restored name by name" in back.stderr


def test_a_seed_draws_other_names(story: Path, tmp_path: Path) -> None:
    texts = [
        run("resolve", story, "--pseudonyms", tmp_path / "t.json", "--seed", seed).stdout
        for seed in ("1", "1", "2")
    ]
    assert texts[0] == texts[1] != texts[2]


def test_one_text_has_one_table(story: Path, tmp_path: Path) -> None:
    refusals: tuple[list[str | Path], ...] = (
        [story, story, "--pseudonyms", tmp_path / "t.json"],
        [story, "--pseudonyms", tmp_path / "t.json", "-o", tmp_path / "t.json"],
        [story, "--pseudonyms", tmp_path / "t.json", "-o", f"{tmp_path}/"],
        [story, "--seed", "3"],
    )
    for arguments in refusals:
        refused = run("resolve", *arguments)
        assert refused.exit_code == 2
        assert "--pseudonyms" in refused.stderr
        assert not (tmp_path / "t.json").exists()


def test_a_table_that_is_none_is_named(story: Path, tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text("{}")
    refused = run("restore", story, tmp_path / "t.json")
    assert refused.exit_code == 1
    assert f"{tmp_path / 't.json'}: not a table of invented names" in refused.stderr
    assert refused.stdout == ""


def test_find_belongs_to_the_network(story: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing_installed(monkeypatch)
    refused = run("resolve", story, "--find", "people")
    assert refused.exit_code == 2
    assert "--find is a setting of the resolver neural, not of camp" in refused.stderr
