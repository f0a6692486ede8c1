"""Sets in the metrics, written down rule by rule as plainly as possible, one document at a time.

An entity is a pair: its mentions, and the members of its set (lists of mentions), or None. Mentions that are
equal are the same. A side has merged equal sets, and no mention twice in an entity.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

Mentions = Sequence[Hashable]
Entity = tuple[Mentions, Sequence[Mentions] | None]
Side = Sequence[Entity]
Counts = list[float]
CEAF = ("ceaf_m", "ceaf_e")
METRICS = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "lea", "together", "apart")


def counts(metric: str, key: Side, response: Side) -> Counts:
    """Count numerator and denominator of recall, then those of precision."""
    if metric in ("muc", "b_cubed", "lea"):
        pairs = alignment(metric, key, response)
        side = {"muc": muc, "b_cubed": b_cubed, "lea": lea}[metric]
        forth = {i: (j, r) for i, j, r, _, _ in pairs if r}
        back = {j: (i, p) for i, j, _, p, _ in pairs if p}
        return [*side(key, response, forth), *side(response, key, back)]
    found = partners(metric, key, response)
    return ceaf(metric, key, response, found) if metric in CEAF else blanc(metric, key, response, found)


def partners(metric: str, key: Side, response: Side) -> dict[int, tuple[int, float]]:
    """Find the set of the response that each set of the key is aligned with, and their F1."""
    found = {i: (j, f) for i, j, _, _, f in alignment(metric, key, response) if f}
    for i, (_, members) in enumerate(key if metric not in CEAF else ()):  # one that is there as it is
        same = [j for j, (_, others) in enumerate(response) if members and as_set(members) == as_set(others)]
        if members and i not in found and same:
            found[i] = (same[0], 1.0)
    return found


def as_set(members: Sequence[Mentions] | None) -> set[tuple[Hashable, ...]]:
    return {tuple(member) for member in members or ()}


def alignment(metric: str, key: Side, response: Side) -> list[tuple[int, int, float, float, float]]:
    """Align sets: key and response entity, recall, precision and F1 of their members."""
    ours = [i for i, (_, members) in enumerate(key) if members is not None]
    theirs = [j for j, (_, members) in enumerate(response) if members is not None]
    if not ours or not theirs:
        return []
    scores = [[ratios(likeness(metric, key[i][1] or (), response[j][1] or ())) for j in theirs] for i in ours]
    rows, columns = linear_sum_assignment(-np.array([[f for _, _, f in row] for row in scores]))
    return [(ours[a], theirs[b], *scores[a][b]) for a, b in zip(rows, columns, strict=True)]


def likeness(metric: str, key: Sequence[Mentions], response: Sequence[Mentions]) -> Counts:
    """Count members as if they were all of key and response."""
    found = counts(metric, [(m, None) for m in key], [(m, None) for m in response])
    if metric == "muc":
        for at, ours, theirs in ((0, key, response), (2, response, key)):
            found[at] += sum(len(m) == 1 and m[0] in {o[0] for o in theirs if len(o) == 1} for m in ours)
            found[at + 1] += sum(len(m) == 1 for m in ours)
    return found


def only_sets(metric: str, key: Side, response: Side) -> Counts:
    """Sum the counts of aligned pairs, out of all sets of each side."""
    total = [0.0] * 4
    for i, j, *_ in alignment(metric, key, response):
        found = likeness(metric, key[i][1] or (), response[j][1] or ())
        total[0] += found[0]
        total[2] += found[2]
    total[1] = sum(likeness(metric, members, ())[1] for _, members in key if members is not None)
    total[3] = sum(likeness(metric, (), members)[3] for _, members in response if members is not None)
    return total


def ratios(found: Counts) -> tuple[float, float, float]:
    recall, precision = (a / b if b else 0.0 for a, b in (found[:2], found[2:]))
    return recall, precision, 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def size(entity: Entity) -> int:
    return len(entity[0]) + (entity[1] is not None)


def common(one: Entity, other: Entity) -> int:
    return len(set(one[0]) & set(other[0]))


def share(found: dict[int, tuple[int, float]], i: int, j: int) -> float:
    partner, likeness = found.get(i, (-1, 0.0))
    return likeness if partner == j else 0.0


Found = dict[int, tuple[int, float]]


def muc(ours: Side, theirs: Side, found: Found) -> Counts:
    links = 0.0
    for i, entity in enumerate(ours):
        for j, other in enumerate(theirs):
            if n := common(entity, other):
                links += n - 1 + share(found, i, j)
    return [links, sum(size(entity) - 1 for entity in ours)]


def b_cubed(ours: Side, theirs: Side, found: Found) -> Counts:
    credit = sum(
        (common(entity, other) + share(found, i, j)) ** 2 / size(entity)
        for i, entity in enumerate(ours)
        for j, other in enumerate(theirs)
    )
    return [credit, sum(map(size, ours))]


def lea(ours: Side, theirs: Side, found: Found) -> Counts:
    resolved = 0.0
    for i, entity in enumerate(ours):
        links = 0.0
        for j, other in enumerate(theirs):
            n = common(entity, other)
            alone = size(entity) == size(other) == n == 1
            links += 1 if alone else n * (n - 1) / 2 + share(found, i, j) * n
        resolved += size(entity) * links / max(size(entity) * (size(entity) - 1) / 2, 1)
    return [resolved, sum(map(size, ours))]


def ceaf(metric: str, key: Side, response: Side, found: Found) -> Counts:
    worth = np.zeros((len(key), len(response)))
    for i, entity in enumerate(key):
        for j, other in enumerate(response):
            overlap = common(entity, other) + share(found, i, j)
            worth[i, j] = overlap if metric == "ceaf_m" else 2 * overlap / (size(entity) + size(other))
    best = float(worth[linear_sum_assignment(-worth)].sum())
    of = (lambda side: sum(map(size, side))) if metric == "ceaf_m" else len
    return [best, of(key), best, of(response)]


def blanc(metric: str, key: Side, response: Side, found: Found) -> Counts:
    """Weigh all pairs of mentions; a set has the weight of its likeness."""
    owner = {m: j for j, (mentions, _) in enumerate(response) for m in mentions}
    things = [(i, owner.get(m, -1), 1.0) for i, (mentions, _) in enumerate(key) for m in mentions]
    things += [(i, *found.get(i, (-1, 0.0))) for i, (_, members) in enumerate(key) if members is not None]
    right = 0.0
    for (i, j, a), (k, r, b) in combinations([t for t in things if t[1] >= 0], 2):
        wanted = i == k and j == r if metric == "together" else i != k and j != r
        right += a * b * wanted
    sizes = [list(map(size, side)) for side in (key, response)]
    links = [sum(n * (n - 1) / 2 for n in some) for some in sizes]
    if metric == "apart":
        links = [sum(some) * (sum(some) - 1) / 2 - two for some, two in zip(sizes, links, strict=True)]
    return [right, links[0], right, links[1]]


def bridging(
    key: Mapping[Any, Hashable], response: Mapping[Any, Hashable], entities: Sequence[Mentions]
) -> dict[str, Counts]:
    """Count anaphors, anchors and anchors' key entities, given the anchor of each anaphor."""
    entity = {m: i for i, mentions in enumerate(entities) for m in mentions}
    right: Counter[str] = Counter()
    for anaphor, anchor in key.items():
        if anaphor not in response:
            continue
        said = response[anaphor]
        right["recognition"] += 1
        right["mention"] += said == anchor
        right["entity"] += said == anchor or (
            said in entity and anchor in entity and entity[said] == entity[anchor]
        )
    levels: tuple[str, ...] = ("recognition", "mention", "entity")
    return {level: [right[level], len(key), right[level], len(response)] for level in levels}
