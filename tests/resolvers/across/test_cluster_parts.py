"""Parts of clusters: who is compared with whom, by how many pairs, what is read, and what is known."""

from __future__ import annotations

import numpy as np
import pytest

from referee.arrays import FloatArray, Grouped, IntArray
from referee.resolvers.across.cluster_parts import (
    Fresh,
    Looks,
    PartAverages,
    joined_parts,
    part_middles,
    part_pairs,
)
from referee.resolvers.across.neighbours import RowPairs
from referee.resolvers.across.progress import Done, unwatched


class Asked:
    """How likely a pair is, from a table; and what was asked."""

    def __init__(self, table: FloatArray) -> None:
        self.table, self.pairs = table, list[tuple[int, int]]()

    def __call__(self, pairs: RowPairs, done: Done = unwatched) -> FloatArray:
        done(1)
        self.pairs += zip(*(side.tolist() for side in pairs), strict=True)
        likely: FloatArray = self.table[pairs.first, pairs.second]
        return likely


def labelled(*sizes: int) -> Grouped:
    return Grouped.of(np.repeat(np.arange(len(sizes)), sizes))


def pair(first: int, second: int) -> RowPairs:
    return RowPairs(np.array([first]), np.array([second]))


def looks(first: Asked, least: float, second: Asked | None = None) -> Looks:
    return Looks(first, second, least)


def test_few_pairs_of_members_are_all_averaged() -> None:
    table = np.arange(25, dtype=np.float64).reshape(5, 5) / 50
    asked = Asked(table)
    pairs = RowPairs(np.array([0, 0]), np.array([1, 2]))
    known = PartAverages.none().and_of(labelled(2, 1, 2), pairs, looks(asked, 0.9))
    assert known.averages.tolist() == [table[:2, 2].mean(), table[:2, 3:].mean()]


def test_many_pairs_are_sampled_evenly_and_only_four_where_these_are_unlikely() -> None:
    likely, unlikely = Asked(np.full((40, 40), 0.2)), Asked(np.full((40, 40), 0.04))
    for asked, count in ((likely, 4 + 16), (unlikely, 4)):
        known = PartAverages.none().and_of(labelled(20, 20), pair(0, 1), looks(asked, 0.5))
        np.testing.assert_allclose(known.averages, asked.table[0, 0])
        assert len(asked.pairs) == count
        assert {(0, 20), (19, 39)} <= {*asked.pairs}
        assert all(first < 20 <= second for first, second in asked.pairs)
        assert len({*asked.pairs}) >= count - 4


def test_the_larger_sample_counts_where_there_is_one() -> None:
    table = np.zeros((40, 40))
    table[0], table[19, 39] = 0.9, 0.9  # first and last of four, and of sixteen a few more
    asked = Asked(table)
    known = PartAverages.none().and_of(labelled(20, 20), pair(0, 1), looks(asked, 0.5))
    assert known.averages[0] == np.mean([table[each] for each in asked.pairs[4:]])
    assert 0 < known.averages[0] < 0.45


@pytest.mark.parametrize(("likely", "read"), [(0.48, False), (0.52, True)])
def test_what_is_likely_is_read_and_the_reading_counts(likely: float, read: bool) -> None:
    first, second = Asked(np.full((40, 40), likely)), Asked(np.full((40, 40), 0.1))
    known = PartAverages.none().and_of(labelled(20, 20), pair(0, 1), looks(first, 0.5, second))
    assert known.averages.tolist() == [pytest.approx(0.1 if read else likely)]
    assert second.pairs == ([(0, 20)] if read else [])


def test_what_is_known_is_not_asked_again() -> None:
    asked = Asked(np.linspace(0, 1, 49).reshape(7, 7))
    members = labelled(2, 2, 2, 1)
    before = PartAverages.none().and_of(
        members, RowPairs(np.array([0, 2]), np.array([1, 3])), looks(asked, 0.9)
    )
    asked.pairs.clear()
    pairs = RowPairs(np.array([0, 1]), np.array([2, 2]))
    after = before.and_of(members, pairs, looks(asked, 0.9))
    assert {first for first, _ in asked.pairs} == {0, 1, 2, 3}
    assert {second for _, second in asked.pairs} == {4, 5}
    told = dict(zip(zip(*(side.tolist() for side in after.pairs), strict=True), after.averages, strict=True))
    assert list(told) == [(0, 1), (0, 2), (1, 2), (2, 3)]
    assert [told[0, 1], told[2, 3]] == before.averages.tolist()
    assert told[1, 2] == pytest.approx(asked.table[2:4, 4:6].mean())


