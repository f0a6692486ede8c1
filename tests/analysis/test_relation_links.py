"""Errors of bridging and of expressions that refer to nothing: against plain statements, and in all faces."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import naive_sets
import referee
from bridged_texts import KEY, RESPONSE
from corpora import DATA
from noisy_anaphora import bridges, noisy, random_document, side_of
from referee import Document, DocumentCorpus
from referee.analysis.sheets.relations import relation_gains
from referee.analysis.study import Study
from referee.cli import main
from referee.exceptions import SettingError

Errors = Counter[tuple[Any, ...]]


def found(study: Study) -> Errors:
    (system,) = study.systems
    errors = (*system.recall, *system.precision)
    return Counter((e.side, e.cause, e.anaphor.mention.spans, e.antecedent.mention.spans) for e in errors)


def plain_errors(key: Document, response: Document) -> Errors:
    """State what is wrong with each anaphor of either side."""
    ours, theirs = bridges(key), bridges(response)
    entities = [mentions for mentions, _ in side_of(key)]
    errors: Errors = Counter()
    for anaphor in {**ours, **theirs}:
        if anaphor not in theirs:
            errors["recall", "anaphor missed", anaphor, ours[anaphor]] += 1
        elif anaphor not in ours:
            errors["precision", "anaphor invented", anaphor, theirs[anaphor]] += 1
        elif ours[anaphor] != theirs[anaphor]:
            owner = [entity for entity in entities if ours[anaphor] in entity]
            cause = "mention wrong" if owner and theirs[anaphor] in owner[-1] else "entity wrong"
            errors["recall", cause, anaphor, ours[anaphor]] += 1
            errors["precision", cause, anaphor, theirs[anaphor]] += 1
    return errors


def test_errors_of_bridging_are_those_of_the_definitions() -> None:
    chance = random.Random(7)
    seen: Counter[str] = Counter()
    for _ in range(150):
        key = random_document(chance)
        response = noisy(key, chance, 0.6)
        study = referee.errors(key, response, layer="bridging", names=["r"])
        assert found(study) == plain_errors(key, response)
        seen.update(cause for _, cause, _, _ in found(study))
    assert {*seen} == {*study.causes}


def plain_f1(ours: dict[Any, Any], theirs: dict[Any, Any], entities: list[Any]) -> float:
    found, key, _, response = naive_sets.bridging(ours, theirs, entities)["entity"]
    return 2 * found / (key + response) if key + response else 0.0


def test_gains_are_those_of_corrected_responses() -> None:
    chance = random.Random(8)
    for _ in range(60):
        key = random_document(chance)
        response = noisy(key, chance, 0.6)
        ours, theirs = bridges(key), bridges(response)
        entities = [mentions for mentions, _ in side_of(key)]
        wrong = {(cause, anaphor) for _, cause, anaphor, _ in plain_errors(key, response)}
        study = referee.errors(key, response, layer="bridging", names=["r"])
        for cause, gain in relation_gains(study, study.systems[0]).items():
            corrected = dict(theirs)
            for anaphor in [anaphor for kind, anaphor in wrong if kind == cause]:
                corrected.pop(anaphor, None)
                corrected |= {anaphor: ours[anaphor]} if anaphor in ours else {}
            before, after = (plain_f1(ours, each, entities) for each in (theirs, corrected))
            assert gain == pytest.approx(after - before)


@pytest.mark.skipif(not (DATA / "ua-cases").is_dir(), reason="no shared cases")
@pytest.mark.parametrize(
    "name", [f"{family}-{n}" for family in ("bridging", "everything") for n in range(1, 6)]
)
def test_errors_add_up_to_the_scores(name: str) -> None:
    paths = [DATA / "ua-cases" / f"{name}.{side}.conllua" for side in ("key", "response")]
    scores = referee.score(*paths, layer="bridging")
    (system,) = referee.errors(*paths, layer="bridging").systems
    causes = Counter((error.side, error.cause) for error in (*system.recall, *system.precision))
    for side, absent in (("recall", "anaphor missed"), ("precision", "anaphor invented")):
        wrong = [absent, "entity wrong", "mention wrong"]
        for metric, kinds in (("recognition", 1), ("entity", 2), ("mention", 3)):
            counts = scores[f"bridging_{metric}"].counts
            lost = counts[f"{side}_denominator"] - counts[f"{side}_numerator"]
            assert lost == sum(causes[side, cause] for cause in wrong[:kinds])
    empty = referee.score(*paths, layer="non-referring")["non_referring"].counts
    (system,) = referee.errors(*paths, layer="non-referring").systems
    assert len(system.recall) == empty["recall_denominator"] - empty["recall_numerator"]
    assert len(system.precision) == empty["precision_denominator"] - empty["precision_numerator"]


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


def test_what_is_wrong_is_counted() -> None:
    study = referee.errors(KEY, RESPONSE, layer="bridging", names=["system"])
    (sheet,) = study.table("relations")
    assert sheet.rows == [["system", 2, 0, 0, 1, 1, 2, 0, 0, 1, 1]]
    assert sheet.heads[1:6] == [
        ("Key", title) for title in ("all", "right", "mention wrong", "entity wrong", "anaphor missed")
    ]
    by_distance = study.breakdown("distance").rows
    assert by_distance == [
        ["system", "up to 10 words", 1, 1, 1.0, 2], ["system", "11–50 words", 1, 1, 1.0, 0]
    ]  # fmt: skip
    assert study.breakdown("label").rows == [["system", "part", 2, 2, 1.0, 2]]
    assert study.breakdown("entity-type").rows == [["system", "thing", 2, 2, 1.0, 2]]


def test_expressions_that_refer_to_nothing() -> None:
    missed = referee.errors(KEY, RESPONSE, layer="non-referring")
    assert [(e.cause, e.anaphor.text, e.alone) for e in missed.list_errors()] == [
        ("taken to refer", "It", True)
    ]
    invented = referee.errors(RESPONSE, KEY, layer="non-referring")
    assert [e.cause for e in invented.list_errors()] == ["refers in the key"]


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


def test_breakdowns_that_need_links_or_labels_are_refused() -> None:
    study = referee.errors(KEY, RESPONSE, layer="non-referring")
    with pytest.raises(SettingError, match="needs links"):
        study.breakdown("distance")
    with pytest.raises(SettingError, match="needs layer='bridging'"):
        referee.errors(KEY, RESPONSE).breakdown("label")
    with pytest.raises(SettingError, match="did you mean"):
        referee.errors(KEY, RESPONSE).breakdown("distanse")
