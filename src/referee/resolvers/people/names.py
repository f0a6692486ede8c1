"""Names of people as a text writes them: titles, first names and surnames, found by their capitals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from referee.language import english
from referee.language.first_names import FEMININE, MASCULINE, first_names, frequent_first_names

MALE, FEMALE = 1, 2  # 0 for what does not show
TITLES = english.MASCULINE_TITLES | english.FEMININE_TITLES | english.OTHER_TITLES
PARTICLES = frozenset(("de", "von", "van", "du", "la", "le", "di", "del", "der", "d'", "d’"))
LONGEST = 5  # words of a name
_SPELLINGS = {
    "dr": "doctor", "prof": "professor", "capt": "captain", "col": "colonel", "gen": "general",
    "rev": "reverend", "sgt": "sergeant", "lt": "lieutenant", "gov": "governor", "sen": "senator",
    "mme": "madame", "m": "monsieur",
}  # fmt: skip
# Capitalised words that are no names of people.
_CALENDAR = (
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july"
)
_CALENDAR += " august september october november december christmas easter"
_MORE = """
    god heaven lord oh ah yes no well good chapter volume book part mr mrs miss sir madam english french
    german american italian spanish russian indian christian bible church street road hall house park square
    hotel river sea london paris england france america europe government university college school
"""
NOT_NAMES = frozenset(f"{_CALENDAR} {_MORE}".split()) | english.PERSONAL | english.DETERMINERS
PLACES = frozenset(
    "hall house street road park square hotel river abbey castle church college school lane court cottage "  # noqa: SIM905
    "county bay hill place inn office company bank society city island lake bridge farm villa manor lodge "
    "gardens avenue mountains valley station hospital theatre club act times gazette".split()
)


class Name(NamedTuple):
    """A name without where it occurs: its title, spelled out and in small letters, and its other words."""

    title: str
    words: tuple[str, ...]

    @property
    def title_gender(self) -> int:
        """The gender that the title shows."""
        if self.title in english.MASCULINE_TITLES | {"monsieur"}:
            return MALE
        return FEMALE * (self.title in english.FEMININE_TITLES)

    @property
    def gender(self) -> int:
        """The gender that the title shows, or else the first name."""
        alone = len(self.words) == 1 and (self.title != "" or self.words[0] not in frequent_first_names())
        return self.title_gender or (0 if alone else gender_of_first_name(self.words[0]))


class Occurrence(NamedTuple):
    """A name and the words of the text that it takes, its title among them; the end is excluded."""

    start: int
    end: int
    name: Name


def name_occurrences(words: Sequence[str], begins: Sequence[bool]) -> list[Occurrence]:
    """Find runs of capitalised words that may name a person; `begins` says which words begin a sentence.

    >>> words = "When old Miss Nora Finch met Tom , he sat .".split()
    >>> [found.name for found in name_occurrences(words, [True] + [False] * 10)]
    [Name(title='miss', words=('nora', 'finch')), Name(title='', words=('tom',))]
    """
    named = _NameWords(words, begins)
    found, index = [], 0
    while index < len(words):
        start = index
        while index < len(words) and _is_title(words[index]) and index - start < 2:
            index += 1
        first = index
        while index < len(words) and index - first < LONGEST and named.is_name(index, titled=first > start):
            index += 1
            joins = index + 1 < len(words) and words[index].lower() in PARTICLES and index > first
            if joins and named.is_name(index + 1, titled=True):
                index += 1
        if index == first:
            index = max(index, start + 1)
        elif first > start or not {word.lower() for word in words[index - 1 : index + 1]} & PLACES:
            title = _spelled_out(words[first - 1]) if first > start else ""
            found.append(Occurrence(start, index, Name(title, tuple(w.lower() for w in words[first:index]))))
    return found


class _NameWords:
    """Which words with capitals are names, and not only the first of a sentence."""

    def __init__(self, words: Sequence[str], begins: Sequence[bool]) -> None:
        self.words, self.begins = words, begins
        self.lower: Counter[str] = Counter()
        self.inside: Counter[str] = Counter()  # with a capital inside of a sentence
        for index, word in enumerate(words):
            if word[:1].islower():
                self.lower[word] += 1
            elif word[:1].isupper() and not self._may_begin(index):
                self.inside[word.lower()] += 1

    def _may_begin(self, index: int) -> bool:
        before = self.words[index - 1] if index else "."
        return self.begins[index] or (not before[:1].isalnum() and before not in (",", "'s", "’s", "&", "-"))

    def _often(self, word: str) -> bool:
        return self.inside[word] > self.lower[word]

    def is_name(self, index: int, *, titled: bool) -> bool:
        word = self.words[index]
        lower = word.lower()
        if (
            not word[:1].isupper()
            or lower in NOT_NAMES
            or lower.removesuffix("s") in TITLES
            or (word.isupper() and len(word) > 3)
        ):
            return False
        if (
            word.isupper()
            and len(word) < 4
            and not titled
            and not (word[1:] == "." and index + 1 < len(self.words))
        ):
            return False
        if titled or self._often(lower) or self._in_epithet(index):
            return True
        return lower in frequent_first_names() and not self.lower[lower]

    def _in_epithet(self, index: int) -> bool:
        """Whether it is one of two words with capitals behind "the": the Artful Dodger."""
        first = index - (
            self.words[index - 1][:1].isupper() and self.words[index - 1].lower() not in NOT_NAMES
        )
        pair = self.words[first : first + 2]
        large = len(pair) == 2 and all(word.istitle() and word.lower() not in NOT_NAMES for word in pair)
        return large and first > 0 and self.words[first - 1] == "the"


def _is_title(word: str) -> bool:
    return word[:1].isupper() and word.lower() in TITLES


def _spelled_out(title: str) -> str:
    """Write a title in one way.

    >>> _spelled_out("Mr."), _spelled_out("Capt.")
    ('mr', 'captain')
    """
    plain = title.lower().rstrip(".")
    return _SPELLINGS.get(plain, plain)


@lru_cache(maxsize=2**14)  # a service reads texts without end
def gender_of_first_name(word: str) -> int:
    """Give the gender of a first name, or of the one that it is short for."""
    shown = first_names().get(word) or {first_names().get(name, "") for name in short_forms(word) - {word}}
    return MALE if shown in (MASCULINE, {MASCULINE}) else FEMALE if shown in (FEMININE, {FEMININE}) else 0


@lru_cache(maxsize=2**14)  # a service reads texts without end
def short_forms(name: str) -> frozenset[str]:
    """List the first names that a person with this one may be called by."""
    return frozenset({name}.union(*(family for family in english.NICKNAMES if name in family)))


def same_first_name(one: str, other: str) -> bool:
    """Whether two first names may be one person's: the same, or a short form.

    >>> same_first_name("lizzy", "elizabeth"), same_first_name("tom", "sam")
    (True, False)
    """
    return one == other or other in short_forms(one)


def same_initial(one: str, other: str) -> bool:
    """Whether one of two words is the other's initial.

    >>> same_initial("e.", "edward"), same_initial("ed", "edward")
    (True, False)
    """
    short, long = sorted((one.rstrip("."), other.rstrip(".")), key=len)
    return len(short) == 1 and long.startswith(short)
