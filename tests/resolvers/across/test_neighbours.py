"""Candidate pairs: the nearest are found, all of few are taken, and cells lose little."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from referee.resolvers.across import neighbours
from referee.resolvers.across.neighbours import all_pairs, bucket_pairs, joined_pairs, narrowed, near_pairs


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


@pytest.mark.parametrize("branches", [256, 5])
def test_cells_find_nearly_all_that_a_full_search_finds(
    branches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where they are found in several steps."""
    vectors = made_vectors(3000, 60)
    wanted = as_set(near_pairs(vectors, 10))
    for name, value in (("EXACT", 500), ("CELL", 100), ("MOST_IN_CELL", 200), ("BRANCHES", branches)):
        monkeypatch.setattr(neighbours, name, value)
    searched = list(neighbours._searches(vectors, 1))
    assert sorted(np.concatenate([rows for rows, _ in searched]).tolist()) == list(range(3000))
    assert np.mean([among.size for _, among in searched]) < 1500  # not everything is compared
    found = as_set(near_pairs(vectors, 10))
    assert len(found & wanted) / len(wanted) > 0.95


def test_large_cells_are_divided_again_and_no_row_is_compared_with_all_centres(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    vectors, compared = made_vectors(4000, 80), list[int]()
    closest = neighbours._closest

    def counted(vectors: np.ndarray, rows: np.ndarray, centres: np.ndarray) -> np.ndarray:
        compared.append(len(centres))
        return closest(vectors, rows, centres)

    for name, value in (("CELL", 40), ("MOST_IN_CELL", 80), ("BRANCHES", 10), ("_closest", counted)):
        monkeypatch.setattr(neighbours, name, value)
    cells, centres = neighbours._cells(vectors, 1)
    assert max(compared) <= 10
    assert max(cell.size for cell in cells) <= 80
    assert sorted(np.concatenate(cells).tolist()) == list(range(4000))
    unit = neighbours.unit_rows(vectors)
    own = [float((unit[cell] @ centre).mean()) for cell, centre in zip(cells, centres, strict=True)]
    assert min(own) > 0.5  # a centre is that of its cell


def test_every_row_looks_into_its_own_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = made_vectors(900, 30)
    monkeypatch.setattr(neighbours, "EXACT", 100)
    monkeypatch.setattr(neighbours, "CELL", 50)
    monkeypatch.setattr(neighbours, "SEARCHED", 1)
    for rows, among in neighbours._searches(vectors, 1):
        assert rows.tolist() == among.tolist()


def test_equal_rows_fill_one_cell_and_are_still_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "EXACT", 100)
    monkeypatch.setattr(neighbours, "CELL", 50)
    pairs = near_pairs(np.ones((300, 4), np.float32), 3)
    assert np.unique(np.concatenate(pairs)).size == 300
    monkeypatch.setattr(neighbours, "MOST_IN_CELL", 100)
    assert [cell.size for cell in neighbours._cells(np.ones((300, 4), np.float32), 1)[0]] == [100] * 3
    monkeypatch.setattr(neighbours, "MOST_IN_CELL", 10)  # more cells with one centre than are searched
    for rows, among in neighbours._searches(np.ones((300, 4), np.float32), 1):
        assert set(rows.tolist()) <= set(among.tolist())


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
    pairs = joined_pairs(list(bucket_pairs(buckets, vectors, 4)), 60)
    found = {pair for pair in as_set(pairs) if pair[0] in own}
    assert found == {(int(own[a]), int(own[b])) for a, b in plain_near(vectors[own], 4)}


def test_a_bucket_is_searched_by_cells_if_it_is_very_large(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors, buckets = made_vectors(2000, 40), np.arange(2000) % 2
    monkeypatch.setattr(neighbours, "EXACT", 400)
    monkeypatch.setattr(neighbours, "CELL", 100)
    pairs = joined_pairs(list(bucket_pairs(buckets, vectors, 4)), 2000)
    assert (buckets[pairs.first] == buckets[pairs.second]).all()
    own = np.flatnonzero(buckets)
    wanted = {(int(own[a]), int(own[b])) for a, b in plain_near(vectors[own], 4)}
    assert len(wanted & as_set(pairs)) / len(wanted) > 0.9


@pytest.mark.parametrize(("columns", "count"), [(700, 24), (512, 1), (100, 24), (700, 40)])
def test_the_greatest_of_each_row_are_those_of_a_sort(columns: int, count: int) -> None:
    table = np.random.default_rng(3).normal(size=(50, columns)).astype(np.float32)
    table[:, 600:] += 1  # what is greatest stands close together, behind the last whole part too
    table[0] = 0.5
    table[1, :-count] = -np.inf
    greatest = neighbours._greatest(table, count)
    assert greatest.shape == (50, count)
    assert all(len(set(row)) == count for row in greatest.tolist())
    values = np.sort(np.take_along_axis(table, greatest, axis=1), axis=1)
    assert values.tolist() == np.sort(table, axis=1)[:, -count:].tolist()


def test_vectors_with_few_directions_keep_their_cosines_in_few_columns() -> None:
    vectors = made_vectors(400, 20) @ np.random.default_rng(5).normal(size=(24, 300)).astype(np.float32)
    narrow = np.concatenate([*narrowed(vectors)])
    assert narrow.shape == (400, 128)
    unit = neighbours.unit_rows(vectors)
    assert np.abs(neighbours.unit_rows(narrow) @ neighbours.unit_rows(narrow).T - unit @ unit.T).max() < 0.01


def test_what_many_columns_hold_is_narrowed_to_those_that_tell_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sample tells the directions, and rows are narrowed some at a time."""
    monkeypatch.setattr(neighbours, "NARROWED_AT_ONCE", 64)
    chance = np.random.default_rng(0)
    strong = made_vectors(500, 25) @ chance.normal(size=(24, 200)).astype(np.float32)
    vectors = strong + 0.3 * chance.normal(size=strong.shape).astype(np.float32)
    parts = [*narrowed(vectors)]
    assert [len(part) for part in parts] == [64] * 7 + [52]
    narrow = np.concatenate(parts)
    wanted = plain_near(strong, 5)
    assert len(wanted & as_set(near_pairs(narrow, 5))) / len(wanted) > 0.8


def test_narrow_vectors_keep_their_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "NARROWED_AT_ONCE", 8)
    vectors = made_vectors(30, 3)
    narrow = np.concatenate([*narrowed(vectors)])
    assert narrow.tolist() == neighbours.unit_rows(vectors).tolist()


def test_any_number_of_threads_finds_the_same_pairs_in_the_same_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    vectors, buckets = made_vectors(3000, 60), np.arange(3000) % 7
    for name, value in (("EXACT", 200), ("CELL", 50), ("MOST_IN_CELL", 100), ("BRANCHES", 9)):
        monkeypatch.setattr(neighbours, name, value)
    near = [list(neighbours.near_chunks(vectors, 10, workers)) for workers in (1, 2)]
    same = [list(bucket_pairs(buckets, vectors, 4, workers)) for workers in (1, 2)]
    for one, two in (near, same):
        assert np.concatenate(one, axis=1).tobytes() == np.concatenate(two, axis=1).tobytes()


def test_one_thread_and_two_find_the_same() -> None:
    script = (
        "import numpy as np; from referee.resolvers.across.neighbours import near_pairs;"
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
