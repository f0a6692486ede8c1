"""The page of what occurs in several documents: names, order, limits, odd words."""

from __future__ import annotations

import pytest

from referee.model import Cluster, Document, Mention, cut_text
from referee.page import recurring as page
from referee.resolvers.resolved import recurring
from referee.tables import resolved as recurring_views
from referee.tables.layout import Look


def made(id_: str, words: str, **clusters: tuple[int, int]) -> Document:
    own = tuple(words.split())
    return Document.of(
        id_, own, ((0, len(own)),), [Cluster(name, (Mention.at(*span),)) for name, span in clusters.items()]
    )


DOCUMENTS = [
    made("1", "Obama spoke in Oslo", a=(0, 1), b=(3, 4)),
    made("2", "Barack Obama left Oslo </script>", a=(0, 2), b=(3, 4), c=(4, 5)),
    made("3", "he came back", a=(0, 1)),
]


def test_the_most_widespread_is_first_and_has_its_fullest_name() -> None:
    assert [(thing.name, len(thing.documents)) for thing in recurring(DOCUMENTS)] == [
        ("Barack Obama", 3),
        ("Oslo", 2),
    ]


def test_what_one_document_has_is_not_shown_and_words_are_no_markup() -> None:
    html = page.recurring_page(DOCUMENTS, "a <title>")
    assert "<h1>a &lt;title&gt;</h1>" in html
    assert "</script>" not in html
    assert "<mark>Barack Obama</mark> left Oslo &lt;/script&gt;" in html
    assert html.count("<details") == 2
    assert '<dt>3</dt>\n<dd><a href="#t1">Barack Obama</a></dd>' in html


def test_long_sentences_are_cut_around_the_mention() -> None:
    words = " ".join(f"w{number}" for number in range(100))
    html = page.recurring_page([made("1", words, a=(50, 51)), made("2", "w50", a=(0, 1))], "t")
    assert "<p>… w20 w21" in html
    assert "<mark>w50</mark> w51" in html
    assert "w80 …</p>" in html


def test_a_running_text_may_begin_and_end_with_a_mention() -> None:
    texts = [
        cut_text(id_, "Oslo, near Oslo", [Cluster("a", (Mention.at(0, 4), Mention.at(11, 15)))])
        for id_ in "12"
    ]
    html = page.recurring_page(texts, "t")
    assert "<mark>Oslo</mark>, near Oslo</p>" in html
    assert "Oslo, near <mark>Oslo</mark></p>" in html


def test_what_does_not_fit_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "MOST_THINGS", 1)
    monkeypatch.setattr(page, "MOST_LINES", 2)
    html = page.recurring_page(DOCUMENTS, "t")
    assert "2 entities and events in several of them. The 1 most widespread are shown." in html
    assert "… and 1 more mention<" in html
    monkeypatch.setattr(recurring_views, "SHOWN_THINGS", 1)
    monkeypatch.setattr(recurring_views, "SHOWN_DOCUMENTS", 2)
    view = recurring_views.recurring_view(DOCUMENTS, Look())
    assert "… and 1 more; write them to a file" in view
    assert "… and 1 more document" in view


def test_a_narrow_terminal_cuts_lines() -> None:
    view = recurring_views.recurring_view(DOCUMENTS, Look(20))
    assert max(len(line) for line in view.splitlines()[2:] if line.startswith("       ")) <= 20
