"""Which mentions are one thing, against a search through all partitions that keep to what people decided."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from referee.resolvers.across.explaining import MentionKey
from referee.resolvers.across.neighbours import RowPairs
from referee.resolvers.across.store.decisions import MERGE, RENAME, SPLIT, Decision
from referee.resolvers.across.store.entities import entity_labels

SIZE = 7
KEYS = [MentionKey("d", row, row + 1) for row in range(SIZE)]
KNOWN = {key: row for row, key in enumerate(KEYS)}
ROWS = st.lists(st.integers(0, SIZE - 1), min_size=1, max_size=3, unique=True)


def labels(joins: list[tuple[int, int]], *decisions: Decision) -> list[int]:
    pairs = RowPairs(*np.array(joins, np.int64).reshape(-1, 2).T)
    found: list[int] = entity_labels(pairs, decisions, KNOWN, SIZE).tolist()
    return found


def merged(*rows: int) -> Decision:
    return Decision(MERGE, tuple(KEYS[row] for row in rows))


def split(rows: list[int], others: list[int]) -> Decision:
    return Decision(SPLIT, tuple(KEYS[row] for row in rows), tuple(KEYS[row] for row in others))


def test_joins_alone_are_connected_and_named_by_their_first_row() -> None:
    assert labels([(1, 3), (3, 5)]) == [0, 1, 2, 1, 4, 1, 6]


def test_a_merge_joins_and_a_split_separates_with_what_followed_each_side() -> None:
    assert labels([], merged(2, 0)) == [0, 1, 0, 3, 4, 5, 6]
    assert labels([(0, 1), (1, 2), (0, 3), (2, 4)], split([2], [0, 1])) == [0, 0, 2, 0, 2, 5, 6]


def test_a_join_that_comes_later_does_not_bring_together_what_people_split() -> None:
    assert labels([(0, 1), (0, 2), (1, 2)], split([1], [0])) == [0, 1, 0, 3, 4, 5, 6]


def test_the_later_decision_holds() -> None:
    assert labels([], merged(0, 1), split([0], [1]))[:2] == [0, 1]
    assert labels([(0, 1)], split([0], [1]), merged(0, 1))[:2] == [0, 0]


def test_a_name_and_mentions_that_are_not_there_change_nothing() -> None:
    unknown = MentionKey("elsewhere", 0, 1)
    named = Decision(RENAME, (KEYS[0],), name="Ann")
    assert labels([], named, Decision(MERGE, (KEYS[0], unknown))) == [*range(SIZE)]
    assert labels([(0, 1)], Decision(SPLIT, (unknown,), (KEYS[0],)))[:2] == [0, 0]


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=8),
    st.lists(st.tuples(ROWS, ROWS), max_size=3),
)
def test_splits_hold_and_whatever_they_allow_is_joined(
    joins: list[tuple[int, int]], sides: list[tuple[list[int], list[int]]]
) -> None:
    splits = [(rows, [row for row in others if row not in rows]) for rows, others in sides]
    splits = [(rows, others) for rows, others in splits if others]
    found = labels(joins, *(split(rows, others) for rows, others in splits))
    assert all(found[label] == label <= row for row, label in enumerate(found))
    for rows, others in splits:
        assert not {found[row] for row in rows} & {found[row] for row in others}
    if not splits:
        parts: list[set[int]] = [{row} for row in range(SIZE)]
        for one, other in joins:
            both = [part for part in parts if part & {one, other}]
            parts = [part for part in parts if part not in both] + [set().union(*both)]
        assert sorted(map(min, parts)) == sorted(set(found))
