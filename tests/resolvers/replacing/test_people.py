"""People are told from things by pronouns, titles, first names and nouns."""

from __future__ import annotations

from dataclasses import replace

import pytest

from corpora import corpus
from marked_cases import document_of
from referee import formats
from referee.model import Cluster, Mention, Zero
from referee.resolvers.replacing.people import is_person, people_of
from referee.resolvers.replacing.words import WordsOf, singular_noun

PEOPLE = [
    "[1 Ann] slept.", "I met [1 Mr. Quox].", "[1 The old king] slept.", "[1 Zorin] and [1 she] slept.",
    "I know [1 one of the boys].", "I know [1 others].", "[1 The women] sang.", "[1 Nobody] sang.",
    "[1 They] sang.",
    "I know [1 the man who sold the house].", "[1 My family] sang.", "I saw [1 the Wilcoxes].", "[1 I] sang.",
]  # fmt: skip
THINGS = [
    "[1 The house] fell.", "I live in [1 Zorin].", "[1 Carrow Ltd.] fell, and [1 it] was sold.",
    "[1 It] fell.", "I know [1 one of] them.",
    "[1 The king's house] fell.", "I saw [1 the Alps].", "[1 The house of the king] fell.",
    "[1 Alex] fell: [1 it] is [1 a ship], and [1 its] name is old.",
]  # fmt: skip


@pytest.mark.parametrize(("marked", "expected"), [(t, True) for t in PEOPLE] + [(t, False) for t in THINGS])
def test_people_and_things(marked: str, expected: bool) -> None:
    document = document_of(marked)
    assert bool(people_of(document)) == expected


def test_a_mention_without_words_shows_nothing() -> None:
    """Neither a person nor a thing: what is said of the others counts."""
    text = replace(document_of("[1 They] sang.").text, words=("They", "sang", ".", "_"), zeros=(Zero(3, 1),))
    for words, expected in (((0,), True), ((0, 3), True), ((3,), False)):
        cluster = Cluster("1", tuple(Mention.at(word, word + 1) for word in words))
        assert is_person(WordsOf(text), cluster) == expected


def test_what_owns_something_is_a_name_where_its_own_word_is_followed_by_the_mark() -> None:
    words = WordsOf(document_of("Tom 's dog left . Running hurts . Running 's dog left .").text)
    assert [words.is_name(number) for number in (0, 5, 8)] == [True, False, True]


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
