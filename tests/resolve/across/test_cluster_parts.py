"""Parts of clusters: who is compared with whom, by how many pairs, and what is known from before."""

from __future__ import annotations

import numpy as np

from referee.arrays import FloatArray, Grouped
from referee.resolve.across.cluster_parts import PartAverages, part_pairs
from referee.resolve.across.neighbours import RowPairs

NONE = RowPairs(np.zeros(0, np.int64), np.zeros(0, np.int64))


class Asked:
    """How likely a pair is, from a table; and what was asked."""

    def __init__(self, table: FloatArray) -> None:
        self.table, self.pairs = table, list[tuple[int, int]]()

    def __call__(self, pairs: RowPairs) -> FloatArray:
        self.pairs += zip(*(side.tolist() for side in pairs), strict=True)
        likely: FloatArray = self.table[pairs.first, pairs.second]
        return likely


def labelled(*sizes: int) -> Grouped:
    return Grouped.of(np.repeat(np.arange(len(sizes)), sizes))


def pair(first: int, second: int) -> RowPairs:
    return RowPairs(np.array([first]), np.array([second]))


def test_few_pairs_of_members_are_all_averaged() -> None:
    table = np.arange(25, dtype=np.float64).reshape(5, 5) / 50
    asked = Asked(table)
    averages = PartAverages.none().of(
        labelled(2, 1, 2), RowPairs(np.array([0, 0]), np.array([1, 2])), asked, 0.9
    )
    assert averages.averages.tolist() == [table[:2, 2].mean(), table[:2, 3:].mean()]


def test_many_pairs_are_sampled_evenly_and_only_four_where_these_are_unlikely() -> None:
    likely, unlikely = Asked(np.full((40, 40), 0.2)), Asked(np.full((40, 40), 0.04))
    for asked, count in ((likely, 4 + 16), (unlikely, 4)):
        averages = PartAverages.none().of(labelled(20, 20), pair(0, 1), asked, 0.5)
        np.testing.assert_allclose(averages.averages, asked.table[0, 0])
        assert len(asked.pairs) == count
        assert {(0, 20), (19, 39)} <= {*asked.pairs}
        assert all(first < 20 <= second for first, second in asked.pairs)
        assert len({*asked.pairs}) >= count - 4


def test_the_larger_sample_counts_where_there_is_one() -> None:
    table = np.zeros((40, 40))
    table[0], table[19, 39] = 0.9, 0.9  # first and last of four, and of sixteen a few more
    asked = Asked(table)
    averages = PartAverages.none().of(labelled(20, 20), pair(0, 1), asked, 0.5)
    assert averages.averages[0] == np.mean([table[each] for each in asked.pairs[4:]])
    assert 0 < averages.averages[0] < 0.45


def test_what_has_not_grown_is_not_asked_again() -> None:
    asked = Asked(np.linspace(0, 1, 49).reshape(7, 7))
    before = PartAverages.none().of(
        labelled(2, 2, 2, 1), RowPairs(np.array([0, 2]), np.array([1, 3])), asked, 0.9
    )
    asked.pairs.clear()
    pairs = RowPairs(np.array([0, 0, 2]), np.array([1, 2, 3]))
    after = before.of(labelled(2, 2, 2, 1), pairs, asked, 0.9)
    assert {(0, 4), (1, 5)} <= {*asked.pairs}
    assert all(first < 2 and second in (4, 5) for first, second in asked.pairs)
    assert after.averages[[0, 2]].tolist() == before.averages.tolist()


def test_a_part_that_has_grown_is_compared_anew() -> None:
    """The second one takes the third: it begins where it began, and is larger."""
    asked = Asked(np.linspace(0, 1, 36).reshape(6, 6))
    before = PartAverages.none().of(labelled(2, 2, 2), pair(0, 1), asked, 0.9)
    asked.pairs.clear()
    after = before.of(labelled(2, 4), pair(0, 1), asked, 0.9)
    assert {second for _, second in asked.pairs} > {2, 3}
    assert after.averages[0] != before.averages[0]


def test_parts_are_paired_with_the_nearest_and_single_mentions_with_the_likeliest() -> None:
    members = labelled(*[2] * 12, 1, 1, 1)
    angles = np.repeat(np.arange(15), members.sizes) / 10
    vectors = np.stack([np.cos(angles), np.sin(angles)], 1).astype(np.float32)
    # the mention 24 with members of the parts 0, 0, 3 and 7; 25 with 24; 26 with none
    likely = RowPairs(np.array([0, 1, 6, 14, 24]), np.array([24, 24, 24, 24, 25]))
    pairs = part_pairs(members, vectors, likely, np.array([0.2, 0.3, 0.4, 0.1, 0.9]))
    told = set(zip(*(side.tolist() for side in pairs), strict=True))
    assert {other for part, other in told if other >= 12} == {12}
    assert {part for part, other in told if other == 12} >= {0, 3}
    assert (0, 8) in told
    assert (0, 11) not in told
    assert (11, 3) not in told
    assert (3, 11) in told


def test_a_single_mention_has_two_parts_at_most_unless_it_is_a_part_s_likeliest() -> None:
    members = labelled(2, 2, 2, 1, 1, 1)
    first = np.array([0, 2, 4, 4, 4])
    second = np.array([6, 6, 6, 7, 8])
    vectors = np.ones((9, 2), np.float32)
    pairs = part_pairs(members, vectors, RowPairs(first, second), np.array([0.5, 0.4, 0.3, 0.6, 0.7]))
    told = set(zip(*(side.tolist() for side in pairs), strict=True))
    assert {(0, 3), (1, 3), (2, 4), (2, 5)} <= told
    assert (2, 3) not in told


def test_without_parts_of_several_mentions_nothing_is_paired() -> None:
    vectors = np.ones((3, 2), np.float32)
    assert part_pairs(labelled(1, 1, 1), vectors, pair(0, 1), np.array([0.2])).size == 0
    assert PartAverages.none().of(labelled(1, 1), NONE, Asked(np.ones((2, 2))), 0.5).averages.size == 0
