"""Atoms: the smallest pieces by which two copies of a text are compared, whatever their words.

An atom is a run of letters and digits, a single character of a script that puts no blanks between words, or
a sign. Atoms are folded, so that case, accents, kinds of quotes and dashes, and the Penn treebank's names for
brackets make no difference.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
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
