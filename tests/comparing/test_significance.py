"""Intervals that cover, p-values that are fair, and the same numbers for the same seed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kstest, norm
from scipy.stats import t as student

from referee import formats, intervals, score
from referee.comparing.resampling import BLOCK, F1, LEAST, Stack, swaps, totals_of
from referee.comparing.significance import (
    _bootstrapped,
    _ranks,
    cautions,
    compare_results,
    holm,
    intervals_of,
    quantiles,
)
from referee.comparing.verdicts import TESTS, Plan, headline
from referee.exceptions import ProtocolError
from referee.matching.protocol import Protocol
from referee.model import DocumentCorpus
from referee.scoring.result import Result
from systems import TRUE_F1, TRUE_PRECISION, TRUE_RECALL, counts, documents, drawn_results, spoiled

QUICK = Plan(samples=500)


def scored(units: int, *rates: float, seed: int = 5) -> list[Result]:
    """Results of systems that err at these rates."""
    key = documents(units)
    return [
        replace(score(DocumentCorpus(key), DocumentCorpus(spoiled(key, rate, seed + i))), system=f"s{i}")
        for i, rate in enumerate(rates)
    ]


# With 15 or 30 units coverage is at the lower edge, and below it in some runs: docs/comparing-systems.md.
@pytest.mark.parametrize("units", [50, 120])
def test_intervals_cover_the_truth(units: int) -> None:
    chance = np.random.default_rng(units)
    truth = np.array([TRUE_RECALL, TRUE_PRECISION, TRUE_F1])
    covered = []
    for run in range(3000):
        (result,) = drawn_results(units, 1, chance)
        edges = [(i.low, i.high) for i in intervals_of(result, Plan(samples=500, seed=run))["muc"]]
        covered.append([low <= true <= high for (low, high), true in zip(edges, truth, strict=True)])
    shares = np.mean(covered, axis=0)
    assert ((shares >= 0.93) & (shares <= 0.97)).all(), shares


@pytest.mark.parametrize("test", TESTS)
def test_p_values_of_equal_systems_are_uniform(test: str) -> None:
    chance = np.random.default_rng(7)
    found = []
    for run in range(500):
        comparison = compare_results(drawn_results(80, 2, chance), Plan(test=test, samples=999, seed=run))
        found.append(comparison.verdicts[1]["muc"].p or 0.0)
    assert kstest(found, "uniform").pvalue > 0.05


@pytest.mark.parametrize("test", TESTS)
def test_a_clear_gain_and_a_clear_loss_are_found_and_marked(test: str) -> None:
    found = compare_results(scored(40, 0.2, 0.05, 0.4), replace(QUICK, test=test))
    assert [verdict["conll"].mark for verdict in found.verdicts] == ["", "↑", "↓"]
    gain = found.verdicts[1]["conll"]
    assert gain.gain_interval is not None
    assert 0 < gain.gain_interval.low < gain.gain < gain.gain_interval.high
    assert found.order == [2, 1, 3]
    assert found.ranks[1, 0] == 1
    assert np.allclose(found.ranks.sum(axis=1), 1)


@pytest.mark.parametrize("test", TESTS)
def test_a_system_does_not_differ_from_itself(test: str) -> None:
    (result,) = scored(40, 0.2)
    verdict = compare_results([result, replace(result, system="copy")], replace(QUICK, test=test)).verdicts[
        1
    ]["lea"]
    assert (verdict.gain, verdict.p, verdict.significant) == (0, 1, False)


Row = tuple[int, int]  # mentions found and invented in a document of six


def exact_gain(sides: Sequence[Sequence[Row]], swapped: Sequence[bool]) -> Fraction:
    """The absolute difference in F1 after some swaps, as a fraction."""
    scores = []
    for side in (False, True):
        rows = [sides[side ^ swap][i] for i, swap in enumerate(swapped)]
        found, invented = (sum(column) for column in zip(*rows, strict=True))
        scores.append(Fraction(2 * found, 6 * len(rows) + found + invented))
    return abs(scores[1] - scores[0])


ROWS = st.tuples(st.integers(0, 6), st.integers(0, 6))


@given(st.lists(st.tuples(ROWS, ROWS), min_size=2, max_size=7))
def test_few_units_are_swapped_in_every_way(rows: list[tuple[Row, Row]]) -> None:
    sides = list(zip(*rows, strict=True))
    names = [str(i) for i in range(len(rows))]
    results = [
        Result(
            f"s{i}", names,
            {"muc": counts([f for f, _ in side], [6] * len(side), [f + e for f, e in side])}, Protocol(),
        )
        for i, side in enumerate(sides)
    ]  # fmt: skip
    ways = [exact_gain(sides, swapped) for swapped in product((False, True), repeat=len(rows))]
    hair = Fraction(1, 10**12)  # doubles may tell equal fractions apart
    fewest, most = (sum(way >= ways[0] + shift for way in ways) / len(ways) for shift in (hair, -hair))
    found = compare_results(results, QUICK)
    p = found.verdicts[1]["muc"].p
    assert found.exact
    assert p is not None
    assert fewest <= p <= most


def test_draws_are_what_scoring_the_drawn_documents_gives() -> None:
    results = scored(9, 0.1, 0.3)
    stack = Stack.of(results)
    chance = np.random.default_rng(3)
    drawn = chance.integers(0, 9, (50, 9), dtype=np.uint16)
    (totals,) = stack.bootstrap(50, 3)
    scores = stack.scores(totals)
    for number, rows in enumerate(drawn.tolist()):
        for system, result in enumerate(results):
            part = result.where(rows)
            expected = [score.f1 for score in part.scores.values()] + [part.conll]
            assert np.allclose(scores[system, :, F1, number], expected, rtol=1e-12)


@pytest.mark.parametrize("small", [0, 7000, 2**18])
def test_sums_are_exact_whatever_their_order(small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.comparing.resampling.SMALL", small)
    results = scored(60, 0.1, 0.3)
    stack = Stack.of(results)
    weights = np.random.default_rng(0).integers(0, 4, (20, 60)).astype(np.float64)
    summed = totals_of(weights, stack.columns)
    for column, totals in zip(stack.columns.T.tolist(), summed.tolist(), strict=True):
        for draw, total in zip(weights.tolist(), totals, strict=True):
            assert sum(Fraction(a) * Fraction(b) for a, b in zip(column, draw, strict=True)) == total
    observed = stack.scores(stack.totals())[:, :, F1, 0]
    assert np.allclose(observed[:, -1], [result.conll for result in results], rtol=1e-12)


def test_coins_are_fair_and_differ() -> None:
    tosses = np.concatenate(list(swaps(50, 4000, 1)))
    assert tosses.shape == (4000, 50)
    assert np.abs(tosses.mean(axis=0) - 0.5).max() < 0.04
    assert np.abs(np.corrcoef(tosses.T) - np.eye(50)).max() < 0.08


def test_all_ways_to_swap_come_once() -> None:
    (ways,) = swaps(4, 100, 1)
    assert sorted(map(tuple, ways.tolist())) == sorted(product((0.0, 1.0), repeat=4))


def test_another_system_changes_no_number() -> None:
    results = scored(30, 0.2, 0.1, 0.3)
    few, many = (
        compare_results(found, replace(QUICK, correction="none")) for found in (results[:2], results)
    )
    assert few.verdicts == many.verdicts[:2]


def test_another_seed_gives_other_numbers() -> None:
    results = scored(30, 0.2, 0.15)
    first, again, other = (compare_results(results, replace(QUICK, seed=seed)).verdicts for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_the_same_on_one_core_and_on_two(tmp_path: Path) -> None:
    key = documents(40)
    formats.write(key, tmp_path / "key.conll")
    formats.write(spoiled(key, 0.2, 1), tmp_path / "a.conll")
    formats.write(spoiled(key, 0.19, 2), tmp_path / "b.conll")
    shown = []
    for cores in ("1", "2"):
        threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), cores)
        command = [sys.executable, "-m", "referee", "compare", "key.conll", "a.conll", "b.conll"]
        ran = subprocess.run(
            [*command, "--jobs", cores, "--format", "json"],
            cwd=tmp_path, env=os.environ | threads, capture_output=True, check=True,
        )  # fmt: skip
        shown.append(ran.stdout)
    assert shown[0] == shown[1]
    assert json.loads(shown[0])["plan"]["samples"] == 10_000


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("samples", [99, 250])
def test_no_p_value_is_nought(test: str, samples: int) -> None:
    """What was seen counts as one of the samples (Davison & Hinkley 1997, §4.2)."""
    best = compare_results(scored(40, 0.5, 0.0), Plan(test=test, samples=samples)).verdicts[1]["conll"]
    assert best.p == 1 / (samples + 1)


def test_an_exact_test_counts_what_was_seen_once() -> None:
    found = compare_results(scored(7, 0.5, 0.0), Plan(samples=2**7))
    assert found.exact
    assert found.verdicts[1]["conll"].p == 2 / 2**7  # all units swapped, or none
    assert not compare_results(scored(7, 0.5, 0.0), Plan(samples=2**7 - 1)).exact
    assert not compare_results(scored(7, 0.5, 0.0), Plan(test="bootstrap", samples=2**7)).exact


@pytest.mark.parametrize("units", [6, 30, 400])
@pytest.mark.parametrize("level", [0.9, 0.95])
@pytest.mark.parametrize("size", [20, 1000])
def test_percentiles_are_moved_outward(units: int, level: float, size: int) -> None:
    """Hesterberg 2015, section 4.4, by way of SciPy's distributions; between two draws it is interpolated."""
    outer = norm.cdf(student.ppf((1 - level) / 2, units - 1) * np.sqrt(units / (units - 1)))
    drawn = np.random.default_rng(1).permutation(size + 1).astype(np.float64)  # values are their percentiles
    low, high = quantiles(drawn, units, level)
    assert np.allclose([low, high], [size * outer, size * (1 - outer)], atol=1e-9, rtol=0)


