"""coval's counts, written down as it computes them: clusters are lists of mentions, some of them alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from referee.metrics.contingency import Contingency, Membership
from referee.metrics.each_way import Ways, count_each_way
from referee.metrics.standard import METRICS

Clusters = list[list[int]]  # a number for each occurrence; equal ones are alike
clusters = st.lists(st.lists(st.integers(0, 8), min_size=1, max_size=4), max_size=4)


def membership(side: Clusters) -> Membership:
    mention = np.array([m for cluster in side for m in cluster], np.int64)
    cluster = np.repeat(np.arange(len(side)), [len(cluster) for cluster in side]).astype(np.int64)
    return Membership(mention, cluster, np.zeros(len(side), np.int64), 1)


def holders(side: Clusters) -> dict[int, int]:
    return {m: i for i, cluster in enumerate(side) for m in cluster}  # the last one stays


def muc(ours: Clusters, theirs: Clusters) -> tuple[float, float]:
    held = holders(theirs)
    kept = 0
    for cluster in ours:
        matched = [held[m] for m in cluster if m in held]
        kept += len(matched) - len(set(matched))
    return kept, sum(len(cluster) - 1 for cluster in ours)


def b_cubed(ours: Clusters, theirs: Clusters) -> tuple[float, float]:
    held = holders(theirs)
    credit = 0.0
    for cluster in ours:
        counts = Counter(held[m] for m in cluster if m in held)
        credit += sum(n * n for n in counts.values()) / len(cluster)
    return credit, sum(map(len, ours))


def lea(ours: Clusters, theirs: Clusters) -> tuple[float, float]:
    held = holders(theirs)
    resolved = 0.0
    for cluster in ours:
        pairs = list(combinations(cluster, 2))
        alike = sum(one in held and other in held and held[one] == held[other] for one, other in pairs)
        if len(cluster) == 1:
            pairs, alike = [(0, 0)], cluster[0] in held and len(theirs[held[cluster[0]]]) == 1
        resolved += len(cluster) * alike / len(pairs)
    return resolved, sum(map(len, ours))


def ways(key: Clusters, response: Clusters) -> Ways:
    """Look mentions up by one number in both directions."""
    return Ways.one_to_one(membership(key), membership(response))


@pytest.mark.parametrize("metric", [muc, b_cubed, lea], ids=lambda metric: metric.__name__)
@given(key=clusters, response=clusters)
def test_recall_and_precision_are_counted_each_by_itself(
    metric: Callable[[Clusters, Clusters], tuple[float, float]], key: Clusters, response: Clusters
) -> None:
    plain = [*metric(key, response), *metric(response, key)]
    counted = count_each_way(metric.__name__, ways(key, response))
    assert counted[0] == pytest.approx(plain)


@given(clusters, clusters)
def test_ceaf_compares_every_two_clusters(key: Clusters, response: Clusters) -> None:
    similarity = np.zeros((len(key), len(response)))
    for i, ours in enumerate(key):
        for j, theirs in enumerate(response):
            similarity[i, j] = 2 * sum(m in theirs for m in ours) / (len(ours) + len(theirs))
    best = similarity[linear_sum_assignment(-similarity)].sum()
    counted = count_each_way("ceaf_e", ways(key, response))
    assert counted[0] == pytest.approx([best, len(key), best, len(response)])


@given(clusters, clusters)
def test_mentions_that_are_alike_are_detected_once(key: Clusters, response: Clusters) -> None:
    ours, theirs = ({m for cluster in side for m in cluster} for side in (key, response))
    counted = count_each_way("mentions", ways(key, response))
    assert counted[0].tolist() == [len(ours & theirs), len(ours), len(ours & theirs), len(theirs)]


@pytest.mark.parametrize("name", METRICS)
def test_where_nothing_is_alike_the_counts_are_those_of_one_table(name: str) -> None:
    key, response = membership([[0, 1, 2], [3, 4], [5]]), membership([[0, 1], [2, 3, 6], [5]])
    assert (
        count_each_way(name, Ways.one_to_one(key, response))
        == METRICS[name].count(Contingency.of(key, response))
    ).all()
