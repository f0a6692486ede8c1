"""Finds passages that a text has at another place than the key, which an alignment in order cannot pair."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from referee.arrays import IntArray

SHORTEST = 8  # atoms: fewer recur in any text


class Passage(NamedTuple):
    """Equal atoms in a row: where they begin in the key and in the text, and how many they are."""

    key: int
    text: int
    length: int


def moved_passages(
    ours: IntArray, theirs: IntArray, left: IntArray, other_left: IntArray
) -> Iterator[Passage]:
    """Find rows of atoms that are `left` over in the key, and in the text, and occur once in either.

    >>> def ints(text: str) -> IntArray: return np.array([ord(sign) for sign in text])
    >>> key, text = ints("0123456789abcdefgh"), ints("abcdefgh0123456789")
    >>> list(moved_passages(key, text, np.arange(10, 18), np.arange(8)))
    [Passage(key=10, text=0, length=8)]
    """
    known, others = _grams(ours, left), _grams(theirs, other_left)
    pairs = sorted((at, known[gram]) for gram, at in others.items() if at >= 0 and known.get(gram, -1) >= 0)
    first: tuple[int, int] | None = None
    last = (0, 0)
    for text, key in pairs:
        if first is not None and (text, key) != (last[0] + 1, last[1] + 1):
            yield Passage(first[1], first[0], last[0] - first[0] + SHORTEST)
            first = None
        first = first or (text, key)
        last = text, key
    if first is not None:
        yield Passage(first[1], first[0], last[0] - first[0] + SHORTEST)


def _grams(atoms: IntArray, left: IntArray) -> dict[tuple[int, ...], int]:
    """Say where each row of so many atoms begins that is left over as a whole; −1 if it occurs twice."""
    if left.size < SHORTEST:
        return {}
    whole = np.flatnonzero(left[SHORTEST - 1 :] - left[: left.size - SHORTEST + 1] == SHORTEST - 1)
    found = {tuple(atoms[start : start + SHORTEST].tolist()): start for start in left[whole].tolist()}
    if found:
        listed = atoms.tolist()
        for start in range(len(listed) - SHORTEST + 1):
            gram = tuple(listed[start : start + SHORTEST])
            if found.get(gram, start) != start:
                found[gram] = -1
    return found
