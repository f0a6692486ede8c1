"""The page of what several documents mention, in a browser: searched, filtered, drawn a part at a time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from chromium import Browser
from open_page import count, follow, opened, text
from referee.model import Cluster, Document, Mention
from referee.page.recurring import recurring_page

TOWNS = 120
HOSTILE = "<img src=x onerror=alert(1)>"


def made(id_: str, sentences: list[str], clusters: list[tuple[str, str, int]]) -> Document:
    """Make a document of sentences; each cluster has the third word of a sentence, or another."""
    words = [sentence.split() for sentence in sentences]
    starts = [sum(map(len, words[:number])) for number in range(len(words) + 1)]
    things = tuple(
        Cluster(name, (Mention.at(starts[number] + 2, starts[number] + 3),), kind)
        for name, kind, number in clusters
    )
    edges = list(pairwise(starts))
    return Document.of(id_, [word for sentence in words for word in sentence], edges, things)


def documents() -> list[Document]:
    """Two texts mention the same towns; a third one has the first of them in a long sentence, and a storm."""
    towns = [f"people in Town{number} slept" for number in range(TOWNS)]
    known = [(f"t{number}", "entity", number) for number in range(TOWNS)]
    long = "rain in Town0 " + "and so on " * 100 + HOSTILE
    storm = "then the storm came"
    return [
        made("monday", [*towns, storm], [*known, ("storm", "event", TOWNS)]),
        made("tuesday", [*towns, storm], [*known, ("storm", "event", TOWNS)]),
        made("weather/wednesday", [long], [("t0", "entity", 0)]),
    ]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("linked") / "linked.html"
    path.write_text(recurring_page(documents(), "linked"), "utf-8")
    return path


@pytest.fixture
def page(chromium: Browser, written: Path) -> Iterator[Browser]:
    yield from opened(chromium, written)


def search(page: Browser, words: str) -> None:
    page.run(f"document.getElementById('query').value = {words!r}")
    page.run("document.getElementById('query').dispatchEvent(new Event('input'))")


def test_the_first_are_drawn_and_more_when_they_are_wanted(page: Browser) -> None:
    assert count(page, "#things details") == 50
    assert text(page, "#more-things") == "50 more of 71"
    page.run("document.getElementById('more-things').click()")
    page.run("document.getElementById('more-things').click()")
    assert count(page, "#things details") == TOWNS + 1
    assert page.run("document.getElementById('more-things').hidden")


def test_sentences_are_drawn_when_they_are_opened_and_cut_if_they_are_long(page: Browser) -> None:
    assert count(page, "#things details[open]") == 3
    assert count(page, "#t4 p") == 0
    page.run("document.querySelector('#t4').open = true")
    page.wait("document.querySelectorAll('#t4 p').length === 2")
    assert text(page, "#t1 mark") == "Town0"
    assert text(page, "#t1 p:last-child").endswith(" …")
    assert "onerror" not in page.run("document.querySelector('#things').innerHTML")


def test_names_and_documents_are_found(page: Browser) -> None:
    search(page, "town11")
    assert text(page, "#count") == "11 found"  # 11, and 110 to 119
    search(page, "WEDNESDAY")
    assert (text(page, "#count"), text(page, "#things b")) == ("1 found", "Town0")
    assert text(page, "#documents dt") == "weather/wednesday"
    search(page, "nothing like this")
    assert count(page, "#things details") == 0
    assert page.run("document.getElementById('by-document').hidden")
    search(page, "")
    assert (text(page, "#count"), count(page, "#things details")) == ("", 50)


def test_events_are_shown_alone(page: Browser) -> None:
    page.run("document.getElementById('kind').value = 'event'")
    page.run("document.getElementById('kind').dispatchEvent(new Event('change'))")
    assert (text(page, "#count"), text(page, "#things b")) == ("1 found", "storm")
    assert count(page, "#documents dt") == 2


def test_a_link_of_a_document_opens_what_was_not_drawn(page: Browser) -> None:
    assert count(page, "#t110") == 0
    follow(page, "#t110")
    assert count(page, "#t110[open] mark") == 2
    assert page.run("document.activeElement.closest('details').id") == "t110"


def test_one_kind_has_no_choice_of_kinds(chromium: Browser, tmp_path: Path) -> None:
    (tmp_path / "one.html").write_text(recurring_page(documents()[:1], "none"), "utf-8")
    for page in opened(chromium, tmp_path / "one.html"):
        assert page.run("document.getElementById('kinds').hidden")
        assert count(page, "#things details") == 0
