"""Which passages are read together: rows of bounded length that cover the pairs worth reading.

A greedy: each row begins with the heaviest pair that is not covered yet, and takes the passage that covers
most weight together with those that it has, as long as there is room. Ties are broken by number. It works on
the pairs alone, so time and memory hardly grow faster than their number.
"""

from __future__ import annotations

from heapq import heappop, heappush

import numpy as np

from referee.arrays import FloatArray, IntArray, run_starts

SLIGHT = 1e-3  # what a pair is worth in any case


def heaviest_pairs(first: IntArray, second: IntArray, weight: FloatArray, near: int) -> IntArray:
    """Choose pairs that are among the `near` heaviest of one of their sides; each pair is given once.

    >>> first, second = np.array([0, 0, 1]), np.array([1, 2, 2])
    >>> heaviest_pairs(first, second, np.array([3.0, 2.0, 1.0]), 1).tolist()
    [0, 1]
    """
    own, other = np.r_[first, second], np.r_[second, first]
    order = np.lexsort((other, -np.r_[weight, weight], own))
    starts = np.flatnonzero(run_starts(own[order]))
    rank = np.arange(order.size) - np.repeat(starts, np.diff(np.r_[starts, order.size]))
    return np.unique(order[rank < near] % max(first.size, 1))


def cover(
    lengths: IntArray, first: IntArray, second: IntArray, weight: FloatArray, most: int
) -> list[list[int]]:
    """Put passages into rows of at most `most` pieces, so that all pairs that fit are in one together."""
    sizes = lengths.tolist()
    wanted: list[dict[int, float]] = [{} for _ in sizes]
    for a, b, value in zip(first.tolist(), second.tolist(), weight.tolist(), strict=True):
        wanted[a][b] = wanted[b][a] = value + SLIGHT
    rows = []
    for number in np.lexsort((second, first, -weight)).tolist():
        a, b = int(first[number]), int(second[number])
        if b in wanted[a] and sizes[a] + sizes[b] <= most:
            own = _row(a, b, wanted, sizes, most)
            for one in own:
                for other in own:
                    wanted[one].pop(other, None)
            rows.append(own)
    return rows


def _row(a: int, b: int, wanted: list[dict[int, float]], sizes: list[int], most: int) -> list[int]:
    own, room = [a], most - sizes[a]
    gains: dict[int, float] = {}
    offers: list[tuple[float, int]] = [(-np.inf, b)]
    while offers:
        gain, taken = heappop(offers)
        if taken in own or sizes[taken] > room or gain > -gains.get(taken, 0.0):
            continue
        own.append(taken)
        room -= sizes[taken]
        for member in own if len(own) == 2 else [taken]:
            for other, value in wanted[member].items():
                if sizes[other] <= room:
                    gains[other] = gains.get(other, 0.0) + value
                    heappush(offers, (-gains[other], other))
    return own
