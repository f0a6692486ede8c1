"""Names of people in parts: titles, first names, initials and surnames, as they are written in a text.

"Dr. Ann B. Lee" has a title, a first name, an initial and a surname; "O'Brien" and "Anne-Marie" are one part.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from referee.model import Span, Text
from referee.resolvers.replacing.words import NO_NAMES, known

FIRST, SURNAME, INITIAL, UNKNOWN = "first name", "surname", "initial", "unknown"
_WITH_FIRST = frozenset(
    "sir lady king queen prince princess uncle aunt father mother sister brother saint st. pope dame".split()  # noqa: SIM905
)
_SUFFIXES = frozenset(("jr.", "jr", "sr.", "sr", "ii", "iii", "iv", "phd", "md", "esq."))
PARTICLES = frozenset(("de", "von", "van", "der", "den", "la", "le", "du", "di", "da", "al", "bin", "ibn"))
_JOINTS = frozenset(("-", "'", "’"))


class Unit(NamedTuple):
    """A part of a text that is one word for people: its characters, and its words, the end excluded."""

    text: str
    start: int
    end: int
    first: int
    last: int

    @property
    def lower(self) -> str:
        """The part in small letters."""
        return self.text.lower()


class Part(NamedTuple):
    """A unit of a person's name, and what it is there."""

    unit: Unit
    role: str


def units_of(text: Text, running: str, characters: list[Span]) -> list[Unit]:
    """Join words that are written as one with a hyphen or an apostrophe before a capital."""
    units: list[Unit] = []
    number = 0
    while number < text.length:
        last = number
        while joined := _joined(text, characters, last):
            last += joined
        start, end = characters[number][0], characters[last][1]
        units.append(Unit(running[start:end], start, end, number, last + 1))
        number = last + 1
    return units


def _joined(text: Text, characters: list[Span], number: int) -> int:
    """Count the words that are joined to one: a joint and a capital without blanks; "-on-Sea" is four."""
    for count in (2, 4):
        words = text.words[number : min(number + count + 1, text.length)]
        touch = all(
            characters[at][1] == characters[at + 1][0] for at in range(number, number + len(words) - 1)
        )
        if len(words) <= count or not touch or not words[0][:1].isupper() or words[1] not in _JOINTS:
            return 0
        if words[-2] in _JOINTS and words[-1][:1].isupper():
            return count
    return 0


def is_title(unit: Unit) -> bool:
    """Whether a unit is a title."""
    lists = known()
    return unit.lower in lists["titles"] | lists["masculine_titles"] | lists["feminine_titles"]


def is_initial(unit: Unit) -> bool:
    """Whether a unit is the first letter of a name, or several: "J.", "J.R."."""
    letters = unit.text.replace(".", "")
    return unit.text.endswith(".") and letters.isupper() and 1 <= len(letters) <= 3 and letters.isalpha()


def parts_of(units: list[Unit]) -> Iterator[list[Part]]:
    """Divide the units of a name into parts with roles; "Ann and Tom Lee" are two names."""
    name: list[Unit] = []
    for unit in [*units, None]:
        if unit is None or unit.lower in NO_NAMES | {"&"}:
            if parts := _parts(name):
                yield parts
            name = []
            if unit is not None and unit.lower in ("of", "in", "at", "from"):
                return  # what follows is a place: the Duke of Kent
        else:
            name.append(unit)


def _parts(units: list[Unit]) -> list[Part]:
    """Give roles to the parts of one name."""
    titles = [unit for unit in units if is_title(unit)]
    rest = [unit for unit in units if unit not in titles and unit.lower not in _SUFFIXES | PARTICLES]
    initials = [Part(unit, INITIAL) for unit in rest if is_initial(unit)]
    names = [unit for unit in rest if unit.text[:1].isupper() and not is_initial(unit)]
    if len(names) > 1 or (names and initials):
        roles = [FIRST] * (len(names) - 1) + [SURNAME]
    elif names and titles:
        roles = [FIRST if titles[-1].lower in _WITH_FIRST else SURNAME]
    else:
        roles = [UNKNOWN] * len(names)
    return sorted([*initials, *map(Part, names, roles)], key=lambda part: part.unit.start)
