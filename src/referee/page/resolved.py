"""Writes texts with their entities as one HTML file: a colour and a number for each entity."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from referee import __version__
from referee.model import Document
from referee.page.render import filled, templates
from referee.resolvers.resolved import named_clusters, scores_told, words_with_gaps

if TYPE_CHECKING:
    from markupsafe import Markup

COLOURS = 12  # after which they are repeated


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
    return PageText(document.id, _marked(document, [entity.name for entity in entities]), entities)


def _marked(document: Document, names: list[str]) -> Markup:
    """Put each mention into an element; those that cross others are cut where the others end."""
    from markupsafe import Markup, escape

    # Word → end, entity and what is said of the mention, the longest first.
    begins: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
    for number, cluster in enumerate(document.clusters, start=1):
        for mention in cluster.mentions:
            for start, end in mention.spans:
                told = scores_told(mention)
                begins[start].append((end, number, f" ({told})" if told else ""))
    pieces: list[Markup] = []
    open_ends: list[tuple[int, int]] = []
    for word, (gap, written) in enumerate(words_with_gaps(document.text)):
        pieces.append(escape(gap))
        for end, number, told in sorted(begins[word], reverse=True):
            end = min(end, open_ends[-1][0]) if open_ends else end
            open_ends.append((end, number))
            tag = Markup('<mark class="e{}" title="{}. {}{}">')
            pieces.append(tag.format(number % COLOURS, number, names[number - 1], told))
        pieces.append(escape(written))
        while open_ends and open_ends[-1][0] <= word + 1:
            pieces.append(Markup("<sub>{}</sub></mark>").format(open_ends.pop()[1]))
    return Markup("").join(pieces)
