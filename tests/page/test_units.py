"""Units of several documents: a topic's entities and errors run through its documents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import referee
from chromium import Browser
from open_page import count, data, follow, link, opened, text
from referee.matching.protocol import Protocol
from referee.page.gather import Report
from studies import report
from two_topics import KEY, RESPONSE, TEXTS, write_corpus


@pytest.fixture
def across(tmp_path: Path) -> Report:
    paths = [write_corpus(tmp_path / f"{name}.jsonl", rows) for name, rows in (("key", KEY), ("a", RESPONSE))]
    return report(paths[0], paths[1], protocol=Protocol(scope="topic"))


def errors_of(value: Any) -> list[tuple[str, str]]:
    """The documents of anaphor and antecedent of each error."""
    ids = [doc["id"] for doc in value["documents"]]
    return [
        (ids[at], ids[at - error[5]]) for at, doc in enumerate(value["documents"]) for error in doc["errors"]
    ]


def test_an_entity_has_one_number_in_all_documents_of_its_unit(across: Report) -> None:
    first, second, third = across.data["documents"]
    assert [number for number, _ in first["key"]] == [1, 2]
    assert sorted(number for number, _ in second["key"]) == [1, 2]
    assert [number for number, _ in third["key"]] == [1]
    assert [doc["unit"] for doc in across.data["documents"]] == [0, 0, 1]
    assert [unit["entities"] for unit in across.data["units"]] == [2, 1]


def test_units_are_scored_and_errors_run_across_documents(across: Report, tmp_path: Path) -> None:
    protocol = Protocol(scope="topic")
    result = referee.score(str(tmp_path / "key.jsonl"), str(tmp_path / "a.jsonl"), protocol=protocol)
    wanted = [part.conll for part in result.by(result.units).values()]
    assert [unit["label"] for unit in across.data["units"]] == ["fire", "flood"]
    assert [unit["scores"][0] for unit in across.data["units"]] == pytest.approx(wanted, abs=1e-6)
    errors = errors_of(across.data)
    assert len(errors) == 3  # two links across documents are missed, one inside a document is wrong
    assert errors.count(("fire-2", "fire-1")) == 2


def test_a_document_without_mentions_is_still_in_its_unit(tmp_path: Path) -> None:
    kept = [row for row in KEY if row[0] != "fire-2"]
    paths = [write_corpus(tmp_path / f"{name}.jsonl", rows) for name, rows in (("key", kept), ("a", kept))]
    value = report(*paths, protocol=Protocol(scope="topic")).data
    assert [doc["unit"] for doc in value["documents"]] == [0, 0, 1]


def test_groups_of_ones_own(tmp_path: Path) -> None:
    paths = [write_corpus(tmp_path / f"{name}.jsonl", KEY) for name in ("key", "a")]
    groups = {name: "left" if name == "flood-1" else "right" for name in TEXTS}
    value = report(*paths, protocol=Protocol(scope="group"), groups=groups).data
    assert [value["units"][doc["unit"]]["label"] for doc in value["documents"]] == [
        groups[doc["id"]] for doc in value["documents"]
    ]


def test_the_page_shows_both_documents_of_an_error(across: Report, chromium: Browser, tmp_path: Path) -> None:
    across.save(tmp_path / "r.html")
    for page in opened(chromium, tmp_path / "r.html"):
        assert "2 topics" in text(page, ".lead")
        assert "antecedent in fire-1" in text(page, ".examples")
        page.press("d")
        assert count(page, ".listing") == 2
        assert f"{100 * data(page)['units'][0]['scores'][0]:.2f}" in text(page, ".listing")
        errors = data(page)["documents"][1]["errors"]
        number = next(i for i, error in enumerate(errors) if error[5] == 1)
        follow(page, link(doc="fire-2", error=number))
        assert "fire-1" in text(page, "#chosen")
        assert count(page, ".arc.chosen") == 1  # its beginning
        page.click("#antecedent-document")
        assert text(page, "#document h1") == "fire-1"
        assert count(page, ".w.found") > 0
        assert "fire-2" in text(page, ".page .next")
        page.click("#tab-entities")
        assert "in 2 documents" in text(page, ".entities")
        assert "divided" in text(page, ".entities")
        page.click(".entities button")
        page.click(".mentions a")
        assert text(page, "#document h1") == "fire-2"
