"""Results that are kept in tests/data/kept: a change of any is wanted, and read in the difference, or wrong.

They are for what has no short statement: what a network is shown of a text must stay what it was trained on.
KEEP=1 pytest … writes them again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

FOLDER = Path(__file__).parent / "data" / "kept"


def check(name: str, found: Mapping[str, Any]) -> None:
    """Compare results, by their names, with those that are kept; numbers up to rounding."""
    plain = {key: _plain(value) for key, value in found.items()}
    if os.environ.get("KEEP"):
        _keep(name, plain)
    assert plain.keys() == _kept(name).keys()
    for key in plain:
        check_one(name, key, plain[key])


def check_one(name: str, key: str, found: Any) -> None:
    """Compare one of the results that are kept under a name."""
    plain = _plain(found)
    if os.environ.get("KEEP"):
        _keep(name, {**_kept(name), key: plain})
    kept = _kept(name)[key]
    assert _same(plain, kept), f"{key}: {plain} instead of {kept}"


def _kept(name: str) -> dict[str, Any]:
    path = FOLDER / f"{name}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def _keep(name: str, plain: Mapping[str, Any]) -> None:
    lines = ",\n".join(
        f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in plain.items()
    )
    (FOLDER / f"{name}.json").write_text("{\n" + lines + "\n}\n", encoding="utf-8")


def without_version(value: dict[str, Any]) -> dict[str, Any]:
    """Leave the version out of an object of JSON, which a release changes."""
    return {key: each for key, each in value.items() if key != "version"}


def columns(table: Any) -> list[list[float]]:
    """Sum up a table by columns, and once more with each row's number as its weight, to show the order."""
    rows = np.asarray(table, np.float64)
    rows = rows.reshape(len(rows), rows.shape[1] if rows.ndim > 1 else 1)
    weights = np.arange(1, len(rows) + 1)
    return [rows.sum(0).tolist(), (weights @ rows).tolist()]


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist())
    if isinstance(value, set | frozenset):
        return sorted(map(_plain, value))
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return float(f"{value:.9g}") if isinstance(value, float) else value


def _same(value: Any, kept: Any) -> bool:
    if isinstance(value, list) and isinstance(kept, list):
        return len(value) == len(kept) and all(map(_same, value, kept))
    if isinstance(value, dict) and isinstance(kept, dict):
        return value.keys() == kept.keys() and all(_same(value[key], kept[key]) for key in value)
    if isinstance(value, float) or isinstance(kept, float):
        return bool(value == pytest.approx(kept, rel=1e-5, abs=1e-6))
    return bool(value == kept)
