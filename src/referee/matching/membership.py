"""Puts numbered mentions into their clusters, unit by unit: what a contingency table is made of."""

from __future__ import annotations

import numpy as np

from referee.arrays import BoolArray, IntArray, distinct
from referee.matching.matchings import Numbers
from referee.metrics.contingency import Membership
from referee.model import Chains


def memberships(
    key: Chains, response: Chains, numbers: Numbers, unit_of_document: IntArray | None = None
) -> tuple[Membership, Membership]:
    """Put matched mentions into their clusters: one unit per document, or larger ones as told."""
    if unit_of_document is not None:
        return (
            _in_units(key, numbers[0], unit_of_document),
            _in_units(response, numbers[1], unit_of_document),
        )
    units = key.lengths.size
    return (
        Membership(numbers[0], key.cluster, key.cluster_document, units),
        Membership(numbers[1], response.cluster, response.cluster_document, units),
    )


def _in_units(side: Chains, mention: IntArray, unit_of_document: IntArray) -> Membership:
    """Join what clusters have in the documents of one unit; links from unit to unit are cut."""
    unit = unit_of_document[side.cluster_document]
    cluster, first = joined_clusters(side, unit)
    units = int(unit_of_document.max(initial=-1)) + 1
    return Membership(mention, cluster[side.cluster], unit[first], units)


def joined_clusters(side: Chains, unit: IntArray) -> tuple[IntArray, IntArray]:
    """Number the entities of each unit, given the unit of each cluster; also say each one's first cluster."""
    entity = side.entity if side.entity is not None else np.arange(side.cluster_document.size)
    return distinct(unit, entity)


def in_several(side: Membership) -> BoolArray:
    """Tell which rows are in clusters of several mentions."""
    order = np.lexsort((side.mention, side.cluster))
    mention, cluster = side.mention[order], side.cluster[order]
    fresh = np.ones(mention.size, np.bool_)
    fresh[1:] = (mention[1:] != mention[:-1]) | (cluster[1:] != cluster[:-1])
    several: BoolArray = np.bincount(cluster[fresh], minlength=side.unit_of_cluster.size) > 1
    return several[side.cluster]


def without_singletons(side: Membership) -> Membership:
    """Leave out clusters that have one mention only."""
    rows = in_several(side)
    left = np.bincount(side.cluster[rows], minlength=side.unit_of_cluster.size) > 0
    renumbered = np.cumsum(left) - 1
    return Membership(
        side.mention[rows], renumbered[side.cluster[rows]], side.unit_of_cluster[left], side.units
    )
