"""What is decided in the page is in the merged file when it ends."""

from __future__ import annotations

import csv
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

import referee
from referee.cli import main
from referee.service.workbench.running import OpenWorkbench

SAMPLE = Path(referee.__file__).parent / "sample"


def run(line: str) -> str:
    done = CliRunner().invoke(main, shlex.split(line))
    assert done.exit_code == 0, done.output
    return done.output


def test_decisions_of_the_page_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def decide(opened: OpenWorkbench) -> None:
        document = opened.bench.documents[0]
        assert [case["settled"] for case in cases(opened)] == [False] * 4
        ids = [document.state.at([span]) for span in ((129, 131), (173, 176))]
        entity = document.state.mentions[str(ids[0])].entity
        document.edit({"op": "move", "mention": ids[1], "entity": entity}, "test")
        document.edit({"op": "add", "spans": [[129, 130]], "entity": entity}, "test")
        assert [case["settled"] for case in cases(opened)] == [False] * 3 + [True]
        assert cases(opened)[3]["now"] == "A B"

    def cases(opened: OpenWorkbench) -> list[dict[str, object]]:
        from referee.service.workbench.cases import cases_value

        found: list[dict[str, object]] = cases_value(opened.bench.documents[0])["cases"]
        return found

    monkeypatch.setattr("webbrowser.open_new_tab", lambda _: None)
    monkeypatch.setattr("referee.service.workbench.running.OpenWorkbench.wait", decide)
    given = " ".join(str(SAMPLE / f"{name}.conll") for name in ("key", "alpha", "beta"))
    said = run(f"curate {given} -o merged.conll --open")
    assert "#token=" in said
    merged = referee.read("merged.conll")[0]
    (cluster,) = [each for each in merged.clusters if (129, 130) in {m.spans[0] for m in each.mentions}]
    assert {m.spans[0] for m in cluster.mentions} >= {(129, 131), (173, 176), (129, 130)}
    with Path("merged.conll.annotators.csv").open(encoding="utf-8") as file:
        rows = {row["words"]: row for row in csv.DictReader(file) if row["document"] == merged.id}
    assert rows["129:130"]["decided"] == rows["173:176"]["decided"] == "by a person"
    assert rows["129:131"]["entity"] == rows["173:176"]["entity"]
    assert "merged.conll.journal has what was decided in the page" in run(f"curate {given} -o merged.conll")


def test_json_lines_say_who_said_what(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run(f"curate {SAMPLE / 'key.conll'} {SAMPLE / 'alpha.conll'} {SAMPLE / 'beta.conll'} -o merged.jsonl")
    merged = referee.read("merged.jsonl")[0]
    layer = merged.layers["annotators"]
    assert layer[8] == "2=key+alpha"
    for cluster in merged.clusters:
        for mention in cluster.mentions:
            assert any(said.partition("=")[0] == cluster.id for said in layer[mention.start].split())
    with Path("merged.jsonl.annotators.csv").open(encoding="utf-8") as file:
        kept = [row for row in csv.DictReader(file) if row["entity"] and row["document"] == merged.id]
    assert sum(len(said.split()) for said in layer if said != "-") == len(kept)
