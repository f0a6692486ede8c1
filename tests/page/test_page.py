"""The report in a real browser: open, filter, follow a link, find the arc, search, keys, print."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

import referee
from chromium import Browser, browser, executable
from referee.cli.report import gather
from referee.cli.study import StudyOptions
from referee.errors.study import analyse
from referee.matching.protocol import Protocol
from referee.model import Cluster, Document, Mention
from referee.page.render import render

SAMPLE = Path(referee.__file__).parent / "sample"
PATHS = [str(SAMPLE / f"{name}.conll") for name in ("key", "alpha", "beta")]
HARBOUR = "(nw/sample/harbour); part 000"
INTERVIEW = "(bc/sample/interview); part 000"

pytestmark = pytest.mark.skipif(
    executable() is None, reason="no Chromium: .ci/install-chromium installs it, or set CHROMIUM"
)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as started:
        yield started


def write_report(path: Path, files: Sequence[str], title: str = "") -> None:
    data = gather(files[0], files[1:], Protocol(), StudyOptions(), title=title)
    path.write_text(render(data), encoding="utf-8")


@pytest.fixture(scope="module")
def sample_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(path, PATHS)
    return path


@pytest.fixture
def page(chromium: Browser, sample_page: Path) -> Iterator[Browser]:
    """The sample's report, just opened; afterwards the page must not have complained or loaded anything."""
    chromium.resize(1300, 900)
    yield from opened(chromium, sample_page)


def opened(chromium: Browser, path: Path, fragment: str = "") -> Iterator[Browser]:
    chromium.complaints.clear()
    chromium.requests.clear()
    chromium.open(path.as_uri() + fragment)
    yield chromium
    assert chromium.complaints == []
    assert {address.partition("#")[0] for address in chromium.requests} <= {path.as_uri(), "data:,"}


def link(**target: object) -> str:
    return "#" + urlencode(target)


def follow(page: Browser, fragment: str) -> None:
    page.run(f"location.hash = {json.dumps(fragment)}")
    page.settle()


def text(page: Browser, selector: str) -> str:
    return str(page.run(f"document.querySelector({json.dumps(selector)}).innerText"))


def count(page: Browser, selector: str) -> int:
    return int(page.run(f"document.querySelectorAll({json.dumps(selector)}).length"))


def address(page: Browser) -> dict[str, str]:
    found: dict[str, str] = page.run("Object.fromEntries(new URLSearchParams(location.hash.slice(1)))")
    return found


def boxes(page: Browser, selector: str) -> list[list[float]]:
    """Left, top, right and bottom of elements."""
    found: list[list[float]] = page.run(
        f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.getBoundingClientRect())"
        ".map(b => [b.left, b.top, b.right, b.bottom])"
    )
    return found


def data(page: Browser) -> Any:
    return page.run("JSON.parse(document.getElementById('data').textContent)")


def test_it_opens_on_scores_matrices_and_plots(page: Browser) -> None:
    assert "alpha, beta against key" in text(page, "h1")
    assert f"{100 * referee.score(*PATHS[:2]).conll:.2f}" in text(page, ".scores")
    assert count(page, ".heat") == 4
    assert count(page, ".shared .column") == 3
    totals = page.run("[...document.querySelectorAll('.bars .whole .count')].map(e => +e.innerText)")
    assert sum(totals) == sum(len(doc["errors"]) for doc in data(page)["documents"])


def test_the_plot_counts_the_errors_that_systems_share(page: Browser) -> None:
    page.click("#filter-side-1")  # recall only
    study = analyse(referee.read(PATHS[0]), [referee.read(path) for path in PATHS[1:]])
    alpha, beta = ({error.link for error in system.recall} for system in study.systems)
    wanted = {
        (True, False): len(alpha - beta),
        (False, True): len(beta - alpha),
        (True, True): len(alpha & beta),
    }
    columns = page.run(
        "[...document.querySelectorAll('.shared .column')].map(c => [+c.querySelector('text').textContent,"
        " [...c.querySelectorAll('circle')].map(d => d.classList.contains('member'))])"
    )
    assert {tuple(members): number for number, members in columns} == wanted


def test_a_filter_holds_everywhere_and_stands_in_the_address(page: Browser) -> None:
    page.click("#filter-system-1")
    assert count(page, ".heat") == 2
    assert "beta" not in text(page, ".scores")
    page.press("d")
    assert "B R" not in text(page, ".listing")
    page.press("]")
    assert count(page, ".mark[data-lane='1']") == 0
    assert count(page, ".mark[data-lane='0']") > 0
    assert address(page)["system"] == "alpha"
    here = page.run("location.hash")
    page.press("x")
    assert count(page, ".mark[data-lane='1']") > 0
    follow(page, here)
    assert count(page, ".mark[data-lane='1']") == 0


