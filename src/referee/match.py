"""Says which key mention and which response mention are the same, and numbers them alike.

Matching comes before the table and never inside a metric. `exact` compares spans; other matchings can only
differ in the numbers that they give to mentions.
"""

from __future__ import annotations

import numpy as np

from referee.model import Chains, IntArray, Span
from referee.table import BoolArray, Membership

Numbers = tuple[IntArray, IntArray]  # a number for each row of key and response


def exact(key: Chains, response: Chains) -> Numbers:
    """Number mentions so that two are equal when they cover the same tokens of the same document."""
    sides = (key, response)
    start = np.concatenate([side.start for side in sides])
    end = np.concatenate([side.end for side in sides])
    document = np.concatenate([side.document for side in sides])
    _separate_parts(end, key, response)
    start_base, end_base = int(start.max(initial=0)) + 1, int(end.max(initial=0)) + 1
    if (int(document.max(initial=0)) + 1) * start_base * end_base >= 2**63:  # offsets beyond any real text
        start, end = (np.unique(column, return_inverse=True)[1] for column in (start, end))
        start_base = end_base = start.size + 1
    number = (document * start_base + start) * end_base + end
    return number[: key.start.size], number[key.start.size :]


def _separate_parts(end: IntArray, key: Chains, response: Chains) -> None:
    """Give mentions of several spans an end past every other, the same for the same spans."""
    known: dict[tuple[Span, ...], int] = {}
    past = int(end.max(initial=0)) + 1
    for side, offset in ((key, 0), (response, key.start.size)):
        for row, spans in side.parts.items():
            end[offset + row] = past + known.setdefault(spans, len(known))


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
    entity = side.entity if side.entity is not None else np.arange(side.cluster_document.size)
    unit = unit_of_document[side.cluster_document]
    code = unit * (int(entity.max(initial=0)) + 1) + entity
    _, first, cluster = np.unique(code, return_index=True, return_inverse=True)
    units = int(unit_of_document.max(initial=-1)) + 1
    return Membership(mention, cluster[side.cluster], unit[first], units)


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
    kept = np.bincount(side.cluster[rows], minlength=side.unit_of_cluster.size) > 0
    renumbered = np.cumsum(kept) - 1
    return Membership(
        side.mention[rows], renumbered[side.cluster[rows]], side.unit_of_cluster[kept], side.units
    )


MATCHINGS = {"exact": exact}
