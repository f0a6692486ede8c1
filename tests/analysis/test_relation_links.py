"""Errors of bridging and of expressions that refer to nothing: against plain statements."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import naive_sets
import referee
from bridged_texts import DOOR, ENGINE, KEY, RESPONSE, text
from corpora import DATA
from noisy_anaphora import bridges, noisy, random_document, side_of
from referee import Document
from referee.analysis.sheets.relations import relation_gains
from referee.analysis.study import Study
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


def test_where_the_key_has_nothing_nothing_is_gained() -> None:
    study = referee.errors(text(), text((ENGINE, DOOR)), layer="bridging", names=["system"])
    assert {*relation_gains(study, study.systems[0]).values()} == {0.0}
    (sheet,) = study.table("relations")
    assert sheet.rows == [["system", 0, 0, 0, 0, 0, 1, 0, 0, 0, 1]]


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


def test_breakdowns_that_need_links_or_labels_are_refused() -> None:
    study = referee.errors(KEY, RESPONSE, layer="non-referring")
    with pytest.raises(SettingError, match="needs links"):
        study.breakdown("distance")
    with pytest.raises(SettingError, match="needs layer='bridging'"):
        referee.errors(KEY, RESPONSE).breakdown("label")
    with pytest.raises(SettingError, match="did you mean"):
        referee.errors(KEY, RESPONSE).breakdown("distanse")
