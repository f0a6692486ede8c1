"""English nouns by what they name: people, things, or now one and now the other; lists in `data/`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

DATA = Path(__file__).parent / "data"
PERSONS = "persons"
KINDS = (PERSONS, "unclear", "things")


@cache
def kinds_of_nouns() -> Mapping[str, str]:
    """Say of each noun what it names.

    >>> kinds_of_nouns()["plumber"], kinds_of_nouns()["bucket"]
    ('persons', 'things')
    """
    return {word: kind for kind in KINDS for word in (DATA / f"{kind}.txt").read_text("utf-8").split()}
