"""Moving through the page: links, keys, search."""

from __future__ import annotations

from chromium import Browser
from open_page import (
    HARBOUR,
    INTERVIEW,
    address,
    boxes,
    count,
    data,
    follow,
    link,
    text,
)


def test_a_link_to_nothing_opens_the_overview(page: Browser) -> None:
    follow(page, "#doc=nowhere&error=99")
    assert page.run("!document.getElementById('overview').hidden")
    follow(page, link(doc=HARBOUR, error=9999))
    assert count(page, ".block") > 0
    assert count(page, "#chosen") == 0


def test_keys_step_through_errors_and_documents(page: Browser) -> None:
    page.press("j")
    first = address(page)
    assert first["error"] == "0"
    page.press("j")
    assert address(page)["error"] == "1"
    page.press("k")
    assert address(page) == first
    page.press("]")
    assert address(page)["doc"] != first["doc"]
    assert "error" not in address(page)
    page.press("k")  # the last error of the document before, since nothing is chosen here
    before = address(page)
    assert before["doc"] == first["doc"]
    page.press("j")
    assert address(page) == {"doc": INTERVIEW, "error": "0"}
    page.press("o")
    assert page.run("!document.getElementById('overview').hidden")
    page.press("?")
    assert page.run("document.getElementById('help').open")


def test_the_chosen_error_is_seen_in_the_list(page: Browser) -> None:
    last = len(data(page)["documents"][0]["errors"]) - 1
    for number in (last, last // 2, 0):
        follow(page, link(doc=HARBOUR, error=number))
        (side,), (item,) = boxes(page, "#side"), boxes(page, ".errors .current")
        assert side[1] - 1 <= item[1] < item[3] <= side[3] + 1
        assert item[3] <= 900


def test_keys_do_nothing_while_one_types(page: Browser) -> None:
    page.press("/", "j", "x")
    assert page.run("document.getElementById('query').value") == "jx"
    assert "error" not in address(page)


def test_search_finds_words_and_leads_to_them(page: Browser) -> None:
    page.press("/")
    page.send("Input.insertText", text="port ELLERY harbour")
    page.settle()
    assert "1 hit" in text(page, "#hits")
    page.press("Enter")
    page.settle()
    assert address(page)["doc"] == HARBOUR
    words = page.run("[...document.querySelectorAll('.w.found')].map(e => e.innerText)")
    assert words == ["Port", "Ellery", "Harbour"]
    page.run("document.getElementById('query').value = 'interview'; document.getElementById('query').focus()")
    page.settle()
    assert INTERVIEW in text(page, "#hits")
