"""Counts recall and precision by themselves, where a mention may be the same as several: as coval counts.

Under one matching, one to one, both have the same numerator; `referee.metrics.contingency` makes its table.
coval asks each occurrence of the key for a response cluster that holds its like, and each occurrence of the
response for a key cluster; of several clusters it takes the last. CEAF compares clusters with each other: an
occurrence of the key cluster is common to both if its like is in the response cluster. Mention detection
counts mentions that are alike once.
"""

from __future__ import annotations

import numpy as np

from referee.arrays import FloatArray, IntArray, distinct, find, spread
from referee.metrics.catalogue import CATALOGUE
from referee.metrics.contingency import Contingency, Membership, Side, count_links_by_size

DETECTION = ("mentions", "detection")
ALIGNMENT = ("ceaf_m", "ceaf_e")


def count_each_way(name: str, key: Membership, response: Membership) -> FloatArray:
    """Count a stack of units in one metric; mentions that are alike have the same number."""
    metric = CATALOGUE[name]
    if name in DETECTION:
        return metric.count(Contingency.of(key, response))
    keys, responses = Side.of(key), Side.of(response)
    if name in ALIGNMENT:
        return metric.count(_table(key.units, keys, responses, *_in_both(keys, responses)))
    k, r = _last_holders(keys, responses)
    recall = metric.count(_table(key.units, keys, responses, k, r))
    r, k = _last_holders(responses, keys)
    precision = metric.count(_table(key.units, keys, responses, k, r))
    return np.where(["recall" in column for column in metric.columns], recall, precision)


def _last_holders(ours: Side, theirs: Side) -> tuple[IntArray, IntArray]:
    """List the occurrences that are matched: for each its cluster, and the last one that holds its like."""
    where, is_there = find(ours.mention, theirs.numbers)
    return ours.cluster[is_there], theirs.owner[where[is_there]]


def _in_both(keys: Side, responses: Side) -> tuple[IntArray, IntArray]:
    """List the key's occurrences with every response cluster that holds their like."""
    held, holder = (column[responses.first_in_cluster] for column in (responses.mention, responses.cluster))
    occurrence, row = spread(
        np.searchsorted(held, keys.mention), np.searchsorted(held, keys.mention, "right")
    )
    return keys.cluster[occurrence], holder[row]


def _table(units: int, keys: Side, responses: Side, k: IntArray, r: IntArray) -> Contingency:
    """Tabulate matched occurrences, given the key and the response cluster of each."""
    cell, first = distinct(k, r)
    k, r, n = k[first], r[first], np.bincount(cell, minlength=first.size)
    key_mentions, response_mentions = (
        np.bincount(side.unit[side.last], minlength=units) for side in (keys, responses)
    )
    return Contingency(
        k, r, n, n, n, keys.sizes, responses.sizes, keys.unit_of_cluster, responses.unit_of_cluster,
        key_mentions, response_mentions, count_links_by_size(units, k, r, n, keys, responses),
    )  # fmt: skip
