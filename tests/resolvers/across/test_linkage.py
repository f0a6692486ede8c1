"""Average linkage of sparse pairs: its plain meaning, SciPy's result, and what it must never do."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage

from referee.arrays import by_first_sight
from referee.exceptions import ProtocolError
from referee.resolvers.across.linkage import UNIT, average_linkage
from referee.resolvers.across.neighbours import RowPairs, all_pairs

Scored = dict[tuple[int, int], float]


def clusters(scored: Scored, size: int, threshold: float, missing: float = 0.0) -> list[int]:
    ends = np.array(list(scored), np.int64).reshape(-1, 2).T
    values = np.array(list(scored.values()), np.float64)
    return list(map(int, average_linkage(RowPairs(ends[0], ends[1]), values, size, threshold, missing)))


def exact(value: float) -> Fraction:
    return Fraction(round(value * UNIT), UNIT)


def plain_linkage(scored: Scored, size: int, threshold: float, missing: float = 0.0) -> list[int]:
    """Look at all pairs of clusters again after every merge."""

    def average(a: list[int], b: list[int]) -> Fraction:
        pairs = [(min(x, y), max(x, y)) for x in a for y in b]
        return sum((exact(scored.get(pair, missing)) for pair in pairs), Fraction(0)) / len(pairs)

    own = [[number] for number in range(size)]
    while len(own) > 1:
        best = max(
            combinations(range(len(own)), 2),
            key=lambda two: (average(own[two[0]], own[two[1]]), -two[0], -two[1]),
        )
        if average(own[best[0]], own[best[1]]) < exact(threshold):
            break
        own[best[0]] = sorted(own[best[0]] + own.pop(best[1]))
        own.sort()
    label = np.empty(size, np.int64)
    for number, members in enumerate(own):
        label[members] = number
    return list(map(int, by_first_sight(label)[0]))


@st.composite
def sparse_scores(draw: st.DrawFn) -> tuple[Scored, int]:
    size = draw(st.integers(1, 9))
    pairs = list(combinations(range(size), 2))
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    # quarters make ties frequent; sixty-fourths make them rare
    grain = draw(st.sampled_from((4, 64)))
    return {pair: draw(st.integers(0, grain)) / grain for pair in chosen}, size


@settings(max_examples=300, deadline=None)
@given(sparse_scores(), st.sampled_from((0.25, 0.5, 0.625)), st.sampled_from((0.0, 0.125)))
def test_merges_what_the_plain_meaning_merges(
    scores: tuple[Scored, int], threshold: float, missing: float
) -> None:
    scored, size = scores
    assert clusters(scored, size, threshold, missing) == plain_linkage(scored, size, threshold, missing)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.6])
def test_equals_scipy_on_full_matrices(seed: int, threshold: float) -> None:
    size = 60
    points = np.random.default_rng(seed).normal(size=(size, 2))
    pairs = all_pairs(size)
    like = np.exp(-np.linalg.norm(points[pairs.first] - points[pairs.second], axis=1))
    wanted = fcluster(linkage(1 - like, "average"), 1 - threshold, "distance")
    ours = average_linkage(pairs, like, size, threshold)
    assert ours.tolist() == by_first_sight(wanted.astype(np.int64))[0].tolist()
    assert 1 < len(set(ours.tolist())) < size


@settings(max_examples=100, deadline=None)
@given(sparse_scores(), st.randoms(use_true_random=False))
def test_the_order_of_the_pairs_changes_nothing(scores: tuple[Scored, int], chance: object) -> None:
    scored, size = scores
    items = list(scored.items())
    chance.shuffle(items)  # type: ignore[attr-defined]
    assert clusters(dict(items), size, 0.5) == clusters(scored, size, 0.5)


@settings(max_examples=150, deadline=None)
@given(sparse_scores(), st.data())
def test_clusters_that_are_there_already_count_by_their_members(
    scores: tuple[Scored, int], data: st.DataObject
) -> None:
    """Members of one cluster score 1 with each other, and as their clusters do with those of another."""
    scored, size = scores
    members = np.array(data.draw(st.lists(st.integers(1, 3), min_size=size, max_size=size)), np.int64)
    own = np.repeat(np.arange(size), members)
    lower = {pair: 0.75 * value for pair, value in scored.items()}  # so that members are merged first
    unfolded = {
        (a, b): 1.0 if own[a] == own[b] else lower[own[a], own[b]]
        for a, b in combinations(range(own.size), 2)
        if own[a] == own[b] or (own[a], own[b]) in lower
    }
    ends = np.array(list(lower), np.int64).reshape(-1, 2).T
    values = np.array(list(lower.values()), np.float64)
    found = average_linkage(RowPairs(ends[0], ends[1]), values, size, 0.5, members=members)
    assert by_first_sight(found[own])[0].tolist() == clusters(unfolded, own.size, 0.5)


def test_a_chain_of_strong_links_is_not_one_cluster() -> None:
    """Each link is strong, but most pairs of a long chain were never scored and count as missing."""
    chain = {(number, number + 1): 0.9 for number in range(99)}
    found = clusters(chain, 100, 0.5)
    assert max(found.count(label) for label in found) == 2


def test_of_equal_averages_the_first_is_merged() -> None:
    assert clusters({(0, 1): 0.8, (1, 2): 0.8}, 3, 0.5) == [0, 0, 1]
    assert clusters({(0, 2): 0.8, (0, 1): 0.8}, 3, 0.5) == [0, 0, 1]


def test_a_score_that_just_reaches_the_threshold_links() -> None:
    assert clusters({(0, 1): 0.7}, 2, 0.7) == [0, 0]
    assert clusters({(0, 1): np.nextafter(0.7, 0) - 1e-9}, 2, 0.7) == [0, 1]


def test_nothing_scored_is_nothing_merged() -> None:
    assert clusters({}, 3, 0.5) == [0, 1, 2]
    assert clusters({}, 0, 0.5) == []


@pytest.mark.parametrize("missing", [0.5, -0.1])
def test_a_missing_score_is_not_negative_and_below_the_threshold(missing: float) -> None:
    with pytest.raises(ProtocolError, match=rf"missing={missing} must not reach threshold=0.5"):
        clusters({(0, 1): 0.7}, 3, 0.5, missing=missing)
