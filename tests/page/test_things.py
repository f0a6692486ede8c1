"""The report across documents: entities with all their mentions, and links within and across apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from chromium import Browser
from open_page import address, count, data, opened, text
from referee.matching.protocol import Protocol
from referee.page.gather import Report
from studies import report
from two_topics import KEY, RESPONSE, write_corpus


@pytest.fixture
def across(tmp_path: Path) -> Report:
    paths = [write_corpus(tmp_path / f"{name}.jsonl", rows) for name, rows in (("key", KEY), ("a", RESPONSE))]
    return report(paths[0], paths[1], protocol=Protocol(scope="topic"))


def test_each_error_has_a_likeness_in_its_order(across: Report) -> None:
    for doc in across.data["documents"]:
        assert len(doc["likeness"]) == len(doc["errors"])
    second = across.data["documents"][1]
    words = across.data["likenesses"]
    told = {
        (error[1], error[5]): words[at]
        for error, at in zip(second["errors"], second["likeness"], strict=True)
    }
    # "The mill" – "the old mill" is missed across documents, "the fire" – "The mill" is wrong within one
    assert told[1, 0] == "other words"
    assert sorted(
        words[at] for error, at in zip(second["errors"], second["likeness"], strict=True) if error[5] == 1
    ) == ["head", "other words"]


def test_an_entity_opens_with_its_mentions_in_all_documents(
    across: Report, chromium: Browser, tmp_path: Path
) -> None:
    across.save(tmp_path / "r.html")
    for page in opened(chromium, tmp_path / "r.html"):
        page.click("#to-entities")
        assert address(page)["view"] == "entities"
        assert text(page, "#entities h1") == "3 entities and events of the key"
        assert count(page, ".things > li") == 3
        assert "missed link" in text(page, ".things > li")
        page.click(".things > li button")
        assert count(page, ".concordance tbody tr") in (2, 3)
        assert {"fire-1", "fire-2"} <= set(text(page, ".concordance").split())
        page.click(".concordance a")
        assert text(page, "#document h1") == "fire-1"
        page.press("e")
        page.click("#order-mentions")
        assert page.run("document.activeElement.id") == "order-mentions"


def test_links_within_and_across_are_counted_apart_and_filter(
    across: Report, chromium: Browser, tmp_path: Path
) -> None:
    across.save(tmp_path / "r.html")
    for page in opened(chromium, tmp_path / "r.html"):
        tables = page.run(
            "[...document.querySelectorAll('.reach')]"
            ".map(table => [...table.querySelectorAll('.sum')].map(cell => parseInt(cell.innerText)))"
        )
        assert tables == [[0, 2], [1, 0]]  # missed within and across, wrong within and across
        page.click(".reach td button")
        assert address(page)["reach"] == "across documents"
        assert count(page, ".examples li") == 1
        page.press("x")
        page.click("#filter-reach-1")
        assert count(page, ".examples li") == 1
        assert len(data(page)["documents"][1]["errors"]) == 3


def test_a_report_of_single_documents_has_no_such_view(page: Browser) -> None:
    assert page.run("document.getElementById('to-entities').hidden")
    assert count(page, ".reach") == 0
    page.press("e")
    assert "view" not in address(page) or address(page)["view"] != "entities"
