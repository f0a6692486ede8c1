"""The mentions of a document in columns, kept up to date edit by edit, so that scoring need not read them."""

from __future__ import annotations

import numpy as np

from referee.arrays import IntArray
from referee.corrections.state import Change, State, rank
from referee.model import UNKNOWN, Chains, Mention, RowSpans

FIRST = 1024  # rows that there is room for at the beginning


class Columns:
    """The mentions of one document: a row for each, some of them empty."""

    def __init__(self, state: State, length: int) -> None:
        """Lay out an annotation of a text of so many written words."""
        self.length = length
        self._rows: dict[str, int] = {}  # id → row
        self._several: dict[int, Mention] = {}  # rows whose mentions have several spans
        self._minimums: dict[int, Mention] = {}
        self._entities: dict[str, int] = {}
        self._table: IntArray = np.full((max(FIRST, 2 * len(state.mentions)), 4), UNKNOWN)  # start, end, …
        for number, id_ in enumerate(sorted(state.entities, key=rank)):
            self._entities[id_] = number
        self._rows = {id_: row for row, id_ in enumerate(state.mentions)}
        if state.mentions:
            self._table[: len(self._rows)] = [
                self._row(each.entity, each.mention) for each in state.mentions.values()
            ]
        for row, each in enumerate(state.mentions.values()):
            self._note(row, each.mention)

    def _row(self, entity: str, mention: Mention) -> tuple[int, int, int, int]:
        number = self._entities.setdefault(entity, len(self._entities))
        return mention.start, mention.end, number, UNKNOWN if mention.head is None else mention.head

    def _note(self, row: int, mention: Mention | None) -> None:
        """Remember what only few mentions have."""
        for kept in (self._several, self._minimums):
            kept.pop(row, None)
        if mention is not None and len(mention.spans) > 1:
            self._several[row] = mention
        if mention is not None and mention.minimum:
            self._minimums[row] = mention

    def change(self, change: Change) -> None:
        """Make a change."""
        for id_, (_, after) in change.mentions.items():
            row = self._rows.setdefault(id_, len(self._rows))
            if row >= len(self._table):
                self._table = np.concatenate([self._table, np.full_like(self._table, UNKNOWN)])
            self._table[row] = UNKNOWN if after is None else self._row(after.entity, after.mention)
            self._note(row, None if after is None else after.mention)

    def chains(self) -> Chains:
        """Give the mentions, entity by entity."""
        rows = np.flatnonzero(self._table[:, 0] != UNKNOWN)
        start, end, entity, head = self._table[rows].T
        order = np.lexsort((end, start, entity))
        rows, start, end, head = rows[order], start[order], end[order], head[order]
        known, cluster = np.unique(entity[order], return_inverse=True)
        place = {row: at for at, row in enumerate(rows.tolist())} if self._several or self._minimums else {}
        return Chains(
            np.zeros(rows.size, np.int64),
            start,
            end,
            cluster.astype(np.int64),
            np.zeros(known.size, np.int64),
            np.array([self.length], np.int64),
            parts=RowSpans.of(
                {place[row]: m.spans for row, m in sorted(self._several.items(), key=lambda i: place[i[0]])}
            ),
            minimums=RowSpans.of(
                {
                    place[row]: m.minimum or ()
                    for row, m in sorted(self._minimums.items(), key=lambda i: place[i[0]])
                }
            ),
            head=head if (head != UNKNOWN).any() else None,
        )
