"""Documents, corpora and resolved texts at a prompt and in a notebook; their rows are mentions."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from html import escape
from itertools import islice
from typing import Any

from referee.display import number_of, shortened
from referee.exceptions import RefereeError
from referee.model import Corpus, Document, in_characters
from referee.resolvers.replacing.naming import representative
from referee.resolvers.resolved import (
    Recurring,
    Resolved,
    ResolvedTexts,
    marked_words,
    recurring,
)
from referee.tables.brief import ROWS, WIDTH
from referee.tables.rendering import Output, Records
from referee.tables.scores import count_cell
from referee.tables.store import thing_data
from referee.tables.table import Cell, Column, Table

MENTION = (
    *("document", "cluster", "start", "end", "spans", "text", "start_character", "end_character"),
    *("minimum", "head", "type", "cluster_type", "score", "link_score"),
)
LINES = 9  # of a text, and as many entities under it
WORDS, SIZE = 400, 40_000  # of a text in HTML, and its characters with their marks
NESTED = 50  # mentions that may begin at one word
NAME = 40  # characters of an entity's name


def document_output(document: Document) -> Output:
    """Show a document with its entities."""
    return Output(
        lambda: [_entity_table(document)],
        lambda: _data([document]),
        lambda: mention_records([document]),
        lambda: _document_text(document),
        lambda: document_html(document),
    )


def resolved_output(resolved: Resolved) -> Output:
    """Show a resolved text with its entities."""
    return document_output(resolved.document)


def resolved_texts_output(texts: ResolvedTexts) -> Output:
    """Show resolved texts: each with what it holds, or what is in several of them if they are linked."""
    documents = [resolved.document for resolved in texts]
    if texts.linked:
        return Output(
            lambda: [_recurring_table(documents)],
            lambda: _data(documents),
            lambda: mention_records(documents),
        )
    caption = number_of(len(texts), "resolved text")
    return Output(
        lambda: [_documents_table(documents[:ROWS], caption, len(documents))],
        lambda: _data(documents),
        lambda: mention_records(documents),
    )


def linked_output(documents: Sequence[Document]) -> Output:
    """List who and what several documents mention."""
    return Output(
        lambda: [_recurring_table(documents)],
        lambda: {
            "documents": [document.id for document in documents],
            "entities": [thing_data(thing) for thing in recurring(documents)],
        },
    )


def corpus_output(corpus: Corpus) -> Output:
    """Show a corpus in a line, and in a notebook its first documents."""
    count = number_of(len(corpus), "document")
    said = f"<{type(corpus).__name__} {shortened(corpus.name, 80)}: {count}>"
    return Output(
        lambda: [_documents_table(_readable(corpus), f"{corpus.name}: {count}", len(corpus))],
        lambda: _data(corpus),
        lambda: mention_records(corpus),
        lambda: said,
    )


def _readable(corpus: Corpus) -> Iterator[Document | str]:
    """Read the first documents; for one that cannot be read, give the error."""
    for number in range(min(len(corpus), ROWS)):
        try:
            yield corpus.document(number)
        except RefereeError as error:
            yield f"{corpus.ids[number]} cannot be read: {error}"


def _documents_table(documents: Iterable[Document | str], caption: str, count: int) -> Table:
    columns = [Column("Document", left=True), *map(Column, ("Words", "Sentences", "Mentions", "Clusters"))]
    columns.append(Column("Beginning", left=True))
    rows = []
    for document in documents:
        if isinstance(document, str):
            rows.append([Cell(shortened(document, 80)), *[Cell("")] * 5])
            continue
        text = document.text
        counts = (text.length, len(text.sentences), len(document.mentions), len(document.clusters))
        beginning = text.spelled([(0, min(text.length, 20))])
        rows.append(
            [Cell(shortened(document.id, 50)), *map(count_cell, counts), Cell(shortened(beginning, 50))]
        )
    left = [f"… {number_of(count - len(rows), 'more document')}"] * (count > len(rows))
    return Table(columns, rows, caption, left)


def _recurring_table(documents: Sequence[Document]) -> Table:
    things = recurring(documents)
    columns = [Column("Name", left=True), Column("Mentions"), Column("Texts"), Column("In", left=True)]
    rows = [[Cell(shortened(thing.name, NAME)), *_reach(thing)] for thing in things]
    caption = (
        f"{number_of(len(documents), 'linked text')}; entities and events in several of them: {len(things):,}"
    )
    return Table(columns, rows, caption)


def _reach(thing: Recurring) -> list[Cell]:
    homes = list(thing.documents)
    more = f", … {len(homes) - 4} more" if len(homes) > 4 else ""
    named = ", ".join(shortened(home, 30) for home in homes[:4])
    return [count_cell(len(thing.mentions)), count_cell(len(homes)), Cell(named + more)]


def _entity_table(document: Document) -> Table:
    columns = [Column("Entity", left=True), Column("Mentions"), Column("Said", left=True)]
    rows = [
        [Cell(_name(document, number)), count_cell(len(cluster.mentions)), Cell(_said(document, number))]
        for number, cluster in enumerate(document.clusters)
    ]
    return Table(columns, rows, _head(document))


def _head(document: Document) -> str:
    text = document.text
    entities, mentions = len(document.clusters), len(document.mentions)
    counts = (
        f"{number_of(text.length, 'word')}, {number_of(entities, 'entity')}, {number_of(mentions, 'mention')}"
    )
    return f"{shortened(text.id, 60)}: {counts}"


def _said(document: Document, number: int) -> str:
    """Quote the first mentions of an entity."""
    mentions = document.clusters[number].mentions
    said = [shortened(document.text.spelled(mention.spans), NAME) for mention in mentions[:6]]
    return ", ".join(said) + (f", … {len(mentions) - 6} more" if len(mentions) > 6 else "")


def _document_text(document: Document) -> str:
    """Write the beginning of a text with its mentions in brackets, and under it the first entities."""
    text, words = _marked(document, str, lambda _: "[", lambda number: f"]{number}", LINES * WIDTH)
    rest = " …" * (words < document.text.length)
    lines = textwrap.wrap(" ".join(text.split()) + rest, WIDTH, max_lines=LINES, placeholder=" …")
    names = [
        f"{number + 1:>3}  {shortened(f'{_name(document, number)}: {_said(document, number)}', WIDTH - 5)}"
        for number in range(min(len(document.clusters), LINES))
    ]
    left = [f"… {len(document.clusters) - LINES:,} more"] * (len(document.clusters) > LINES)
    return "\n".join([_head(document), *[""] * bool(lines), *lines, *[""] * bool(names), *names, *left])


def document_html(document: Document) -> str:
    """Write the beginning of a text with its entities in colour, and under it their names."""

    @cache
    def opened(number: int) -> str:
        return _mark(number, _name(document, number - 1))

    text, words = _marked(document, escape, opened, lambda number: f"<sub>{number}</sub></span>", SIZE)
    left = document.text.length - words
    more_words = f" … {number_of(left, 'more word')}" if left else ""
    shown, entities = range(1, min(len(document.clusters), ROWS) + 1), document.clusters
    names = " ".join(
        f"{opened(number)}{escape(_name(document, number - 1))}<sub>{number}</sub></span> "
        f"<small>{len(entities[number - 1].mentions)}</small>"
        for number in shown
    )
    more = f" … {len(entities) - ROWS:,} more" if len(entities) > ROWS else ""
    return (
        f'<div style="max-width:80ch"><b>{escape(_head(document))}</b>'
        f'<div style="white-space:pre-wrap;line-height:2;margin:6px 0">{text}{more_words}</div>'
        f'<div style="line-height:2">{names}{more}</div></div>'
    )


def _marked(
    document: Document,
    written: Callable[[str], str],
    opened: Callable[[int], str],
    closed: Callable[[int], str],
    size: int,
) -> tuple[str, int]:
    """Write the beginning of a text with its mentions marked, and say how many words that is."""
    pieces, marks, words = list[str](), list[int](), 0
    for gap, starts, word, ends in islice(marked_words(document), WORDS):
        piece = written(gap) + "".join(opened(number) for number, _ in starts[:NESTED])
        piece += written(shortened(word, NAME)) + "".join(map(closed, ends))
        size -= len(piece)
        if size < 0 or len(starts) > NESTED:
            break
        pieces.append(piece)
        marks = [*marks, *(number for number, _ in starts)][: len(marks) + len(starts) - len(ends)]
        words += 1
    return "".join([*pieces, *map(closed, reversed(marks))]), words


def _name(document: Document, number: int) -> str:
    text = document.text
    return shortened(text.spelled(representative(text, document.clusters[number]).spans), NAME)


def _mark(number: int, name: str) -> str:
    """Open an element in an entity's colour: one that is far from that of its neighbours in the list."""
    hue = number * 137 % 360
    colour = f"background:hsla({hue},75%,50%,.2);border-bottom:2px solid hsla({hue},75%,50%,.8)"
    style = f"{colour};border-radius:3px;padding:1px 2px"
    return f'<span style="{style}" title="{number}. {escape(name)}">'


def mention_records(documents: Iterable[Document]) -> Records:
    """List a row for each mention: offsets in words and characters, ends excluded, and all that is known."""
    rows: list[list[object]] = []
    for document in documents:
        text = document.text
        for cluster in document.clusters:
            for m in cluster.mentions:
                written = m.end <= text.length and text.running is not None
                characters = in_characters(text, [(m.start, m.end)])[0] if written else (None, None)
                words = [m.start, m.end, _spans(m.spans), text.spelled(m.spans)]
                known = [_spans(m.minimum or ()), m.head, m.type, cluster.type, m.score, m.link_score]
                rows.append([document.id, cluster.id, *words, *characters, *known])
    return MENTION, rows


def _spans(spans: Iterable[tuple[int, int]]) -> str | None:
    return "+".join(f"{start}:{end}" for start, end in spans) or None


def _data(documents: Iterable[Document]) -> dict[str, Any]:
    return {"documents": [Resolved(document).to_dict() for document in documents]}
