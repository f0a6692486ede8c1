"""Scores clusters written out by hand, in exact fractions."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from referee import Protocol, Scorer
from referee.scoring.metric_scores import Score

Clusters = Iterable[Iterable[object]]


def score(key: Clusters, response: Clusters, metric: str, protocol: Protocol | None = None) -> list[Fraction]:
    """Score in one metric: recall, precision and F1 as the fractions that the floats stand for."""
    found = _score(key, response, metric, protocol)
    return [fraction(value) for value in (found.recall, found.precision, found.f1)]


def counts(key: Clusters, response: Clusters, metric: str) -> list[Fraction]:
    """Count in one metric: numerators and denominators."""
    return [fraction(value) for value in _score(key, response, metric, None).counts.values()]


def _score(key: Clusters, response: Clusters, metric: str, protocol: Protocol | None) -> Score:
    scorer = Scorer(metric=[metric], protocol=protocol or Protocol())
    scorer.update([list(c) for c in key], [list(c) for c in response])
    return scorer.compute().scores[metric]


def fraction(value: float) -> Fraction:
    """Find the simple fraction that a float rounds; fail if there is none."""
    found = Fraction(value).limit_denominator(1_000_000)
    assert abs(float(found) - value) < 1e-12, value
    return found
