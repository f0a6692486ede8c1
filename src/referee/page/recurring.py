"""Writes who and what occurs in several documents as one HTML file: each with its sentences, by document.

Each sentence is in the file once, however many mentions it has, and the page draws a part of the list at a
time, so that ten thousand texts stay usable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from referee import __version__
from referee.model import Document, Mention, Text
from referee.page.render import bundle, embedded, filled, templates
from referee.resolvers.resolved import Recurring, recurring

MOST_LINES = 200  # of one thing


class PageLine(NamedTuple):
    """A mention in a sentence: the number of the sentence, and the letters from where to where."""

    sentence: int
    start: int
    end: int


class PageThing(NamedTuple):
    """An entity or event as the page lists it."""

    name: str
    kind: str
    documents: list[int]
    mentions: int
    lines: list[PageLine]


def recurring_page(documents: Sequence[Document], title: str, names: Mapping[str, str] = {}) -> str:
    """Make the page; `names` are those that people gave to entities."""
    from markupsafe import Markup

    data = page_data(documents, names)
    return filled(
        "recurring.html.j2", templates().get_template("recurring.css.j2").render(), bundle("recurring"),
        title=title, version=__version__, documents=len(documents), things=len(data["things"]),
        data=Markup(embedded(data)),
    )  # fmt: skip


def page_data(documents: Sequence[Document], names: Mapping[str, str] = {}) -> dict[str, Any]:
    """Give what the page shows: documents, sentences, and what is in several, the most widespread first."""
    kinds = {cluster.id: cluster.type or "" for document in documents for cluster in document.clusters}
    sentences = _Sentences(documents)
    things = [_thing(each, kinds[each.id], sentences) for each in recurring(documents, names=names)]
    return {
        "documents": [document.id for document in documents],
        "sentences": sentences.listed,
        "things": things,
    }


class _Sentences:
    """The sentences that have mentions: the number of the document, and the words."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.number = {document.id: number for number, document in enumerate(documents)}
        self.listed = list[tuple[int, str]]()
        self._known = dict[tuple[str, int, int], tuple[int, list[tuple[int, int]]]]()  # place → number, words

    def line(self, document: Document, mention: Mention) -> PageLine:
        """Find a mention in its sentence, which is listed if it is not yet."""
        text = document.text
        start, end = next(
            (span for span in text.stretches if span[0] <= mention.start < span[1]), (0, text.length)
        )
        place = document.id, start, max(end, mention.end)
        if place not in self._known:
            self._known[place] = len(self.listed), self._add(text, *place)
        number, edges = self._known[place]
        return PageLine(number, edges[mention.start - start][0], edges[mention.end - 1 - start][1])

    def _add(self, text: Text, id_: str, start: int, end: int) -> list[tuple[int, int]]:
        """List a sentence, and say where its words begin and end, as JavaScript counts."""
        said, edges, length = list[str](), list[tuple[int, int]](), 0
        for word in range(start, end):
            blank = _gap(text, word) if word > start else ""
            spelled = " ".join(text.spelled([(word, word + 1)]).split())
            begin = length + len(blank)
            length = begin + _utf_16(spelled)
            edges.append((begin, length))
            said += [blank, spelled]
        self.listed.append((self.number[id_], "".join(said)))
        return edges


def _thing(thing: Recurring, kind: str, sentences: _Sentences) -> PageThing:
    lines = [sentences.line(document, mention) for document, mention in thing.mentions[:MOST_LINES]]
    inside = [sentences.number[id_] for id_ in thing.documents]
    return PageThing(thing.name, kind, inside, len(thing.mentions), lines)


def _utf_16(word: str) -> int:
    return len(word.encode("utf-16-le", "surrogatepass")) // 2


def _gap(text: Text, word: int) -> str:
    """Write the blank before a word, where there is one."""
    if text.running is None:
        return " "
    return " " * (text.characters[word - 1][1] < text.characters[word][0])
