"""The metrics against brute force: definitions written out over sets, slow and plain."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, permutations

import pytest
from hypothesis import given

from exact_scores import counts
from strategies import Clusters, clusters_with_repeats, pairs_of_partitions

Counts = list[Fraction]


def muc(key: Clusters, response: Clusters) -> Counts:
    def side(a: Clusters, b: Clusters) -> list[int]:
        def parts(cluster: list[int]) -> int:
            touched = {next((i for i, c in enumerate(b) if m in c), f"alone {m}") for m in cluster}
            return len(touched)

        return [sum(len(c) - parts(c) for c in a), sum(len(c) - 1 for c in a)]

    return [Fraction(n) for n in side(key, response) + side(response, key)]


def b_cubed(key: Clusters, response: Clusters) -> Counts:
    def side(a: Clusters, b: Clusters) -> list[Fraction]:
        credit = Fraction(0)
        for cluster in a:
            for m in cluster:
                other = next((c for c in b if m in c), [])
                credit += Fraction(len(set(cluster) & set(other)), len(cluster))
        return [credit, Fraction(sum(map(len, a)))]

    return side(key, response) + side(response, key)


def b_cubed_entities(key: Clusters, response: Clusters) -> Counts:
    def side(a: Clusters, b: Clusters) -> list[Fraction]:
        credit = Fraction(0)
        for cluster in a:
            found = (len(set(cluster) & set(next((c for c in b if m in c), []))) for m in cluster)
            credit += Fraction(sum(found), len(cluster) ** 2)
        return [credit, Fraction(len(a))]

    return side(key, response) + side(response, key)


def _best(key: Clusters, response: Clusters, worth: Callable[[set[int], set[int]], Fraction]) -> Fraction:
    small, large = sorted([key, response], key=len)
    return max(
        sum((worth(set(a), set(b)) for a, b in zip(small, order, strict=True)), Fraction(0))
        for order in permutations(large, len(small))
    )


def ceaf_m(key: Clusters, response: Clusters) -> Counts:
    best = _best(key, response, lambda a, b: Fraction(len(a & b)))
    return [best, Fraction(sum(map(len, key))), best, Fraction(sum(map(len, response)))]


def ceaf_e(key: Clusters, response: Clusters) -> Counts:
    best = _best(key, response, lambda a, b: Fraction(2 * len(a & b), len(a) + len(b)))
    return [best, Fraction(len(key)), best, Fraction(len(response))]


def _links(clusters: Clusters) -> tuple[set[frozenset[int]], set[frozenset[int]]]:
    together = {frozenset(pair) for cluster in clusters for pair in combinations(cluster, 2)}
    apart = {frozenset((a, b)) for c, d in combinations(clusters, 2) for a in c for b in d}
    return together, apart


def blanc(key: Clusters, response: Clusters) -> Counts:
    counted = []
    for k, r in zip(_links(key), _links(response), strict=True):
        counted += [len(k & r), len(k), len(k & r), len(r)]
    return [Fraction(n) for n in counted]


def lea(key: Clusters, response: Clusters) -> Counts:
    def links(cluster: list[int]) -> set[frozenset[int]]:
        return {frozenset(p) for p in combinations(cluster, 2)} or {frozenset(cluster)}

    def side(a: Clusters, b: Clusters) -> list[Fraction]:
        found = Fraction(0)
        for cluster in a:
            resolved = sum(len(links(cluster) & links(other)) for other in b)
            found += Fraction(len(cluster) * resolved, len(links(cluster)))
        return [found, Fraction(sum(map(len, a)))]

    return side(key, response) + side(response, key)


def mentions(key: Clusters, response: Clusters) -> Counts:
    k, r = ({m for c in side for m in c} for side in (key, response))
    return [Fraction(n) for n in (len(k & r), len(k), len(k & r), len(r))]


def links(key: Clusters, response: Clusters) -> Counts:
    return blanc(key, response)[:4]


ORACLES = {
    f.__name__: f for f in (mentions, muc, b_cubed, ceaf_m, ceaf_e, blanc, lea, links, b_cubed_entities)
}


@pytest.mark.parametrize("metric", ORACLES)
@given(pair=pairs_of_partitions())
def test_counts_equal_the_definition(metric: str, pair: tuple[Clusters, Clusters]) -> None:
    key, response = pair
    assert counts(key, response, metric) == ORACLES[metric](key, response)


def reference_scorer(key: Clusters, response: Clusters, metric: str) -> Counts:
    """What the reference scorer does with repeated mentions (rules M2, M3 and S1-S4), step by step."""
    in_key = {m for c in key for m in c}
    seen: set[int] = set()
    kept: Clusters = []
    for cluster in response:
        members = []
        for m in cluster:
            if m in in_key and m in seen:
                continue
            seen.add(m)
            members.append(m)
        if members:
            kept.append(members)
    owner = {m: i for i, c in enumerate(key) for m in c}
    k_size, r_size = sum(map(len, key)), sum(map(len, kept))
    if metric == "mentions":
        common = len(in_key & {m for c in kept for m in c})
        return [Fraction(n) for n in (common, len(in_key), common, len({m for c in kept for m in c}))]
    if metric == "muc":
        right = sum(
            any(m in owner and owner.get(n) == owner[m] for n in cluster[i + 1 :])
            for cluster in kept
            for i, m in enumerate(cluster)
        )
        return [
            Fraction(n) for n in (right, sum(len(c) - 1 for c in key), right, sum(len(c) - 1 for c in kept))
        ]
    if metric == "b_cubed":
        recall = precision = Fraction(0)
        for cluster in kept:
            for m in cluster:
                if m in owner:
                    common = sum(n in key[owner[m]] for n in cluster)
                    recall += Fraction(common, len(key[owner[m]]))
                    precision += Fraction(common, len(cluster))
        return [recall, Fraction(k_size), precision, Fraction(r_size)]
    if metric == "blanc":
        return _blanc_with_repeats(key, kept)
    small, large = sorted([key, kept], key=len)

    def overlap(a: list[int], b: list[int]) -> int:
        ours, theirs = (a, b) if small is key else (b, a)
        return sum(m in theirs for m in ours)

    entity = metric == "ceaf_e"
    best = max(
        sum(
            (Fraction(2 * overlap(a, b), len(a) + len(b)) if entity else Fraction(overlap(a, b)))
            for a, b in zip(small, order, strict=True)
        )
        for order in permutations(large, len(small))
    )
    sizes = (len(key), len(kept)) if entity else (k_size, r_size)
    return [Fraction(best), Fraction(sizes[0]), Fraction(best), Fraction(sizes[1])]


def _blanc_with_repeats(key: Clusters, response: Clusters) -> Counts:
    def side(clusters: Clusters) -> tuple[set[tuple[int, ...]], set[tuple[int, ...]]]:
        together = {tuple(sorted(pair)) for c in clusters for pair in combinations(c, 2)}
        apart = {tuple(sorted((a, b))) for c, d in combinations(clusters, 2) for a in c for b in d}
        return together, apart

    counted = []
    for k, r in zip(side(key), side(response), strict=True):
        counted += [len(k & r), len(k), len(k & r), len(r)]
    return [Fraction(n) for n in counted]


@pytest.mark.parametrize("metric", ["mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc"])
@given(key=clusters_with_repeats(), response=clusters_with_repeats())
def test_repeated_mentions_count_as_in_the_reference_scorer(
    metric: str, key: Clusters, response: Clusters
) -> None:
    assert counts(key, response, metric) == reference_scorer(key, response, metric)
