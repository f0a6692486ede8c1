"""Writes texts with their entities as one HTML file: a colour and a number for each entity."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from referee import __version__
from referee.language.recognition import other_than_english
from referee.model import Document
from referee.page.render import filled, templates
from referee.resolvers.characters import Character, characters_of
from referee.resolvers.resolved import marked_words, named_clusters, scores_told

if TYPE_CHECKING:
    from markupsafe import Markup

COLOURS = 12  # after which they are repeated
PAGE = ".html"  # how the name of a page ends


class PageEntity(NamedTuple):
    """An entity as the list beside the text shows it."""

    number: int
    colour: int
    name: str
    size: int


class PageText(NamedTuple):
    """A text as the page shows it."""

    id: str
    marked: Markup
    entities: list[PageEntity]
    characters: tuple[Character, ...]


def resolved_page(documents: Iterable[Document], title: str) -> str:
    """Make the page."""
    style = templates().get_template("resolved.css.j2").render(colours=range(COLOURS), count=COLOURS)
    texts = [_shown(document) for document in documents]
    return filled("resolved.html.j2", style, title=title, version=__version__, texts=texts)


def _shown(document: Document) -> PageText:
    entities = [
        PageEntity(number, number % COLOURS, name, len(cluster.mentions))
        for number, (name, cluster) in enumerate(named_clusters(document), start=1)
    ]
    marked = _marked(document, [entity.name for entity in entities])
    people = () if other_than_english(document.text) else characters_of(document).characters
    return PageText(document.id, marked, entities, people)


def _marked(document: Document, names: list[str]) -> Markup:
    """Put each mention into an element; those that cross others are cut where the others end."""
    from markupsafe import Markup, escape

    pieces: list[Markup] = []
    for gap, opened, written, closed in marked_words(document):
        pieces.append(escape(gap))
        for number, mention in opened:
            tag = Markup('<mark class="e{}" title="{}. {}{}">')
            told = f" ({scores})" if (scores := scores_told(mention)) else ""
            pieces.append(tag.format(number % COLOURS, number, names[number - 1], told))
        pieces.append(escape(written))
        pieces += [Markup("<sub>{}</sub></mark>").format(number) for number in closed]
    return Markup("").join(pieces)
