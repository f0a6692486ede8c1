"""Which mentions belong together, as annotators vote.

Each annotator who marked both of two mentions votes on their link: for it if they are in one of his
entities, against it if not. One who lacks a mention has no opinion about its links. A link with more votes
for it than against it holds; one with equally many is tied. Mentions that are joined by links that hold or
are tied, over others too, are a group. A group is an entity if no link in it is tied or voted down. Otherwise
it is open, and as long as nobody decides, the links that hold are made, and no other.

Mentions that everybody treats alike are in one part of their group, so that a person decides on few parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from referee.arrays import BoolArray, IntArray, connected_parts
from referee.curation.questions import Question, questions

ABSENT = -1
Parts = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Mentions, by their numbers, that are one entity; or an open group, about which there are questions."""

    parts: Parts
    entity: tuple[int, ...]  # part → its entity within the group, as long as nobody decides
    questions: tuple[Parts, ...] = ()

    def entities(self) -> list[list[int]]:
        """List the entities as mentions."""
        found: dict[int, list[int]] = {}
        for part, number in zip(self.parts, self.entity, strict=True):
            found.setdefault(number, []).extend(part)
        return [sorted(mentions) for mentions in found.values()]


def groups(
    labels: IntArray, decided: Sequence[IntArray] = (), *, union: bool = False, trusted: int | None = None
) -> list[Group]:
    """Group mentions by the entities that annotators put them into.

    Args:
        labels: Mentions × annotators: the number of an entity, or ABSENT.
        decided: What a person decided: for each decision the group of each mention, or ABSENT. A later
            decision holds against an earlier one, and each against all votes.
        union: Whether one vote is enough for a link.
        trusted: The column of an annotator whose entities an open group has, if he marked all of it.
    """
    if not labels.size:
        return []
    signature = np.column_stack([labels, *decided])
    _, first, cell = np.unique(signature, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    number = np.empty_like(order)
    number[order] = np.arange(order.size)
    rows, cell = signature[first[order]], number[cell.ravel()]
    members = _split(cell)
    found = []
    for some in _connected(rows):
        for chosen, entity, votes in _grouped(rows[some], labels.shape[1], union=union):
            parts = tuple(tuple(members[each].tolist()) for each in some[chosen])
            asked = questions([len(part) for part in parts], entity, *votes)
            if asked and trusted is not None and (rows[some[chosen], trusted] != ABSENT).all():
                entity, asked = rows[some[chosen], trusted], []
            found.append(
                Group(parts, tuple(entity.tolist()), tuple(_mentions(each, parts) for each in asked))
            )
    return sorted(found, key=lambda group: min(map(min, group.parts)))


def _mentions(question: Question, parts: Parts) -> Parts:
    """Give the parts of a question as mentions, in the order of the text."""
    return tuple(sorted(tuple(sorted(at for row in rows for at in parts[row])) for rows in question))


def _split(cell: IntArray) -> list[IntArray]:
    order = np.argsort(cell, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(cell[order])) + 1)


def _connected(rows: IntArray) -> Iterator[IntArray]:
    """Go through what is joined by any annotator or decision, over others too."""
    size = len(rows)
    nodes, labels = [], []
    width = 0
    for column in rows.T:
        there = np.flatnonzero(column != ABSENT)
        nodes.append(there)
        labels.append(size + width + column[there])
        width += int(column.max(initial=ABSENT)) + 1
    part = connected_parts(np.concatenate(nodes), np.concatenate(labels), size + width)[:size]
    yield from sorted(_split(np.unique(part, return_inverse=True)[1].ravel()), key=lambda each: int(each[0]))


def _grouped(
    rows: IntArray, annotators: int, *, union: bool
) -> Iterator[tuple[IntArray, IntArray, list[BoolArray]]]:
    """Group some rows: which they are, the entity of each as long as nobody decides, and their votes."""
    votes = _votes(rows, annotators, union=union)
    holds, tied, _ = votes
    entity = _parts_of(holds)
    for some in _split(_parts_of(holds | tied)):
        yield some, entity[some], [each[np.ix_(some, some)] for each in votes]


def _votes(rows: IntArray, annotators: int, *, union: bool) -> tuple[BoolArray, BoolArray, BoolArray]:
    """Say of each two rows whether their link holds, is tied, or is voted down."""
    size = len(rows)
    votes = [np.zeros((size, size), np.int64) for _ in range(2)]
    for column in rows.T[:annotators]:
        same, both = _same(column)
        votes[0] += same
        votes[1] += both & ~same
    apart = np.zeros((size, size), np.bool_) if union else votes[1] > votes[0]
    holds = votes[0] > 0 if union else votes[0] > votes[1]
    tied = np.zeros((size, size), np.bool_) if union else (votes[0] == votes[1]) & (votes[0] > 0)
    for column in rows.T[annotators:]:
        same, both = _same(column)
        holds, tied, apart = (holds & ~both) | same, tied & ~both, (apart & ~both) | (both & ~same)
    return holds, tied, apart


def _same(column: IntArray) -> tuple[BoolArray, BoolArray]:
    """Say of each two rows whether they have the same label, and whether both have one."""
    there = column != ABSENT
    both: BoolArray = there[:, None] & there
    same: BoolArray = both & (column[:, None] == column)
    return same, both


def _parts_of(joined: BoolArray) -> IntArray:
    one, other = np.nonzero(joined)
    return connected_parts(one, other, len(joined))
