"""Rows of passages cover the pairs worth reading, as a plain greedy over whole tables does."""

from __future__ import annotations

import numpy as np
import pytest

from referee.arrays import FloatArray, IntArray
from referee.resolvers.across.second_look import SLIGHT, cover, heaviest_pairs

SEEDS = range(60)


def drawn(seed: int) -> tuple[IntArray, FloatArray]:
    """Lengths of passages, and weights of all pairs: eighths, of which sums are exact; some weigh nothing."""
    random = np.random.default_rng(seed)
    size = int(random.integers(2, 14))
    weights = np.triu(random.integers(0, 12, (size, size)) / 8, 1)
    return random.integers(3, 40, size), weights + weights.T


def listed(weights: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
    first, second = np.nonzero(np.triu(weights))
    return first, second, weights[first, second]


def plainly_wanted(weights: FloatArray, near: int) -> list[tuple[int, int]]:
    wanted = set()
    for own in range(len(weights)):
        order = sorted(range(len(weights)), key=lambda other: (-weights[own, other], other))
        for other in [other for other in order if weights[own, other] > 0][:near]:
            wanted.add((min(own, other), max(own, other)))
    return sorted(wanted)


def plainly_covered(
    lengths: IntArray, weights: FloatArray, wanted: list[tuple[int, int]], most: int
) -> list[list[int]]:
    """Look at all pairs and all passages in each step."""
    left, rows = set(wanted), list[list[int]]()
    while True:
        open_ = [(-weights[pair], *pair) for pair in left if lengths[list(pair)].sum() <= most]
        if not open_:
            return rows
        own = list(min(open_)[1:])
        while True:
            gains = [
                (-sum(weights[a, b] + SLIGHT for a in own if (min(a, b), max(a, b)) in left), b)
                for b in range(len(lengths))
                if b not in own and lengths[own].sum() + lengths[b] <= most
            ]
            if not gains or min(gains)[0] == 0:
                break
            own.append(min(gains)[1])
        left -= {(a, b) for a in own for b in own}
        rows.append(own)


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_are_those_of_a_plain_greedy(seed: int) -> None:
    lengths, weights = drawn(seed)
    first, second, weight = listed(weights)
    for near, most in ((1, 60), (3, 60), (8, 100)):
        kept = heaviest_pairs(first, second, weight, near)
        wanted = plainly_wanted(weights, near)
        assert list(zip(first[kept].tolist(), second[kept].tolist(), strict=True)) == wanted
        rows = cover(lengths, first[kept], second[kept], weight[kept], most)
        assert rows == plainly_covered(lengths, weights, wanted, most)


def test_each_pair_that_fits_is_in_a_row_and_no_row_is_too_long() -> None:
    random = np.random.default_rng(5)
    lengths = random.integers(10, 200, 300)
    first, second = np.triu_indices(300, 1)
    weight = random.random(first.size)
    kept = heaviest_pairs(first, second, weight, 8)
    rows = cover(lengths, first[kept], second[kept], weight[kept], 256)
    together = {(a, b) for row in rows for a in row for b in row}
    for a, b in zip(first[kept].tolist(), second[kept].tolist(), strict=True):
        assert ((a, b) in together) == (lengths[a] + lengths[b] <= 256)
    assert max(int(lengths[row].sum()) for row in rows) <= 256
    assert all(len(row) == len(set(row)) > 1 for row in rows)


def test_the_order_of_pairs_does_not_matter() -> None:
    lengths, weights = drawn(7)
    first, second, weight = listed(weights)
    turned = np.random.default_rng(1).permutation(first.size)
    rows = cover(lengths, first[turned], second[turned], weight[turned], 80)
    assert rows == cover(lengths, first, second, weight, 80)
    assert len(rows) > 1


def test_nothing_is_covered_where_nothing_is_wanted() -> None:
    none = np.zeros(0, np.int64)
    assert heaviest_pairs(none, none, np.zeros(0), 8).size == 0
    assert cover(np.array([3, 4]), none, none, np.zeros(0), 8) == []
