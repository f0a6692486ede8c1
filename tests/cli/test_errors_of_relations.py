"""Errors of bridging and of expressions that refer to nothing, as the command tells them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import referee
from bridged_texts import KEY, RESPONSE
from referee import DocumentCorpus
from referee.cli import main


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = [str(tmp_path / f"{name}.jsonl") for name in ("key", "system")]
    for path, document in zip(paths, (KEY, RESPONSE), strict=True):
        referee.write(DocumentCorpus([document]), path)
    return paths


def run(*words: str, status: int = 0) -> str:
    done = CliRunner().invoke(main, ["errors", *words])
    assert done.exit_code == status, done.output
    return done.stdout if status == 0 else done.output


def test_bridging_in_text_json_and_csv(files: list[str]) -> None:
    shown = run(*files, "--layer", "bridging", "--context")
    assert "{The car} stopped . The engine was hot" not in shown
    assert "{The car} stopped ." in shown
    assert "It rained on [the door] ." in shown
    value = json.loads(run(*files, "--layer", "bridging", "--list", "-f", "json"))
    assert [e["class"] for e in value["errors"]] == [
        "entity wrong", "anaphor missed", "entity wrong", "anaphor invented"
    ]  # fmt: skip
    assert {e["label"] for e in value["errors"]} == {"part"}
    assert value["spanning_trees"] == {"recall": None, "precision": {"system": None}}
    only = run(*files, "--layer", "bridging", "--filter", "class='anaphor missed'", "--list", "-f", "csv")
    assert len(only.splitlines()) == 2
    table = json.loads(run(*files, "--layer", "bridging", "-f", "json"))["tables"][0]
    assert table["name"] == "relations"


def test_non_referring_in_text_and_json(files: list[str]) -> None:
    assert "[It] rained on the door ." in run(*files, "--layer", "non-referring", "--context")
    value = json.loads(run(*files, "--layer", "non-referring", "--list", "-f", "json"))
    (error,) = value["errors"]
    assert (error["antecedent"], error["hints"]) == (None, [])


@pytest.mark.parametrize(
    "words",
    ["--spanning-tree distance", "--antecedents chosen.tsv", "--classes kummerfeld-klein --table recall"],
)
def test_choices_of_links_are_refused_where_links_are_annotated(files: list[str], words: str) -> None:
    said = run(*files, "--layer", "bridging", *words.split(), status=2)
    assert "layer 'bridging'" in said or "--layer" in said


def test_tables_of_clusters_are_left_out_and_that_is_said(files: list[str]) -> None:
    done = CliRunner().invoke(main, ["errors", *files, "--layer", "bridging", "--table", "gains,relations"])
    assert "left out: gains: " in done.stderr
    plain = CliRunner().invoke(main, ["errors", *files, "--table", "relations"])
    assert "left out: relations: " in plain.stderr
