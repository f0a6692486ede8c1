"""The report of bridging and of expressions that refer to nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

import referee
from bridged_texts import KEY, RESPONSE
from chromium import Browser
from open_page import count, opened, text
from referee.exceptions import SettingError


def test_bridging_is_judged_by_its_entity_and_links_are_those_of_the_annotation() -> None:
    data = referee.report(KEY, RESPONSE, layer="bridging", names=["system"]).data
    assert (data["layer"], data["measure"]) == ("bridging", "Bridging entity")
    assert (data["scores"][0]["conll"], data["entityScores"]) == (None, None)
    assert data["kinds"] == ["entity wrong", "anaphor missed", "anaphor invented"]
    (document,) = data["documents"]
    kinds = sorted((data["sides"][error[1]], data["kinds"][error[2]]) for error in document["errors"])
    assert kinds == [
        ("precision", "anaphor invented"), ("precision", "entity wrong"),
        ("recall", "anaphor missed"), ("recall", "entity wrong"),
    ]  # fmt: skip
    assert data["gains"] == [[0.5, 0.4, 0.0]]  # 1 of 2 and 2, 1 of 2 and 3, 0 of 2 and 1
    assert data["units"][0]["scores"] == [0.0]


def test_the_page_of_bridging_opens(chromium: Browser, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    referee.report(KEY, RESPONSE, layer="bridging", names=["system"]).save(path)
    for page in opened(chromium, path):
        shown = text(page, "#overview")
        assert "Bridging entity" in shown
        assert "CoNLL" not in shown
        assert "trees by" not in shown
    for page in opened(chromium, path, "#doc=story"):
        assert "Bridging entity F1" in text(page, ".reader-head")
        assert count(page, "path.arc") == 4


def test_the_page_of_what_refers_to_nothing_opens(chromium: Browser, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    report = referee.report(KEY, RESPONSE, layer="non-referring", names=["system"])
    assert report.data["kinds"] == ["taken to refer"]
    report.save(path)
    for page in opened(chromium, path):
        shown = text(page, "#overview")
        assert "1 error." in shown
        assert "taken to refer" in shown
        assert "mention type" not in shown
    for page in opened(chromium, path, "#doc=story"):
        page.press("j")
        assert "misses that “It” refers to nothing" in text(page, "#chosen")
        assert count(page, "path.arc") == 1


def test_types_of_entities_are_refused_where_there_are_none() -> None:
    with pytest.raises(SettingError, match="types= does nothing with layer='bridging'"):
        referee.report(KEY, RESPONSE, layer="bridging", types="entity")
