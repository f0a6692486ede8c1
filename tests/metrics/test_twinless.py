"""The variants that manipulate mentions, with the example that Pradhan et al. (2014, §2) argue from.

The paper calls the added singleton {c}; its figures are those of a spurious one, in neither key cluster
(as in Cai & Strube 2010): with c itself, which the key has, plain B³ precision would be 7/12.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given

from exact_scores import counts, score
from strategies import Clusters, pairs_of_partitions

KEY, FIRST, SECOND = ["abc"], ["abd"], ["abd", "e"]


@pytest.mark.parametrize(
    ("metric", "first", "second"),
    [
        ("b_cubed", "4/9", "1/3"),
        ("b_cubed_0", "1", "1"),
        ("b_cubed_all", "5/9", "2/3"),
        ("b_cubed_rahman_ng", "4/9", "4/9"),
        ("b_cubed_sys", "2/3", "2/3"),
    ],
)
def test_precision_of_the_example(metric: str, first: str, second: str) -> None:
    assert score(KEY, FIRST, metric)[1] == Fraction(first)
    assert score(KEY, SECOND, metric)[1] == Fraction(second)


def test_a_singleton_that_the_key_has_is_not_spurious() -> None:
    assert score(KEY, ["abd", "c"], "b_cubed")[1] == Fraction(7, 12)
    assert score(KEY, ["abd", "c"], "b_cubed_all")[1] == Fraction(2, 3)


def test_recall_of_the_example() -> None:
    assert score(KEY, FIRST, "b_cubed_0")[0] == Fraction(4, 9)
    assert score(KEY, FIRST, "b_cubed_sys")[0] == Fraction(5, 9)
    assert score(KEY, FIRST, "ceaf_m_sys")[:2] == [Fraction(2, 3), Fraction(1, 2)]


def _sys_partitions(key: Clusters, response: Clusters) -> tuple[Clusters, Clusters, Clusters]:
    """Cai & Strube's manipulation spelt out: response for recall, key and response for precision."""
    in_key, in_response = ({m for c in side for m in c} for side in (key, response))
    missing = [[m] for m in sorted(in_key - in_response)]
    kept = [c for c in response if len(c) > 1 or c[0] in in_key]
    for_recall = [d for c in kept if (d := [m for m in c if m in in_key])] + missing
    added = [[m] for c in kept for m in c if m not in in_key]
    return for_recall, key + added, kept + missing


@pytest.mark.parametrize(("variant", "plain"), [("b_cubed_sys", "b_cubed"), ("ceaf_m_sys", "ceaf_m")])
@given(pair=pairs_of_partitions())
def test_sys_variants_are_the_plain_metric_on_manipulated_partitions(
    variant: str, plain: str, pair: tuple[Clusters, Clusters]
) -> None:
    for_recall, key, response = _sys_partitions(*pair)
    expected = counts(pair[0], for_recall, plain)[:2] + counts(key, response, plain)[2:]
    assert counts(*pair, variant) == expected


@pytest.mark.parametrize("metric", ["b_cubed", "ceaf_m", "ceaf_e"])
@given(pair=pairs_of_partitions())
def test_rahman_and_ng_remove_twinless_singletons(metric: str, pair: tuple[Clusters, Clusters]) -> None:
    key, response = pair
    in_key = {m for c in key for m in c}
    removed = [c for c in response if len(c) > 1 or c[0] in in_key]
    assert counts(key, response, f"{metric}_rahman_ng") == counts(key, removed, metric)


@given(pair=pairs_of_partitions())
def test_b_cubed_0_discards_twinless_response_mentions(pair: tuple[Clusters, Clusters]) -> None:
    key, response = pair
    in_key = {m for c in key for m in c}
    discarded = [d for c in response if (d := [m for m in c if m in in_key])]
    assert counts(key, response, "b_cubed_0") == counts(key, discarded, "b_cubed")
