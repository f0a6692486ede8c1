"""Neighbourhoods are groups of documents that are alike, none too large."""

from __future__ import annotations

import numpy as np
import pytest

from referee.resolvers.across.mentions import SimilarDocuments
from referee.resolvers.across.neighbours import RowPairs
from referee.resolvers.across.resolver import neighbourhoods


def alike(*similarity: tuple[int, int, float]) -> SimilarDocuments:
    first, second, how = (np.array(column) for column in zip(*similarity, strict=True))
    return SimilarDocuments(RowPairs(first, second), how)


def divided(known: SimilarDocuments, words: list[int], group: list[int], most: int) -> list[list[list[int]]]:
    hoods = neighbourhoods(known, np.array(words), np.array(group), most)
    return [[own.tolist() for own in each] for each in hoods]


def test_a_small_group_stays_whole_whether_its_documents_are_alike_or_not() -> None:
    known = alike((0, 1, 0.9))
    assert divided(known, [4, 4, 4], [0, 0, 0], 12) == [[[0, 1, 2]]]
    assert divided(known, [4, 4, 4], [0, 0, 0], 11) == [[[0, 1], [2]]]


def test_the_most_alike_come_together_first_and_what_has_no_room_stays_outside() -> None:
    known = alike((0, 1, 0.5), (1, 2, 0.9), (2, 3, 0.8), (0, 3, 0.4))
    assert divided(known, [5, 5, 5, 5], [0] * 4, 10) == [[[0, 3], [1, 2]]]
    assert divided(known, [5, 5, 5, 5], [0] * 4, 15) == [[[0], [1, 2, 3]]]
    assert divided(known, [5, 6, 5, 5], [0] * 4, 10) == [[[0], [1], [2, 3]]]  # 1 and 2 have no room


def test_groups_are_walls_and_each_is_divided_by_itself() -> None:
    known = alike((0, 1, 0.9), (0, 2, 0.1), (1, 3, 0.2))
    assert divided(known, [3, 3, 3, 3, 3], [0, 1, 0, 1, 1], 6) == [[[0, 2]], [[1, 3], [4]]]


def test_of_pairs_that_are_as_alike_the_first_one_counts() -> None:
    known = alike((1, 2, 0.5), (0, 1, 0.5))
    assert divided(known, [1, 1, 1], [0] * 3, 2) == [[[0, 1], [2]]]


def test_a_document_that_is_too_long_is_alone() -> None:
    assert divided(alike((0, 1, 0.9)), [50, 1], [0, 0], 10) == [[[0], [1]]]


@pytest.mark.parametrize("seed", range(20))
def test_every_document_is_in_one_neighbourhood_of_its_group(seed: int) -> None:
    chance = np.random.default_rng(seed)
    words, group = chance.integers(1, 9, 40), chance.integers(0, 3, 40)
    first, second = np.triu_indices(40, 1)
    kept = chance.random(first.size) < 0.2
    known = SimilarDocuments(RowPairs(first[kept], second[kept]), chance.random(int(kept.sum())))
    hoods = neighbourhoods(known, words, group, 20)
    assert sorted(int(number) for each in hoods for own in each for number in own) == [*range(40)]
    assert all(words[own].sum() <= 20 and np.ptp(group[own]) == 0 for each in hoods for own in each)
    # no two that are alike could still be put together
    home = {
        int(number): (g, at) for g, each in enumerate(hoods) for at, own in enumerate(each) for number in own
    }
    for one, other in zip(first[kept].tolist(), second[kept].tolist(), strict=True):
        if home[one] != home[other] and home[one][0] == home[other][0]:
            both = [hoods[g][at] for g, at in (home[one], home[other])]
            assert sum(int(words[own].sum()) for own in both) > 20
