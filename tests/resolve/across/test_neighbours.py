"""Candidate pairs: the nearest are found, all of few are taken, and cells lose little."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from referee.resolve.across import neighbours
from referee.resolve.across.neighbours import all_pairs, bucket_pairs, joined_pairs, near_pairs, nearest_rows


def made_vectors(size: int, groups: int, seed: int = 0) -> np.ndarray:
    """Groups of vectors around centres of their own."""
    chance = np.random.default_rng(seed)
    centres = chance.normal(size=(groups, 24))
    return (centres[np.arange(size) % groups] + 0.4 * chance.normal(size=(size, 24))).astype(np.float32)


def as_set(pairs: tuple[np.ndarray, np.ndarray]) -> set[tuple[int, int]]:
    return set(zip(pairs[0].tolist(), pairs[1].tolist(), strict=True))


def plain_near(vectors: np.ndarray, count: int) -> set[tuple[int, int]]:
    unit = vectors / np.linalg.norm(vectors, axis=1)[:, None]
    like = unit @ unit.T
    np.fill_diagonal(like, -np.inf)
    best = np.argsort(-like, axis=1)[:, :count]
    return {(min(a, b), max(a, b)) for a, row in enumerate(best.tolist()) for b in row}


def test_the_nearest_rows_are_paired_each_pair_once_and_sorted() -> None:
    vectors = made_vectors(200, 10)
    pairs = near_pairs(vectors, 5)
    assert as_set(pairs) == plain_near(vectors, 5)
    assert pairs.size == len(as_set(pairs))
    assert (pairs.first < pairs.second).all()
    assert (np.diff(pairs.first * 200 + pairs.second) > 0).all()


@pytest.mark.parametrize("size", [0, 1, 2, 6])
def test_few_rows_are_all_paired(size: int) -> None:
    assert as_set(near_pairs(made_vectors(size, 2), 5)) == as_set(all_pairs(size))
    assert all_pairs(size).size == size * (size - 1) // 2


def test_length_is_no_likeness_and_zeros_do_no_harm() -> None:
    vectors = np.array([[1, 0], [9, 0.1], [0, 1], [0, 0]], np.float32)
    assert (0, 1) in as_set(near_pairs(vectors, 1))


def test_cells_find_nearly_all_that_a_full_search_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = made_vectors(3000, 60)
    wanted = as_set(near_pairs(vectors, 10))
    monkeypatch.setattr(neighbours, "EXACT", 500)
    monkeypatch.setattr(neighbours, "CELL", 100)
    searched = [(rows.size, among.size) for rows, among in neighbours._searches(vectors, vectors)]
    assert sum(rows for rows, _ in searched) == 3000
    assert np.mean([among for _, among in searched]) < 1500  # not everything is compared
    found = as_set(near_pairs(vectors, 10))
    assert len(found & wanted) / len(wanted) > 0.95


def test_every_row_looks_into_its_own_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = made_vectors(900, 30)
    monkeypatch.setattr(neighbours, "EXACT", 100)
    monkeypatch.setattr(neighbours, "CELL", 50)
    monkeypatch.setattr(neighbours, "SEARCHED", 1)
    for rows, among in neighbours._searches(vectors, vectors):
        assert set(rows.tolist()) == set(among.tolist())


def test_equal_rows_fill_one_cell_and_are_still_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "EXACT", 100)
    monkeypatch.setattr(neighbours, "CELL", 50)
    pairs = near_pairs(np.ones((300, 4), np.float32), 3)
    assert np.unique(np.concatenate(pairs)).size == 300


def test_rows_of_one_bucket_are_paired_whatever_their_vectors() -> None:
    vectors = made_vectors(40, 40)
    buckets = np.array([7, -1, 7, 3, -1] * 8)
    pairs = joined_pairs(list(bucket_pairs(buckets, vectors, 99)), 40)
    rows = [np.flatnonzero(buckets == bucket).tolist() for bucket in (3, 7)]
    assert as_set(pairs) == {(a, b) for own in rows for a in own for b in own if a < b}


def test_a_large_bucket_is_paired_by_its_nearest() -> None:
    vectors = made_vectors(60, 12)
    buckets = np.array([0, 1] * 30)
    own = np.flatnonzero(buckets == 1)
    found = {pair for part in bucket_pairs(buckets, vectors, 4) for pair in as_set(part) if pair[0] in own}
    assert found == {(int(own[a]), int(own[b])) for a, b in plain_near(vectors[own], 4)}


@pytest.mark.parametrize("exact", [8192, 50])
def test_rows_find_the_nearest_of_others(exact: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "EXACT", exact)
    monkeypatch.setattr(neighbours, "CELL", 40)
    targets, vectors = made_vectors(200, 8), made_vectors(16, 8, seed=0)
    rows, near = nearest_rows(vectors, targets, 3)
    assert rows.tolist() == sorted(rows.tolist()) or exact == 50
    assert sorted(rows.tolist()) == sorted(list(range(16)) * 3)
    like = _unit(vectors) @ _unit(targets).T
    right = [
        like[row, target] >= np.sort(like[row])[-3] - 1e-6 for row, target in zip(rows, near, strict=True)
    ]
    assert np.mean(right) > 0.9


def _unit(vectors: np.ndarray) -> np.ndarray:
    unit: np.ndarray = vectors / np.linalg.norm(vectors, axis=1)[:, None]
    return unit


def test_one_thread_and_two_find_the_same() -> None:
    script = (
        "import numpy as np; from referee.resolve.across.neighbours import near_pairs;"
        "v = np.random.default_rng(0).normal(size=(1500, 64)).astype(np.float32);"
        "print(hash(near_pairs(v, 20).second.tobytes()))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True,
            env={"OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads, "PYTHONHASHSEED": "0"},
        ).stdout
        for threads in ("1", "2")
    }  # fmt: skip
    assert len(said) == 1
