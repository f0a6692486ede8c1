"""Calibration: Platt scaling turns log odds into probabilities (Platt 1999)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import expit, log_expit

from referee.arrays import FloatArray, IntArray

BINS = 10


class PlattScaling(NamedTuple):
    """What log odds are multiplied with, and what is added; as they are, unless fitted."""

    slope: float = 1.0
    intercept: float = 0.0

    def probabilities(self, scores: FloatArray) -> FloatArray:
        """Turn scores into probabilities.

        >>> PlattScaling(0.5, -1.0).probabilities(np.array([0.0, 2.0])).round(3).tolist()
        [0.269, 0.5]
        """
        return np.asarray(expit(self.slope * scores + self.intercept), np.float64)


class Bin(NamedTuple):
    """Scores of about the same probability: how many, their mean probability, and how many are right."""

    scores: int
    promised: float
    true: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """How far probabilities are from what is true, before and after calibration, and the bins after it.

    What is said of calibrated scores is said of documents that it was not fitted on: each half of them is
    judged by the scaling of the other half.
    """

    scaling: PlattScaling
    count: int
    before: float
    after: float
    bins: tuple[Bin, ...]


def fitted_scaling(scores: FloatArray, right: IntArray) -> PlattScaling:
    """Fit the scaling to what is true; a few of all count as the other way round, as Platt proposes.

    >>> scaling = fitted_scaling(np.array([-2.0, -1.0, 1.0, 2.0]), np.array([0, 1, 0, 1]))
    >>> round(scaling.slope, 1), abs(scaling.intercept) < 0.001
    (0.2, True)
    """
    from scipy.optimize import minimize  # loads slowly, and running a model needs none of it

    yes = int(right.sum())
    high, low = (yes + 1) / (yes + 2), 1 / (right.size - yes + 2)
    wanted = np.where(right > 0, high, low)

    def loss(parameters: FloatArray) -> tuple[float, FloatArray]:
        odds = parameters[0] * scores + parameters[1]
        entropy = -(wanted * log_expit(odds) + (1 - wanted) * log_expit(-odds)).sum()
        off = expit(odds) - wanted
        return float(entropy), np.array([(off * scores).sum(), off.sum()])

    found = minimize(loss, np.array([1.0, 0.0]), jac=True, method="L-BFGS-B")
    return PlattScaling(float(found.x[0]), float(found.x[1]))


def reliability_bins(promised: FloatArray, right: IntArray, bins: int = BINS) -> tuple[Bin, ...]:
    """Sort probabilities into bins of equal width; empty ones are left out."""
    number = np.minimum((promised * bins).astype(np.int64), bins - 1)
    return tuple(
        Bin(int(inside.sum()), float(promised[inside].mean()), float(right[inside].mean()))
        for inside in (number == each for each in range(bins))
        if inside.any()
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
    """Fit a scaling to all scores, and judge it by those fitted to the other half of the documents."""
    halves = documents % 2 if np.unique(documents).size > 1 else np.arange(scores.size) % 2
    promised = np.zeros(scores.size)
    for half in (0, 1):
        here = halves == half
        promised[here] = fitted_scaling(scores[~here], right[~here]).probabilities(scores[here])
    before = calibration_error(reliability_bins(PlattScaling().probabilities(scores), right))
    bins = reliability_bins(promised, right)
    return Reliability(fitted_scaling(scores, right), scores.size, before, calibration_error(bins), bins)