def test_equal_systems_share_the_better_rank() -> None:
    assert _ranks(np.array([[1.0, 2.0], [1.0, 3.0], [0.0, 3.0]])).tolist() == [
        [0.5, 0, 0.5],
        [1, 0, 0],
        [0.5, 0, 0.5],
    ]
    (result,) = scored(20, 0.2)
    (worse,) = scored(20, 0.4)
    copies = [replace(worse, system="w"), result, replace(result, system="copy")]
    assert compare_results(copies, QUICK).order == [3, 1, 1]


def test_six_units_are_the_fewest_that_can_be_significant() -> None:
    assert "too few" in cautions(5, Plan())[0]
    assert "too few" not in cautions(6, Plan())[0]
    assert "too few" in cautions(6, Plan(level=0.99))[0]
    assert "too few" in cautions(5, Plan(level=1 - 2**-4))[0]  # as likely as not accepted is not accepted
    assert not np.isnan(compare_results(scored(6, 0.4, 0.1), QUICK).verdicts[0]["conll"].interval.low)


def test_thirty_units_are_enough_for_no_caution() -> None:
    assert cautions(29, Plan())
    assert not cautions(30, Plan())
    assert not cautions(30, Plan(test="bootstrap"))
    assert "only one topic" in cautions(1, Plan(), "topic")[0]


