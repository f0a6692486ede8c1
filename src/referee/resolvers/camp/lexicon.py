"""What the rules know of words: lists and weights in `data/`, which a person can read and extend."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from referee.exceptions import FormatError, SettingError, did_you_mean
from referee.formats.io.opening import read_text
from referee.language import english
from referee.language.first_names import first_names, frequent_first_names
from referee.language.nouns import kinds_of_nouns

PRONOUN_CLASSES = ("person", "it", "they")
NEAREST, FARTHEST = 1, 4  # sentences between two phrases that are near, and far, as [precision] was measured
DATA = Path(__file__).parent / "data"
LISTED = {  # beside the lists under [words]: a user's file may add to these too
    "masculine_pronouns": english.MASCULINE,
    "feminine_pronouns": english.FEMININE,
    "neuter_pronouns": english.NEUTER,
    "plural_pronouns": english.THIRD_PLURAL | english.COLLOQUIAL_THIRD_PLURAL,
    "first_pronouns": english.FIRST_SINGULAR,
    "we_pronouns": english.FIRST_PLURAL | english.CLITICS,  # let's
    "you_pronouns": english.SECOND | english.COLLOQUIAL_SECOND | english.OLD_SECOND,
    "reflexives": english.REFLEXIVES | {"thyself"},
    "masculine_titles": english.MASCULINE_TITLES,
    "feminine_titles": english.FEMININE_TITLES,
    "titles": english.OTHER_TITLES,
}


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Words by list, the weights of salience by pronoun, and the numbers that rules ask for."""

    words: Mapping[str, frozenset[str]]
    salience: Mapping[str, Mapping[str, float]]  # person, it, they → feature → weight
    windows: Mapping[str, float]  # how many sentences are looked back
    limits: Mapping[str, float]
    precision: Mapping[str, float]  # rule → how often it was right
    nouns: Mapping[str, str]  # noun → persons, unclear or things
    first_names: Mapping[str, str]  # name → feminine, masculine or either
    frequent_names: frozenset[str]  # of these, those that are hardly ever surnames
    countries: Mapping[str, str]  # a country's name, in one of its forms → the first of them

    def measured(self, rule: str, sentences: int) -> float:
        """Say how often a rule was right: by the sentences between what it links, where that was measured."""
        distance = "near" if sentences <= NEAREST else "far" if sentences >= FARTHEST else "midway"
        return self.precision.get(
            f"{rule}, {distance}", self.precision.get(rule, self.precision["other rules"])
        )

    def __getitem__(self, name: str) -> frozenset[str]:
        """Give a list of words."""
        return self.words[name]


@dataclass(frozen=True, slots=True)
class Guidelines:
    """What is a mention, and what corefers."""

    singletons: bool
    appositions: bool
    predicates: bool
    possessive_marker: bool
    loose_clauses: bool
    things: bool


@cache
def lexicon(rules: str | None = None) -> Lexicon:
    """Load the lists; those of a user's file are added, and its numbers take the place of ours."""
    tables = {
        **tomllib.loads((DATA / "rules.toml").read_text("utf-8")),
        **tomllib.loads((DATA / "salience.toml").read_text("utf-8")),
    }
    listed = {name: " ".join(words) for name, words in LISTED.items()}
    tables["words"] = {**listed, **tables["words"]}
    users = _user_rules(rules, tables) if rules else {}
    words = {
        name: frozenset(f"{listed} {users.get('words', {}).get(name, '')}".split())
        for name, listed in tables["words"].items()
    }
    numbers = {part: {**tables[part], **users.get(part, {})} for part in tables if part != "words"}
    salience = {part: numbers[part] for part in PRONOUN_CLASSES}
    tables_of_numbers = numbers["windows"], numbers["limits"], numbers["precision"]
    known = kinds_of_nouns(), first_names(), frequent_first_names()
    return Lexicon(words, salience, *tables_of_numbers, *known, _countries())


@cache
def _countries() -> dict[str, str]:
    """Read the names of countries that have several."""
    lines = (DATA / "countries.txt").read_text("utf-8").splitlines()
    named = [[name.strip() for name in line.split(";")] for line in lines if not line.startswith("#")]
    return {name: names[0] for names in named for name in names}


def _user_rules(path: str, tables: Mapping[str, Mapping[str, object]]) -> dict[str, dict[str, Any]]:
    """Read a user's file, and refuse what no rule would look at."""
    try:
        users = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"{path}: not TOML: {error}") from error
    for part, values in users.items():
        if part not in tables or not isinstance(values, dict):
            raise FormatError(f"{path}: no table [{part}]; there are {', '.join(tables)}")
        for name, value in values.items():
            if name not in tables[part]:
                hint = did_you_mean(name, tables[part])
                raise FormatError(f"{path}: [{part}] has no '{name}'{hint}")
            if isinstance(value, str) != (part == "words") or isinstance(value, bool | list | dict):
                wanted = "words in one string" if part == "words" else "a number"
                raise FormatError(f"{path}: {name} in [{part}] must be {wanted}")
    return users


@cache
def known_guidelines() -> dict[str, Guidelines]:
    """List the guidelines by name."""
    tables = tomllib.loads((DATA / "guidelines.toml").read_text("utf-8"))
    return {name: Guidelines(**table) for name, table in tables.items()}


def guidelines_named(name: str) -> Guidelines:
    """Give the guidelines of this name."""
    known = known_guidelines()
    if name not in known:
        raise SettingError(f"guidelines must be {', '.join(known)}, not '{name}'{did_you_mean(name, known)}")
    return known[name]
