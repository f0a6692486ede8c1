"""Scores on dev: clusters of all documents against their keys.

Scores that can be believed: a slope and an intercept make probabilities of log odds (Platt 1999).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_expit

from referee.arrays import FloatArray, IntArray
from referee.scoring.scorer import Scorer

Clusters = list[list[tuple[int, int]]]


class Measured(NamedTuple):
    """A corpus's scores, and how many of its mentions were kept as candidates."""

    conll: float
    muc: float
    b_cubed: float
    ceaf_e: float
    mentions: float
    kept: float


def measure(keys: Sequence[Clusters], responses: Sequence[Clusters]) -> Measured:
    """Score responses as the CoNLL scorer does, singletons left out on both sides."""
    scorer = Scorer()
    for key, response in zip(keys, responses, strict=True):
        scorer.update(key, response)
    result = scorer.result()
    return Measured(
        result.conll,
        result.muc.f1,
        result.b_cubed.f1,
        result.ceaf_e.f1,
        result.mentions.f1,
        result.mentions.recall,
    )


BINS = 10


class Line(NamedTuple):
    """What log odds are multiplied with, and what is added."""

    slope: float = 1.0
    intercept: float = 0.0


class Bin(NamedTuple):
    """Scores of about the same probability: how many, what they promise on the average, and what is true."""

    scores: int
    promised: float
    true: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """How far probabilities are from what is true, before and after calibration, and the bins after it.

    What is said of calibrated scores is said of documents that it was not fitted on: each half of them is
    judged by the line of the other half.
    """

    line: Line
    count: int
    before: float
    after: float
    bins: tuple[Bin, ...]


def fitted_line(scores: FloatArray, right: IntArray) -> Line:
    """Find the line under which what is true is likeliest; a few of all count as the other way round.

    >>> line = fitted_line(np.array([-2.0, -1.0, 1.0, 2.0]), np.array([0, 1, 0, 1]))
    >>> round(line.slope, 1), abs(line.intercept) < 0.001
    (0.2, True)
    """
    yes = int(right.sum())
    high, low = (yes + 1) / (yes + 2), 1 / (right.size - yes + 2)
    wanted = np.where(right > 0, high, low)

    def surprise(line: FloatArray) -> tuple[float, FloatArray]:
        odds = line[0] * scores + line[1]
        loss = -(wanted * log_expit(odds) + (1 - wanted) * log_expit(-odds)).sum()
        off = expit(odds) - wanted
        return float(loss), np.array([(off * scores).sum(), off.sum()])

    found = minimize(surprise, np.array([1.0, 0.0]), jac=True, method="L-BFGS-B")
    return Line(float(found.x[0]), float(found.x[1]))


def probabilities_by(scores: FloatArray, line: Line) -> FloatArray:
    """Turn scores into probabilities."""
    return np.asarray(expit(line.slope * scores + line.intercept), np.float64)


def reliability_bins(promised: FloatArray, right: IntArray, bins: int = BINS) -> tuple[Bin, ...]:
    """Sort probabilities into bins of equal width; empty ones are left out."""
    number = np.minimum((promised * bins).astype(np.int64), bins - 1)
    return tuple(
        Bin(int(own.sum()), float(promised[own].mean()), float(right[own].mean()))
        for own in (number == each for each in range(bins))
        if own.any()
    )


def calibration_error(bins: tuple[Bin, ...]) -> float:
    """The expected calibration error (Naeini et al. 2015): how far off a probability is on the average.

    >>> calibration_error((Bin(3, 0.9, 0.8), Bin(1, 0.1, 0.5)))
    0.175
    """
    total = sum(each.scores for each in bins)
    off = sum(each.scores * abs(each.promised - each.true) for each in bins)
    return round(off / total, 12) if total else 0.0


def reliability(scores: FloatArray, right: IntArray, documents: IntArray) -> Reliability:
    """Fit a line to all scores, and judge it by lines that were fitted to the other half of the documents."""
    halves = documents % 2 if np.unique(documents).size > 1 else np.arange(scores.size) % 2
    promised = np.zeros(scores.size)
    for half in (0, 1):
        own = halves == half
        promised[own] = probabilities_by(scores[own], fitted_line(scores[~own], right[~own]))
    before = calibration_error(reliability_bins(probabilities_by(scores, Line()), right))
    bins = reliability_bins(promised, right)
    return Reliability(fitted_line(scores, right), scores.size, before, calibration_error(bins), bins)