def test_a_p_value_at_the_level_is_not_significant() -> None:
    results = scored(6, 0.5, 0.0)
    p = compare_results(results, QUICK).verdicts[1]["conll"].p
    assert p == 2 / 2**6
    assert not compare_results(results, replace(QUICK, level=1 - p)).verdicts[1]["conll"].significant
    assert compare_results(results, replace(QUICK, level=0.96)).verdicts[1]["conll"].significant


def test_verdicts_are_of_the_right_system_and_measure() -> None:
    results = scored(12, 0.3, 0.2, 0.1)
    found = compare_results(results, QUICK)
    for result, verdicts in zip(results, found.verdicts, strict=True):
        for name, scores in result.scores.items():
            assert verdicts[name].f1 == scores.f1
            assert verdicts[name].gain == scores.f1 - results[0].scores[name].f1
        assert verdicts["conll"].f1 == result.conll
    assert (found.verdicts[0]["muc"].gain_interval, found.verdicts[0]["muc"].p) == (None, None)


def test_intervals_of_gains_are_those_of_paired_draws() -> None:
    results = scored(15, 0.3, 0.1)
    stack = Stack.of(results)
    (totals,) = stack.bootstrap(300, 4)
    f1 = stack.scores(totals)[:, :, F1]
    found = compare_results(results, Plan(samples=300, seed=4))
    for number, name in enumerate(stack.measures):
        gain, own = (quantiles(d, 15, 0.95).tolist() for d in (f1[1, number] - f1[0, number], f1[1, number]))
        interval = found.verdicts[1][name].gain_interval
        assert interval is not None
        assert [interval.low, interval.high] == gain
        assert [found.verdicts[1][name].interval.low, found.verdicts[1][name].interval.high] == own


