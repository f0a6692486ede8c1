"""Words of closed classes in each language: pronouns, determiners, what ends the core of a noun phrase.

English is in `language.english`; each other language is a file that a person can add, CODE.toml in
data/word_classes. Its tables have words between blanks:

    endings     (without them words are compared), longest first where one ends another
    capitals    "nouns" where all nouns have a capital: then only words count that no determiner precedes
    head        "first" where the head of a phrase is its first word
    quotes      pairs of an opening and a closing mark
    pronouns    by the names in PRONOUNS; determiners by those in DETERMINERS
    phrases     after_noun: what may follow the core of a noun phrase; light: what distinguishes no entity;
                joining: and
    people      masculine and feminine words for people, and titles; young and old: those of an age
    speech      may be missing; saying: verbs of speech as they stand beside what is said; subjects: pronouns;
                naming: verbs by which one says one's own name
    names       may be missing; endings: what names have in other cases, as the text writes them
    relatives   may be missing; words for relatives, by a name of their kind
    letters     may be missing; greetings: words before the name of who is greeted; closings: before the name
                of who signs

Words are looked up as they are written, then in small letters. Where a form says nothing of person, gender or
number that a class stands for, it is `open`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from referee.arrays import IntArray
from referee.exceptions import SettingError
from referee.language import english
from referee.language.languages import ENGLISH

# The number of a class is an index of trained tables: the order of these is part of a model. English has no
# word of the last: it is for models that know several languages.
PRONOUNS = (
    "first_singular", "first_plural", "second", "masculine", "feminine", "neuter", "third_plural",
    "demonstrative", "relative", "indefinite", "adverb", "open",
)  # fmt: skip
ZERO = (
    "_"  # a word that is not written, where a model reads zeros: an open pronoun in all languages but English
)
ME, WE, YOU, HE, SHE, IT, THEY = range(1, 8)
DETERMINERS = ("definite", "indefinite", "demonstrative", "possessive", "quantifier")
_TABLES = files("referee.language") / "data" / "word_classes"
_STOPS = frozenset((".", "!", "?", "…", "。"))  # the label of who speaks has one: FAUST.
LONGEST_QUOTE = 400  # words; a quotation that is longer was never closed
SHORTEST = 3  # letters that remain of a word without its ending


@dataclass(frozen=True)
class WordClasses:
    """The closed classes of a language."""

    pronouns: Mapping[str, int]  # word → number of its class, from 1
    determiners: Mapping[str, int]
    after_noun: Collection[str]
    light: Collection[str]
    possessive_marks: Collection[str] = ()
    opening: Collection[str] = ("“", "``")
    closing: Collection[str] = ("”", "''")
    endings: Sequence[str] = ()
    capital_nouns: bool = False
    head_first: bool = False
    masculine: frozenset[str] = frozenset()
    feminine: frozenset[str] = frozenset()
    young: frozenset[str] = frozenset()  # words for children, and for old people
    old: frozenset[str] = frozenset()
    joining: frozenset[str] = frozenset()  # words that join phrases, so that they mean several
    saying: frozenset[str] = frozenset()  # verbs of speech
    subjects: frozenset[str] = frozenset()  # pronouns of one person who does something
    naming: frozenset[str] = frozenset()  # verbs by which one says one's own name: je m'appelle
    name_endings: Sequence[str] = ()  # of names in other cases
    relatives: Mapping[str, str] = field(default_factory=dict)  # the base of a word → its kind
    greetings: frozenset[str] = frozenset()  # in letters, before names
    closings: frozenset[str] = frozenset()

    def base(self, word: str) -> str:
        """Take the ending off a word in small letters, if enough of it remains.

        >>> classes_of("de").base("königs"), classes_of("de").base("er")
        ('könig', 'er')
        """
        for ending in self.endings:
            if word.endswith(ending) and len(word) >= len(ending) + SHORTEST:
                return word[: -len(ending)]
        return word


def languages() -> list[str]:
    """List the codes of the languages that have a table.

    >>> languages()[:3]
    ['de', 'en', 'fr']
    """
    names = (entry.name for entry in _TABLES.iterdir() if entry.name.endswith(".toml"))
    return sorted([ENGLISH, *(name.removesuffix(".toml") for name in names)])


def class_of(word: str, known: WordClasses) -> int:
    """Give the class of a word that is a pronoun, as it is written or in small letters; 0 for other words.

    >>> class_of("Je", classes_of("fr")) == ME
    True
    """
    return known.pronouns.get(word) or known.pronouns.get(word.lower(), 0)


def is_surely_you(words: Sequence[str], at: int, known: WordClasses) -> bool:
    """Whether a word is you and nothing else: Sie is she or they, too, where a sentence begins.

    >>> words = "Sie kommt , sagte er . Haben Sie Zeit".split()
    >>> is_surely_you(words, 0, classes_of("de")), is_surely_you(words, 7, classes_of("de"))
    (False, True)
    """
    begins = at == 0 or not words[at - 1][:1].isalnum()
    forms = {words[at], words[at].lower()} if begins else {words[at]}
    return all(class_of(form, known) == YOU for form in forms)


@cache
def classes_of(language: str) -> WordClasses:
    """Give the table of a language by its code."""
    if language == ENGLISH:
        return _english()
    if language not in languages():
        raise SettingError(
            f"there is no table of words for language='{language}', only for {', '.join(languages())}"
        )
    table = tomllib.loads((_TABLES / f"{language}.toml").read_text(encoding="utf-8"))
    return _from_table(table)


def _from_table(table: Mapping[str, Any]) -> WordClasses:
    marks = [pair.split() for pair in table["quotes"]]
    phrases, people = table["phrases"], table["people"]
    speech, letters = table.get("speech", {}), table.get("letters", {})
    determiners = _numbered(DETERMINERS, table["determiners"])
    known = WordClasses(
        pronouns=_numbered(PRONOUNS, table["pronouns"]) | {ZERO: len(PRONOUNS)},
        determiners=determiners,
        after_noun=frozenset(phrases["after_noun"].split()) | _STOPS,
        light=frozenset(phrases["light"].split()) | determiners.keys(),
        opening=frozenset(opening for opening, _ in marks) | {"``"},
        closing=frozenset(closing for _, closing in marks) | {"''"},
        endings=tuple(sorted(table.get("endings", "").split(), key=len, reverse=True)),
        capital_nouns=table.get("capitals") == "nouns",
        head_first=table.get("head") == "first",
        masculine=frozenset(people["masculine"].split()),
        feminine=frozenset(people["feminine"].split()),
        young=frozenset(people.get("young", "").split()),
        old=frozenset(people.get("old", "").split()),
        joining=frozenset(phrases.get("joining", "").split()),
        saying=frozenset(speech.get("saying", "").split()),
        subjects=frozenset(speech.get("subjects", "").split()),
        naming=frozenset(speech.get("naming", "").split()),
        name_endings=tuple(table.get("names", {}).get("endings", "").split()),
        greetings=frozenset(letters.get("greetings", "").split()),
        closings=frozenset(letters.get("closings", "").split()),
    )
    named = table.get("relatives", {}).items()
    return replace(
        known, relatives={known.base(word): kind for kind, words in named for word in words.split()}
    )


def _numbered(classes: Sequence[str], words: Mapping[str, str]) -> dict[str, int]:
    """Number words by their classes; of a word in two classes the first counts."""
    known: dict[str, int] = {}
    for number, name in enumerate(classes, 1):
        for word in words.get(name, "").split():
            known.setdefault(word, number)
    return known


def _english() -> WordClasses:
    pronouns = (
        *english.PRONOUN_CLASSES, english.DEMONSTRATIVES, english.RELATIVES,
        {"one", "oneself", *english.PEOPLE_PRONOUNS}, {"here", "there", "now", "then"},
    )  # fmt: skip
    determiners = (
        {"the"}, english.INDEFINITE_ARTICLES, english.DEMONSTRATIVES,
        {"whose", *english.POSSESSIVE_DETERMINERS}, english.QUANTIFIERS,
    )  # fmt: skip
    light = english.DETERMINERS - english.QUANTIFIERS - {"whose"} | {"some", "any"}
    return WordClasses(
        pronouns={word: number for number, words in enumerate(pronouns, 1) for word in words},
        determiners={word: number for number, words in enumerate(determiners, 1) for word in words},
        after_noun=english.AFTER_NOUN,
        light=light | english.POSSESSIVE_MARKS | {"of", "and", ",", ".", '"', "-"},
        possessive_marks=english.POSSESSIVE_MARKS,
    )


def quotations(words: Sequence[str], known: WordClasses) -> IntArray:
    """Number quotations; one that is not closed within reason does not count."""
    quotes = np.zeros(len(words), np.int64)
    opened, number = -1, 0
    for index, word in enumerate(words):
        if opened >= 0 and index - opened > LONGEST_QUOTE:
            opened = -1
        begins = word in known.opening and (opened < 0 or word not in known.closing)
        if begins or (word == '"' and opened < 0):
            opened = index
        elif (word in known.closing or word == '"') and opened >= 0:
            number += 1
            quotes[opened : index + 1] = number
            opened = -1
    return quotes
