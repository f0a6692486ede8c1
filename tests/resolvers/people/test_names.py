"""Names are found by their capitals, with titles, and not where a sentence begins."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Sequence

import pytest

from referee.resolvers.people.names import FEMALE, MALE, Name, name_occurrences


def found(text: str) -> list[str]:
    words = text.split()
    begins = [index == 0 or words[index - 1] in ".!?" for index in range(len(words))]
    return [" ".join(words[each.start : each.end]) for each in name_occurrences(words, begins)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("It was Mr. Darcy 's horse", ["Mr. Darcy"]),
        ("then Nora and Peter Moss left", ["Nora", "Peter Moss"]),
        ("we met Ludwig van Loon there", ["Ludwig van Loon"]),
        ("the admiral met the Admiral", []),
        ("Rain fell . Rain stopped", []),
        ("Tom fell . Then Tom stopped", ["Tom", "Tom"]),
        ("we saw the Artful Dodger run", ["Artful Dodger"]),
        ("they left Kellynch Hall on Monday", []),
        ("so Miss Bates Mr. Knightley said", ["Miss Bates", "Mr. Knightley"]),
        ("said I to HERSELF", []),
        ("we saw Lord Lord Byron", ["Lord Lord Byron"]),
        ("so Sir Mr. Captain Holt left", ["Captain Holt"]),
        ("we met Anna Emma Mary Jane Sue Kate", ["Anna Emma Mary Jane Sue", "Kate"]),
        ("met Tom de Wolf or Ann de", ["Tom de Wolf", "Ann"]),
        ("saw J. Reed and JR and J", ["J. Reed"]),
        ("saw MR Reed then", ["MR Reed"]),
        ("so DARCY and IBM left", []),
        ("in St. Anne Street", ["St. Anne"]),
        ("near Emma Street or Street Emma", ["Emma"]),
        ("he saw , Reed and reed and Reed", ["Reed", "Reed"]),
        ("he saw Reed and reed", []),
        ("he saw Mrs", []),
        ("he saw Mrs Reed", ["Mrs Reed"]),
        ("no Mark no mark", []),
        ('" Reed sat . Reed ate', []),
        ("saw the Sly Fox", ["Sly Fox"]),
        ("the Sly Fox sat and the sly fox ate", ["Sly Fox"]),
        ("a Sly Fox sat and the sly fox ate", []),
        ("the English fox and the Fox and fox", []),
    ],
)
def test_names(text: str, names: list[str]) -> None:
    assert found(text) == names


@pytest.mark.parametrize(
    ("name", "gender"),
    [
        (Name("mrs", ("harlow",)), FEMALE),
        (Name("mr", ("harlow",)), MALE),
        (Name("", ("nora", "finch")), FEMALE),
        (Name("", ("lizzy",)), 0),
        (Name("captain", ("harlow",)), 0),
        (Name("monsieur", ("harlow",)), MALE),
        (Name("", ("tom",)), MALE),
        (Name("captain", ("tom",)), 0),
        (Name("captain", ("tom", "harlow")), MALE),
        (Name("", ("harlow",)), 0),
        (Name("", ("harlow", "reed")), 0),
    ],
)
def test_gender_of_a_name(name: Name, gender: int) -> None:
    assert name.gender == gender


def test_nothing_of_a_text_stays_when_it_was_read() -> None:
    begins: Sequence[bool] = [True, False, False, False]
    words = Words(["We", "met", "Peter", "Moss"])
    kept = weakref.ref(words)
    assert len(name_occurrences(words, begins)) == 1
    del words
    gc.collect()
    assert kept() is None


class Words(list[str]):
    """Words of a text, of which it can be told whether they are still held."""
