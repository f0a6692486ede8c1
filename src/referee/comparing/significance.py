"""Intervals of scores, and tests of whether the difference between two systems is more than chance.

Units (documents; topics in the cross-document setting) are what is resampled: mentions of one document
depend on each other, documents do not.

* Intervals come from the bootstrap (Efron 1979). Percentiles are taken a little farther out than the level
  says, as Hesterberg (2015) advises: a sample of n units varies by (n − 1)/n too little, and its spread is
  itself a guess, which is Student's reason for t. `docs/comparing-systems.md` has the measured coverage.
* `permutation` is approximate randomisation (Noreen 1989): if two systems are equally good, swapping their
  outputs on any document changes nothing.
* `bootstrap` is the paired bootstrap (Efron & Tibshirani 1993; Riezler & Maxwell 2005): the resampled
  differences, moved so that their mean is nought, say how large a difference chance makes.

Only results that were made alike are compared: by one protocol, version and key.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from math import sqrt

import numpy as np

from referee.arrays import BoolArray, FloatArray
from referee.comparing.resampling import F1, Stack
from referee.comparing.verdicts import Comparison, Interval, Plan, Verdict, headline
from referee.exceptions import ProtocolError
from referee.matching.protocol import DATA
from referee.metrics.standard import CONLL, METRICS
from referee.scoring.evaluate import Progress, ignore_progress
from referee.scoring.fingerprints import OF_CLUSTERS
from referee.scoring.result import Result

FEW = 30  # with fewer units intervals and tests are rough
KEY, OWN_KEY = "key", "the key's clusters"


def compare_results(
    results: Iterable[Result], plan: Plan | None = None, *, progress: Progress | None = None
) -> Comparison:
    """Compare systems with the first, in every metric that all have.

    Results of different keys, protocols or versions are refused. `progress` counts the samples that
    are drawn, for the intervals first and then for the test, if that is a permutation.
    """
    advance = progress or ignore_progress
    plan = plan or Plan()
    results = [results] if isinstance(results, Result) else list(results)
    if len(results) < 2:
        raise ProtocolError(
            "compare needs two or more results, the baseline first: compare(baseline, system); "
            "intervals(result) takes one"
        )
    results = alike(results)
    stack = Stack.of(results)
    observed = stack.scores(stack.totals())[:, :, F1, 0]
    drawn = _bootstrap(stack, plan, advance)
    gains = drawn[1:] - drawn[:1]
    gain = observed[1:] - observed[:1]
    p = _permuted(stack, gain, plan, advance) if plan.test == "permutation" else _bootstrapped(gains, gain)
    if stack.units < 2:
        p = np.ones_like(gain)
    adjusted = holm(p) if plan.corrects(len(results)) else p
    ranks = _ranks(drawn[:, stack.measures.index(headline(stack.measures))])
    edges = quantiles(drawn, stack.units, plan.level), quantiles(gains, stack.units, plan.level)
    alpha = 0.0 if _too_few(stack.units, plan.alpha) else plan.alpha
    scores = np.array([[_f1(result, name) for name in stack.measures] for result in results])
    verdicts = _verdicts(stack.measures, scores, edges, p, adjusted, alpha)
    exact = plan.test == "permutation" and 2**stack.units <= plan.samples
    return Comparison(results, plan, verdicts, ranks, exact)


def _f1(result: Result, measure: str) -> float:
    return result.conll if measure == CONLL else result.scores[measure].f1


def _bootstrap(stack: Stack, plan: Plan, advance: Progress) -> FloatArray:
    """F1 of every resample: systems × measures × samples."""
    blocks = []
    for totals in stack.bootstrap(plan.samples, plan.seed):
        blocks.append(stack.scores(totals)[:, :, F1])
        advance(totals.shape[1])
    return np.concatenate(blocks, axis=-1)


def _verdicts(
    measures: Sequence[str],
    scores: FloatArray,
    edges: tuple[FloatArray, FloatArray],
    p: FloatArray,
    adjusted: FloatArray,
    alpha: float,
) -> list[dict[str, Verdict]]:
    """Put what was computed in arrays under its names."""
    score, gain = (edge.tolist() for edge in edges)
    found: list[dict[str, Verdict]] = []
    for system, row in enumerate(scores.tolist()):
        found.append({})
        for m, name in enumerate(measures):
            verdict = Verdict(row[m], Interval(*score[system][m]))
            if system:
                number = float(adjusted[system - 1, m])
                verdict = Verdict(
                    row[m], verdict.interval, row[m] - float(scores[0, m]), Interval(*gain[system - 1][m]),
                    float(p[system - 1, m]), number, number < alpha,
                )  # fmt: skip
            found[-1][name] = verdict
    return found


Intervals = dict[str, tuple[Interval, Interval, Interval]]  # measure → of recall, precision and F1


def intervals(result: Result, *, samples: int = 10_000, seed: int = 1, level: float = 0.95) -> Intervals:
    """Find how sure each score of a result is, by the bootstrap.

    Args:
        result: What `score` or a `Scorer` gave.
        samples: How many resamples to draw.
        seed: The same seed gives the same numbers.
        level: The level of intervals.

    Returns:
        The intervals of recall, precision and F1 for each measure; the CoNLL average has one of F1 alone.

    Raises:
        ProtocolError: If the level is not between 0 and 1, or samples or seed are not whole numbers.

    Examples:
        >>> import referee
        >>> scorer = referee.Scorer(metric="muc")
        >>> for number in range(20):
        ...     scorer.update([["a", "b", "c"]], [["a", "b", "c"][: 2 + number % 2]])
        >>> recall, precision, f1 = intervals(scorer.compute(), samples=1000)["muc"]
        >>> round(recall.low, 2), round(recall.high, 2)
        (0.65, 0.88)
    """
    return intervals_of(result, Plan(samples=samples, seed=seed, level=level))


def intervals_of(result: Result, plan: Plan) -> Intervals:
    """Give each measure's recall, precision and F1 an interval; the CoNLL average has one of F1 alone."""
    stack = Stack.of([result])
    blocks = [stack.scores(totals)[0] for totals in stack.bootstrap(plan.samples, plan.seed)]
    edges = quantiles(np.concatenate(blocks, axis=-1), stack.units, plan.level).tolist()
    return {
        name: (Interval(*recall), Interval(*precision), Interval(*f1))
        for name, (recall, precision, f1) in zip(stack.measures, edges, strict=True)
    }


