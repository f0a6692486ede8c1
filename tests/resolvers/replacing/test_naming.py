"""What an entity is called by a phrase, and what the phrase shows of people, as a reader would say."""

from __future__ import annotations

import pytest

from referee.model import Cluster, Document, Mention, Text
from referee.resolvers.neural.cutting import cut_raw
from referee.resolvers.replacing.naming import called, representative
from referee.resolvers.replacing.people import is_person
from referee.resolvers.replacing.words import WordsOf
from referee.resolvers.resolved import recurring


def found(before: str, phrase: str) -> tuple[WordsOf, Cluster]:
    text = cut_raw(Text("d", (), (), running=f"{before} {phrase} left.".strip()))
    start, length = (cut_raw(Text("d", (), (), running=each)).length for each in (before, phrase))
    return WordsOf(text), Cluster("", (Mention.at(start, start + length),))


@pytest.mark.parametrize(
    ("phrase", "name", "is_name", "is_several"),
    [
        ("the captain Frederick Lane", "Frederick Lane", True, False),
        ("my friend Mr. Lane", "Mr. Lane", True, False),
        ("my friend Dr. Lane", "Dr. Lane", True, False),
        ("my friend Mrs. Lane", "Mrs. Lane", True, False),
        ("the singer Nora", "Nora", True, False),
        ("aunt Nora", "Nora", True, False),
        ("Aunt Nora", "Aunt Nora", True, False),
        ("poor old king Lear", "Lear", True, False),
        ("lucky Tom Reed", "Tom Reed", True, False),
        ("the young Tom Reed", "Tom Reed", True, False),
        ("the Reverend Moss", "the Reverend Moss", True, False),
        ("the Grey Ferryman", "the Grey Ferryman", True, False),
        ("Professor Moss of Leeds", "Professor Moss of Leeds", True, False),
        ("the president, Ann Holt,", "Ann Holt", True, False),
        ("Ann Holt, the president", "Ann Holt", True, False),
        ("Tom, who left", "Tom", True, False),
        ("Tom 's", "Tom", True, False),
        ("Tom and Ann", "Tom and Ann", True, True),
        ("the Lanes", "the Lanes", True, True),
        ("the House of Lane", "the House of Lane", True, False),
        ("the boy's dog", "the boy's dog", False, False),
        ("the city of Leeds", "the city of Leeds", False, False),
        ("a man called Tom", "the man", False, False),
    ],
)
def test_what_a_phrase_calls_its_entity(phrase: str, name: str, is_name: bool, is_several: bool) -> None:
    made = called(*found("Then", phrase))
    assert made
    assert (made.name, made.is_name, made.is_several) == (name, is_name, is_several)


@pytest.mark.parametrize("phrase", ["his own dog", "both Tom and Ann", "he", "and"])
def test_what_names_nothing(phrase: str) -> None:
    assert called(*found("Then", phrase)) is None


PEOPLE = """Mr. Lane, King Lear, Nora, Nora Finch, Hope Finch, Zorb, Rose, Nora Anna Finch Lee, Monte Rosa,
others, one of the boys, others who left, dozens of women, the teacher in the house, the crew, a stranger"""
NOT = """the King of Spain, the Lanes, the Alps, Lane Ltd., the Hague, Carrow Street, Anna Street, Spain,
some, both, some who left, several of the chairs, the chair of the teacher, the house, Victoria Station,
the house of women"""


def listed(phrases: str, expected: bool) -> list[tuple[str, bool]]:
    return [(phrase.strip(), expected) for phrase in phrases.split(",")]


@pytest.mark.parametrize(("phrase", "expected"), listed(PEOPLE, True) + listed(NOT, False))
def test_who_is_a_person_by_a_phrase_alone(phrase: str, expected: bool) -> None:
    assert is_person(*found("Then", phrase)) == expected


@pytest.mark.parametrize(("before", "expected"), [("", True), ("Then", True), ("in", False), ("from", False)])
def test_an_unknown_name_behind_a_preposition_of_places_is_a_place(before: str, expected: bool) -> None:
    assert is_person(*found(before, "Zorb")) == expected


def test_a_mention_of_several_parts_or_beyond_the_words_names_nothing() -> None:
    text = cut_raw(Text("d", (), (), running="Tom left Ann."))
    for mention in (Mention(((0, 1), (2, 3))), Mention.at(2, 9)):
        assert called(WordsOf(text), Cluster("", (mention,))) is None


def test_a_pronoun_of_another_language_names_nothing() -> None:
    """In French, "Elle" with its capital is no name; neither for one text nor in what several mention."""
    running = "Hier la voisine de Pierre est venue nous voir . Elle avait oublié son parapluie chez nous ."
    words = running.split()
    entity = Cluster("0", (Mention.at(1, 3), Mention.at(10, 11), Mention.at(13, 14)))
    document = Document.of("d", words, [(0, 10), (10, 18)], [entity])
    assert representative(document.text, entity) == Mention.at(1, 3)
    assert [each.name for each in recurring([document], minimum=1)] == ["la voisine"]
    assert "Elle:" not in str(document)
