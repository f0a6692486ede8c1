"""From the precision that a user asks for to the threshold that had it on development texts.

Precision is MUC's (Vilain et al. 1995), singletons left out: of the links that hold the clusters of a
response together, the share that the key has too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np


class PrecisionCurve(NamedTuple):
    """Thresholds that were tried, rising, and the precision of the links at each, in percent."""

    threshold: tuple[float, ...]
    precision: tuple[float, ...]

    @classmethod
    def of(cls, stored: Mapping[str, Sequence[float]]) -> PrecisionCurve:
        """Take the curve that a model's file has."""
        return cls(tuple(stored["threshold"]), tuple(stored["precision"]))

    def stored(self) -> dict[str, Any]:
        """Give the curve as a model's file has it."""
        return {"threshold": list(self.threshold), "precision": [round(each, 1) for each in self.precision]}

    def threshold_for(self, precision: float) -> float:
        """Give the lowest threshold that reached a precision, interpolated; beyond the curve, its end.

        >>> curve = PrecisionCurve((-1.0, 0.0, 1.0, 2.0), (60.0, 80.0, 79.0, 90.0))
        >>> [curve.threshold_for(asked) for asked in (50, 70, 80, 85, 99)]
        [-1.0, -0.5, 0.0, 1.0, 2.0]
        """
        highest = np.maximum.accumulate(self.precision)
        rises = np.r_[True, np.diff(highest) > 0]
        return float(np.interp(precision, highest[rises], np.array(self.threshold)[rises]))

    def notices(self, precision: float) -> list[str]:
        """Say where a precision is beyond what was measured, and what is taken."""
        return beyond_notices(precision, self.precision[0], max(self.precision))


def beyond_notices(precision: float, lowest: float, highest: float) -> list[str]:
    """Say where a precision is beyond the lowest and the highest that were measured, and what is taken.

    >>> beyond_notices(90, 60.0, 94.2)
    []
    >>> print(*beyond_notices(99, 60.0, 94.2))
    precision=99 is more than was measured: the strictest setting is taken, 94.2 % on development texts
    """
    which = "more than was measured: the strictest" if precision > highest else ""
    which = "less than was measured: the boldest" if precision < lowest else which
    reached = highest if precision > highest else lowest
    taken = f"{which} setting is taken, {reached:.1f} % on development texts"
    return [f"precision={precision:g} is {taken}"] if which else []