def quantiles(drawn: FloatArray, units: int, level: float) -> FloatArray:
    """The interval with equal tails, over the last axis: … × 2; not a number if there are too few units."""
    if _too_few(units, round(1 - level, 12)):
        return np.full((*drawn.shape[:-1], 2), np.nan)
    from scipy.special import ndtr, stdtrit  # when needed: it loads longer than other commands take

    tail = (1 - level) / 2
    outer = ndtr(stdtrit(units - 1, tail) * sqrt(units / (units - 1)))  # Hesterberg 2015, section 4.4
    ordered = np.sort(drawn, axis=-1)
    place = np.array([outer, 1 - outer]) * (drawn.shape[-1] - 1)
    below = np.floor(place).astype(np.int64)
    above = np.minimum(below + 1, drawn.shape[-1] - 1)
    return np.asarray(ordered[..., below] + (place - below) * (ordered[..., above] - ordered[..., below]))


def _permuted(stack: Stack, gain: FloatArray, plan: Plan, advance: Progress) -> FloatArray:
    """The share of swaps with a difference at least as large as the observed one, in either direction."""
    exceeding, draws = np.zeros(gain.shape), 0
    for scores in stack.against_first().scores(plan.samples, plan.seed):
        f1 = scores[:, :, F1]
        exceeding += (np.abs(f1[1::2] - f1[::2]) >= np.abs(gain)[..., None]).sum(axis=-1)
        draws += f1.shape[-1]
        advance(f1.shape[-1])
    if 2**stack.units <= plan.samples:
        return exceeding / draws  # all swaps were tried: the one that swaps nothing is among them
    return (exceeding + 1) / (draws + 1)


def _bootstrapped(gains: FloatArray, gain: FloatArray) -> FloatArray:
    """The share of resampled differences, centred on 0, that are at least as large as the observed one."""
    centred = gains - gains.mean(axis=-1, keepdims=True)
    exceeding: BoolArray = np.abs(centred) >= np.abs(gain)[..., None]
    return np.asarray((exceeding.sum(axis=-1) + 1) / (gains.shape[-1] + 1))


def holm(p: FloatArray) -> FloatArray:
    """Correct p-values for the number of comparisons in each column (Holm 1979)."""
    order = np.argsort(p, axis=0)
    ordered = np.take_along_axis(p, order, axis=0)
    remaining = np.arange(len(p), 0, -1)[:, None]
    stepped: FloatArray = np.maximum.accumulate(ordered * remaining, axis=0)
    adjusted: FloatArray = np.empty_like(p)
    np.put_along_axis(adjusted, order, np.minimum(stepped, 1.0), axis=0)
    return adjusted


