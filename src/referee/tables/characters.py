"""The people of a text as a table; JSON has its quotations too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.display import number_of, shortened
from referee.resolvers.characters import Characters
from referee.tables.rendering import Output, Records
from referee.tables.scores import count_cell
from referee.tables.table import Cell, Column, Table

HEADS = (
    *("document", "entity", "name", "other_names", "pronouns", "mentions", "quotations", "words_said"),
    *("first_start", "first_end"),
)
NAMES = 60  # characters of the other names in a table


def characters_output(found: Characters) -> Output:
    """Show the people of one text."""
    return Output(lambda: [characters_table(found)], lambda: _data(found), lambda: _records([found]))


def all_characters_output(several: Sequence[Characters]) -> Output:
    """Show the people of several texts, text by text."""
    return Output(
        lambda: [characters_table(found) for found in several],
        lambda: [_data(found) for found in several],
        lambda: _records(several),
    )


def characters_table(found: Characters) -> Table:
    """Put a person in each row."""
    columns = (
        Column("Name", left=True), Column("Other names", left=True), Column("Pronouns", left=True),
        Column("Mentions"), Column("Quotations"), Column("Words said"), Column("First mention"),
    )  # fmt: skip
    rows = [
        (
            *map(Cell, (each.name, shortened(", ".join(each.other_names), NAMES), ", ".join(each.pronouns))),
            *map(count_cell, (each.mentions, each.quotations, each.words_said, each.first[0])),
        )
        for each in found.characters
    ]
    unknown = sum(not quotation.speaker for quotation in found.quotations)
    note = f"{number_of(len(found.quotations), 'quotation')}, {unknown:,} of them without a known speaker"
    return Table(columns, rows, caption=f"{found.id}: {number_of(len(rows), 'character')}", notes=(note,))


def _data(found: Characters) -> Mapping[str, Any]:
    """Give all of it in plain values."""
    return {
        "id": found.id,
        "characters": [each._asdict() for each in found.characters],
        "quotations": [each._asdict() for each in found.quotations],
    }


def _records(several: Sequence[Characters]) -> Records:
    rows = [
        (
            found.id, each.entity, each.name, "; ".join(each.other_names), "; ".join(each.pronouns),
            each.mentions, each.quotations, each.words_said, *each.first,
        )
        for found in several
        for each in found.characters
    ]  # fmt: skip
    return HEADS, rows
