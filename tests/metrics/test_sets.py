"""Sets in the metrics: the plural tables of Universal Anaphora's scorer, and the rules stated plainly."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive_sets
from naive_sets import Side
from referee.metrics.contingency import Contingency, Membership
from referee.metrics.each_way import Tables, Ways
from referee.metrics.sets import UNCHANGED, SideSets, can_count_sets, count_only_sets, count_with_sets
from referee.metrics.standard import METRICS, mean_of_either, ratios


def numbered(units: Sequence[tuple[Side, Side]]) -> tuple[dict[Hashable, int], int]:
    known: dict[Hashable, int] = {}
    for unit, sides in enumerate(units):
        for side in sides:
            for mentions, members in side:
                for mention in [*mentions, *(m for member in members or () for m in member)]:
                    known.setdefault((unit, mention), len(known))
    return known, len(known)


def side_of(
    units: Sequence[Side], known: dict[Hashable, int], first: int, alike: dict[Hashable, int]
) -> tuple[Membership, SideSets]:
    """Put the entities of units into columns, sets as mentions numbered from `first`."""
    mention: list[int] = []
    cluster: list[int] = []
    unit_of: list[int] = []
    sets: list[tuple[int, int, int]] = []
    rows: list[tuple[int, int, int]] = []
    for unit, side in enumerate(units):
        for mentions, members in side:
            here = [known[unit, m] for m in mentions]
            if members is not None:
                same = alike.setdefault((unit, frozenset(map(tuple, members))), len(alike))
                number = first + len(sets)
                here.append(number)
                rows += [
                    (len(sets), 1000 * len(sets) + i, known[unit, m])
                    for i, member in enumerate(members)
                    for m in member
                ]
                sets.append((unit, number, same))
            mention += here
            cluster += [len(unit_of)] * len(here)
            unit_of.append(unit)
    columns = [np.array(column, np.int64) for column in (mention, cluster, unit_of)]
    unit_column, stands, same_column = np.array(sets, np.int64).reshape(-1, 3).T
    set_of, member, number_column = np.array(rows, np.int64).reshape(-1, 3).T
    return (
        Membership(columns[0], columns[1], columns[2], len(units)),
        SideSets(unit_column, stands, same_column, set_of, member, number_column, number_column),
    )


def stacked(
    units: Sequence[tuple[Side, Side]],
) -> tuple[Tables, Ways, tuple[SideSets, SideSets], tuple[np.ndarray, np.ndarray]]:
    known, many = numbered(units)
    alike: dict[Hashable, int] = {}
    key, ours = side_of([k for k, _ in units], known, many, alike)
    response, theirs = side_of([r for _, r in units], known, many + ours.size, alike)
    ways = Ways.one_to_one(key, response)
    clusters = tuple(
        side.cluster[[int(np.flatnonzero(side.mention == m)[0]) for m in sets.mention]].astype(np.int64)
        for side, sets in ((key, ours), (response, theirs))
    )
    return Tables.of(Contingency.of(key, response)), ways, (ours, theirs), (clusters[0], clusters[1])


def counted(metric: str, units: Sequence[tuple[Side, Side]]) -> np.ndarray:
    tables, ways, sets, clusters = stacked(units)
    return count_with_sets(metric, tables, ways, sets, clusters)


def entities(text: str) -> Side:
    """Read `ab e +ae:fg`: two entities, and one whose elements are those of a and of e."""
    plain = [word for word in text.split() if not word.startswith("+")]
    found: list[tuple[str, list[str] | None]] = [(word, None) for word in plain]
    for word in text.split():
        if word.startswith("+"):
            members, mentions = word[1:].split(":")
            found.append((mentions, [next(e for e in plain if m in e) for m in members]))
    return found


PA, PB = "ab cd e +ac:fg", "ab cd e +ac:fg +ae:h"
# Recall and precision of MUC, B³, CEAFe, CEAFm and LEA: Paun et al. 2023, and the scorer's plural tests.
PLURAL = [
    (PA, PA, (1, 1), (1, 1), (1, 1), (1, 1), (1, 1)),
    (PA, "ab cd e +bd:fg", (1, 1), (1, 1), (1, 1), (1, 1), (1, 1)),
    (PA, "ab cd e fg", (3 / 4, 1), (19 / 24, 1), (3.8 / 4, 3.8 / 4), (7 / 8, 1), (6 / 8, 1)),
    (PA, "ab cd e +ace:fg", (1, 11 / 12), (1, 0.95167), (0.98333,) * 2, (0.98611,) * 2, (1, 7.6 / 8)),
    (
        PA, "ab cd e +ae:fg", (7 / 8, 7 / 8), (0.88542, 0.92130), (0.95833,) * 2, (0.94643,) * 2,
        (7 / 8, 11 / 12),
    ),
    (
        PA, "ab c e +ac:fg", (5 / 8, 5 / 6), (0.72461, 1), (0.90278,) * 2, (0.85714, 0.97959),
        (5 / 8, 16 / 21),
    ),
    (PA, "ab cde +ac:fg", (1, 11 / 15), (1, 0.75463), (0.69167, 0.92222), (0.86111,) * 2, (7 / 8, 5.2 / 8)),
    (
        PA, "ab cd e +ac:f +bce:g", (3 / 4, 3 / 4), (0.83333,) * 2, (3.8 / 4, 3.8 / 5), (7 / 8, 7 / 9),
        (6 / 8, 7 / 9),
    ),
    (PA, "ab cd e +a:fg", (7 / 8, 1), (0.88542, 1), (0.97222,) * 2, (0.95833,) * 2, (7 / 8, 1)),
    (PB, PB, (1, 1), (1, 1), (1, 1), (1, 1), (1, 1)),
    (PB, "ab cd e +ac:fg +ace:h", (1, 14 / 15), (1, 0.928), (0.98,) * 2, (0.975,) * 2, (1, 0.92)),
    (
        PB, "ab cd e +ac:fgh", (0.8, 0.8), (0.85, 7.5 / 9), (0.77143, 0.96429), (0.8, 8 / 9), (0.8, 7 / 9),
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", PLURAL, ids=lambda case: f"{case[0]} and {case[1]}")
def test_the_plural_tables_come_out(case: tuple[Any, ...]) -> None:
    key, response, *expected = case
    pair = [(entities(key), entities(response))]
    for metric, (recall, precision) in zip(
        ("muc", "b_cubed", "ceaf_e", "ceaf_m", "lea"), expected, strict=True
    ):
        found = ratios(counted(metric, pair)[0])
        assert found[:2].tolist() == pytest.approx([recall, precision], abs=6e-6), metric


@pytest.mark.parametrize("name", [PA, PB])
def test_what_is_right_has_a_blanc_of_one(name: str) -> None:
    blanc = counted("blanc", [(entities(name), entities(name))])
    assert mean_of_either(blanc[0]).tolist() == [1, 1, 1]


def test_likenesses_of_a_half_right_set() -> None:
    """K {{ab}{cd}} and R {{ab}{e}}: the numbers of rule U19."""
    pair = [(entities("ab cd e +ac:f"), entities("ab cd e +ae:f"))]
    expected = {
        "muc": [1, 2, 1, 2], "b_cubed": [2, 4, 2, 3], "ceaf_e": [1, 2, 1, 2], "ceaf_m": [2, 4, 2, 3],
        "lea": [2, 4, 2, 3],
    }  # fmt: skip
    _, ways, sets, _ = stacked(pair)
    for metric, row in expected.items():
        assert count_only_sets(metric, ways, sets)[0].tolist() == row, metric


def test_a_set_under_another_anaphor_earns_no_link_of_muc() -> None:
    pair = [(entities("ab cd +ac:f"), entities("ab cd +ac:g"))]
    assert counted("muc", pair).tolist() == [[2, 3, 2, 3]]
    assert counted("b_cubed", pair)[0].tolist() == [4 + 1 / 2, 6, 4 + 1 / 2, 6]


def test_an_equal_set_without_links_to_compare_is_found_by_blanc() -> None:
    whole = counted("blanc", [(entities("a b +ab:fg"), entities("a b +ab:fg"))])
    assert whole.tolist() == [[3, 3, 3, 3, 7, 7, 7, 7]]
    half = counted("blanc", [(entities("a b +ab:fg"), entities("a b +a:fg"))])
    assert half[0, :4].tolist() == [1, 3, 1, 3]


def test_all_metrics_but_variants_count_sets() -> None:
    assert {name for name in METRICS if not can_count_sets(name)} == set(UNCHANGED)
    assert not can_count_sets("b_cubed_sys")


@st.composite
def side(draw: st.DrawFn) -> Side:
    """Draw entities of the mentions 0 … 9, some with sets of others or of mentions of no entity."""
    owners = draw(st.lists(st.integers(-1, 4), min_size=10, max_size=10))
    plain = [[m for m, owner in enumerate(owners) if owner == e] for e in range(5)]
    plain = [mentions for mentions in plain if mentions]
    outside = [[m] for m, owner in enumerate(owners) if owner < 0]
    entities: list[tuple[list[int], list[list[int]] | None]] = []
    taken: set[frozenset[tuple[int, ...]]] = set()
    for mentions in plain:
        others = [other for other in plain + outside if other != mentions]
        members = draw(st.lists(st.sampled_from(others), unique_by=tuple, max_size=3)) if others else []
        chosen = frozenset(map(tuple, members))
        entities.append((mentions, members if members and chosen not in taken else None))
        taken |= {chosen}
    return entities


pairs = st.tuples(side(), side())


@pytest.mark.parametrize("metric", ["muc", "b_cubed", "ceaf_m", "ceaf_e", "lea", "blanc"])
@given(units=st.lists(pairs, min_size=1, max_size=3))
@settings(max_examples=60)
def test_counts_are_those_of_the_rules(metric: str, units: list[tuple[Side, Side]]) -> None:
    halves = ("together", "apart") if metric == "blanc" else (metric,)
    tables, ways, sets, clusters = stacked(units)
    found = count_with_sets(metric, tables, ways, sets, clusters)
    only = count_only_sets(metric, ways, sets)
    for row, alone, (key, response) in zip(found, only, units, strict=True):
        expected = [n for half in halves for n in naive_sets.counts(half, key, response)]
        assert row.tolist() == pytest.approx(expected, abs=1e-9)
        expected = [n for half in halves for n in naive_sets.only_sets(half, key, response)]
        assert alone.tolist() == pytest.approx(expected, abs=1e-9)


@given(units=st.lists(pairs, min_size=1, max_size=3))
@settings(max_examples=30)
def test_links_are_the_first_half_of_blanc(units: list[tuple[Side, Side]]) -> None:
    assert (counted("links", units) == counted("blanc", units)[:, :4]).all()


@given(key=side())
@settings(max_examples=30)
def test_a_side_is_like_itself(key: Side) -> None:
    for metric in ("muc", "b_cubed", "ceaf_m", "ceaf_e", "lea", "b_cubed_entities", "blanc"):
        row = counted(metric, [(key, key)])[0]
        assert row[0::2].tolist() == pytest.approx(row[1::2].tolist()), metric