def _ranks(drawn: FloatArray) -> FloatArray:
    """How often each system has each rank, given systems × draws; equal scores share the better rank."""
    ranks = np.array([(drawn > system).sum(axis=0) for system in drawn])
    counted = np.array([np.bincount(system, minlength=len(drawn)) for system in ranks])
    return np.asarray(counted / drawn.shape[1])


def cautions(units: int, plan: Plan, scope: str = "document") -> list[str]:
    """Warn if there are too few units for a conclusion."""
    if units < 2:
        return [f"only one {scope}: neither intervals nor tests are possible"]
    if _too_few(units, plan.alpha):
        return [
            f"{units} {scope}s are too few for intervals and tests: a gain in each would still not be "
            f"significant at p < {plan.alpha:g}"
        ]
    if units < FEW and plan.test == "bootstrap":
        return [f"only {units} {scope}s: the bootstrap finds too many differences; use the permutation test"]
    if units < FEW:
        return [
            f"only {units} {scope}s: intervals are inaccurate, and only large differences can be significant"
        ]
    return []


def _too_few(units: int, alpha: float) -> bool:
    """Whether a system that wins in every unit would still not be significantly better.

    For the same reason the range of all units is not a valid interval then: it misses the median too often.
    """
    return 2.0 ** (1 - units) >= alpha


def alike(results: Sequence[Result]) -> list[Result]:
    """Refuse results of unlike protocols, versions or keys; keep common metrics, and one order of units."""
    if not results:
        raise ProtocolError("there is nothing to compare: give at least one result")
    first = results[0]
    names = [name for name in first.counts if all(name in result.counts for result in results)]
    if not names:
        raise ProtocolError("the results have no metric in common")
    aligned = [_aligned(first, other, names) for other in results]
    for other in aligned[1:]:
        _check_denominators(aligned[0], other)
    return aligned


def _aligned(first: Result, other: Result, names: Sequence[str]) -> Result:
    for name, (ours, theirs) in _differences(_fields(first), _fields(other)).items():
        remedy = "against the same key" if name in (KEY, OWN_KEY) else f"with the same {name}"
        verb = "are" if name in (*DATA, OWN_KEY) else "is"
        raise ProtocolError(
            f"{first.system} and {other.system} cannot be compared: {name} {verb} {ours} and {theirs}; "
            f"score both {remedy}"
        )
    if len(set(first.units)) < len(first.units):
        raise ProtocolError(f"{first.system}: several units have the same name, so they cannot be paired")
    missing = set(first.units) ^ set(other.units)
    if missing:
        raise ProtocolError(
            f"{first.system} and {other.system} cannot be compared: only one has {min(missing)}; score both "
            "against the same key"
        )
    rows = {unit: row for row, unit in enumerate(other.units)}
    order = [rows[unit] for unit in first.units]
    return replace(
        other,
        units=first.units,
        counts={name: other.counts[name][order] for name in names},
        lengths=[other.lengths[row] for row in order] if other.lengths else (),
    )


def _fields(result: Result) -> dict[str, str]:
    """Every choice of the protocol, unsaid ones too; the version; the trees and groups that were used."""
    choices = {field.name: str(getattr(result.protocol, field.name)) for field in fields(result.protocol)}
    data = {name: getattr(result, name) or "none" for name in DATA}
    return choices | data | {"version": result.version} | _named_key(result.key)


def _named_key(key: str) -> dict[str, str]:
    """The key, if it is known. One of bare clusters has another name than the same key with its text."""
    if not key:
        return {}
    return {OWN_KEY if key.startswith(OF_CLUSTERS) else KEY: key}


def _differences(ours: Mapping[str, str], theirs: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    common = [name for name in ours if name in theirs]
    return {name: (ours[name], theirs[name]) for name in common if ours[name] != theirs[name]}


def _check_denominators(first: Result, other: Result) -> None:
    """What recall is divided by comes from the key alone: where it differs, so do the keys."""
    for name in first.counts.keys() & METRICS.keys():
        columns = [
            i for i, column in enumerate(METRICS[name].columns) if column.endswith("recall_denominator")
        ]
        differ = (first.counts[name] != other.counts[name])[:, columns].any(axis=1)
        if differ.any():
            raise ProtocolError(
                f"{first.system} and {other.system} cannot be compared: their keys differ in "
                f"{first.units[int(np.argmax(differ))]}; score both against the same key"
            )
