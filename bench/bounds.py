"""Figures beside their bounds; a bench that is asked to check ends with an error if one is not met."""

from __future__ import annotations

import sys

missed: list[str] = []


def report(what: str, value: float, bound: str, *, good: bool) -> None:
    """Print a figure beside its bound."""
    print(f"{what:<62} {value:9.3f}   {bound:<12} {'ok' if good else 'MISSED'}", flush=True)
    if not good:
        missed.append(what)


def exit_if_missed() -> None:
    """End with an error that names the bounds that were not met."""
    if missed:
        sys.exit("bounds not met: " + "; ".join(missed))
