"""Atoms: the smallest pieces by which two copies of a text are compared, whatever their words.

An atom is a run of letters and digits, a single character of a script that puts no blanks between words, or
a sign. Atoms are folded, so that case, accents, kinds of quotes and dashes, and the Penn treebank's names for
brackets make no difference.

Finds mentions that are given as strings in a text, from left to right.

The mentions of a cluster are looked for one after the other, each from where the one before it begins, and
then from the start of the text; what another mention already covers is skipped. So the first "he" of one
cluster and the first "he" of another are two.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

# Thai, Lao, Tibetan, Myanmar, Khmer; kana and Chinese characters.
UNSPACED = (
    "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
QUOTES = "\"'`´‘’‚‛“”„‟«»‹›′″"
DASHES = "-‐‑‒–—―−"
ATOM = re.compile(
    rf"-[LR][RSC]B-|[{UNSPACED}]|[^\W_{UNSPACED}]+|[{re.escape(QUOTES)}]+|[{re.escape(DASHES)}]+|[.…]+|[^\w\s]|_"
)
SIGNS = {**dict.fromkeys(QUOTES, '"'), **dict.fromkeys(DASHES, "-"), ".": ".", "…": "."}
PENN_BRACKETS = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}",
}  # fmt: skip
REMEMBERED = 2**16  # folded atoms


class Atom(NamedTuple):
    """An atom, folded, and its characters."""

    folded: str
    start: int
    end: int


@lru_cache(maxsize=REMEMBERED)
def folded(atom: str) -> str:
    """Fold an atom; an accent alone is nothing.

    >>> folded("Ärger"), folded("“"), folded("—"), folded("…"), folded("ﬁ"), folded("-LRB-")
    ('arger', '"', '-', '.', 'fi', '(')
    """
    if sign := PENN_BRACKETS.get(atom) or SIGNS.get(atom[0]):
        return sign
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", atom).casefold())
    return "".join(character for character in plain if not unicodedata.combining(character))


def atoms_of(text: str, edges: Iterable[int] = ()) -> list[Atom]:
    """Cut a text into atoms, also at `edges`, where a mention begins or ends.

    >>> [atom.folded for atom in atoms_of("Don't — 東京!")]
    ['don', '"', 't', '-', '東', '京', '!']
    >>> [atom.folded for atom in atoms_of("Don't", [2])]
    ['do', 'n', '"', 't']
    """
    wanted = sorted(set(edges))
    atoms: list[Atom] = []
    position = 0
    for match in ATOM.finditer(text):
        start, end = match.span()
        while position < len(wanted) and wanted[position] <= start:
            position += 1
        first = position
        while position < len(wanted) and wanted[position] < end:
            position += 1
        cuts = [start, *wanted[first:position], end]
        atoms += [Atom(known, one, two) for one, two in pairwise(cuts) if (known := folded(text[one:two]))]
    return atoms


def is_sign(atom: str) -> bool:
    """Whether a folded atom is punctuation."""
    return not atom[0].isalnum()


@dataclass(slots=True)
class _Occurrences:
    """Where a string occurs, in atoms, and which of these are still free."""

    starts: list[int]
    next_free: list[int] = field(init=False)  # occurrence → the first free one from there on, or a step to it

    def __post_init__(self) -> None:
        self.next_free = list(range(len(self.starts) + 1))

    def free(self, number: int) -> int:
        """Find the first free occurrence from one on; as many as there are if there is none."""
        root = number
        while self.next_free[root] != root:
            root = self.next_free[root]
        while self.next_free[number] != root:
            self.next_free[number], number = root, self.next_free[number]
        return root

    def first_from(self, start: int) -> int:
        """Find the first occurrence that does not begin before an atom."""
        low, high = 0, len(self.starts)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self.starts[middle] < start else (low, middle)
        return low


class StringFinder:
    """Looks strings up in the atoms of a text."""

    def __init__(self, atoms: Iterable[str]) -> None:
        """Take a text's atoms, folded."""
        self._atoms = list(atoms)
        self._starts: dict[tuple[str, ...], list[int]] = {}  # one atom, or two in a row → where they are
        for start, atom in enumerate(self._atoms):
            self._starts.setdefault((atom,), []).append(start)
        for start, pair in enumerate(pairwise(self._atoms)):
            self._starts.setdefault(pair, []).append(start)
        self._known: dict[tuple[str, ...], _Occurrences] = {}
        self._after: dict[str, int] = {}  # cluster → where its last mention begins

    def find(self, cluster: str, words: str) -> tuple[int, int] | None:
        """Find a cluster's next mention: its first atom, and one past its last; None if there is none."""
        wanted = tuple(atom.folded for atom in atoms_of(words))
        if not wanted:
            return None
        occurrences = self._known.get(wanted) or self._look_up(wanted)
        count = len(occurrences.starts)
        number = occurrences.free(occurrences.first_from(self._after.get(cluster, 0)))
        if number == count:
            number = occurrences.free(0)
        if number == count:
            return None
        occurrences.next_free[number] = number + 1
        start = occurrences.starts[number]
        self._after[cluster] = start
        return start, start + len(wanted)

    def _look_up(self, wanted: tuple[str, ...]) -> _Occurrences:
        candidates = self._starts.get(wanted[:2], [])
        listed = list(wanted)
        if len(wanted) > 2:
            candidates = [start for start in candidates if self._atoms[start : start + len(listed)] == listed]
        known = self._known[wanted] = _Occurrences(candidates)
        return known
