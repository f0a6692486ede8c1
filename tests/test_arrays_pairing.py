"""Named numpy idioms against their slow, plain meaning."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from referee.arrays import best_member, look_up, outer_join, pair_equal

values = st.lists(st.integers(-1, 6), max_size=12)
different = st.lists(st.integers(0, 12), max_size=8, unique=True)


@given(different, different)
def test_outer_join(left: list[int], right: list[int]) -> None:
    joined = outer_join(np.array(left, np.int64), np.array(right, np.int64))
    every = sorted({*left, *right})
    for side, positions in zip((left, right), joined, strict=True):
        assert positions.tolist() == [side.index(n) if n in side else -1 for n in every]


@given(st.lists(st.integers(0, 9), max_size=5), st.data())
def test_look_up(column: list[int], data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(-1, len(column) - 1), max_size=8))
    expected = [-1 if row < 0 else column[row] for row in rows]
    assert look_up(np.array(column, np.int64), np.array(rows, np.int64)).tolist() == expected


@given(values, values, st.booleans())
def test_pair_equal(left: list[int], right: list[int], once: bool) -> None:
    ours, theirs = pair_equal(np.array(left, np.int64), np.array(right, np.int64), once=once)
    expected = {
        (left.index(value), right.index(value))
        for value in {*left} & {*right} - {-1}
        if not once or left.count(value) == right.count(value) == 1
    }
    pairs = list(zip(ours.tolist(), theirs.tolist(), strict=True))
    assert len(pairs) == len(expected)
    assert set(pairs) == expected


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 9), st.integers(1, 3)), max_size=12))
def test_best_member(rows: list[tuple[int, int, int]]) -> None:
    columns = [np.array([row[i] for row in rows], np.int64) for i in range(3)]
    for group, member in enumerate(best_member(columns[0], columns[1], columns[2], 6).tolist()):
        inside = [(-size, number) for g, number, size in rows if g == group]
        assert member == (min(inside)[1] if inside else -1)