def test_parts_that_were_joined_have_the_average_of_what_is_known_of_them() -> None:
    """Of the parts 0, 1 and 3, the first two become one; nothing is known of 1 and 2."""
    known = PartAverages(
        RowPairs(np.array([0, 0, 0, 1]), np.array([1, 2, 3, 3])), np.array([0.9, 0.4, 0.2, 0.5])
    )
    after = known.after(np.array([0, 0, 1, 2]), np.array([2, 4, 3, 5]))
    assert [side.tolist() for side in after.pairs] == [[0, 0], [1, 2]]
    assert after.averages.tolist() == [pytest.approx(0.4), pytest.approx((10 * 0.2 + 20 * 0.5) / 30)]


def test_pairs_stay_sorted_when_a_part_joins_one_that_comes_before() -> None:
    known = PartAverages(RowPairs(np.array([1]), np.array([2])), np.array([0.3]))
    after = known.after(np.array([0, 1, 0]), np.array([1, 1, 1]))
    assert [side.tolist() for side in after.pairs] == [[0], [1]]


def test_parts_are_paired_with_the_nearest_of_all_and_of_their_bucket() -> None:
    angles = np.arange(20) / 10
    middles = np.stack([np.cos(angles), np.sin(angles)], 1).astype(np.float32)
    bucket = np.full(20, -1)
    bucket[[0, 15, 19]] = 7
    told = set(zip(*(side.tolist() for side in part_pairs(middles, [bucket])), strict=True))
    assert {(0, 8), (0, 15), (0, 19), (11, 19)} <= told
    assert not {(0, 9), (0, 16), (1, 15), (10, 19)} & told


def test_the_middle_of_a_part_is_the_average_of_its_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    from referee.resolvers.across import neighbours

    monkeypatch.setattr(neighbours, "NARROWED_AT_ONCE", 3)
    angles = np.array([0.0, 1.0, 0.2, 0.4, 1.2, 2.0, 2.2])
    vectors = np.stack([np.cos(angles), np.sin(angles)], 1)
    label = np.array([0, 1, 0, 0, 1, 2, 2])
    middles = part_middles(vectors, label)
    wanted = [vectors[label == part].mean(0) for part in range(3)]
    np.testing.assert_allclose(middles.astype(np.float64), wanted, atol=1e-3)


def entities(count: int, parts: int, size: int) -> tuple[IntArray, FloatArray, IntArray]:
    """Entities of several parts each, which come in turns: the entity of each mention, vectors, labels."""
    label = np.repeat(np.arange(count * parts), size)
    entity = label % count
    chance = np.random.default_rng(1)
    return entity, np.eye(count)[entity] + 0.05 * chance.random((label.size, count)), label


def test_parts_of_one_entity_are_joined_and_others_are_not() -> None:
    entity, vectors, label = entities(6, 30, 3)
    asked = Asked(np.where(entity[:, None] == entity, 0.8, 0.1))
    nowhere = np.full(label.size, -1)
    joined = joined_parts(label, vectors, [nowhere], looks(asked, 0.5))
    assert joined.tolist() == entity.tolist()
    assert len({*asked.pairs}) < label.size**2 / 10


def test_what_reading_denies_stays_apart() -> None:
    entity, vectors, label = entities(2, 4, 2)
    first = Asked(np.where(entity[:, None] == entity, 0.8, 0.1))
    second = Asked(np.where((entity[:, None] == entity) & (entity == 1), 0.8, 0.0))
    joined = joined_parts(label, vectors, [], looks(first, 0.5, second))
    assert np.unique(joined[entity == 1]).size == 1
    assert np.unique(joined[entity == 0]).size == 4


def test_parts_that_grow_find_others_in_further_rounds() -> None:
    """Nine are in one place, so that their nearest are among themselves; joined, they see the tenth."""
    vectors = np.zeros((40, 3))
    vectors[:36, 0], vectors[36:] = 1, [0.6, 0.8, 0]
    label = np.repeat(np.arange(10), 4)
    asked = Asked(np.full((40, 40), 0.8))
    assert part_pairs(part_middles(vectors, label)[:9], []).size == 36
    assert np.unique(joined_parts(label, vectors, [], looks(asked, 0.5))).tolist() == [0]


def test_a_new_part_is_not_compared_again_with_what_it_has_met() -> None:
    entity, vectors, label = entities(2, 3, 1)
    asked = Asked(np.where(entity[:, None] == entity, 0.8, 0.1))
    joined = joined_parts(label, vectors, [], looks(asked, 0.5), fresh=Fresh(5, [np.array([1, 3, 5])]))
    assert joined.tolist() == [0, 1, 2, 3, 4, 5]
    assert {*asked.pairs} == {(0, 5), (2, 5), (4, 5)}
    grown = joined_parts(label, vectors, [], looks(asked, 0.5), fresh=Fresh(5, [np.array([1, 5])]))
    assert grown.tolist() == [0, 1, 2, 1, 3, 1]  # 5 is joined to 3, and what it is in now to 1
