"""What annotators left undecided, in the page: listed, gone through, decided, and written."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import referee
from bench_page import Hands
from chromium import Browser
from referee.functions.workbench import workbench

SAMPLE = Path(referee.__file__).parent / "sample"
ROWS = "[...document.querySelectorAll('#cases-rows li')]"


@pytest.fixture
def hands(chromium: Browser, tmp_path: Path) -> Iterator[Hands]:
    made = referee.curate(*(SAMPLE / f"{name}.conll" for name in ("key", "alpha", "beta")))
    with workbench(made, journal=tmp_path / "journal", no_open=True) as opened:
        found = Hands(chromium, opened)
        found.open(opened.address)
        yield found


def test_cases_are_listed_and_settled(hands: Hands) -> None:
    page = hands.page
    assert page.run("document.getElementById('cases-count').textContent") == "4"
    page.click("#tab-cases")
    page.wait(f"{ROWS}.length === 4")
    assert "A B C: key; A | B C: alpha" in page.run(f"{ROWS}[2].textContent")
    page.click("#cases-rows li[data-row='3'] button")
    mention = page.run("[...document.querySelectorAll('#cases-rows li')][3].querySelector('b').textContent")
    assert mention == "A another winter"
    chosen = hands.known("bench.mention")
    assert hands.document.state.mentions[chosen].mention.spans == ((129, 131),)
    page.click("#cases-rows li[data-row='3'] button")  # the next part
    second = hands.known("bench.mention")
    assert hands.document.state.mentions[second].mention.spans == ((173, 176),)
    hands.page.press("m")
    hands.write("another winter")
    hands.press("Enter")
    page.wait("document.getElementById('cases-count').textContent === '3'")
    state = hands.document.state
    assert state.mentions[chosen].entity == state.mentions[second].entity
    assert "now: A B" in page.run(f"{ROWS}[3].textContent")


def test_without_cases_there_is_no_such_list(chromium: Browser, tmp_path: Path) -> None:
    shutil.copy(SAMPLE / "key.conll", tmp_path)
    with workbench(tmp_path / "key.conll", resolver="none", no_open=True) as opened:
        found = Hands(chromium, opened)
        found.open(opened.address)
        assert found.page.run("document.getElementById('tab-cases').hidden")
