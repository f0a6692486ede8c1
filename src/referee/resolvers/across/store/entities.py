"""Which mentions are one thing: what was joined, and what people decided, which goes before.

Of decisions that contradict each other the later one holds. Merges are done before all joins, and whatever
would put together what people split is left out: so a split also keeps texts that are added later apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from referee.arrays import IntArray, connected_parts
from referee.resolvers.across.explaining import MentionKey
from referee.resolvers.across.neighbours import RowPairs
from referee.resolvers.across.store.decisions import MERGE, SPLIT, Decision

Known = Mapping[MentionKey, int]


def entity_labels(joins: RowPairs, decisions: Sequence[Decision], known: Known, size: int) -> IntArray:
    """Number the entity of each mention by its first one; `known` gives the row of each mention."""
    merges = [pair for decision in decisions for pair in _links(decision, known)]
    links = np.array(merges, np.int64).reshape(-1, 2)
    first, second = np.concatenate([links[:, 0], joins.first]), np.concatenate([links[:, 1], joins.second])
    label = connected_parts(first, second, size)
    splits = _active_splits(decisions, known)
    if splits:
        touched = {int(label[row]) for split in splits for side in split for row in side}
        inside = np.isin(label[first], sorted(touched))
        parts = _separated(zip(first[inside].tolist(), second[inside].tolist(), strict=True), splits)
        for row in np.flatnonzero(np.isin(label, sorted(touched))).tolist():
            label[row] = size + parts.root(row)
    return _first_rows(label)


def _first_rows(label: IntArray) -> IntArray:
    """Name each cluster by its first row.

    >>> _first_rows(np.array([7, 3, 7])).tolist()
    [0, 1, 0]
    """
    _, first, inverse = np.unique(label, return_index=True, return_inverse=True)
    rows: IntArray = first[inverse].astype(np.int64)
    return rows


def _links(decision: Decision, known: Known) -> list[tuple[int, int]]:
    """All mentions of a merge or of one side of a split are one thing."""
    if decision.kind not in (MERGE, SPLIT):
        return []
    rows = [known[key] for key in decision.mentions if key in known]
    return [(rows[0], row) for row in rows[1:]]


def _active_splits(decisions: Sequence[Decision], known: Known) -> list[tuple[set[int], set[int]]]:
    """List splits that no later merge has undone: the rows of both sides."""
    active: list[tuple[set[int], set[int]]] = []
    for decision in decisions:
        rows = {known[key] for key in decision.mentions if key in known}
        if decision.kind == SPLIT:
            others = {known[key] for key in decision.others if key in known}
            active += [(rows, others)] if rows and others else []
        elif decision.kind == MERGE:
            active = [split for split in active if not (rows & split[0] and rows & split[1])]
    return active


class Apart:
    """Sets of rows that are put together as far as rows with two sides of one question stay apart."""

    def __init__(self, sides: dict[int, dict[int, int]]) -> None:
        """Take the sides of rows: question → side."""
        self._above: dict[int, int] = {}
        self._sides = sides

    def root(self, row: int) -> int:
        """Find the row that stands for a set."""
        while (above := self._above.get(row, row)) != row:
            self._above[row] = self._above.get(above, above)
            row = above
        return row

    def join(self, one: int, other: int) -> bool:
        """Put two sets together, unless they stay apart; say whether they are together."""
        a, b = sorted((self.root(one), self.root(other)))
        ours, theirs = self._sides.get(a, {}), self._sides.get(b, {})
        if a == b:
            return True
        if any(theirs.get(number, side) != side for number, side in ours.items()):
            return False
        self._above[b] = a
        self._sides[a] = ours | theirs
        return True


def _separated(links: Iterable[tuple[int, int]], splits: Sequence[tuple[set[int], set[int]]]) -> Apart:
    sides: dict[int, dict[int, int]] = {}
    for number, split in enumerate(splits):
        for side, rows in enumerate(split):
            for row in rows:
                sides.setdefault(row, {})[number] = side
    parts = Apart(sides)
    for one, other in links:
        parts.join(one, other)
    return parts
