"""CEAF's assignment: exact on small tables, sparse and fast on large ones."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from referee.metrics.assignment import best_alignment

cells = st.dictionaries(
    st.tuples(st.integers(0, 6), st.integers(0, 6)), st.integers(1, 12), min_size=0, max_size=25
)


@given(cells)
def test_alignment_is_optimal(table: dict[tuple[int, int], int]) -> None:
    k, r = (np.array([cell[i] for cell in table], np.int64) for i in (0, 1))
    worth = np.array(list(table.values()), np.float64) / 7
    dense = np.zeros((7, 7))
    dense[k, r] = worth
    best = dense[linear_sum_assignment(dense, maximize=True)].sum()
    chosen = best_alignment(k, r, worth)
    assert np.isclose(worth[chosen].sum(), best, rtol=0, atol=1e-12)
    assert len(set(k[chosen])) == len(set(r[chosen])) == chosen.sum()


def test_a_unit_of_many_clusters_needs_no_dense_matrix() -> None:
    size = 30_000  # a dense matrix of doubles would take 7 GB
    k = np.repeat(np.arange(size), 2)
    r = np.concatenate([[i, (i + 1) % size] for i in range(size)])
    assert best_alignment(k, r, np.ones(2 * size)).sum() == size
