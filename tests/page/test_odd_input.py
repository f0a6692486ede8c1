"""Texts that are empty, perfect, too long or hostile."""

from __future__ import annotations

from pathlib import Path

import pytest

import referee
from chromium import Browser
from made_corpora import corpus
from open_page import (
    PATHS,
    boxes,
    count,
    opened,
    text,
    write_report,
)
from referee.model import Cluster, Document, Mention
from studies import report

HOSTILE = (
    "<script>window.hacked=1</script>",
    "<!--",
    "</script><img src=x onerror=window.hacked=1>",
    "&amp;",
    "'\"`${1}",
)


def test_a_perfect_response_and_an_empty_document_show_no_errors(chromium: Browser, tmp_path: Path) -> None:
    key = Document.of("d", ("a", "b"), ((0, 2),), (Cluster("0", (Mention.at(0, 1), Mention.at(1, 2))),))
    path = str(tmp_path / "key.jsonl")
    referee.write([key, Document.of("empty", (), (), ())], path)
    write_report(tmp_path / "report.html", [path, path])
    for page in opened(chromium, tmp_path / "report.html"):
        assert text(page, "#filter-count") == "0 of 0 errors"
        assert "★" not in text(page, ".scores td")  # nothing to be better than
        page.press("j")  # no error to go to
        page.press("d")
        assert "100.00" in text(page, ".listing")
        page.press("]")
        assert count(page, ".mark") == 4
        page.press("]")
        assert count(page, ".w") == 0
        assert "No errors here" in text(page, "#side")


def test_a_response_with_more_tokens_than_the_key_is_shown_as_far_as_it_goes(
    chromium: Browser, tmp_path: Path
) -> None:
    longer = Document.of(
        "d", ("a", "b", "c", "d"), ((0, 4),), (Cluster("0", (Mention.at(0, 1), Mention.at(3, 4))),)
    )
    shorter = Document.of("d", ("a", "b"), ((0, 2),), (Cluster("0", (Mention.at(0, 1), Mention.at(1, 2))),))
    paths = [str(tmp_path / f"{name}.jsonl") for name in ("key", "response")]
    referee.write([shorter], paths[0])
    referee.write([longer], paths[1])
    write_report(tmp_path / "report.html", paths)
    for page in opened(chromium, tmp_path / "report.html"):
        assert "positions may not correspond" in text(page, "#overview")
        assert "beyond the text" in text(page, ".examples")
        page.press("j")
        page.press("j")
        assert "beyond the text" in text(page, "#chosen")
        assert count(page, ".w") == 2


def test_text_is_shown_as_text(chromium: Browser, tmp_path: Path) -> None:
    mentions = tuple(Mention.at(i, i + 1) for i in range(len(HOSTILE)))
    hostile = Document.of(HOSTILE[2], HOSTILE, ((0, len(HOSTILE)),), (Cluster("0", mentions),))
    paths = [str(tmp_path / f"{name}.jsonl") for name in ("key", "<b>response")]
    referee.write([hostile], paths[0])
    referee.write([Document.of(hostile.id, HOSTILE, hostile.sentences, ())], paths[1])
    page_path = tmp_path / "report.html"
    write_report(page_path, paths, "</title><script>")
    for page in opened(chromium, page_path):
        page.press("j")
        assert page.run("window.hacked") is None
        assert page.run("[...document.querySelectorAll('.w')].map(e => e.innerText)") == list(HOSTILE)
        assert HOSTILE[2] in text(page, "#document h1")
        assert "<b>response" in text(page, "#chosen")
        page.press("o")
        assert count(page, "main b.hacked, main script, main img") == 0


INJECTED = """
const script = document.createElement("script");
script.textContent = "window.hacked = 1";
document.body.append(script);
const markup = "<p id=styled style='color: red' onclick='window.hacked = 1'>x</p>";
document.body.insertAdjacentHTML("beforeend", markup);
document.getElementById("styled").click();
"""


def test_no_script_but_our_own_runs(page: Browser) -> None:
    page.run(INJECTED)
    assert page.run("window.hacked") is None
    assert page.run("document.getElementById('styled').style.color") == ""
    assert len(page.complaints) >= 2
    assert all("Content Security Policy" in said for said in page.complaints)
    page.complaints.clear()


NAMES = ["a_system_whose_name_has_34_letters", "W" * 60, "name with\tspaces <b>and</b> signs", "ß" * 34]


@pytest.mark.parametrize("width", [400, 700, 1300])
def test_long_names_leave_room_for_the_rest(width: int, chromium: Browser, tmp_path: Path) -> None:
    report(PATHS[0], [PATHS[1], PATHS[2], PATHS[1], PATHS[2]], names=NAMES).save(tmp_path / "r.html")
    chromium.resize(width, 900)
    for page in opened(chromium, tmp_path / "r.html"):
        assert page.run("document.documentElement.scrollWidth") <= width
        assert max(right - left for left, _, right, _ in boxes(page, ".scores th[scope=row]")) <= 300
        page.press("d")
        assert page.run("document.documentElement.scrollWidth") <= width
        page.press("j")
        assert page.run("document.documentElement.scrollWidth") <= width
        narrowest = min(right - left for left, _, right, _ in boxes(page, "#chosen dd") if right)
        assert narrowest >= 180
        assert all(name in page.run("document.getElementById('lanes').textContent") for name in NAMES)


LETTERS_END = """Math.max(...[...document.querySelectorAll(".w")].map((word) => {
  const range = document.createRange();
  range.selectNodeContents(word);
  return range.getBoundingClientRect().right;
}))"""


@pytest.mark.parametrize("width", [400, 1300])
def test_words_of_400_letters_stay_in_the_window(width: int, chromium: Browser, tmp_path: Path) -> None:
    words = ["x" * 400, "and", "ÄÖ" * 200, "so", "it", "is"]
    key = corpus([[(0, 1), (2, 3), (4, 5)], [(0, 3), (1, 2)]], words=" ".join(words))
    report(key, corpus([[(0, 1), (1, 2)]], words=" ".join(words))).save(tmp_path / "r.html")
    chromium.resize(width, 900)
    for page in opened(chromium, tmp_path / "r.html"):
        assert page.run("document.documentElement.scrollWidth") <= width
        page.press("j")
        assert page.run("document.documentElement.scrollWidth") <= width
        edge = boxes(page, ".page")[0][2]
        assert all(right <= edge for _, _, right, _ in boxes(page, ".mark .line"))
        assert page.run(LETTERS_END) <= edge
        page.press("c")
        assert page.run("document.documentElement.scrollWidth") <= width
