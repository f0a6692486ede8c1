"""The page of what occurs in several documents: names, order, limits, odd words."""

from __future__ import annotations

from dataclasses import replace

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


def lines(documents: list[Document], number: int = 0) -> list[tuple[str, str, str]]:
    """Give the sentences of a thing: before the mention, the mention, and behind it."""
    data = page.page_data(documents)
    found = [(data["sentences"][line.sentence][1], line) for line in data["things"][number].lines]
    return [(text[: line.start], text[line.start : line.end], text[line.end :]) for text, line in found]


def test_what_one_document_has_is_not_shown_and_words_are_no_markup() -> None:
    html = page.recurring_page(DOCUMENTS, "a <title>")
    assert "<h1>a &lt;title&gt;</h1>" in html
    assert html.count("</script>") == 2
    assert "3 documents; 2 entities and events in several of them" in html
    assert ("", "Barack Obama", " left Oslo </script>") in lines(DOCUMENTS)
    data = page.page_data(DOCUMENTS)
    assert [thing.name for thing in data["things"]] == ["Barack Obama", "Oslo"]
    assert [thing.documents for thing in data["things"]] == [[0, 1, 2], [0, 1]]


def test_a_sentence_is_there_once_and_kinds_are_told() -> None:
    typed = [
        replace(
            each, clusters=tuple(replace(c, type="event" if c.id == "b" else "entity") for c in each.clusters)
        )
        for each in DOCUMENTS
    ]
    data = page.page_data(typed)
    assert len(data["sentences"]) == 3
    assert [thing.kind for thing in data["things"]] == ["entity", "event"]


def test_letters_are_counted_as_the_page_counts_them() -> None:
    documents = [made(id_, "\U0001f525 Oslo burns", a=(1, 2)) for id_ in "12"]
    data = page.page_data(documents)
    assert data["things"][0].lines[0][1:] == (3, 7)  # in JavaScript the sign of the fire has two


def test_a_running_text_may_begin_and_end_with_a_mention() -> None:
    texts = [
        cut_text(id_, "Oslo, near Oslo", [Cluster("a", (Mention.at(0, 4), Mention.at(11, 15)))])
        for id_ in "12"
    ]
    assert lines(texts)[:2] == [("", "Oslo", ", near Oslo"), ("Oslo, near ", "Oslo", "")]


def test_what_does_not_fit_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "MOST_LINES", 2)
    (first, _) = page.page_data(DOCUMENTS)["things"]
    assert (len(first.lines), first.mentions) == (2, 3)
    monkeypatch.setattr(recurring_views, "SHOWN_THINGS", 1)
    monkeypatch.setattr(recurring_views, "SHOWN_DOCUMENTS", 2)
    view = recurring_views.recurring_view(DOCUMENTS, Look())
    assert "… and 1 more; write them to a file" in view
    assert "… and 1 more document" in view


def test_a_narrow_terminal_cuts_lines() -> None:
    view = recurring_views.recurring_view(DOCUMENTS, Look(20))
    assert max(len(line) for line in view.splitlines()[2:] if line.startswith("       ")) <= 20
