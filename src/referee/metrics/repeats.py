"""Links between mentions of which some are in several clusters, or twice in one.

The reference scorer keeps links as *sets* of mention pairs. Let S be the clusters of one mention and T
those of another: the two are together when S and T meet, and apart as well unless S = T = {one cluster}.
A mention that is twice in one cluster is together with itself; one in two clusters is apart from itself.
Nothing here lists links: mentions with the same clusters are counted as one class.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import Any, NamedTuple


class Occurrences(NamedTuple):
    """The mentions of a unit; links are counted inside groups of them (all are in one, if there are none)."""

    once: Counter[tuple[int, int]]  # (group, cluster) → mentions that occur there and nowhere else
    again: Sequence[tuple[int, Sequence[int]]]  # group and clusters of each mention that occurs again

    def in_one_group(self) -> Occurrences:
        """Put all mentions together."""
        once: Counter[tuple[int, int]] = Counter()
        for (_, cluster), count in self.once.items():
            once[0, cluster] += count
        return Occurrences(once, [(0, clusters) for _, clusters in self.again])


def count_links(
    key: Occurrences, response: Occurrences, shared: Occurrences
) -> tuple[int, int, int, int, int, int]:
    """Count the links of key, response and both: those together, then those apart.

    `shared` are the key's mentions that the response has too, in groups by their response cluster; that is
    one only: the table has seen to that.
    """
    return (
        _together(key) + _twice_in_one(key),
        _together(response) + _twice_in_one(response),
        _together(shared),
        _apart(key) + _in_several(key),
        _apart(response) + _in_several(response),
        _apart(shared.in_one_group()) - _apart(shared),
    )


def _together(mentions: Occurrences) -> int:
    """Pairs of mentions with a cluster in common, inside each group."""
    alone = _alone(mentions)
    classes = Counter((group, frozenset(c)) for group, c in mentions.again if len(set(c)) > 1)
    meeting: dict[tuple[int, int], list[tuple[int, frozenset[int]]]] = defaultdict(list)
    for group, clusters in classes:
        for cluster in clusters:
            meeting[group, cluster].append((group, clusters))
    # A pair of classes that meets in two clusters is one pair: hence the set.
    neighbours = {frozenset(two) for some in meeting.values() for two in combinations(some, 2)}
    return (
        _pairs(alone)
        + _pairs(classes)
        + sum(size * sum(alone[group, cluster] for cluster in c) for (group, c), size in classes.items())
        + sum(classes[a] * classes[b] for a, b in map(tuple, neighbours))
    )


def _apart(mentions: Occurrences) -> int:
    """Pairs of mentions, inside each group, that are not both in one and the same cluster alone."""
    groups: Counter[int] = Counter(group for group, _ in mentions.again)
    for (group, _), count in mentions.once.items():
        groups[group] += count
    return _pairs(groups) - _pairs(_alone(mentions))


def _alone(mentions: Occurrences) -> Counter[tuple[int, int]]:
    """Count the mentions that are in one cluster only, by group and cluster."""
    return mentions.once + Counter((group, c[0]) for group, c in mentions.again if len(set(c)) == 1)


def _pairs(sizes: Counter[Any]) -> int:
    return sum(comb(size, 2) for size in sizes.values())


def _twice_in_one(mentions: Occurrences) -> int:
    return sum(len(clusters) > len(set(clusters)) for _, clusters in mentions.again)


def _in_several(mentions: Occurrences) -> int:
    return sum(len(set(clusters)) > 1 for _, clusters in mentions.again)
