"""What the workbench has at the side: doubtful links, suggestions, errors, entities and documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import referee
from bench_page import Hands, workbench_page
from chromium import Browser
from open_page import count, text
from referee.model import Cluster, Document

SAMPLE = Path(referee.__file__).parent / "sample"
KEY, ALPHA, BETA = (SAMPLE / f"{name}.conll" for name in ("key", "alpha", "beta"))


def with_confidence(document: Document) -> Document:
    """Be the less sure of links the later they come."""
    clusters = [
        Cluster(
            cluster.id,
            tuple(replace(mention, link_score=1 / (2 + mention.start)) for mention in cluster.mentions),
        )
        for cluster in document.clusters
    ]
    return replace(document, clusters=tuple(clusters))


@pytest.fixture
def hands(chromium: Browser, tmp_path: Path) -> Iterator[Hands]:
    source = tmp_path / "alpha.jsonl"
    referee.write(map(with_confidence, referee.read(ALPHA)), source)
    with workbench_page(chromium, source, key=KEY, systems=[BETA]) as opened:
        yield opened


def counted(hands: Hands, name: str) -> int:
    """Wait until a list is loaded, and read how long it is."""
    return int(hands.page.wait(f"document.getElementById('{name}-count').textContent"))


def test_the_most_doubtful_link_comes_first_until_a_person_says_that_it_is_right(hands: Hands) -> None:
    doubtful = [id_ for _, id_, _ in hands.document.doubtful()]
    assert counted(hands, "doubtful") == len(doubtful)
    hands.press("d")
    assert hands.known("bench.mention") == doubtful[0]
    hands.press("a")
    assert hands.document.state.mentions[doubtful[0]].confirmed
    assert hands.known("bench.mention") == doubtful[1]
    before = hands.document.state.mentions[doubtful[1]].entity
    hands.page.click("#doubtful-rows .here:last-child")  # an entity of its own
    hands.saved()
    assert hands.document.state.mentions[doubtful[1]].entity != before
    hands.page.wait(f"document.getElementById('doubtful-count').textContent == {len(doubtful) - 2}")


def test_suggestions_are_taken_and_refused(hands: Hands) -> None:
    first, second, *_ = hands.document.suggestions()
    many = counted(hands, "suggestions")
    hands.press("o")
    assert hands.known("bench.words ?? bench.doc.mentions.get(bench.mention).spans[0]") == [*first.spans[0]]
    hands.press("r")
    hands.press("a")
    assert [step.edit["suggestion"] for step in hands.document.history.past] == [first.id, second.id]
    hands.open()
    assert counted(hands, "suggestions") < many
    assert first.id not in {each.id for each in hands.document.suggestions()}


def test_an_error_is_shown_by_its_arc_and_done_as_the_key_has_it(hands: Hands) -> None:
    page, score = hands.page, float(hands.shown_score())
    hands.press("i")
    many = counted(hands, "errors")
    kinds = page.run(
        "[...document.querySelectorAll('#kinds .chip')].map(e => parseInt(e.lastChild.textContent))"
    )
    assert sum(kinds) == many
    page.click("#errors-rows li:has(.arrow) .item")  # a link
    assert count(page, "#arcs path.arc.chosen") == 1
    hands.press("a")
    page.wait(f"document.getElementById('errors-count').textContent < {many}")
    assert float(hands.shown_score()) > score
    assert text(page, "#score-change")
    left = counted(hands, "errors")
    page.click("#kinds .chip")
    assert counted(hands, "errors") == left - int(text(page, "#kinds .chip small"))


def test_without_a_key_one_compares_with_a_system(chromium: Browser, tmp_path: Path) -> None:
    with workbench_page(chromium, ALPHA, systems=[BETA], journal=tmp_path / "j") as hands:
        hands.press("i")
        assert counted(hands, "errors") > 0
        assert chromium.run("document.getElementById('against').selectedOptions[0].textContent") == "beta"
        assert chromium.run("document.getElementById('score').hidden")


def test_entities_are_searched_and_filtered(hands: Hands) -> None:
    page, entities = hands.page, hands.document.state.entities
    shown = "[...document.querySelectorAll('#entity-rows .name')].map(e => e.textContent)"
    hands.press("f")
    hands.write("breakwater")
    assert page.run(shown)
    assert all("breakwater" in name.lower() for name in page.run(shown))
    hands.write("")
    page.press("Escape")
    page.run("{const s = document.getElementById('entity-size'); s.value = 'large';"
             " s.dispatchEvent(new Event('input'))}")  # fmt: skip
    page.run("{const q = document.getElementById('entity-query'); q.value = '';"
             " q.dispatchEvent(new Event('input'))}")  # fmt: skip
    large = [id_ for id_ in entities if len(hands.document.state.members_of(id_)) >= 10]
    assert text(page, "#entity-count").startswith(f"{len(large)} of ")


def test_the_text_is_searched_and_documents_are_gone_through(hands: Hands) -> None:
    page = hands.page
    page.press("/")
    hands.write("the breakwater")
    page.press("Enter")
    assert " of " in text(page, "#hits-count")
    from_, to = hands.known("bench.words ?? bench.doc.mentions.get(bench.mention).spans[0]")
    assert hands.known(f"bench.doc.text({from_}, {to})").lower() == "the breakwater"
    page.press("Escape")
    hands.press("]")
    page.wait("location.hash === '#document=1'")
    hands.press("z", "5")
    assert text(page, "#progress-text") == "1 of 2 documents finished"
    page.click("#documents-rows button.item")
    page.wait("location.hash === '#document=0'")


def test_words_of_a_mention_are_changed_and_a_part_is_added(hands: Hands) -> None:
    mention = next(iter(hands.document.state.mentions))
    hands.choose(mention)
    hands.drag((4, 6))
    hands.click("#offer button:nth-of-type(3)")  # use these words
    assert hands.document.state.mentions[mention].mention.spans == ((4, 6),)
    hands.drag((8, 9))
    hands.press("+")
    assert hands.document.state.mentions[mention].mention.spans == ((4, 6), (8, 9))
    hands.press("Shift+Delete")
    assert mention not in hands.document.state.mentions
    hands.press("Control+z", "Control+z", "Control+z")
    assert hands.document.history.past == ()


@pytest.mark.parametrize("form", ["conll", "conllu", "jsonlines", "docbin", "webanno"])
def test_what_the_browser_saves_is_what_the_document_is(hands: Hands, form: str, tmp_path: Path) -> None:
    hands.choose(next(iter(hands.document.state.mentions)))
    hands.press("x")
    exported = hands.export(form, tmp_path / "files", lossy=form != "jsonlines")
    hands.page.complaints.clear()  # the browser logs what was refused at first
    (again,) = referee.read(exported)
    now = hands.document.document()
    assert {frozenset(each.mentions) for each in again.clusters} == {
        frozenset(each.mentions) for each in now.clusters
    }