def test_class_and_type_filters_leave_only_their_errors(page: Browser) -> None:
    value = data(page)
    kind, pronoun = value["kinds"].index("missing mention"), value["types"].index("pronoun")
    wanted = sum(
        error[2] == kind and doc["types"][error[3]] == pronoun
        for doc in value["documents"]
        for error in doc["errors"]
    )
    follow(page, link(view="overview", kind="missing mention", anaphor="pronoun"))
    assert text(page, "#filter-count").startswith(f"{wanted} of ")
    assert count(page, ".examples .badge") == wanted


def test_a_cell_of_the_matrix_filters_by_its_types(page: Browser) -> None:
    number = int(text(page, ".heat button").split("/")[0])
    page.click(".heat button")
    assert {"anaphor", "antecedent"} <= address(page).keys()
    assert int(text(page, ".heat button").split("/")[0]) == number


def test_a_column_of_the_plot_filters_by_who_made_the_error(page: Browser) -> None:
    shared = page.run(
        "[...document.querySelectorAll('.column')].findIndex(c => c.querySelectorAll('.member').length > 2)"
    )
    number = int(page.run(f"document.querySelectorAll('.column text')[{shared}].textContent"))
    page.run(f"document.querySelectorAll('.column')[{shared}].dispatchEvent(new MouseEvent('click'))")
    page.settle()
    assert text(page, "#filter-count").startswith(f"{2 * number} of ")
    assert "alpha and beta" in text(page, "#filter-groups")


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


def test_documents_are_listed_with_scores_and_can_be_sorted(page: Browser) -> None:
    page.press("d")
    assert count(page, ".listing tbody tr") == 2
    scores = [referee.score(*PATHS[:2]).by([HARBOUR, INTERVIEW])[name].conll for name in (HARBOUR, INTERVIEW)]
    assert all(f"{100 * score:.2f}" in text(page, ".listing") for score in scores)
    page.click("[id='sort-score 0']")
    first = text(page, ".listing tbody th")
    assert first == (HARBOUR, INTERVIEW)[scores[1] > scores[0]]
    page.click(".listing tbody a")
    assert address(page)["doc"] == first


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
    assert len(pills) == sum(map(len, doc["key"])) + sum(
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


def test_light_and_dark(page: Browser) -> None:
    def ground() -> str:
        return str(page.run("getComputedStyle(document.documentElement).backgroundColor"))

    light = ground()
    page.press("t")
    dark = ground()
    assert dark != light
    page.press("t")
    assert ground() == light
    page.run("localStorage.clear(); delete document.documentElement.dataset.theme")
    page.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    assert ground() == dark
    page.send("Emulation.setEmulatedMedia", features=[])


def test_paper_is_light_whatever_the_screen_is(page: Browser) -> None:
    def colours() -> str:
        style = "getComputedStyle(document.documentElement)"
        return str(
            page.run(f"['--paper', '--ink', '--hue0'].map(name => {style}.getPropertyValue(name)).join()")
        )

    page.send("Emulation.setEmulatedMedia", media="print")
    light = colours()
    dark = [{"name": "prefers-color-scheme", "value": "dark"}]
    page.send("Emulation.setEmulatedMedia", media="print", features=dark)
    assert colours() == light
    page.run("document.documentElement.dataset.theme = 'dark'")
    assert colours() == light
    page.send("Emulation.setEmulatedMedia", media="", features=[])
    assert colours() != light
    page.run("delete document.documentElement.dataset.theme")


def test_it_prints(page: Browser) -> None:
    follow(page, link(doc=HARBOUR))
    page.run("dispatchEvent(new Event('beforeprint'))")
    assert boxes(page, "#text")[0][2] - boxes(page, "#text")[0][0] == 660
    assert count(page, ".block > svg.marks") == count(page, ".block")
    page.run("dispatchEvent(new Event('afterprint'))")
    assert page.pdf().startswith(b"%PDF")
    assert count(page, "#text > svg.arcs") == 1


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


HOSTILE = (
    "<script>window.hacked=1</script>",
    "<!--",
    "</script><img src=x onerror=window.hacked=1>",
    "&amp;",
    "'\"`${1}",
)


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
