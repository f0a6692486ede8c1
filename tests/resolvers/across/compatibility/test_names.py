"""Which words of a text are names, and how the names of two mentions are related."""

from __future__ import annotations

from itertools import pairwise

import pytest

from referee.resolvers.across.compatibility.names import MentionName, NamedWords, Relation, name_relation
from referee.resolvers.across.similarity import CorpusSimilarity


def named(text: str) -> NamedWords:
    words = text.split()
    edges = [0, *(at + 1 for at, word in enumerate(words) if word == "."), len(words)]
    return NamedWords(words, [(a, b) for a, b in pairwise(edges) if a < b])


def name_in(text: str, mention: str) -> MentionName | None:
    words, wanted = text.split(), mention.split()
    start = next(at for at in range(len(words)) if words[at : at + len(wanted)] == wanted)
    return named(text).of_mention(start, start + len(wanted))


def related(one: str, other: str, one_text: str = "", other_text: str = "") -> str:
    """Compare two mentions, each in a text or with nothing but itself in the middle of a sentence."""
    names = [
        name_in(text or f"he saw {mention} there .", mention)
        for text, mention in ((one_text, one), (other_text, other))
    ]
    assert names[0]
    assert names[1]
    both = {name_relation(names[0], names[1]), name_relation(names[1], names[0])}
    assert len(both) == 1
    return both.pop().name


def test_a_word_that_only_begins_a_sentence_is_no_name() -> None:
    text = named("Rescuers found Tom Lee . Lee slept . President Ann Cole came on Monday .")
    words = [word for word, proper in zip(text.words, text.proper, strict=True) if proper]
    assert words == ["Tom", "Lee", "Lee", "Ann", "Cole"]


@pytest.mark.parametrize(
    ("mention", "words"),
    [
        ("the striker Daniel Okoro", ("daniel", "okoro")),
        ("Judge Robert Eames", ("robert", "eames")),
        ("Bank of England", ("bank", "england")),
        ("the Vela 9", ("vela", "9")),
        ("Ludwig van Beethoven", ("ludwig", "van", "beethoven")),
        ("the U.S.", ("us",)),
    ],
)
def test_the_name_of_a_mention(mention: str, words: tuple[str, ...]) -> None:
    name = name_in(f"they met {mention} there .", mention)
    assert name
    assert name.words == words


def test_a_mention_whose_head_is_no_name_has_none() -> None:
    assert name_in("they met Okoro 's new coach .", "Okoro 's new coach") is None
    assert name_in("they met on Tuesday .", "Tuesday") is None


@pytest.mark.parametrize(
    ("one", "other", "relation"),
    [
        ("Ann Lee", "Ann Lee", Relation.EQUAL_FULL),
        ("Ann Lee", "Tom Lee", Relation.TWO_PEOPLE),
        ("Bill Gates", "William Gates", Relation.SHORT),
        ("T. Lee", "Tom Lee", Relation.SHORT),
        ("Okoro", "Daniel Okoro", Relation.PART),
        ("Okoro", "Okoro", Relation.EQUAL),
        ("Okoro", "Marchetti", Relation.APART),
        ("World Fisheries Council", "WFC", Relation.ACRONYM),
        ("World Fisheries Council", "World Forest Fund", Relation.SHARED),
        ("New York", "New York City", Relation.PART),
    ],
)
def test_two_names(one: str, other: str, relation: Relation) -> None:
    assert related(one, other) == relation.name


def test_a_surname_stands_for_the_full_name_in_its_own_text() -> None:
    thomas = "they met Thomas Kerr . Later Kerr slept ."
    andrew = "they met Andrew Kerr . Later Kerr slept ."
    tom = "they met Tom Kerr . Later Kerr slept ."
    own = named(thomas).of_mention(6, 7)
    others = [named(text).of_mention(6, 7) for text in (andrew, tom, thomas)]
    assert own
    assert own.words == ("kerr",)
    relations = [name_relation(own, other) for other in others if other]
    assert relations == [Relation.TWO_PEOPLE, Relation.EQUAL, Relation.EQUAL_FULL]
    full = [named(text).of_mention(2, 4) for text in (andrew, tom, thomas)]
    relations = [name_relation(own, other) for other in full if other]
    assert relations == [Relation.TWO_PEOPLE, Relation.PART, Relation.PART_FULL]


def test_a_word_that_begins_a_sentence_is_a_name_if_other_texts_have_it_as_one() -> None:
    words, sentences = ["Tessaro", "builds", "brakes", ".", "Trains", "stop", "."], [(0, 4), (4, 7)]
    assert not NamedWords(words, sentences).within(0, 7)
    assert NamedWords(words, sentences, {"tessaro"}).within(0, 7) == {"tessaro"}


def test_words_are_names_that_more_texts_have_as_one_than_in_small_letters() -> None:
    texts = [
        text.split() for text in ("in Reading they met", "reading helps", "reading with Ann", "so Ann left")
    ]
    proper = CorpusSimilarity.of(texts).proper
    assert "ann" in proper
    assert not {"reading", "they", "helps"} & proper


def test_a_possessor_is_called_by_its_name() -> None:
    words = ("then", "Lohan's", "lawyer", "met", "the", "Saints'", "coach", "O’Brien’s", "'")
    known = NamedWords(words, [(0, len(words))])
    assert known.lower == ["then", "lohan", "lawyer", "met", "the", "saints", "coach", "o'brien", "'"]
