"""Finds the corpora that tests may use; they are not part of the project, and tests skip without them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

DATA = Path(os.environ.get("REFEREE_DATA", Path(__file__).parents[2] / "shared" / "data"))


def corpus(name: str) -> Path:
    """Return a corpus's folder, or skip the test."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"corpus {name} is absent; set REFEREE_DATA to the folder that holds it")
    return path
