"""Scores as probabilities: log odds, put right by what was seen on texts of a known key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from referee.arrays import FloatArray


def probability(scores: FloatArray, calibration: Mapping[str, Any], kind: str) -> FloatArray:
    """Turn scores of a kind (link, mention or entity) into probabilities, by the model's calibration.

    A calibration is a slope and an intercept (Platt 1999); without one, scores are taken as log odds.

    >>> fitted = {"link": {"slope": 0.5, "intercept": -1.0}}
    >>> probability(np.array([0.0, 2.0]), fitted, "link").round(3).tolist()
    [0.269, 0.5]
    """
    own = calibration.get(kind, {})
    odds = float(own.get("slope", 1.0)) * scores + float(own.get("intercept", 0.0))
    return 1 / (1 + np.exp(-np.clip(odds, -50.0, 50.0)))
