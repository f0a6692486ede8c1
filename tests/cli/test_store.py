"""referee link --into and referee store, with a scorer that looks at words alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.resolvers.across import across
from referee.resolvers.across.store import growing
from surface_scorer import SurfaceScorer

TEXTS = {
    "monday": "Philadelphia fired Cheeks.",
    "tuesday": "Cheeks was fired by Philadelphia.",
    "friday": "Cheeks left Philadelphia.",
}


@pytest.fixture
def news(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(across, "opened_scorer", lambda *_: SurfaceScorer())
    monkeypatch.setattr(growing, "model_facts", lambda _: ("surface 1", "digest"))
    monkeypatch.chdir(tmp_path)
    for name, text in TEXTS.items():
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    assert run("link", "monday.txt", "tuesday.txt", "--into", "store").exit_code == 0
    return tmp_path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments)])


@pytest.mark.usefixtures("news")
def test_texts_are_added_and_what_is_there_already_is_said() -> None:
    added = run("link", "friday.txt", "monday.txt", "--into", "store", "--explain")
    assert added.stdout.startswith("1 text added, 1 there already\nmonday is there already\n\n")
    assert "‘Cheeks’ (monday 2) = ‘Cheeks’ (friday 0): the same words" in added.stdout
    shown = json.loads(run("store", "entity", "store", "Cheeks", "-f", "json").stdout)
    assert [each["text"] for each in shown["mentions"]] == ["monday", "tuesday", "friday"]


@pytest.mark.usefixtures("news")
def test_programs_read_what_was_joined_and_why() -> None:
    added = json.loads(run("link", "friday.txt", "--into", "store", "--explain", "-f", "json").stdout)
    assert added["added"] == ["friday"]
    joined = next(join for join in added["joins"] if join["said"] == ["Cheeks", "Cheeks"])
    assert joined["mentions"] == [["monday", 2, 3], ["friday", 0, 1]]
    assert joined["reasons"][0] == "the same words"
    assert 0.5 < joined["score"] <= 1
    assert "joins" not in json.loads(run("link", "friday.txt", "--into", "store", "-f", "json").stdout)


def test_a_failure_is_listed_and_the_exit_status_is_1(news: Path) -> None:
    (news / "monday.txt").write_text("Something else happened.", "utf-8")
    result = run("link", "monday.txt", "friday.txt", "--into", "store", "--record", "run.json")
    assert result.exit_code == 1
    assert "1 text added, 1 failed" in result.stdout
    assert "another text of this name is in the store; --update replaces it" in result.stderr
    assert json.loads((news / "run.json").read_text("utf-8"))["added"] == ["friday"]
    updated = run("link", "monday.txt", "--into", "store", "--update")
    assert (updated.exit_code, updated.stdout) == (0, "0 texts added, 1 replaced\n")


def test_an_output_has_all_of_the_store(news: Path) -> None:
    assert run("link", "friday.txt", "--into", "store", "-o", "g.entities.jsonl").exit_code == 0
    lines = [json.loads(line) for line in (news / "g.entities.jsonl").read_text("utf-8").splitlines()]
    cheeks = next(line for line in lines if line["name"] == "Cheeks")
    assert {mention["text"] for mention in cheeks["mentions"]} == TEXTS.keys()


def test_people_merge_rename_split_and_undo(news: Path) -> None:
    assert "4 mentions in 2 texts" in run("store", "merge", "store", "Cheeks", "Philadelphia").stderr
    assert run("store", "rename", "store", "e1", "Both").exit_code == 0
    listed = json.loads(run("store", "entities", "store", "-f", "json").stdout)["entities"]
    assert (listed[0]["id"], listed[0]["name"]) == ("e1", "Both")
    assert run("store", "export", "store", "-o", "page.html").exit_code == 0
    assert "Both" in (news / "page.html").read_text("utf-8")
    split = run("store", "split", "store", "Both", "monday:2-3", "tuesday:0-1")
    assert "Cheeks: 2 mentions in 2 texts" in split.stderr
    for kind in ("split", "rename", "merge"):
        assert f"taken back: a {kind}" in run("store", "undo", "store").stderr
    refused = run("store", "undo", "store")
    assert (refused.exit_code, "nothing was decided; --join undoes" in refused.stderr) == (2, True)
    assert "separated from" in run("store", "undo", "store", "--join", 1).stderr
    assert "separated by people" in run("store", "joins", "store").stdout


def test_mistakes_in_the_command_are_said(news: Path) -> None:
    nowhere = run("store", "entities", "nowhere")
    assert (nowhere.exit_code, "there is no store 'nowhere'" in nowhere.stderr) == (2, True)
    unlike = run("store", "split", "store", "Cheeks", "monday-2")
    assert (unlike.exit_code, "is not TEXT:START-END" in unlike.stderr) == (2, True)
    unwritable = run("store", "export", "store", "-o", "no/such/g.graphml")
    assert (unwritable.exit_code, "mkdir -p no/such" in unwritable.stderr) == (2, True)
    foreign = run("link", "friday.txt", "--into", ".")
    assert (foreign.exit_code, "neither empty nor a store" in foreign.stderr) == (1, True)
    assert json.loads((news / "store" / "store.json").read_text("utf-8"))["model"] == "surface 1"
