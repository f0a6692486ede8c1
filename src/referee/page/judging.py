"""Intervals and tests for the page: what `referee score --ci` and `referee compare` would say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from referee.comparing.significance import cautions, compare, intervals
from referee.comparing.verdicts import TESTS, Interval, Plan, Verdict
from referee.scoring.result import Result


def judged(results: Sequence[Result], plan: Plan) -> dict[str, Any]:
    """Give each system's measures an interval; judge those after the first against it.

    intervals   per system and measure: [low, high], or null where there are too few units
    against     per system after the first, and measure: [gain, low, high, p, sign], the sign ↑, ↓ or empty
    """
    if len(results) == 1:
        own = intervals(results[0], plan)
        return {"intervals": [[_pair(f1) for _, _, f1 in own.values()]], "against": []}
    verdicts = compare(results, plan).verdicts
    return {
        "intervals": [[_pair(verdict.interval) for verdict in system.values()] for system in verdicts],
        "against": [[_gain(verdict) for verdict in system.values()] for system in verdicts[1:]],
    }


def described(results: Sequence[Result], plan: Plan) -> Mapping[str, Any]:
    """Say how it was judged, and what to be careful with."""
    return {
        "test": TESTS[plan.test],
        "samples": plan.samples,
        "level": plan.level,
        "corrected": plan.corrects(len(results)),
        "units": len(results[0].units),
        "cautions": cautions(len(results[0].units), plan, results[0].protocol.scope),
    }


def _pair(interval: Interval) -> list[float] | None:
    edges = [round(interval.low, 6), round(interval.high, 6)]
    return edges if all(map(isfinite, edges)) else None  # JSON has no word for "not a number"


def _gain(verdict: Verdict) -> list[Any]:
    low, high = (verdict.gain_interval and _pair(verdict.gain_interval)) or (None, None)
    p = verdict.p if verdict.adjusted is None else verdict.adjusted
    return [round(verdict.gain, 6), low, high, None if p is None else round(p, 6), verdict.mark]
