"""What must not be lost: two tabs edit one document, and a server is killed while a page edits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import referee
from bench_page import OPENED, Hands, workbench_page
from chromium import Browser
from killed_server import edits_while_killed

SAMPLE = Path(referee.__file__).parent / "sample"
KEY = SAMPLE / "key.conll"
UNSEEN = "Object.defineProperty(document, 'hidden', {value: true, configurable: true})"  # asks for nothing


@pytest.fixture
def hands(chromium: Browser, tmp_path: Path) -> Iterator[Hands]:
    with workbench_page(chromium, KEY, journal=tmp_path / "j") as opened:
        yield opened


def test_the_second_of_two_tabs_is_told_and_may_do_it_again(hands: Hands) -> None:
    page, state = hands.page, hands.document.state
    first, second = list(state.mentions)[:2]
    page.run(UNSEEN)
    with page.another_tab():
        hands.open(hands.opened.address)
        hands.choose(first)
        hands.press("x")
    hands.choose(second)
    page.press("x")
    page.wait("!!document.querySelector('#notices .asks')")
    said = page.run("document.querySelector('#notices .asks p').textContent")
    assert "Another tab or program changed this document" in said
    assert "was not saved" in said
    page.wait(OPENED)
    assert hands.known(f"bench.doc.mentions.get('{first}').entity") != state.mentions[first].entity
    assert hands.known(f"bench.doc.mentions.get('{second}').entity") == state.mentions[second].entity
    hands.click("#notices .asks button")  # do it again
    now = hands.document.state
    assert now.mentions[first].entity != state.mentions[first].entity
    assert now.mentions[second].entity != state.mentions[second].entity
    assert [step.op for step in hands.document.history.past] == ["detach", "detach"]
    page.complaints[:] = [each for each in page.complaints if "409" not in each]  # as the browser logs it


def test_a_tab_that_only_reads_is_told_that_another_one_edited(hands: Hands) -> None:
    page = hands.page
    mention = next(iter(hands.document.state.mentions))
    page.run(UNSEEN)
    with page.another_tab():
        hands.open(hands.opened.address)
        hands.choose(mention)
        hands.press("x")
        entity = hands.known(f"bench.doc.mentions.get('{mention}').entity")
    assert hands.known(f"bench.doc.mentions.get('{mention}').entity") != entity
    page.run("delete document.hidden; dispatchEvent(new Event('focus'))")
    page.wait("!!document.querySelector('#toasts .toast')")
    assert hands.known(f"bench.doc.mentions.get('{mention}').entity") == entity


@pytest.mark.parametrize("seed", range(2))
def test_no_edit_is_lost_where_the_server_is_killed(chromium: Browser, tmp_path: Path, seed: int) -> None:
    source = tmp_path / "key.jsonl"
    referee.write([referee.read(KEY).document(0)], source)
    edits_while_killed(chromium, source, tmp_path / "j", edits=40, seed=seed)
