"""The idioms of `referee.arrays` against their slow, plain meaning."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from referee.arrays import (
    IntArray,
    bracket_pairs,
    depths,
    find,
    first_of_each,
    joined,
    least_of,
    number_of_row,
    offsets_of,
    pairs,
    ragged,
    run_ends,
    run_starts,
    scattered,
    spread,
    sums,
    totals,
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


NUMBERS = st.lists(st.integers(0, 8), max_size=12)


def column(values: list[int]) -> IntArray:
    return np.array(values, np.int64)


@given(NUMBERS, NUMBERS)
def test_find(wanted: list[int], known: list[int]) -> None:
    known = sorted(set(known))
    index, there = find(column(wanted), column(known))
    assert there.tolist() == [number in known for number in wanted]
    assert [known[i] for i in index[there].tolist()] == [number for number in wanted if number in known]


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(-9, 9)), max_size=9))
def test_sums_and_totals(rows: list[tuple[int, int]]) -> None:
    groups, values = (column([row[i] for row in rows]) for i in (0, 1))
    expected = [sum(value for group, value in rows if group == own) for own in range(6)]
    assert sums(groups, values, 6).tolist() == expected
    assert totals(groups, values / 4, 6).tolist() == [value / 4 for value in expected]
    assert sums(groups, values, 6).dtype == np.int64


@given(st.integers(0, 30))
def test_pairs(n: int) -> None:
    assert pairs(column([n])).tolist() == [sum(1 for a in range(n) for _ in range(a))]


@given(NUMBERS)
def test_first_of_each(values: list[int]) -> None:
    assert first_of_each(column(values)).tolist() == [values.index(v) for v in sorted(set(values))]


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), max_size=9))
def test_runs(rows: list[tuple[int, int]]) -> None:
    columns = [column([row[i] for row in rows]) for i in (0, 1)]
    last = len(rows) - 1
    starts = [i == 0 or rows[i] != rows[i - 1] for i in range(len(rows))]
    ends = [i == last or rows[i] != rows[i + 1] for i in range(len(rows))]
    assert run_starts(*columns).tolist() == starts
    assert run_ends(*columns).tolist() == ends


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=8))
def test_joined(edges: list[tuple[int, int]]) -> None:
    parts = [{node} for node in range(8)]
    for a, b in edges:
        whole = parts[a] | parts[b]
        for node in whole:
            parts[node] = whole
    found = joined(column([a for a, _ in edges]), column([b for _, b in edges]), 8).tolist()
    assert all((found[a] == found[b]) == (b in parts[a]) for a in range(8) for b in range(8))
