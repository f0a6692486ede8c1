"""First names with the gender of their bearers, in `data/`; nicknames are in `english`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

DATA = Path(__file__).parent / "data"
FEMININE, MASCULINE, EITHER = "feminine", "masculine", "either"


@cache
def first_names() -> Mapping[str, str]:
    """Give the gender of each first name: feminine, masculine or either.

    >>> first_names()["nora"], first_names()["robin"]
    ('feminine', 'either')
    """
    return {name: gender for gender in (FEMININE, MASCULINE, EITHER) for name in _listed(gender)}


@cache
def frequent_first_names() -> frozenset[str]:
    """List first names that are frequent, and hardly ever surnames."""
    return frozenset(_listed("frequent"))


def _listed(name: str) -> list[str]:
    return (DATA / f"{name}.txt").read_text("utf-8").split()
