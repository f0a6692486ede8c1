"""Reads the parts of a saved result, and refuses damaged ones in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from referee.arrays import FloatArray
from referee.exceptions import FormatError
from referee.metrics.catalogue import CATALOGUE

LARGEST = 2**53  # beyond it a double skips whole numbers
SMALLEST = 1e-100  # no metric counts in smaller parts, and what is divided by them overflows


def mapping(value: object, name: str) -> Mapping[str, Any]:
    """Read an object of JSON."""
    if not isinstance(value, Mapping) or not all(isinstance(part, str) for part in value):
        raise damaged(name, "an object", value)
    return value


def text(value: object, name: str) -> str:
    """Read a string."""
    if not isinstance(value, str):
        raise damaged(name, "a string", value)
    return value


def texts(value: object, name: str) -> list[str]:
    """Read a list of strings."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise damaged(name, "a list of strings", value)
    return [text(part, name) for part in value]


def count(value: object, name: str) -> float:
    """Read a count: not negative, and neither too small nor too large to add up."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise damaged(name, "a count", value)
    if value != 0 and not SMALLEST <= value < LARGEST:
        raise damaged(name, "a count", value)
    return value


def length(value: object, name: str) -> int:
    """Read a document's length; −1 is that of a document whose text is not known."""
    if isinstance(value, bool) or not isinstance(value, int) or not -LARGEST < value < LARGEST:
        raise damaged(name, "a whole number", value)
    return value


def rows(metric: str, columns: object, units: Mapping[str, Any]) -> FloatArray:
    """Read a metric's counts, a row for each unit."""
    if metric not in CATALOGUE:
        raise FormatError(f"metric '{metric}' is unknown; score again with one of {', '.join(CATALOGUE)}")
    expected = list(CATALOGUE[metric].columns)
    if texts(columns, f"the columns of {metric}") != expected:
        raise FormatError(f"the columns of {metric} are not {', '.join(expected)}; score again")
    return np.array([_row(metric, unit, units[unit], len(expected)) for unit in units], np.float64)


def _row(metric: str, unit: str, value: object, width: int) -> list[float]:
    name = f"{metric} of unit {unit}"
    row = mapping(value, f"unit {unit}").get(metric)
    if not isinstance(row, Sequence) or isinstance(row, str) or len(row) != width:
        raise damaged(name, f"a list of {width} counts", row)
    return [count(part, name) for part in row]


def damaged(name: str, expected: str, value: object) -> FormatError:
    """Say what should be there."""
    shown = repr(value)
    shown = shown if len(shown) <= 40 else f"{shown[:40]}…"
    return FormatError(f"not a whole result: {name} must be {expected}, not {shown}; score again")
