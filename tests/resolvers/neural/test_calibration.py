"""Calibration: lines that make probabilities true, judged on documents that they were not fitted on."""

from __future__ import annotations

import numpy as np
import pytest

from referee.arrays import FloatArray, IntArray
from referee.resolvers.neural.calibration import (
    PlattScaling,
    fitted_scaling,
    reliability,
    reliability_bins,
)


def overconfident(count: int = 4000) -> tuple[FloatArray, IntArray]:
    random = np.random.default_rng(1)
    scores = random.normal(0, 3, count)
    right = random.random(count) < PlattScaling(0.5, -1.0).probabilities(scores)
    return scores, right.astype(np.int64)


def test_the_line_that_made_the_scores_is_found() -> None:
    scaling = fitted_scaling(*overconfident())
    assert scaling.slope == pytest.approx(0.5, abs=0.05)
    assert scaling.intercept == pytest.approx(-1.0, abs=0.1)


def test_calibrated_scores_promise_what_is_true() -> None:
    scores, right = overconfident()
    known = reliability(scores, right, np.arange(scores.size) // 100)
    assert known.before > 0.1
    assert known.after < 0.03
    assert known.count == sum(each.scores for each in known.bins) == 4000


def test_what_is_said_is_said_of_other_documents() -> None:
    """One document is always right and the other never: neither tells anything of the other."""
    scores = np.zeros(100)
    right = np.r_[np.ones(50, np.int64), np.zeros(50, np.int64)]
    known = reliability(scores, right, right)
    assert known.after > 0.9
    assert known.scaling.intercept == pytest.approx(0.0, abs=0.1)


def test_no_line_is_without_doubt() -> None:
    scaling = fitted_scaling(np.array([-1.0, 1.0]), np.array([0, 1]))
    assert 0 < scaling.slope < 10


def test_bins_hold_equal_parts_of_the_scale() -> None:
    bins = reliability_bins(np.array([0.0, 0.05, 0.55, 1.0]), np.array([0, 1, 1, 1]), 2)
    assert [(each.scores, round(each.promised, 3), each.true) for each in bins] == [
        (2, 0.025, 0.5),
        (2, 0.775, 1.0),
    ]
