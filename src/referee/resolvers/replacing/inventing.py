"""Invented names, drawn from lists: the same seed gives the same names."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path

SEED = 0
SURNAMES = "surnames"
LIST_OF = {"f": "women", "m": "men", "x": "either", "": "either"}  # gender that a text shows → list


@cache
def invented_names() -> dict[str, tuple[str, ...]]:
    """Load the lists of invented names."""
    lists = tomllib.loads((Path(__file__).parent / "data" / "invented.toml").read_text("utf-8"))
    return {kind: tuple(names.split()) for kind, names in lists.items()}


class Inventor:
    """Draws invented names that are not in a text, each once; when a list is used up, names are doubled."""

    def __init__(self, running: str, seed: int) -> None:
        """Shuffle the lists."""
        self.taken = running.casefold()
        draw = random.Random(seed)
        self.lists = {
            kind: self._free(draw.sample(names, len(names)))
            for kind, names in sorted(invented_names().items())
        }

    def _free(self, names: Sequence[str]) -> Iterator[str]:
        doubled = (f"{one}-{other}" for one, other in product(names, names) if one != other)
        for name in (*names, *doubled):
            if not any(part.casefold() in self.taken for part in name.split("-")):
                yield name

    def surname(self) -> str:
        """Draw a surname."""
        return next(self.lists[SURNAMES])

    def first(self, gender: str) -> str:
        """Draw a first name of a woman (f), a man (m) or either."""
        return next(self.lists[LIST_OF[gender]])
