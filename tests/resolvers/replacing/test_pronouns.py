"""Pronouns are replaced by offsets, and possessives stay possessives."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from marked_cases import Case, cases_in, document_of
from referee.model import Cluster, Document, Mention, cut_text
from referee.resolvers.replacing import pronouns
from referee.resolvers.replacing.edits import edited, reversed_changes
from referee.resolvers.replacing.naming import representative
from referee.resolvers.replacing.pronouns import replace_pronouns, replaced_in_words

CASES = cases_in(Path(__file__).parents[2] / "data" / "replacing" / "pronouns.txt")


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.heading}: {case.marked[:50]}")
def test_the_cases_that_people_can_read(case: Case) -> None:
    given = document_of(case.marked)
    made = replace_pronouns(given)
    lines = "\n".join(line.removeprefix("> ") for line in case.expected)
    expected = given.text.running if case.expected == ["="] else lines
    assert made.text == expected
    assert edited(made.text, reversed_changes(made.changes)) == given.text.running


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 130
    assert sum(case.expected == ["="] for case in CASES) >= 40  # where nothing may be changed


@pytest.mark.parametrize(
    ("marked", "reason"),
    [
        ("[1 Byron] hurt [1 himself].", pronouns.REFLEXIVE),
        ("[1 Byron] lost [1 his] own hat.", pronouns.OWN),
        ("[1 Lost], [1 it] annoyed Ann.", pronouns.NO_NAME),
        ("When [1 she] came, [1 Clara] was ill.", pronouns.BEFORE_NAME),
        ("[1 Ann] called [1 my dear]. [1 She] slept.", pronouns.NO_LAST_NAME),
        ("[1 Ann] met [2 Eve]. [1 [2 She]] left.", pronouns.TWO),
        ("[1 Mr. Holt] left. [1 She] was ill.", pronouns.GENDER),
        ("[1 The boys] left. [1 It] was late.", pronouns.NUMBER),
        ("[1 Tim] and [1 his] wife came.", pronouns.NESTED),
        ("[1 Maria] was funny. Ben made [1 her] laugh.", pronouns.FORM),
        ("[1 Alex] is here. [1 They] walk and talk.", pronouns.VERB),
    ],
)
def test_what_is_left_has_its_reason(marked: str, reason: str) -> None:
    made = replace_pronouns(document_of(marked))
    assert not made.changes
    assert {each.reason for each in made.left} == {reason}
    assert f"{reason}: {len(made.left)}" in replaced_in_words([made])


def test_a_link_that_is_not_likely_leaves_its_pronoun() -> None:
    given = document_of("[1 Ann] slept. [1 She] snored.")
    for probability, text in ((0.69, "Ann slept. She snored."), (0.7, "Ann slept. Ann snored.")):
        first, second = given.clusters[0].mentions
        linked = Cluster("1", (first, replace(second, link_score=probability)))
        made = replace_pronouns(replace(given, clusters=(linked,)))
        assert made.text == text
        assert [each.reason for each in made.left] == [pronouns.UNLIKELY] * (probability < 0.7)


def test_a_mention_that_a_cluster_has_twice_is_replaced_once() -> None:
    given = document_of("[1 Ann] slept. [1 She] snored.")
    twice = Cluster("1", (*given.clusters[0].mentions, given.clusters[0].mentions[1]))
    assert replace_pronouns(replace(given, clusters=(twice,))).text == "Ann slept. Ann snored."


def test_changes_and_what_was_left_are_plain_values() -> None:
    made = replace_pronouns(document_of("[1 Ann] slept. [1 She] hurt [1 herself]."))
    assert made.to_dict() == {
        "changes": [{"start": 11, "end": 14, "old": "She", "new": "Ann"}],
        "left": [{"start": 20, "end": 27, "pronoun": "herself", "reason": pronouns.REFLEXIVE}],
    }
    assert replaced_in_words([made]).startswith("1 pronoun replaced, 1 left as they are (it is a")


def document(text: str, *clusters: list[str]) -> Document:
    """Cluster the first occurrences of strings, each behind the one before."""
    made = []
    for number, strings in enumerate(clusters):
        mentions, position = [], 0
        for string in strings:
            position = text.index(string, position)
            mentions.append(Mention.at(position, position + len(string)))
            position += 1
        made.append(Cluster(str(number), tuple(mentions)))
    return cut_text("d", text, made)


@pytest.mark.parametrize(
    ("text", "cluster", "expected"),
    [
        ("Byron lost his hat.", ["Byron", "his"], "Byron lost Byron's hat."),
        ("Clara lost her hat.", ["Clara", "her"], "Clara lost Clara's hat."),
        ("Clara left. Peter saw her.", ["Clara", "her"], "Clara left. Peter saw Clara."),
        ("Clara left. Peter gave her the hat.", ["Clara", "her"], "Clara left. Peter gave Clara the hat."),
        ("A dog came. It barked.", ["A dog", "It"], "A dog came. The dog barked."),
        ("The twins left. Their dog ran.", ["The twins", "Their"], "The twins left. The twins' dog ran."),
        ("Clara's dog left. She ran.", ["Clara's", "She"], "Clara's dog left. Clara ran."),
        ("She left. He ran.", ["She", "He"], "She left. He ran."),  # nothing better is known
        ("I left, said Clara.", ["I", "Clara"], "I left, said Clara."),  # the first person stays
        (
            "The sisters' dog left. They ran.",
            ["The sisters'", "They"],
            "The sisters' dog left. The sisters ran.",
        ),
        ("An old dog came. It ran.", ["An old dog", "It"], "An old dog came. The old dog ran."),
        ("Byron saw it, and this hurt him.", ["Byron", "him"], "Byron saw it, and this hurt Byron."),
        ("Byron hurt himself.", ["Byron", "himself"], "Byron hurt himself."),  # a reflexive stays
        ("Anna won. The hat was hers.", ["Anna", "hers"], "Anna won. The hat was Anna's."),
        ("The boys won. I saw them.", ["The boys", "them"], "The boys won. I saw the boys."),
        ("James lost his hat.", ["James", "his"], "James lost James's hat."),
        ("Clara lost her T-shirt.", ["Clara", "her"], "Clara lost Clara's T-shirt."),
        ("Clara left. I saw her", ["Clara", "her"], "Clara left. I saw Clara"),  # the text ends
        ("Clara left. I saw her, too.", ["Clara", "her"], "Clara left. I saw Clara, too."),
        ("Clara left. I gave her his hat.", ["Clara", "her"], "Clara left. I gave Clara his hat."),
        ("Clara lost her own hat.", ["Clara", "her"], "Clara lost her own hat."),  # as people say it
        ("A of Kent ran. He won.", ["A of Kent", "He"], "A of Kent ran. He won."),
        ("The man and his dog left.", ["The man and his dog", "his"], "The man and his dog left."),
    ],
)
def test_pronouns_are_replaced(text: str, cluster: list[str], expected: str) -> None:
    assert replace_pronouns(document(text, cluster)).text == expected


def test_words_without_a_running_text_have_blanks_between_them() -> None:
    clusters = [Cluster("1", (Mention.at(0, 1), Mention.at(2, 3)))]
    made = Document.of("d", ["Clara", "said", "she", "won"], [(0, 4)], clusters)
    assert replace_pronouns(made).text == "Clara said Clara won"


@pytest.mark.parametrize(("tag", "name"), [("PRP", "Clara"), ("PRP$", "Clara's"), ("DET", "Clara's")])
def test_a_tag_says_whose_hat_it_is(tag: str, name: str) -> None:
    clusters = [Cluster("1", (Mention.at(0, 1), Mention.at(2, 3)))]
    tags = {"pos": ("NNP", "VBD", tag, "NN")}
    made = Document.of("d", ["Clara", "called", "her", "mother"], [(0, 4)], clusters, tags)
    assert replace_pronouns(made).text == f"Clara called {name} mother"


def test_a_long_phrase_in_capitals_is_not_a_name() -> None:
    words = ["The", "Old", "Red", "Fox", "Inn", "of", "Kent"]
    spans = [Mention.at(0, 6), Mention.at(0, 7), Mention.at(1, 3)]
    for mentions, best in ((spans[:2], spans[0]), (spans[1:], spans[2])):
        made = Document.of("d", words, [(0, 7)], [Cluster("1", tuple(mentions))])
        assert representative(made.text, made.clusters[0]) == best


def test_several_entities_are_replaced_in_the_order_of_the_text() -> None:
    made = document("Ann met Ben. He saw her, and she ran.", ["Ann", "her", "she"], ["Ben", "He"])
    assert replace_pronouns(made).text == "Ann met Ben. Ben saw Ann, and Ann ran."


@pytest.mark.parametrize(
    ("mentions", "best"),
    [
        (["She", "the painter", "Clara", "Clara Holt"], "Clara Holt"),
        (["She", "the painter", "the woman"], "the painter"),
        (["She", "her"], "She"),
        (["the woman", "Clara"], "Clara"),
        (["Clara", "Clara Holt"], "Clara Holt"),
        (["and the woman", "her"], "and the woman"),
    ],
)
def test_the_fullest_name_says_best_what_an_entity_is(mentions: list[str], best: str) -> None:
    made = document("She and the painter and the woman and Clara and Clara Holt and her", mentions)
    assert made.text.spelled(representative(made.text, made.clusters[0]).spans) == best


def test_every_pronoun_of_a_text_is_replaced_in_its_place() -> None:
    text = "Clara lost her hat. She cried. A dog found it, and he barked at her."
    made = document(text, ["Clara", "her", "She", "her"])
    dog = Cluster("1", (Mention.at(8, 10), Mention.at(14, 15)))
    made = replace(made, clusters=(*made.clusters, dog))
    assert replace_pronouns(made).text == (
        "Clara lost Clara's hat. Clara cried. A dog found it, and the dog barked at Clara."
    )


def test_the_last_word_of_a_text_may_be_her() -> None:
    """What comes behind it decides; behind the last word but one there is the last."""
    clusters = [Cluster("1", (Mention.at(0, 1), Mention.at(2, 3)))]
    for words, expected in (
        (["Clara", "lost", "her", "hat"], "Clara lost Clara's hat"),
        (["Clara", "saw", "her"], "Clara saw Clara"),
    ):
        assert replace_pronouns(Document.of("d", words, [(0, len(words))], clusters)).text == expected


@pytest.mark.parametrize(
    ("first", "second", "best"),
    [
        ("the painter", "a very old man", "the painter"),  # the first of two noun phrases
        ("The University of Leeds", "Leeds University", "The University of Leeds"),  # as full: the first
        ("the Duke of Leeds", "the duke", "the Duke of Leeds"),  # articles and "of" may be small in a name
        ("One Two Three Four Five Six Seven", "Two Three", "Two Three"),  # too long for a name
        ("One Two Three Four Five Six", "Two Three", "One Two Three Four Five Six"),
        ("the dog of Clara", "Rex", "Rex"),  # a phrase with a name in it is not one
        ("The", "Leeds", "Leeds"),  # small words alone name nothing
    ],
)
def test_what_is_taken_for_a_name(first: str, second: str, best: str) -> None:
    made = document(f"{first} met {second}", [first], [second])
    both = Cluster("0", (*made.clusters[0].mentions, *made.clusters[1].mentions))
    assert made.text.spelled(representative(made.text, both).spans) == best


@pytest.mark.parametrize("pronoun", ["This", "those", "who", "Whose", "she", "one"])
def test_pronouns_of_every_kind_do_not_name_an_entity(pronoun: str) -> None:
    made = document(f"{pronoun} and the painter", [pronoun, "the painter"])
    assert made.text.spelled(representative(made.text, made.clusters[0]).spans) == "the painter"
