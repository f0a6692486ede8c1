"""Proper names of a text, and how two of them are related: equal, a part, an acronym, two people, …

Which words are names is guessed from capitals inside of sentences; a surname alone is taken for the full name
that the same text has with it.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from sys import intern
from typing import NamedTuple

from referee.language.first_names import first_names, frequent_first_names
from referee.language.stems import COMMON, LIGHT, head_index
from referee.resolvers.across.compatibility.amounts import CALENDAR
from referee.resolvers.people.names import PARTICLES, TITLES, same_first_name, same_initial

Words = tuple[str, ...]
MOST_FULL = 4  # words of a full name that a shorter one is taken for
_ROLES = "prime vice superintendent commissioner"
_OPENERS = """
    later yesterday today tomorrow meanwhile however when while where although though since until once then
    now here former new late police officials only even both many most several few last next yes why how
"""
OPENERS = frozenset(_OPENERS.split())  # they begin sentences, and are no part of a name behind them
ROLES = TITLES | frozenset(_ROLES.split())  # they stand before names, and are no part of them


class Relation(IntEnum):
    """How the names of two mentions are related."""

    NONE = 0  # neither has a name
    ONE_ABSENT = 1  # one has, which the other text does not mention
    ONE_PRESENT = 2
    EQUAL = 3  # one word, the same
    EQUAL_FULL = 4  # several words, or one that both texts have with the same others
    PART = 5
    PART_FULL = 6  # a part, and the text itself says of which name
    ACRONYM = 7
    SHORT = 8  # the same last word, and first ones of which one is short for the other
    SHARED = 9  # some word
    APART = 10  # no word
    TWO_PEOPLE = 11  # the same last word and other first ones, or one word of two full names


class NamedWords:
    """Which words of a text are proper names, and the names of several words."""

    def __init__(
        self, words: Sequence[str], sentences: Sequence[tuple[int, int]], elsewhere: Container[str] = ()
    ) -> None:
        """Look at the capitals; words that are names `elsewhere` are names where sentences begin, too."""
        self.words = words
        self.lower = [intern(_plain(word)) for word in words]  # many texts have it
        begins = {start for start, _ in sentences}
        begins |= {start + 1 for start in begins if start < len(words) and not words[start][:1].isalnum()}
        self.proper = [at not in begins and self._may_name(at) for at in range(len(words))]
        inside = {self.lower[at] for at, proper in enumerate(self.proper) if proper}
        ends = {name[-1] for name in self._runs() if len(name) > 1}
        for at in begins:
            if at < len(words) and self._may_name(at):
                self.proper[at] = (
                    self.lower[at] in inside
                    or self.lower[at] in elsewhere
                    or self.lower[at] in frequent_first_names()
                    or (self._before_name(at) and self.lower[at + 1] not in ends)
                )
        self.full = dict[str, set[Words]]()  # word → names of several words that begin or end with it
        for name in self._runs():
            if 1 < len(name) <= MOST_FULL:
                for end in (name[0], name[-1]):
                    self.full.setdefault(end, set()).add(name)

    def _may_name(self, at: int) -> bool:
        word, lower = self.words[at], self.lower[at]
        if not word[:1].isupper() or lower in CALENDAR or lower in ROLES:
            return False
        return (lower not in COMMON and lower not in LIGHT) or (word.isupper() and len(lower) > 1)

    def _before_name(self, at: int) -> bool:
        behind = at + 1 < len(self.words) and self.proper[at + 1]
        return behind and self.lower[at] not in OPENERS

    def _runs(self) -> Iterator[Words]:
        run: list[str] = []
        for at, proper in enumerate([*self.proper, False]):
            if proper:
                run.append(self.lower[at])
            elif run:
                yield tuple(run)
                run = []

    def within(self, start: int, end: int) -> frozenset[str]:
        """List the words of names between two words."""
        return frozenset(self.lower[at] for at in range(start, end) if self.proper[at])

    def of_mention(self, start: int, end: int) -> MentionName | None:
        """Give the name of a mention, if its head is one."""
        head = head_index(self.words, start, end)
        if self.words[head][:1].isdigit() and head > start and self.proper[head - 1]:
            first = head - 1  # the Vela 9
        elif self.proper[head]:
            first = head
        else:
            return None
        while first > start and (
            self.proper[first - 1]
            or (self.lower[first - 1] in PARTICLES and first - 1 > start and self.proper[first - 2])
        ):
            first -= 1
        last = head + 1
        if first == head and last + 1 < end and self.lower[last] == "of" and self.proper[last + 1]:
            while last + 1 < end and self.proper[last + 1]:  # Bank of England
                last += 1
            last += 1
        name = tuple(word for word in self.lower[first:last] if word != "of")
        full = frozenset(self.full.get(name[0], ())) if len(name) == 1 else frozenset((name,))
        return MentionName(name, full, self.words[head].isupper())

    def with_place(self, start: int, end: int) -> NamedMention | None:
        """Give the name of a mention with what a comma adds to it."""
        name, at = self.of_mention(start, end), head_index(self.words, start, end) + 2
        last = at
        while last < end and self.words[at - 1] == "," and self.proper[last]:
            last += 1
        return NamedMention(name, tuple(self.lower[at:last])) if name else None


def _plain(word: str) -> str:
    """Give a word in small letters, without the dots of an abbreviation and the mark of a possessor."""
    lower = word.lower().replace(".", "").replace("’", "'")
    return lower.removesuffix("'s").removesuffix("'") or lower


class NamedMention(NamedTuple):
    """The name of a mention, and what a comma adds to it: Ohio, in Springfield, Ohio."""

    name: MentionName
    behind: Words = ()


@dataclass(frozen=True, slots=True)
class MentionName:
    """The name of a mention: its words in small letters, and the full names that it may stand for."""

    words: Words
    full: frozenset[Words]
    capitals: bool  # whether its head has no small letter


@lru_cache(maxsize=2**16)
def name_relation(one: MentionName, other: MentionName) -> Relation:
    """Say how two names are related; the order does not matter.

    >>> def name(*words, full=()):
    ...     return MentionName(words, frozenset(full or [words]), words[0].isupper())
    >>> name_relation(name("ann", "lee"), name("ann", "lee")).name
    'EQUAL_FULL'
    >>> name_relation(name("tom", "lee"), name("ann", "lee")).name
    'TWO_PEOPLE'
    >>> name_relation(name("lee", full=[("ann", "lee")]), name("tom", "lee")).name
    'TWO_PEOPLE'
    >>> name_relation(name("liz", "lee"), name("elizabeth", "lee")).name
    'SHORT'
    """
    if one.words == other.words:
        return _of_one_word(one, other) if len(one.words) == 1 else Relation.EQUAL_FULL
    short, long = sorted((one, other), key=lambda name: len(name.words))
    if _is_acronym(short, long):
        return Relation.ACRONYM
    if len(short.words) == 1:
        return _of_one_and_several(short, long)
    if {*short.words} <= {*long.words}:
        return Relation.PART
    if short.words[-1] == long.words[-1] and _are_people(one.full | other.full):
        return _of_one_surname(short.words[0], long.words[0])
    return Relation.SHARED if {*short.words} & {*long.words} else Relation.APART


def _of_one_word(one: MentionName, other: MentionName) -> Relation:
    if not (one.full and other.full):
        return Relation.EQUAL
    if one.full & other.full:
        return Relation.EQUAL_FULL
    return _unless_two_people(Relation.EQUAL, one, other)


def _of_one_and_several(short: MentionName, long: MentionName) -> Relation:
    inside = short.words[0] in long.words
    if long.words in short.full or (short.full & long.full and len(long.words) == 1):
        return Relation.PART_FULL
    if inside:
        return _unless_two_people(Relation.PART, short, long)
    known = short.full and long.full and _some_fits(short.full, long.full)
    return Relation.SHORT if known else Relation.APART


def _unless_two_people(relation: Relation, one: MentionName, other: MentionName) -> Relation:
    if _some_fits(one.full, other.full) or not _are_people(one.full | other.full):
        return relation
    return Relation.TWO_PEOPLE


def _are_people(names: frozenset[Words]) -> bool:
    """Whether all begin with a first name or an initial; a ship or a town may be called by more words."""
    return all(name[0] in first_names() or len(name[0]) == 1 for name in names)


def _some_fits(some: frozenset[Words], others: frozenset[Words]) -> bool:
    """Whether some full name may be another's: some of its words, or a short form of its first name."""
    if not (some and others):
        return True
    return any(
        {*one} <= {*other}
        or {*other} <= {*one}
        or (one[-1] == other[-1] and _of_one_surname(one[0], other[0]) == Relation.SHORT)
        for one in some
        for other in others
    )


def _of_one_surname(one: str, other: str) -> Relation:
    fits = same_first_name(one, other) or same_initial(one, other)
    return Relation.SHORT if fits else Relation.TWO_PEOPLE


def _is_acronym(short: MentionName, long: MentionName) -> bool:
    if len(short.words) != 1 or not short.capitals or len(long.words) < 2:
        return False
    return short.words[0] == "".join(word[:1] for word in long.words)
