"""One document in a real browser: marks, arcs, entities, compact text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import referee
from chromium import Browser
from made_corpora import corpus
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
from referee.model import Cluster, Document, DocumentCorpus, Mention
from studies import report


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
    for _, top, right, bottom in ends:  # the arc begins and ends beside the numbers of the two mentions
        assert arc[0] - 8 <= right <= arc[2] + 8
        assert arc[1] - 8 <= (top + bottom) / 2 <= arc[3] + 8
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
    key = Document.of("d", words, ((0, 5),), (Cluster("0", (Mention.at(1, 3), Mention.at(3, 4))),))
    paths = [str(tmp_path / f"{name}.jsonl") for name in ("key", "response")]
    referee.write([key], paths[0])
    referee.write([Document.of("d", words, ((0, 5),), ())], paths[1])
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
    referee.write([Document.of("d", words, ((0, 9),), clusters)], paths[0])
    referee.write([Document.of("d", words, ((0, 9),), ())], paths[1])
    page_path = tmp_path / "report.html"
    write_report(page_path, paths)
    for page in opened(chromium, page_path, link(doc="d")):
        assert count(page, ".mark.key") == 4
        assert count(page, ".mark .gap") == 1
        tops = {round(top) for _, top, _, _ in boxes(page, ".mark.key .pill")}
        assert len(tops) == 3


def test_arcs_do_not_lie_on_words(page: Browser) -> None:
    """Walk along every arc: no point of it is inside the letters of a word."""
    page.resize(900, 6000)
    for name in (HARBOUR, INTERVIEW):
        follow(page, link(doc=name))
        walked, inside = page.run("""(() => {
          const words = [...document.querySelectorAll(".w")].map((word) => {
            const range = document.createRange();
            range.selectNodeContents(word);
            return range.getBoundingClientRect();
          });
          const arcs = [...document.querySelectorAll("path.arc")];
          const { left, top } = document.querySelector("svg.arcs").getBoundingClientRect();
          let inside = 0;
          for (const arc of arcs)
            for (let at = 0; at <= arc.getTotalLength(); at += 2) {
              const { x, y } = arc.getPointAtLength(at);
              inside += words.some((box) => box.left + 1 < x + left && x + left < box.right - 1 &&
                box.top + 4 < y + top && y + top < box.bottom - 4);
            }
          return [arcs.length, inside];
        })()""")
        assert walked > 10
        assert inside == 0


@pytest.mark.parametrize("width", [400, 500, 600, 700, 1300])
def test_a_full_stop_stays_with_its_word(page: Browser, width: int) -> None:
    page.resize(width, 8000)
    follow(page, link(doc=HARBOUR))
    left = page.run("Math.min(...[...document.querySelectorAll('.w')].map(e => e.offsetLeft))")
    first = page.run(
        f"[...document.querySelectorAll('.w')].filter(e => e.offsetLeft <= {left}).map(e => e.innerText)"
    )
    assert first
    assert not {".", ",", "'s"} & set(first)


def test_sentences_are_numbered(page: Browser) -> None:
    page.resize(1300, 6000)
    follow(page, link(doc=HARBOUR))
    shown = page.run("[...document.querySelectorAll('.sentence')].map(e => e.textContent)")
    assert shown == [str(number + 1) for number in range(len(data(page)["documents"][0]["sentences"]))]
    follow(page, link(doc=HARBOUR, error=5))
    assert "Sentences" in text(page, "#chosen")


def test_a_compact_text_has_the_same_words_in_less_room(page: Browser) -> None:
    follow(page, link(doc=HARBOUR, error=3))
    before = page.run("document.getElementById('text').offsetHeight")
    page.press("c")
    words = page.run("[...document.querySelectorAll('.w')].map(e => e.textContent)")
    assert words == data(page)["documents"][0]["tokens"].split("\n")
    assert page.run("document.getElementById('text').offsetHeight") < before / 2
    assert count(page, ".arc, .mark") == 0
    assert count(page, ".sign") == len(data(page)["documents"][0]["errors"])
    assert count(page, ".w.anaphor") > 0
    page.press("r")
    assert count(page, ".sign .recall") == 0
    page.click(".sign")
    assert "wrongly makes" in text(page, "#chosen")
    page.press("c")
    assert count(page, ".mark") > 0


NAMED = {  # the words of an entity's mentions, their tags → what it is called
    ("he himself Bob Smith 's Bob", "PRP PRP NNP NNP POS NNP", ((0, 1), (1, 2), (2, 5), (5, 6))): "Bob Smith",
    ("himself he the old doctor", "PRP PRP DT JJ NN", ((0, 1), (1, 2), (2, 5))): "the old doctor",
    ("Ann Lee , a nurse , herself", "NNP NNP , DT NN , PRP", ((0, 5), (6, 7))): "Ann Lee",
    ("themselves they", "PRP PRP", ((0, 1), (1, 2))): "themselves",
    ("herself Zoe she", "", ((0, 1), (1, 2), (2, 3))): "Zoe",
    ("itself the boat it", "", ((0, 1), (1, 3), (3, 4))): "the boat",
    ("The mill the old mill It", "", ((0, 2), (2, 5), (5, 6))): "the old mill",
}


@pytest.mark.parametrize("case", NAMED, ids=lambda case: str(case[0]))
def test_an_entity_is_called_by_its_best_name(case: Any, chromium: Browser, tmp_path: Path) -> None:
    words, tags, mentions = case
    key = corpus([mentions], words=words, **({"pos": tags} if tags else {}))
    report(key, corpus([], words=words)).save(tmp_path / "r.html")
    for page in opened(chromium, tmp_path / "r.html", link(doc="d")):
        page.click("#tab-entities")
        assert page.run("document.querySelector('.entities button').children[1].textContent") == NAMED[case]


def test_a_divided_entity_is_shown_as_such(chromium: Browser, tmp_path: Path) -> None:
    key = corpus([[(0, 1), (2, 3), (4, 5), (6, 7)], [(1, 2), (3, 4)]])
    response = corpus([[(0, 1), (2, 3)], [(4, 5), (8, 9)], [(1, 2), (3, 4)]])
    report(key, response).save(tmp_path / "r.html")
    for page in opened(chromium, tmp_path / "r.html", link(doc="d")):
        page.click("#tab-entities")
        first, second = page.run("[...document.querySelectorAll('.entities .fate')].map(e => e.textContent)")[
            :2
        ]
        assert first == "A divided 2 in A1, 1 in A(1), 1 missed"
        assert second == "A 2 in A2"
        page.click(".entities button")
        parts = page.run("[...document.querySelectorAll('.mark.part')].map(e => e.dataset.number)")
        assert parts == ["3"]  # the other part is lifted out as well


def test_a_long_document_is_laid_out_where_one_looks(chromium: Browser, tmp_path: Path) -> None:
    words = tuple(f"w{i % 97}" for i in range(6000))
    sentences = tuple((start, start + 20) for start in range(0, 6000, 20))
    mentions = [Mention.at(start, start + 2) for start in range(0, 6000, 5)]
    clusters = tuple(Cluster(str(i), tuple(mentions[i::40])) for i in range(40))
    key = DocumentCorpus([Document.of("long", words, sentences, clusters)])
    pairs = tuple(Cluster(str(i), tuple(mentions[i::600])) for i in range(600))
    response = DocumentCorpus([Document.of("long", words, sentences, pairs)])
    report(key, response).save(tmp_path / "r.html")
    for page in opened(chromium, tmp_path / "r.html", link(doc="long")):
        assert 0 < count(page, ".w") < 3000
        assert page.run("document.getElementById('text').innerText.includes('w96')")
        page.run("document.querySelector('.block').id = 'kept'")
        page.press("r")
        page.press("r")
        assert count(page, "#kept") == 1  # a filter of errors does not draw the text again
        last = len(data(page)["documents"][0]["errors"]) - 1
        follow(page, link(doc="long", error=last))
        page.settle()
        (word,) = boxes(page, ".w.anaphor")[:1]
        assert 0 < word[1] < 900
        assert count(page, ".arc.chosen") == 1
        assert count(page, ".errors li") <= 200
        assert count(page, ".errors .current") == 1
        page.click("#list-all")
        assert count(page, ".errors li") == last + 1
