"""Bridging and non-referring expressions against the rules stated plainly."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import naive_sets
from referee.metrics.catalogue import CATALOGUE
from referee.metrics.relations import RELATION_METRICS, RelationRows

links = st.dictionaries(st.integers(0, 5), st.integers(0, 9), max_size=4)
entities = st.lists(st.integers(0, 2), min_size=10, max_size=10).map(
    lambda owners: [[m for m, owner in enumerate(owners) if owner == e] for e in range(2)]
)


def rows_of(
    key: dict[int, int], response: dict[int, int], owned: list[list[int]], empty: tuple[set[int], set[int]]
) -> RelationRows:
    common = sorted(key.keys() & response.keys())
    entity = {m: i for i, mentions in enumerate(owned) for m in mentions}
    same = [key[a] == response[a] for a in common]
    like = [key[a] in entity and entity[key[a]] == entity.get(response[a]) for a in common]
    ours, theirs = (sorted(side) for side in empty)

    def zeros(size: int) -> np.ndarray:
        return np.zeros(size, np.int64)

    return RelationRows(
        zeros(len(key)), zeros(len(response)), zeros(len(common)), np.array(same, np.bool_),
        np.array(like, np.bool_), zeros(len(ours)), zeros(len(theirs)),
        np.isin(ours, list(empty[1])), np.isin(theirs, list(empty[0])),
    )  # fmt: skip


@given(key=links, response=links, owned=entities)
def test_bridging_is_counted_by_the_rules(
    key: dict[int, int], response: dict[int, int], owned: list[list[int]]
) -> None:
    rows = rows_of(key, response, owned, (set(), set()))
    counted = naive_sets.bridging(dict(key), dict(response), owned)
    for level, expected in counted.items():
        assert RELATION_METRICS[f"bridging_{level}"].count(rows, 1).tolist() == [expected]


@given(key=st.sets(st.integers(0, 6)), response=st.sets(st.integers(0, 6)))
def test_non_referring_expressions_are_found_or_not(key: set[int], response: set[int]) -> None:
    rows = rows_of({}, {}, [], (key, response))
    both = len(key & response)
    counted = RELATION_METRICS["non_referring"].count(rows, 1)
    assert counted.tolist() == [[both, len(key), both, len(response)]]


def test_units_are_counted_apart() -> None:
    anaphors, common, empty, yes = np.array([0, 2, 2]), np.array([2]), np.array([1]), np.array([True])
    rows = RelationRows(anaphors, anaphors, common, yes, yes, empty, empty, yes, yes)
    assert RELATION_METRICS["bridging_mention"].count(rows, 3)[:, 0].tolist() == [0, 0, 1]
    assert RELATION_METRICS["non_referring"].count(rows, 3)[:, 1].tolist() == [0, 1, 0]


def test_relation_metrics_scale_in_one_way() -> None:
    for name in RELATION_METRICS:
        assert CATALOGUE[name].scale_under("ua") is CATALOGUE[name].scale_under("conll")
