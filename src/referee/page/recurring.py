"""Writes who and what occurs in several documents as one HTML file: each with its sentences, by document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from referee import __version__
from referee.model import Document, Mention, Text
from referee.page.render import filled, templates
from referee.resolvers.resolved import Recurring, recurring

MOST_THINGS = 1000  # on one page, the most widespread ones
MOST_LINES = 200  # of one thing
AROUND = 30  # words before and behind a mention in a long sentence


class PageLine(NamedTuple):
    """A document's sentence with a mention in it."""

    document: str
    before: str
    said: str
    behind: str


class PageThing(NamedTuple):
    """An entity or event as the page lists it."""

    number: int
    name: str
    documents: int
    mentions: int
    lines: list[PageLine]


class PageMember(NamedTuple):
    """A document, and what it has in common with others."""

    id: str
    things: list[tuple[int, str]]


def recurring_page(documents: Sequence[Document], title: str, names: Mapping[str, str] = {}) -> str:
    """Make the page; `names` are those that people gave to entities."""
    found = recurring(documents, names=names)
    things = [_thing(number, each) for number, each in enumerate(found[:MOST_THINGS], start=1)]
    return filled(
        "recurring.html.j2", templates().get_template("recurring.css.j2").render(), title=title,
        version=__version__, things=things, left=len(found) - len(things), documents=len(documents),
        members=_members(documents, found[:MOST_THINGS]),
    )  # fmt: skip


def _thing(number: int, thing: Recurring) -> PageThing:
    lines = [_line(document, mention) for document, mention in thing.mentions[:MOST_LINES]]
    return PageThing(number, thing.name, len(thing.documents), len(thing.mentions), lines)


def _members(documents: Sequence[Document], found: Sequence[Recurring]) -> list[PageMember]:
    shared: dict[str, list[tuple[int, str]]] = {document.id: [] for document in documents}
    for number, thing in enumerate(found, start=1):
        for id_ in thing.documents:
            shared[id_].append((number, thing.name))
    return [PageMember(id_, things) for id_, things in shared.items() if things]


def _line(document: Document, mention: Mention) -> PageLine:
    text = document.text
    start, end = next(
        (span for span in text.stretches if span[0] <= mention.start < span[1]), (0, text.length)
    )
    begin, stop = max(start, mention.start - AROUND), min(max(end, mention.end), mention.end + AROUND)
    before = ["… " * (begin > start), _said(text, begin, mention.start)]
    before += [_gap(text, mention.start)] if begin < mention.start else []
    behind = [_gap(text, mention.end)] if mention.end < stop else []
    behind += [_said(text, mention.end, stop), " …" * (stop < end)]
    said = _said(text, mention.start, mention.end)
    return PageLine(document.id, "".join(before), said, "".join(behind))


def _gap(text: Text, word: int) -> str:
    """Write the blank before a word, where there is one."""
    if text.running is None:
        return " "
    return " " * (text.characters[word - 1][1] < text.characters[word][0])


def _said(text: Text, start: int, end: int) -> str:
    return " ".join(text.spelled([(start, end)]).split()) if start < end else ""
