"""What two mentions of one thing do not state: two people's full names, other numbers, other days.

However much two texts are alike, what contradicts each other is not joined, and neither are clusters that
have it. Of pairs of mentions in one topic of ECB+ (train and dev) that contradict each other in this way, few
are of one cluster: 46 of 14,036 full names of people, whose first names have other initials (of one initial
it is a third: Katie and Kathryn), 89 of 6,272 numbers of entities, 12 of 1,430 days, 119 of 976 nouns of
which one is a plural, and of what "another" is said of, 4 of 75 with something before it in its text.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Any, NamedTuple

import numpy as np

from referee.arrays import BoolArray, IntArray
from referee.language.first_names import first_names
from referee.language.stems import POINTING, SHORTEST, head_index, word_stem
from referee.resolvers.across.compatibility.amounts import SCALES, Day, Fit, day_fit, is_number, number_fit
from referee.resolvers.across.compatibility.names import MentionName, Relation, Words, name_relation
from referee.resolvers.across.neighbours import RowPairs

ONE = frozenset((1.0,))  # "one man" counts nothing
NOT_PLURAL = ("ss", "us", "is")  # endings

Differ = Callable[[Any, Any], bool]
_Stated = tuple[IntArray, Sequence[Any], Differ]  # what each mention states, by its number; the values


class Nouns(NamedTuple):
    """The heads of mentions: the root of each, -1 for names, pronouns and events; and what is said of it."""

    root: IntArray
    plural: BoolArray
    another: BoolArray  # that it is another one


class Contradictions:
    """Of mentions: whose full name each has, what it counts, and which day it names; -1 if none."""

    def __init__(
        self,
        names: tuple[IntArray, Sequence[MentionName | None]],
        numbers: tuple[IntArray, Sequence[frozenset[float]]],
        days: tuple[IntArray, Sequence[frozenset[Day]]],
        nouns: Nouns,
        located: tuple[IntArray, BoolArray],
        proper: Container[str],
    ) -> None:
        """Take what mentions state: for each the number of its value, and the values.

        And the document of each, and whether it is an entity; and which words are names.
        """
        self._nouns, (self._document, self._entity) = nouns, located
        person = _where(names, lambda name: person_of(name)[-1:] != () and person_of(name)[-1] in proper)
        day = _where(days, lambda stated: bool(stated))
        self._stated: list[_Stated] = [
            (np.where(self._entity, person, -1), names[1], two_people),
            (np.where(self._entity & (day < 0), _where(numbers, counts), -1), numbers[1], other_numbers),
            (day, days[1], other_days),
        ]

    def between(self, pairs: RowPairs) -> BoolArray:
        """Say which pairs contradict each other."""
        result = self._between_nouns(pairs)
        for stated in self._stated:
            result |= _differing(stated, pairs)
        return result

    def _between_nouns(self, pairs: RowPairs) -> BoolArray:
        """Compare nouns; mentions of a document are in its order. Another event is a new one."""
        nouns, (one, other) = self._nouns, pairs
        same_root = (nouns.root[one] >= 0) & (nouns.root[one] == nouns.root[other])
        found: BoolArray = same_root & (nouns.plural[one] != nouns.plural[other])
        found |= nouns.another[other] & (self._document[one] == self._document[other])
        return found | ((nouns.another[one] | nouns.another[other]) & ~self._entity[one])


def _differing(stated: _Stated, pairs: RowPairs) -> BoolArray:
    """Compare what is stated by pairs, each two values once."""
    column, values, differ = stated
    first, second = column[pairs.first], column[pairs.second]
    rows = np.flatnonzero((first >= 0) & (second >= 0) & (first != second))
    low, high = np.minimum(first[rows], second[rows]), np.maximum(first[rows], second[rows])
    codes, index = np.unique(low * len(values) + high, return_inverse=True)
    found = [differ(values[code // len(values)], values[code % len(values)]) for code in codes.tolist()]
    result = np.zeros(pairs.size, np.bool_)
    result[rows] = np.array(found, np.bool_)[index.ravel()]
    return result


def _where(stated: tuple[IntArray, Sequence[Any]], says: Callable[[Any], bool]) -> IntArray:
    """Leave out values that say nothing."""
    column, values = stated
    kept: IntArray = np.array(
        [number if says(value) else -1 for number, value in enumerate(values)], np.int64
    )
    return kept[column]


def person_of(name: MentionName | None) -> Words:
    """Give the full name of a person that a mention has, or that its text has for it; none if not certain."""
    if name is None:
        return ()
    full = name.words if len(name.words) > 1 else next(iter(name.full)) if len(name.full) == 1 else ()
    return full if full and full[0] in first_names() else ()


def two_people(one: MentionName, other: MentionName) -> bool:
    """Whether two full names are two people's: nothing fits, and first names have other initials.

    >>> def name(*words):
    ...     return MentionName(words, frozenset([words]), False)
    >>> two_people(name("helen", "marsh"), name("david", "marsh"))
    True
    >>> two_people(name("katie", "marsh"), name("kathryn", "marsh"))
    False
    """
    ours, theirs = person_of(one), person_of(other)
    return ours[0][0] != theirs[0][0] and name_relation(one, other) in (Relation.APART, Relation.TWO_PEOPLE)


def counts(numbers: frozenset[float]) -> bool:
    """Whether numbers count anything."""
    return bool(numbers - ONE)


def other_numbers(one: frozenset[float], other: frozenset[float]) -> bool:
    """Whether no number is equal."""
    return number_fit(one, other) == Fit.OTHER


def other_days(one: frozenset[Day], other: frozenset[Day]) -> bool:
    """Whether two days are not one."""
    return day_fit(one, other) == Fit.OTHER


def noun_of(words: Sequence[str], start: int, end: int) -> str:
    """Give the head of a mention in small letters if it is a noun: no name, pronoun or number.

    >>> noun_of("three old judges".split(), 0, 3), noun_of("the Senate".split(), 0, 2)
    ('judges', '')
    """
    word = words[head_index(words, start, end)]
    return word if word.islower() and word.isalpha() and len(word) > SHORTEST and word not in POINTING else ""


def nouns_of(
    texts: Sequence[Sequence[str]], columns: tuple[IntArray, IntArray, IntArray], entity: BoolArray
) -> Nouns:
    """Describe mentions in texts, given the document, first word and end of each."""
    roots, made = dict[str, int](), list[tuple[int, bool, bool]]()
    for document, start, end, is_entity in zip(*(c.tolist() for c in (*columns, entity)), strict=True):
        words = texts[document]
        noun = noun_of(words, start, end) if is_entity else ""
        root = roots.setdefault(word_stem(noun), len(roots)) if noun else -1
        made.append((root, is_plural(noun), is_another(words, start)))
    described = np.array(made, np.int64).reshape(-1, 3)
    return Nouns(described[:, 0], described[:, 1] > 0, described[:, 2] > 0)


def is_plural(noun: str) -> bool:
    """Whether a noun ends like a plural."""
    return noun.endswith("s") and not noun.endswith(NOT_PLURAL)


def is_another(words: Sequence[str], start: int) -> bool:
    """Whether a mention begins with the word "another", or stands behind it."""
    return "another" in (words[start].lower(), words[start - 1].lower() if start else "")


def counted_from(words: Sequence[str], start: int) -> int:
    """Say where a mention begins with the number before it, which it may not include.

    >>> counted_from("all 140 people".split(), 2)
    1
    """
    while start and (is_number(words[start - 1]) or words[start - 1].lower() in SCALES):
        start -= 1
    return start
