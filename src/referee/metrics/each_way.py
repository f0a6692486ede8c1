"""Counts recall and precision by themselves, where who is whose partner is not one to one.

Under one matching, one to one, both have the same numerator; `referee.metrics.contingency` makes its table.
coval and the CorefUD scorer ask each occurrence of the key for a response cluster that holds its like, and
each occurrence of the response for a key cluster; of several clusters they take the last. CEAF compares
clusters with each other: an occurrence of the key cluster is common to both if its like is in the response
cluster. Mention detection counts mentions that are alike once.

In coval a mention may be the same as several, with one number for all of them. In the CorefUD scorer the one
that a mention is looked up as may be another one in each direction, so recall and precision have numbers of
their own; and it counts BLANC's links from the key's side alone.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from referee.arrays import FloatArray, IntArray, distinct, find, spread
from referee.metrics.catalogue import table_metrics
from referee.metrics.contingency import Contingency, Membership, Side, count_links_by_size

DETECTION = ("mentions", "detection")
ALIGNMENT = ("ceaf_m", "ceaf_e")


class Ways(NamedTuple):
    """Key and response with the numbers by which the key's mentions are looked up in the response, and with
    those by which the response's are looked up in the key; then with those of pairs, one to one.
    """

    recall: tuple[Membership, Membership]
    precision: tuple[Membership, Membership]
    pairs: tuple[Membership, Membership]


def count_each_way(name: str, ways: Ways, from_key: Collection[str] = ()) -> FloatArray:
    """Count a stack of units in one metric; some may be counted `from_key` alone, precision too."""
    metric = table_metrics([name])[name]
    if name in DETECTION:
        return metric.count(Contingency.of(*ways.pairs))
    units = ways.recall[0].units
    keys, responses = map(Side.of, ways.recall)
    if name in ALIGNMENT:
        return metric.count(_table(units, keys, responses, *_in_both(keys, responses)))
    k, r = _last_holders(keys, responses)
    recall = metric.count(_table(units, keys, responses, k, r))
    if name in from_key:
        return recall
    keys, responses = map(Side.of, ways.precision)
    r, k = _last_holders(responses, keys)
    precision = metric.count(_table(units, keys, responses, k, r))
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