def test_a_centred_bootstrap_counts_differences_as_large_as_the_one_seen() -> None:
    gains = np.array([[[3.0, 1.0, 2.0, 6.0]]])  # centred: 0, −2, −1, 3
    assert _bootstrapped(gains, np.array([[2.0]])).tolist() == [[3 / 5]]
    assert _bootstrapped(gains, np.array([[-2.0]])).tolist() == [[3 / 5]]


@pytest.mark.parametrize("units", [3, 40, 2**12])
def test_samples_are_drawn_block_by_block(units: int) -> None:
    size = max(BLOCK // units, LEAST)
    told: list[int] = []
    chance = np.random.default_rng(0)
    compare_results(
        drawn_results(units, 2, chance), Plan(samples=size + 5, test="bootstrap"), progress=told.append
    )
    assert told == [size, 5]
    told.clear()
    compare_results(drawn_results(units, 2, chance), Plan(samples=size + 5), progress=told.append)
    assert told == ([size, 5, 8] if units == 3 else [size, 5, size, 5])
    assert [len(block) for block in swaps(units, size + 5, 1)] == ([8] if units == 3 else [size, 5])


def test_intervals_are_those_of_a_comparison_however_many_blocks() -> None:
    (result, other) = drawn_results(2**12, 2, np.random.default_rng(0))
    plan = Plan(samples=LEAST + 5, test="bootstrap")
    assert (
        intervals_of(other, plan)["muc"][F1]
        == compare_results([result, other], plan).verdicts[1]["muc"].interval
    )


def test_equal_columns_are_kept_once() -> None:
    (result,) = scored(9, 0.2)
    one, two = Stack.of([result]), Stack.of([result, replace(result, system="copy")])
    assert one.columns.shape == two.columns.shape
    assert one.columns.shape[0] == 9


def test_counts_lie_on_a_grid_that_nobody_sees() -> None:
    (result,) = scored(9, 0.2)
    stack = Stack.of([result])
    for name, rows in result.counts.items():
        columns = stack.columns[:, list(stack.places[name][0])]
        largest = np.abs(rows).max(axis=0) * 9
        assert (np.abs(columns - rows) <= np.maximum(largest, 1) * 2.0**-51).all()
        steps = np.exp2(np.ceil(np.log2(np.maximum(largest, 1))) - 52)
        assert (columns / steps == np.rint(columns / steps)).all()


def test_each_column_has_a_grid_of_its_own() -> None:
    """A large count does not make a small one coarse, and one column is on one grid for all systems."""
    small, large = [0.1, 0.7, 1 / 3], [2.0**40, 3.0, 1.0]
    systems = [
        Result(name, ["a", "b", "c"], {"muc": counts(small, large, [scale * n for n in large])}, Protocol())
        for name, scale in (("a", 1), ("b", 2**30))
    ]
    stack = Stack.of(systems)
    first, second = (stack.columns[:, list(places)] for places in stack.places["muc"])
    assert np.abs(first[:, 0] - small).max() < 1e-15
    assert (first[:, 0] == second[:, 0]).all()
    step = 2.0**70 * 2 * 2 * 2.0**-52  # of the last column, which is largest in the second system
    assert (first[:, 3] % step == 0).all()


def test_systems_are_ranked_by_a_measure_that_looks_at_clusters() -> None:
    assert headline(["mentions", "muc", "conll"]) == "conll"
    assert headline(["mentions", "detection", "lea", "muc"]) == "lea"
    assert headline(["mentions"]) == "mentions"


def test_holm_steps_down() -> None:
    p = np.array([[0.01], [0.04], [0.03], [0.005]])
    assert np.allclose(holm(p)[:, 0], [0.03, 0.06, 0.06, 0.02])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_holm_lies_between_no_correction_and_bonferroni(values: list[float]) -> None:
    p = np.array(values)[:, None]
    adjusted = holm(p)
    assert (adjusted >= p).all()
    assert (adjusted <= np.minimum(len(p) * p, 1) + 1e-15).all()
    order = np.argsort(p[:, 0], kind="stable")
    assert (np.diff(adjusted[order, 0]) >= 0).all()


def test_holm_is_used_with_more_than_two_systems() -> None:
    results = scored(30, 0.2, 0.17, 0.18)
    two, three = compare_results(results[:2], QUICK), compare_results(results, QUICK)
    assert not two.corrected
    assert three.corrected
    assert two.verdicts[1]["muc"].p == two.verdicts[1]["muc"].adjusted
    found = [verdict["muc"] for verdict in three.verdicts[1:]]
    assert [v.adjusted for v in found] == holm(np.array([[v.p] for v in found], np.float64))[:, 0].tolist()


@pytest.mark.parametrize("test", TESTS)
def test_too_few_units_are_never_significant(test: str) -> None:
    results = scored(5, 0.45, 0.0)
    verdict = compare_results(results, replace(QUICK, test=test)).verdicts[1]["conll"]
    assert verdict.gain > 0.2
    assert not verdict.significant
    assert np.isnan(verdict.interval.low)
    assert "too few" in cautions(5, QUICK)[0]
    assert "inaccurate" in cautions(20, QUICK)[0]
    assert "finds too many" in cautions(20, replace(QUICK, test="bootstrap"))[0]
    assert not cautions(50, QUICK)


def test_one_unit_has_no_interval_and_no_p_value() -> None:
    found = compare_results(scored(1, 0.3, 0.0), replace(QUICK, test="bootstrap"))
    assert np.isnan(found.verdicts[0]["conll"].interval.low)
    assert found.verdicts[1]["conll"].p == 1
    assert "only one document" in cautions(1, QUICK)[0]


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ({"test": "sign"}, "test must be permutation or bootstrap"),
        ({"correction": "bonferroni"}, "correction must be"),
        ({"level": 1.5}, "between 0 and 1"),
        ({"level": 1}, "between 0 and 1"),
        ({"level": 0}, "between 0 and 1"),
        ({"samples": 0}, "at least 1"),
        ({"seed": -1}, "not negative"),
    ],
)
def test_plans_that_cannot_be_followed_are_refused(choice: dict[str, object], said: str) -> None:
    with pytest.raises(ProtocolError, match=said):
        Plan(**choice)  # type: ignore[arg-type]


def test_plans_at_the_edge_are_followed() -> None:
    assert Plan(samples=1, seed=0).alpha == 0.05
    assert [Plan().corrects(systems) for systems in (1, 2, 3)] == [False, False, True]
    assert not Plan(correction="none").corrects(3)


def test_intervals_are_drawn_with_the_seed_1_at_95_percent_unless_told_otherwise() -> None:
    (result,) = scored(30, 0.7)
    assert intervals(result) == intervals(result, samples=10_000, seed=1, level=0.95)
    assert intervals(result) != intervals(result, seed=0)


@pytest.mark.parametrize(("units", "samples"), [(3, 7), (3, 8), (3, 9), (1, 2), (1, 1), (5, 31), (5, 33)])
def test_each_way_to_swap_comes_once_if_there_are_no_more_than_samples(units: int, samples: int) -> None:
    drawn = np.concatenate(list(swaps(units, samples, seed=1)))
    is_exact = 2**units <= samples
    assert drawn.shape == (2**units if is_exact else samples, units)
    assert (len({tuple(row) for row in drawn.tolist()}) == 2**units) == is_exact
