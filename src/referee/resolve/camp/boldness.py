"""The knob between precision and recall: how bold the rules may be."""

from __future__ import annotations

import tomllib
from functools import cache

from referee.exceptions import ProtocolError
from referee.resolve.camp.discourse import BOLDEST, Boldness
from referee.resolve.camp.lexicon import DATA

GOAL = 80.0  # the paper's: most recall at this precision


@cache
def knob() -> list[dict[str, float]]:
    """List the settings that were measured, the boldest first."""
    settings: list[dict[str, float]] = tomllib.loads((DATA / "knob.toml").read_text("utf-8"))["settings"]
    return settings


def boldness_for(precision: float = GOAL, *, recall: bool = False) -> Boldness:
    """Choose the boldest setting that reached a precision, or with `recall` the boldest of all."""
    if recall:
        return BOLDEST
    if not 0 <= precision <= 100:
        raise ProtocolError(f"precision={precision:g} must be between 0 and 100")
    reached = [row for row in knob() if row["precision"] >= precision] or knob()[-1:]
    return Boldness(reached[0]["least"], reached[0]["caution"])
