"""One document in a real browser: marks, arcs, entities, compact text."""

from __future__ import annotations

from pathlib import Path

import pytest

import referee
from chromium import Browser
from open_page import (
    HARBOUR,
    INTERVIEW,
    boxes,
    count,
    data,
    follow,
    link,
    opened,
    text,
    write_report,
)
from referee.model import Cluster, Document, Mention


def test_a_deep_link_shows_the_error_and_its_arc(page: Browser) -> None:
    doc = next(doc for doc in data(page)["documents"] if doc["id"] == HARBOUR)
    place = next(i for i, error in enumerate(doc["errors"]) if error[1] == 0)
    system, _, _, anaphor, antecedent, *_ = doc["errors"][place]
    follow(page, link(doc=HARBOUR, error=place))
    assert text(page, "h1") == HARBOUR or HARBOUR in text(page, "#document h1")
    assert "misses the link" in text(page, "#chosen")
    assert count(page, f".arc.recall.chosen[data-error='{place}'][data-system='{system}']") == 1
    lit = page.run("[...document.querySelectorAll('.w.anaphor')].map(e => +e.dataset.token)")
    start, end = doc["mentions"][anaphor]
    assert lit == list(range(start, end))
    (arc,) = boxes(page, ".arc.chosen")
    ends = [boxes(page, f".mark.key[data-mention='{m}'] .pill")[0] for m in (anaphor, antecedent)]
    for left, top, right, _ in ends:  # the arc begins and ends at the numbers of the two mentions
        assert arc[0] - 8 <= (left + right) / 2 <= arc[2] + 8
        assert arc[1] - 8 <= top <= arc[3] + 8
    (window,) = boxes(page, f"[data-token='{start}']")
    assert 0 <= window[1] < 900


def test_precision_arcs_hang_below_the_text_and_recall_arcs_stand_above(page: Browser) -> None:
    follow(page, link(doc=INTERVIEW))
    assert count(page, ".arc.recall") > 0
    assert count(page, ".arc.precision") > 0
    page.press("r")
    assert count(page, ".arc.recall") == 0
    page.press("r", "p")
    assert (count(page, ".arc.recall") > 0, count(page, ".arc.precision")) == (True, 0)


def test_entities_are_listed_and_can_be_followed(page: Browser) -> None:
    follow(page, link(doc=INTERVIEW))
    page.click("#tab-entities")
    assert count(page, ".entities li") >= len(data(page)["documents"][1]["key"])
    page.click(".entities button")
    same = set(page.run("[...document.querySelectorAll('.mark.same')].map(m => m.dataset.number)"))
    assert same == {"1"}


@pytest.mark.parametrize("width", [1300, 420])
def test_marks_lie_over_their_words_and_never_over_each_other(page: Browser, width: int) -> None:
    page.resize(width, 20000)  # all of the text is near the window, so all marks are drawn
    follow(page, link(doc=HARBOUR))
    doc = data(page)["documents"][0]
    pills = boxes(page, ".pill")
    assert len(pills) == sum(len(mentions) for _, mentions in doc["key"]) + sum(
        len(mentions) for response in doc["responses"] for _, mentions in response
    )
    for i, (left, top, right, bottom) in enumerate(pills):
        for other in pills[:i]:
            assert not (
                left < other[2] - 1 and other[0] < right - 1 and top < other[3] - 1 and other[1] < bottom - 1
            )
    for place in range(0, len(doc["mentions"]), 5):
        mark = boxes(page, f".mark[data-mention='{place}'] .line")[0]
        word = boxes(page, f"[data-token='{doc['mentions'][place][0]}']")[0]
        assert mark[0] == pytest.approx(word[0], abs=1.5)
        assert word[1] <= mark[1] <= mark[3] <= word[3]
    assert page.run("document.documentElement.scrollWidth <= innerWidth")


def test_texts_from_right_to_left_are_marked_where_their_words_are(chromium: Browser, tmp_path: Path) -> None:
    words = ("قال", "رئيس", "البلدية", "إنه", "سعيد")
    key = Document("d", words, ((0, 5),), (Cluster("0", (Mention.at(1, 3), Mention.at(3, 4))),))
    paths = [str(tmp_path / f"{name}.jsonl") for name in ("key", "response")]
    referee.write([key], paths[0])
    referee.write([Document("d", words, ((0, 5),), ())], paths[1])
    write_report(tmp_path / "report.html", paths)
    for page in opened(chromium, tmp_path / "report.html", link(doc="d")):
        first, second = boxes(page, "[data-token='1'], [data-token='2']")
        assert second[2] <= first[0]  # the second word is on the left
        (mark,) = boxes(page, ".mark.key[data-mention='0'] .line")
        assert mark[0] == pytest.approx(second[0], abs=2)
        assert mark[2] == pytest.approx(first[2], abs=2)


def test_broken_and_crossing_mentions_are_drawn(chromium: Browser, tmp_path: Path) -> None:
    words = ("he", "switched", "the", "old", "lamp", "in", "the", "hall", "off")
    clusters = (
        Cluster("0", (Mention(((1, 2), (8, 9))), Mention.at(0, 1))),
        Cluster("1", (Mention.at(2, 6), Mention.at(4, 8))),
    )
    paths = [str(tmp_path / f"{name}.jsonl") for name in ("key", "response")]
    referee.write([Document("d", words, ((0, 9),), clusters)], paths[0])
    referee.write([Document("d", words, ((0, 9),), ())], paths[1])
    page_path = tmp_path / "report.html"
    write_report(page_path, paths)
    for page in opened(chromium, page_path, link(doc="d")):
        assert count(page, ".mark.key") == 4
        assert count(page, ".mark .gap") == 1
        tops = {round(top) for _, top, _, _ in boxes(page, ".mark.key .pill")}
        assert len(tops) == 3
