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
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from referee.arrays import FloatArray, IntArray, distinct, find, spread
from referee.metrics.catalogue import table_metrics
from referee.metrics.contingency import Contingency, Membership, Side, count_links_by_size

DETECTION = ("mentions", "detection")
ALIGNMENT = ("ceaf_m", "ceaf_e")
Likeness = tuple[IntArray, IntArray]  # pairs of numbers, of key and response, that are alike


class Ways(NamedTuple):
    """Key and response with the numbers by which the key's mentions are looked up in the response, and with
    those by which the response's are looked up in the key; then with those of pairs, one to one.

    `alike` says which mentions are the same in CEAF, if it is not those that have the same number.
    """

    recall: tuple[Membership, Membership]
    precision: tuple[Membership, Membership]
    pairs: tuple[Membership, Membership]
    alike: Likeness | None = None

    @classmethod
    def one_to_one(cls, key: Membership, response: Membership) -> Ways:
        """Look mentions up by one number in both directions."""
        return cls((key, response), (key, response), (key, response))


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables that the metrics of a stack of units are counted from; often they are one."""

    recall: Contingency
    precision: Contingency
    overlap: Contingency  # for CEAF, which compares clusters
    pairs: Contingency  # for the detection of mentions
    from_key: Collection[str] = ()  # metrics that are counted from the key alone, precision too

    @classmethod
    def of(cls, table: Contingency) -> Tables:
        """Count all from one table."""
        return cls(table, table, table, table)

    def counted(self, name: str) -> FloatArray:
        """Count the stack in one metric."""
        metric = table_metrics([name])[name]
        if name in DETECTION:
            return metric.count(self.pairs)
        if name in ALIGNMENT:
            return metric.count(self.overlap)
        recall = metric.count(self.recall)
        if self.recall is self.precision or name in self.from_key:
            return recall
        precision = metric.count(self.precision)
        return np.where(["recall" in column for column in metric.columns], recall, precision)


def tables_each_way(ways: Ways, from_key: Collection[str] = ()) -> Tables:
    """Tabulate key and response in each direction."""
    units = ways.recall[0].units
    keys, responses = map(Side.of, ways.recall)
    k, r = _last_holders(keys, responses)
    recall = _table(units, keys, responses, k, r)
    overlap = _table(units, keys, responses, *_in_both(keys, responses, ways.alike))
    keys, responses = map(Side.of, ways.precision)
    r, k = _last_holders(responses, keys)
    precision = _table(units, keys, responses, k, r)
    return Tables(recall, precision, overlap, Contingency.of(*ways.pairs), from_key)


def count_each_way(name: str, ways: Ways, from_key: Collection[str] = ()) -> FloatArray:
    """Count a stack of units in one metric; some may be counted `from_key` alone, precision too."""
    return tables_each_way(ways, from_key).counted(name)


def _last_holders(ours: Side, theirs: Side) -> tuple[IntArray, IntArray]:
    """List the occurrences that are matched: for each its cluster, and the last one that holds its like."""
    where, is_there = find(ours.mention, theirs.numbers)
    return ours.cluster[is_there], theirs.owner[where[is_there]]


def _in_both(keys: Side, responses: Side, alike: Likeness | None) -> tuple[IntArray, IntArray]:
    """List the key's occurrences with every response cluster that holds their like."""
    held, holder = (column[responses.first_in_cluster] for column in (responses.mention, responses.cluster))
    if alike is None:
        occurrence, row = _joined(keys.mention, held)
        return keys.cluster[occurrence], holder[row]
    order = np.argsort(alike[0], kind="stable")
    occurrence, at = _joined(keys.mention, alike[0][order])
    which, row = _joined(alike[1][order][at], held)
    occurrence, cluster = occurrence[which], holder[row]
    first = distinct(occurrence, cluster)[1]  # one that is like several of a cluster counts once
    return keys.cluster[occurrence[first]], cluster[first]


def _joined(wanted: IntArray, known: IntArray) -> tuple[IntArray, IntArray]:
    """List where wanted numbers are among sorted ones, each as often as it is there."""
    return spread(np.searchsorted(known, wanted), np.searchsorted(known, wanted, "right"))


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
