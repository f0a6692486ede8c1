"""Numbers and days that mentions and sentences state: 65 million is not 30 million, nor Tuesday Thursday."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import NamedTuple

_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday"
_MONTHS = "january february march april may june july august september october november december"
WEEKDAYS = {name: number for number, name in enumerate(_WEEKDAYS.split())}
WEEKDAYS |= {name[:3]: number for name, number in WEEKDAYS.items()} | {"tues": 1, "thurs": 3, "thur": 3}
MONTHS = {name: number for number, name in enumerate(_MONTHS.split(), 1)}
MONTHS |= {name[:3]: number for name, number in MONTHS.items() if name != "may"} | {"sept": 9}
CALENDAR = frozenset((*_WEEKDAYS.split(), *_MONTHS.split(), "easter", "christmas"))
_UNITS = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
SPELLED = {name: float(number) for number, name in enumerate(_UNITS.split())}
SPELLED |= {name: 10.0 * number for number, name in enumerate(_TENS.split(), 2)} | {
    "dozen": 12.0,
    "half": 0.5,
}
SCALES = {
    "hundred": 1e2, "thousand": 1e3, "k": 1e3, "million": 1e6, "m": 1e6, "mn": 1e6, "billion": 1e9,
    "bn": 1e9, "trillion": 1e12,
}  # fmt: skip
_NUMBER = r"(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
_DIGITS = re.compile(rf"[^\d]{{0,3}}{_NUMBER}(bn|mn|m|k)?(?:[a-z%]{{0,2}}|-.*)", re.IGNORECASE)
_YEAR = range(1500, 2200)
_LAST_DAY = 31


class Fit(IntEnum):
    """How what two mentions state goes together."""

    NONE = 0  # neither states any
    ONE = 1  # one does, or they cannot be compared
    EQUAL = 2
    OTHER = 3


class Day(NamedTuple):
    """What is said of a day; None for what is not."""

    weekday: int | None = None
    month: int | None = None
    day: int | None = None
    year: int | None = None


def numbers_in(words: Sequence[str]) -> frozenset[float]:
    """List the numbers that words state, in digits or letters.

    >>> sorted(numbers_in("fined $ 4.2 billion after twenty-three days".split()))
    [23.0, 4200000000.0]
    """
    found, value = list[float](), None
    for word in words:
        lower = word.lower()
        if lower in SCALES and value is not None:
            value *= SCALES[lower]
            continue
        stated = _stated(lower)
        if stated is None:
            if value is not None and lower not in ("and", "-"):
                found.append(value)
                value = None
            continue
        tens = value is not None and 20 <= value < 100 and value % 10 == 0 and stated < 10
        hundreds = value is not None and value >= 100 and stated < 100 and lower.isalpha()
        if value is not None and not (tens or hundreds):
            found.append(value)
            value = None
        value = stated if value is None else value + stated
    return frozenset(found if value is None else [*found, value])


def is_number(word: str) -> bool:
    """Whether a word states a number.

    >>> is_number("140"), is_number("twelve"), is_number("dozens")
    (True, True, False)
    """
    return _stated(word.lower()) is not None


def _stated(word: str) -> float | None:
    """Read one word as a number, if it is one."""
    if word in SPELLED:
        return SPELLED[word]
    parts = word.split("-")
    if len(parts) == 2 and all(part in SPELLED for part in parts):
        return SPELLED[parts[0]] + SPELLED[parts[1]]
    match = _DIGITS.fullmatch(word)
    if match is None:
        return None
    return float(match[1].replace(",", "")) * SCALES.get((match[2] or "").lower(), 1.0)


def day_in(words: Sequence[str]) -> Day | None:
    """Read the day that words state, if they state one.

    >>> day_in("on Tuesday , 12 May 2010".split())
    Day(weekday=1, month=5, day=12, year=2010)
    """
    lower = [word.lower().rstrip(".") for word in words]
    weekday = next((WEEKDAYS[word] for word in lower if word in WEEKDAYS), None)
    month = next((at for at, word in enumerate(lower) if word in MONTHS and words[at][:1].isupper()), None)
    near = [] if month is None else [lower[at] for at in (month - 1, month + 1) if 0 <= at < len(lower)]
    stated = [int(number) for word in near if (number := _ordinal(word)).isdigit()]
    day = next((number for number in stated if 0 < number <= _LAST_DAY), None)
    years = (int(word) for word in lower if len(word) == 4 and word.isdigit())
    year = next((number for number in years if number in _YEAR), None)
    found = Day(weekday, None if month is None else MONTHS[lower[month]], day, year)
    return None if found == Day() else found


def _ordinal(word: str) -> str:
    return word[:-2] if word[-2:] in ("st", "nd", "rd", "th") else word


def number_fit(one: frozenset[float], other: frozenset[float]) -> Fit:
    """Compare numbers: some may be equal."""
    if not (one or other):
        return Fit.NONE
    if not (one and other):
        return Fit.ONE
    return Fit.EQUAL if one & other else Fit.OTHER


def day_fit(one: Iterable[Day], other: Iterable[Day]) -> Fit:
    """Compare days: two are other days if anything that both state differs."""
    ones, others = tuple(one), tuple(other)
    if not (ones or others):
        return Fit.NONE
    fits = {_fit(a, b) for a in ones for b in others}
    return next((fit for fit in (Fit.EQUAL, Fit.OTHER) if fit in fits), Fit.ONE)


def _fit(one: Day, other: Day) -> Fit:
    both = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    if not both:
        return Fit.ONE
    return Fit.EQUAL if all(a == b for a, b in both) else Fit.OTHER
