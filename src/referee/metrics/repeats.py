"""Links between mentions of which some are in several clusters, or twice in one.

The reference scorer keeps links as *sets* of mention pairs. Let S be the clusters of one mention and T
those of another: the two are together when S and T meet, and apart as well unless S = T = {one cluster}.
A mention that is twice in one cluster is together with itself; one in two clusters is apart from itself.
Nothing here lists links: mentions with the same clusters are counted as one class.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb
from typing import Any

Clusters = Mapping[int, Sequence[int]]  # mention → its clusters


def count_links(key: Clusters, response: Clusters) -> tuple[int, int, int, int, int, int]:
    """Count the links of key, response and both: those together, then those apart.

    A mention that both sides have is in one response cluster only: the table has seen to that.
    """
    shared = {mention: clusters for mention, clusters in key.items() if mention in response}
    group = {mention: response[mention][0] for mention in shared}
    return (
        _together(key) + _twice_in_one(key),
        _together(response) + _twice_in_one(response),
        _together(shared, group),
        _apart(key) + _in_several(key),
        _apart(response) + _in_several(response),
        _apart(shared) - _apart(shared, group),
    )


def _together(clusters: Clusters, group: Mapping[int, int] | None = None) -> int:
    """Pairs of mentions with a cluster in common, inside each group."""
    alone = _alone(clusters, group)
    classes = Counter(
        (group[m] if group else 0, frozenset(c))
        for m, c in clusters.items()
        if len(c) > 1 and len(set(c)) > 1
    )
    meeting: dict[tuple[int, int], list[tuple[int, frozenset[int]]]] = defaultdict(list)
    for g, c in classes:
        for cluster in c:
            meeting[g, cluster].append((g, c))
    # A pair of classes that meets in two clusters is one pair: hence the set.
    neighbours = {frozenset(two) for found in meeting.values() for two in combinations(found, 2)}
    return (
        _pairs(alone)
        + _pairs(classes)
        + sum(size * sum(alone[g, cluster] for cluster in c) for (g, c), size in classes.items())
        + sum(classes[a] * classes[b] for a, b in map(tuple, neighbours))
    )


def _apart(clusters: Clusters, group: Mapping[int, int] | None = None) -> int:
    """Pairs of mentions, inside each group, that are not both in one and the same cluster alone."""
    groups = Counter(group.values()) if group else Counter({0: len(clusters)})
    return _pairs(groups) - _pairs(_alone(clusters, group))


def _alone(clusters: Clusters, group: Mapping[int, int] | None) -> Counter[tuple[int, int]]:
    """Count the mentions that are in one cluster only, by group and cluster."""
    return Counter(
        (group[m] if group else 0, c[0]) for m, c in clusters.items() if len(c) == 1 or len(set(c)) == 1
    )


def _pairs(sizes: Counter[Any]) -> int:
    return sum(comb(size, 2) for size in sizes.values())


def _twice_in_one(clusters: Clusters) -> int:
    return sum(len(c) > len(set(c)) for c in clusters.values() if len(c) > 1)


def _in_several(clusters: Clusters) -> int:
    return sum(len(set(c)) > 1 for c in clusters.values() if len(c) > 1)
