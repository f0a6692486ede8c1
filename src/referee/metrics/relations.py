"""Bridging and non-referring expressions: what is right is counted mention by mention (Yu et al. 2022)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from referee.arrays import BoolArray, FloatArray, IntArray
from referee.metrics.standard import RECALL_PRECISION, Scale, counts, ratios


@dataclass(frozen=True, slots=True)
class RelationRows:
    """What key and response say beyond clusters, for a stack of units."""

    key_anaphors: IntArray  # bridging anaphor of the key → unit
    response_anaphors: IntArray
    common: IntArray  # anaphor of both → unit
    same_anchor: BoolArray  # whether both have the same mention for its anchor
    same_entity: BoolArray  # or a mention of the same entity of the key
    key_empty: IntArray  # non-referring expression of the key → unit
    response_empty: IntArray
    key_found: BoolArray  # whether the response has it
    response_found: BoolArray  # whether the key has it


@dataclass(frozen=True, slots=True)
class RelationMetric:
    """A metric's name in tables, the layer that it is for, and how it counts."""

    label: str
    count: Callable[[RelationRows, int], FloatArray]  # rows, units
    columns: tuple[str, ...]
    scale: Scale
    layer: str

    def scale_under(self, counting: str) -> Scale:
        """Say how counts become scores: in one way only."""
        del counting
        return self.scale


def bridging_recognition(rows: RelationRows, units: int) -> FloatArray:
    """Bridging anaphors found, whatever their anchors.

    R = |A_K ∩ A_R| / |A_K| and P = |A_K ∩ A_R| / |A_R|, where A_K and A_R are the anaphors of each side.

    >>> bridging_recognition(EXAMPLE, units=1).tolist()  # two of three
    [[2.0, 3.0, 2.0, 2.0]]
    """
    return _bridging(rows, np.ones(rows.common.size, np.bool_), units)


def bridging_mention(rows: RelationRows, units: int) -> FloatArray:
    """Bridging anaphors found with the very mention that they are anchored in.

    R = |S| / |A_K| and P = |S| / |A_R|, where S are the common anaphors whose anchors are the same mention.

    >>> bridging_mention(EXAMPLE, units=1).tolist()  # the second has another mention
    [[1.0, 3.0, 1.0, 2.0]]
    """
    return _bridging(rows, rows.same_anchor, units)


def bridging_entity(rows: RelationRows, units: int) -> FloatArray:
    """Bridging anaphors found with a mention of the entity that they are anchored in.

    R = |S| / |A_K| and P = |S| / |A_R|, where S are the common anaphors whose anchors are the same mention,
    or mentions of one entity of the key. The response's entities do not matter.

    >>> bridging_entity(EXAMPLE, units=1).tolist()  # the other mention is of the same entity
    [[2.0, 3.0, 2.0, 2.0]]
    """
    return _bridging(rows, rows.same_anchor | rows.same_entity, units)


def _bridging(rows: RelationRows, right: BoolArray, units: int) -> FloatArray:
    found = np.bincount(rows.common[right], minlength=units)
    key, response = (np.bincount(a, minlength=units) for a in (rows.key_anaphors, rows.response_anaphors))
    return counts(found, key, found, response)


def non_referring(rows: RelationRows, units: int) -> FloatArray:
    """Expressions found that refer to nothing.

    R = TP / (TP + FN) and P = TP / (TP + FP), with the key's expressions that the response has (TP) or lacks
    (FN), and the response's that the key lacks (FP).

    >>> non_referring(EXAMPLE, units=1).tolist()
    [[1.0, 2.0, 1.0, 1.0]]
    """
    found = np.bincount(rows.key_empty[rows.key_found], minlength=units)
    missed = np.bincount(rows.key_empty[~rows.key_found], minlength=units)
    spurious = np.bincount(rows.response_empty[~rows.response_found], minlength=units)
    return counts(found, found + missed, found, found + spurious)


def _example() -> RelationRows:
    """Make a unit of three key anaphors, two of them found, and two expressions that refer to nothing."""
    three, two, one = (np.zeros(size, np.int64) for size in (3, 2, 1))
    yes_no, no_yes, yes = (np.array(each, np.bool_) for each in ([True, False], [False, True], [True]))
    return RelationRows(three, two, two, yes_no, no_yes, two, one, yes_no, yes)


EXAMPLE = _example()  # of the docstrings
BRIDGING, NON_REFERRING = "bridging", "non-referring"  # layers
RELATION_METRICS: dict[str, RelationMetric] = {
    name: RelationMetric(label, count, RECALL_PRECISION, ratios, layer)
    for name, label, count, layer in (
        ("bridging_recognition", "Bridging recognition", bridging_recognition, BRIDGING),
        ("bridging_mention", "Bridging mention", bridging_mention, BRIDGING),
        ("bridging_entity", "Bridging entity", bridging_entity, BRIDGING),
        ("non_referring", "Non-referring", non_referring, NON_REFERRING),
    )
}
