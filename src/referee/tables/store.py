"""Shows a store of texts: who and what is in several, one entity, what was joined and why, what was added."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from referee.display import number_of, shortened
from referee.resolvers.across.explaining import ExplainedJoin
from referee.resolvers.across.store.growing import Addition
from referee.resolvers.across.store.store import Store
from referee.resolvers.resolved import Recurring
from referee.tables.rendering import Output
from referee.tables.scores import count_cell
from referee.tables.table import Cell, Column, Table

NAME, NAMES = 40, 60  # characters
SHOWN_TEXTS = 10


def store_output(store: Store) -> Output:
    """List who and what several texts of a store mention."""
    return entities_output(store, store.entities())


def entities_output(store: Store, things: Sequence[Recurring]) -> Output:
    """List entities with their ids, and what the store has in all."""
    notes = [
        f"{store.path}: {number_of(len(store.texts), 'text')}; {len(things):,} of "
        f"{number_of(len(store.entities(1)), 'entity')} and events; "
        f"{number_of(len(store.decisions), 'decision')} of people."
    ]
    columns = [Column("Id", left=True), Column("Name", left=True), Column("Texts"), Column("Mentions")]
    return Output(
        lambda: [Table([*columns, Column("Also", left=True)], [_row(thing) for thing in things], "", notes)],
        lambda: {"texts": store.texts, "entities": [thing_data(thing) for thing in things]},
    )


def _row(thing: Recurring) -> list[Cell]:
    others = [name for name in _names(thing) if name != thing.name]
    return [
        Cell(thing.id), Cell(shortened(thing.name, NAME)), count_cell(len(thing.documents)),
        count_cell(len(thing.mentions)), Cell(shortened(", ".join(others), NAMES)),
    ]  # fmt: skip


def _names(thing: Recurring) -> list[str]:
    return list(dict.fromkeys(_said(thing)))


def _said(thing: Recurring) -> list[str]:
    return [" ".join(document.text.spelled(mention.spans).split()) for document, mention in thing.mentions]


def thing_data(thing: Recurring) -> dict[str, Any]:
    """Give an entity in plain values; ends are excluded, and words are counted from 0."""
    mentions = [
        {"text": document.id, "words": [mention.start, mention.end], "said": said}
        for (document, mention), said in zip(thing.mentions, _said(thing), strict=True)
    ]
    return {"id": thing.id, "name": thing.name, "names": _names(thing), "mentions": mentions}


def entity_output(thing: Recurring) -> Output:
    """List the mentions of an entity with their sentences."""
    rows = [
        [
            Cell(f"{document.id}:{mention.start}-{mention.end}"),
            Cell(said),
            Cell(
                " ".join(document.text.spelled([_sentence(document.text.stretches, mention.start)]).split())
            ),
        ]
        for (document, mention), said in zip(thing.mentions, _said(thing), strict=True)
    ]
    columns = [Column(head, left=True) for head in ("Where", "Mention", "Sentence")]
    texts = number_of(len(thing.documents), "text")
    caption = f"{thing.id}  {thing.name}: {number_of(len(rows), 'mention')} in {texts}"
    return Output(lambda: [Table(columns, rows, caption)], lambda: thing_data(thing))


def _sentence(stretches: Iterable[tuple[int, int]], word: int) -> tuple[int, int]:
    return next((span for span in stretches if span[0] <= word < span[1]), (word, word + 1))


def joins_output(joins: Sequence[ExplainedJoin]) -> Output:
    """List what was joined to what, how likely it is, and why."""
    return Output(
        lambda: [_join_table(joins)],
        lambda: {"joins": [join.to_dict() for join in joins]},
        words=lambda: "\n".join(map(str, joins)),
    )


def _join_table(joins: Sequence[ExplainedJoin]) -> Table:
    columns = [
        Column("Join"),
        Column("Score"),
        *(Column(head, left=True) for head in ("Entity", "One", "Other", "Why")),
    ]
    rows = [
        [
            count_cell(join.number), Cell(f"{join.average:.2f}", value=join.average), Cell(join.entity),
            Cell(join.told[0]), Cell(join.told[1]), Cell(join.why),
        ]
        for join in joins
    ]  # fmt: skip
    return Table(columns, rows)


def addition_output(addition: Addition, *, explain: bool = True) -> Output:
    """Say what was added, and to `explain` it what was joined."""
    joins = (*addition.joins, *addition.taken_back) if explain else ()
    listed = ("joins", "taken back")
    data = {name: value for name, value in addition.to_dict().items() if explain or name not in listed}
    return Output(
        lambda: [_addition_table(addition), *([_join_table(joins)] if explain else [])],
        lambda: data,
        words=lambda: "\n".join([addition_summary(addition), *([""] if joins else []), *map(str, joins)]),
    )


def _addition_table(addition: Addition) -> Table:
    named = [(name, "added") for name in addition.added] + [(name, "replaced") for name in addition.replaced]
    named += [(name, f"there already as {other}") for name, other in addition.same]
    named += [(failure.document, failure.reason) for failure in addition.failures]
    return Table(
        [Column("Text", left=True), Column("What", left=True)], [[Cell(a), Cell(b)] for a, b in named]
    )


def addition_summary(addition: Addition) -> str:
    """Say in a line what was added, and in others which texts were there already."""
    counts = [f"{number_of(len(addition.added), 'text')} added"]
    counts += [f"{len(addition.replaced)} replaced"] * bool(addition.replaced)
    counts += [f"{len(addition.same)} there already"] * bool(addition.same)
    counts += [f"{len(addition.failures)} failed"] * bool(addition.failures)
    counts += [f"{number_of(len(addition.taken_back), 'join')} taken back"] * bool(addition.taken_back)
    same = [
        f"{text} has the words of {other}, which is there already"
        if text != other
        else f"{text} is there already"
        for text, other in addition.same[:SHOWN_TEXTS]
    ]
    more = [f"and {len(addition.same) - SHOWN_TEXTS} more"] * (len(addition.same) > SHOWN_TEXTS)
    return "\n".join([", ".join(counts), *same, *more])
