"""The joins of a store while texts are added: what holds, what is taken back, and what comes instead.

Stored mentions that new ones are compared with are clustered again together with these, from single mentions:
what was joined when few texts were known is not right for ever. A join that puts together what is now in two
clusters is taken back; it stays in the log. Joins by name stay, as no average decided them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from referee.arrays import IntArray
from referee.resolvers.across.compatibility.same_names import CERTAIN
from referee.resolvers.across.linkage import Join
from referee.resolvers.across.neighbours import RowPairs
from referee.resolvers.across.store.contents import Contents
from referee.resolvers.across.store.entities import Apart


class JoinLog:
    """What was joined in a store and is joined now, by rows of the store."""

    def __init__(self, contents: Contents) -> None:
        """Begin with what is stored."""
        rows = contents.joins
        self.contents, self.stored = contents, rows.size
        self.first, self.second, self.average = (
            rows[name].tolist() for name in ("first", "second", "average")
        )
        self.held: list[bool] = contents.held.tolist()
        self.taken_back = list[int]()  # numbers of joins, also of this addition

    @property
    def added(self) -> list[Join]:
        """The joins of this addition."""
        columns = (column[self.stored :] for column in (self.first, self.second, self.average))
        return [Join(*each) for each in zip(*columns, strict=True)]

    def add(self, joins: Iterable[Join]) -> None:
        """Put joins behind the others."""
        for join in joins:
            for column, value in zip((self.first, self.second, self.average), join, strict=True):
                column.append(value)
            self.held.append(True)

    def parts(self, size: int) -> IntArray:
        """Number the entities of so many mentions by their first ones, without the merges of people."""
        held = np.array(self.held, np.bool_)
        first, second = (np.array(column, np.int64)[held] for column in (self.first, self.second))
        return self.contents.parts_of(RowPairs(first, second), size)

    def decide(self, names: IntArray, label: IntArray, joins: Sequence[Join]) -> None:
        """Let mentions of these rows have clusters, to which `joins` led, by their numbers among them."""
        size = int(max([*self.first, *self.second, *names.tolist()])) + 1
        part = self.parts(size)
        apart = Apart({row: {0: side} for row, side in zip(names.tolist(), label.tolist(), strict=True)})
        together = Apart({})
        for number in self._within(part, np.unique(part[names])):
            first, second = self.first[number], self.second[number]
            if self.average[number] == CERTAIN or apart.join(first, second):
                together.join(first, second)
            else:
                self.held[number] = False
                self.taken_back.append(number)
        for join in joins:
            first, second = int(names[join.first]), int(names[join.second])
            if together.root(first) != together.root(second):
                together.join(first, second)
                self.add([Join(first, second, join.average)])

    def _within(self, part: IntArray, chosen: IntArray) -> list[int]:
        """List the joins that hold within some parts, in order."""
        first, second = np.array(self.first, np.int64), np.array(self.second, np.int64)
        inside = (part[first] == part[second]) & np.isin(part[first], chosen) & np.array(self.held, np.bool_)
        return np.flatnonzero(inside).tolist()
