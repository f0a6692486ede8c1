"""What holds of every metric, over random clusterings; exceptions are named with their reason."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exact_scores import score
from referee import Scorer
from referee.arrays import FloatArray
from referee.metrics.catalogue import CATALOGUE, table_metrics
from referee.metrics.contingency import Contingency
from referee.metrics.mention_metrics import MENTION_METRICS
from referee.metrics.relations import RELATION_METRICS
from referee.metrics.standard import METRICS, mean_of_either, mean_of_links
from referee.metrics.twinless import TWINLESS
from strategies import Clusters, clusters_with_repeats, pairs_of_partitions, partitions

TABLE_METRICS = table_metrics(CATALOGUE.ours)
every_metric = pytest.mark.parametrize("metric", TABLE_METRICS)

# BLANC leaves out a kind of link that the key lacks, whatever the response has; CEAFsys and B³sys treat
# twinless mentions of key and response differently, and so do B³₀ and the removal of twinless singletons.
ASYMMETRIC = {"blanc", "b_cubed_0", "b_cubed_sys", "ceaf_m_sys"} | {m for m in TWINLESS if m.endswith("_ng")}
NEEDS_LINKS = {"muc", "links", "blanc"}  # 0, not 1, where there is nothing to link


@pytest.mark.parametrize("metric", CATALOGUE.ours)
def test_every_metric_says_what_it_is(metric: str) -> None:
    text = CATALOGUE[metric].count.__doc__ or ""
    assert ">>> " in text
    assert re.search(r"\b[RP] (=|divides)|denominators", text)


@every_metric
@given(clusters=partitions())
def test_a_perfect_response_scores_one(metric: str, clusters: Clusters) -> None:
    mentions = sum(map(len, clusters))
    linked = any(len(c) > 1 for c in clusters)
    expected = int(mentions > 1 if metric == "blanc" else linked if metric in NEEDS_LINKS else mentions > 0)
    assert score(clusters, clusters, metric) == [expected] * 3


@every_metric
@given(pair=pairs_of_partitions())
def test_scores_lie_between_zero_and_one(metric: str, pair: tuple[Clusters, Clusters]) -> None:
    assert all(0 <= value <= 1 for value in score(*pair, metric))


@pytest.mark.parametrize("metric", [m for m in TABLE_METRICS if m not in ASYMMETRIC])
@given(pair=pairs_of_partitions())
def test_swapping_key_and_response_swaps_recall_and_precision(
    metric: str, pair: tuple[Clusters, Clusters]
) -> None:
    recall, precision, f1 = score(*pair, metric)
    assert score(pair[1], pair[0], metric) == [precision, recall, f1]


@every_metric
@given(pair=pairs_of_partitions(), seed=st.integers(0, 100))
def test_the_order_of_clusters_and_mentions_changes_nothing(
    metric: str, pair: tuple[Clusters, Clusters], seed: int
) -> None:
    chance = random.Random(seed)

    def shuffled(clusters: Clusters) -> Clusters:
        mixed = [chance.sample(cluster, len(cluster)) for cluster in clusters]
        return chance.sample(mixed, len(mixed))

    assert score(*pair, metric) == score(shuffled(pair[0]), shuffled(pair[1]), metric)


@every_metric
@given(pairs=st.lists(pairs_of_partitions(), min_size=1, max_size=4))
def test_a_stack_of_units_counts_like_the_units_one_by_one(
    metric: str, pairs: list[tuple[Clusters, Clusters]]
) -> None:
    together = Scorer(metric=[metric])
    apart = []
    for key, response in pairs:
        together.update(key, response)
        alone = Scorer(metric=[metric])
        alone.update(key, response)
        apart.append(alone.compute().counts[metric])
    np.testing.assert_allclose(together.compute().counts[metric], np.concatenate(apart), rtol=0, atol=1e-12)


@given(key=clusters_with_repeats(), response=clusters_with_repeats())
def test_repeats_never_crash_a_metric(key: Clusters, response: Clusters) -> None:
    scorer = Scorer(metric=list(TABLE_METRICS))
    scorer.update(key, response)
    assert all(np.isfinite(rows).all() for rows in scorer.compute().counts.values())


@given(pair=pairs_of_partitions())
def test_links_are_the_first_half_of_blanc(pair: tuple[Clusters, Clusters]) -> None:
    scorer = Scorer(metric=["links", "blanc"])
    scorer.update(*pair)
    found = scorer.compute().counts
    assert (found["links"] == found["blanc"][:, :4]).all()


def test_the_property_tests_cover_every_metric() -> None:
    assert set(TABLE_METRICS) == set(METRICS) | set(TWINLESS)
    assert set(CATALOGUE.ours) == {
        *TABLE_METRICS,
        *MENTION_METRICS,  # tests/metrics/test_mention_metrics.py
        *RELATION_METRICS,  # tests/metrics/test_relations.py
    }


def test_labels_and_memberships_give_the_same_table() -> None:
    table = Contingency.from_labels(np.array([0, 0, 1, -1]), np.array([0, 1, 1, 1]))
    assert table.n.tolist() == [1, 1, 1]
    assert table.key_sizes.tolist() == [2, 1]
    assert table.response_sizes.tolist() == [1, 3]
    none = Contingency.from_labels(np.array([-1, -1]), np.array([-1, 0]))
    assert (none.key_sizes.tolist(), none.response_sizes.tolist()) == ([], [1])


@pytest.mark.parametrize(("scale", "either"), [(mean_of_links, False), (mean_of_either, True)])
def test_blanc_is_the_mean_over_the_kinds_of_links_that_there_are(
    scale: Callable[[FloatArray], FloatArray], either: bool
) -> None:
    """By either rule: the key has the kind, or one of the two has it."""
    some = [(0, 0), (0, 2), (1, 2), (3, 3)]  # found, and how many there are
    for counts in product(some, repeat=4):
        kinds = [
            (key, response)
            for key, response in (counts[:2], counts[2:])
            if key[1] or (either and response[1])
        ]
        ratios = [[found / most if most else 0.0 for found, most in kind] for kind in kinds]
        triples = [(r, p, 2 * r * p / (r + p) if r + p else 0.0) for r, p in ratios]
        expected = [sum(each) / len(kinds) for each in zip(*triples, strict=True)] if kinds else [0.0] * 3
        row = np.array([number for pair in counts for number in pair], np.float64)
        assert scale(row).tolist() == pytest.approx(expected)


@every_metric
@given(pairs=st.lists(pairs_of_partitions(), min_size=2, max_size=4))
def test_many_rows_are_scaled_as_each_alone(metric: str, pairs: list[tuple[Clusters, Clusters]]) -> None:
    scorer = Scorer(metric=[metric])
    for pair in pairs:
        scorer.update(*pair)
    rows, scale = scorer.compute().counts[metric], CATALOGUE[metric].scale
    assert scale(rows).tolist() == [scale(row).tolist() for row in rows]
    assert scale(np.stack([rows, rows])).tolist() == [scale(rows).tolist()] * 2
