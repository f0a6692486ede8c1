"""People are told from things by pronouns, titles, first names and nouns."""

from __future__ import annotations

import pytest

from corpora import corpus
from marked_cases import document_of
from referee import formats
from referee.resolvers.replacing.people import is_person, people_of
from referee.resolvers.replacing.words import WordsOf, singular_noun

PEOPLE = [
    "[1 Ann] slept.", "I met [1 Mr. Quox].", "[1 The old king] slept.", "[1 Zorin] and [1 she] slept.",
    "I know [1 one of the boys].", "[1 The women] sang.", "[1 Nobody] sang.", "[1 They] sang.",
    "I know [1 the man who sold the house].", "[1 My family] sang.", "I saw [1 the Wilcoxes].", "[1 I] sang.",
]  # fmt: skip
THINGS = [
    "[1 The house] fell.", "I live in [1 Zorin].", "[1 Carrow Ltd.] fell, and [1 it] was sold.",
    "[1 It] fell.",
    "[1 The king's house] fell.", "I saw [1 the Alps].", "[1 The house of the king] fell.",
    "[1 Alex] fell: [1 it] is [1 a ship], and [1 its] name is old.",
]  # fmt: skip


@pytest.mark.parametrize(("marked", "expected"), [(t, True) for t in PEOPLE] + [(t, False) for t in THINGS])
def test_people_and_things(marked: str, expected: bool) -> None:
    document = document_of(marked)
    assert bool(people_of(document)) == expected


@pytest.mark.parametrize(
    ("noun", "single"),
    [("men", "man"), ("specimen", "specimen"), ("grandchildren", "grandchild"), ("bus", "bus")],
)
def test_singulars(noun: str, single: str) -> None:
    assert singular_noun(noun) == single


def test_litbanks_people_are_found() -> None:
    """Recall and precision of all entities, as docs/changing-texts.md gives them."""
    books = corpus("corefud") / "en_litbank-corefud-dev.conllu.gz"
    found = right = there = 0
    for document in formats.read(str(books)):
        plain = document.with_text(layers={})
        words = WordsOf(plain.text)
        for cluster in plain.clusters:
            guess, truth = is_person(words, cluster), (cluster.type or cluster.mentions[0].type) == "person"
            found, there, right = found + guess, there + truth, right + (guess and truth)
    assert right / found > 0.95
    assert right / there > 0.84
