"""The idioms of `referee.arrays` against their slow, plain meaning."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from referee.arrays import (
    IntArray,
    bracket_pairs,
    depths,
    least_of,
    number_of_row,
    offsets_of,
    ragged,
    scattered,
    spread,
)

ranges = st.lists(st.tuples(st.integers(0, 50), st.integers(-2, 5)))


def columns(rows: list[tuple[int, int]]) -> tuple[IntArray, IntArray]:
    return np.array([b for b, _ in rows], np.int64), np.array([b + n for b, n in rows], np.int64)


@given(ranges)
def test_ragged(rows: list[tuple[int, int]]) -> None:
    assert ragged(*columns(rows)).tolist() == [i for b, n in rows for i in range(b, b + n)]


@given(ranges)
def test_spread(rows: list[tuple[int, int]]) -> None:
    row, value = spread(*columns(rows))
    plain = [(number, i) for number, (b, n) in enumerate(rows) for i in range(b, b + n)]
    assert list(zip(row.tolist(), value.tolist(), strict=True)) == plain


@given(st.lists(st.integers(0, 6)).map(sorted))
def test_offsets_of(group: list[int]) -> None:
    offsets = offsets_of(np.array(group, np.int64), groups=7).tolist()
    assert [group[offsets[g] : offsets[g + 1]] for g in range(7)] == [[g] * group.count(g) for g in range(7)]
    assert offsets[-1] == len(group)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 9))))
def test_least_of(pairs: list[tuple[int, int]]) -> None:
    group, value = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))
    plain = [min((v for g, v in pairs if g == wanted), default=-1) for wanted in range(5)]
    assert least_of(group, value, groups=5, empty=-1).tolist() == plain


@given(st.lists(st.sets(st.integers(0, 6), min_size=1).map(sorted)))
def test_number_of_row(rows: list[list[int]]) -> None:
    offsets = np.cumsum([0, *map(len, rows)])
    number = number_of_row(offsets, np.array([value for row in rows for value in row], np.int64))
    for one, row in enumerate(rows):
        assert (number == number[one]).tolist() == [row == other for other in rows]


brackets = st.recursive(
    st.just(""), lambda inner: st.tuples(inner, inner).map(lambda two: f"({two[0]}){two[1]}")
)


@given(brackets)
def test_brackets(text: str) -> None:
    opening = np.array([bracket == "(" for bracket in text], np.bool_)
    plain, stack = [], list[int]()
    for index, bracket in enumerate(text):
        if bracket == "(":
            stack.append(index)
        else:
            plain.append((len(stack), stack.pop(), index))
        assert depths(opening)[index] == len(stack)
    opens, closes = bracket_pairs(opening)
    pairs = list(zip(opens.tolist(), closes.tolist(), strict=True))
    assert pairs == [(opened, closed) for _, opened, closed in sorted(plain)]


@given(st.permutations(range(6)))
def test_scattered(index: list[int]) -> None:
    target = scattered(np.arange(10, 16), np.array(index))
    assert [int(target[i]) for i in index] == list(range(10, 16))
