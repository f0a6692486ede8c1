"""The slow, plain meaning of the numpy idioms."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from referee import arrays

NUMBERS = st.lists(st.integers(0, 8), max_size=12)


def column(values: list[int]) -> arrays.IntArray:
    return np.array(values, np.int64)


@given(NUMBERS, NUMBERS)
def test_find(wanted: list[int], known: list[int]) -> None:
    known = sorted(set(known))
    index, there = arrays.find(column(wanted), column(known))
    assert there.tolist() == [number in known for number in wanted]
    assert [known[i] for i in index[there].tolist()] == [number for number in wanted if number in known]


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(-9, 9)), max_size=9))
def test_sums_and_totals(rows: list[tuple[int, int]]) -> None:
    groups, values = (column([row[i] for row in rows]) for i in (0, 1))
    expected = [sum(value for group, value in rows if group == own) for own in range(6)]
    assert arrays.sums(groups, values, 6).tolist() == expected
    assert arrays.totals(groups, values / 4, 6).tolist() == [value / 4 for value in expected]
    assert arrays.sums(groups, values, 6).dtype == np.int64


@given(st.integers(0, 30))
def test_pairs(n: int) -> None:
    assert arrays.pairs(column([n])).tolist() == [sum(1 for a in range(n) for _ in range(a))]


@given(NUMBERS)
def test_first_of_each(values: list[int]) -> None:
    assert arrays.first_of_each(column(values)).tolist() == [values.index(v) for v in sorted(set(values))]


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), max_size=9))
def test_runs(rows: list[tuple[int, int]]) -> None:
    columns = [column([row[i] for row in rows]) for i in (0, 1)]
    last = len(rows) - 1
    starts = [i == 0 or rows[i] != rows[i - 1] for i in range(len(rows))]
    ends = [i == last or rows[i] != rows[i + 1] for i in range(len(rows))]
    assert arrays.run_starts(*columns).tolist() == starts
    assert arrays.run_ends(*columns).tolist() == ends


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=8))
def test_joined(edges: list[tuple[int, int]]) -> None:
    parts = [{node} for node in range(8)]
    for a, b in edges:
        whole = parts[a] | parts[b]
        for node in whole:
            parts[node] = whole
    found = arrays.joined(column([a for a, _ in edges]), column([b for _, b in edges]), 8).tolist()
    assert all((found[a] == found[b]) == (b in parts[a]) for a in range(8) for b in range(8))
