"""Each rule of each component: a text in which it links, and one in which it must not."""

from __future__ import annotations

import pytest

from camp_texts import discourse_by_rules, links, parsed, resolved

RIGHT = [
    # La Hack
    ("names", "Clara Holt lives in Leeds. Holt paints.", ["Clara Holt", "Holt"], "surname"),
    ("names", "Clara Holt lives in Leeds. Mrs. Holt paints.", ["Clara Holt", "Mrs. Holt"], "surname"),
    ("names", "Clara Holt lives in Leeds. Clara paints.", ["Clara Holt", "Clara"],
     "unique first name"),
    ("names", "Clara Holt and Clara Moss left. Clara paints.", ["Clara Moss", "Clara"], "first name"),
    ("names", "Mr. Holt lives in Leeds. Holt paints.", ["Mr. Holt", "Holt"], "title"),
    ("names", "The United States agreed. America was tired.", ["The United States", "America"],
     "country's name"),
    ("names", "William Dent retired. Bill Dent was tired.", ["William Dent", "Bill Dent"], "short form"),
    ("names", "Harriet Ann Moss left. Harriet Moss was tired.", ["Harriet Ann Moss", "Harriet Moss"],
     "middle name left out"),
    ("names", "Leeds is old. We love Leeds.", ["Leeds", "Leeds"], "same words"),
    ("names", "The World Health Organization met. The WHO agreed.",
     ["The World Health Organization", "The WHO"], "acronym"),
    ("proper", "Clara Holt lives in Leeds. Clara paints.", ["Clara Holt", "Clara"], "part of one name"),
    ("proper", "Clara Holt lives in Leeds. Holt paints.", ["Clara Holt", "Holt"], "part of one name"),
    # syntax
    ("syntax", "Clara saw herself in the mirror.", ["Clara", "herself"], "reflexive"),
    ("syntax", "Clara wants to dry herself.", ["Clara", "herself"], "reflexive above"),
    ("syntax", "Clara told Peter to wash himself.", ["Peter", "himself"], "reflexive above"),
    # quotes
    ("quotes", '"I am tired," said Clara.', ["I", "Clara"], "speaker"),
    ("quotes", '"I know, Clara, that you are tired," said Peter.', ["Clara", "you"], "vocative"),
    ("quotes", "Let's go home. We are late.", ["'s", "We"], "same we"),
    ("quotes", "I left early. My coat was wet.", ["I", "My"], "same I"),
    # nouns
    ("nouns", "Clara saw a dog. The dog was old.", ["a dog", "The dog"], "same string"),
    ("nouns", "An old dog barked all night. The dog was hungry.", ["An old dog", "The dog"], "same head"),
    ("nouns", "Peter read Clara's long letter. This letter was sad.", ["Clara's long letter", "This letter"],
     "this one"),
    ("nouns", "Clara's old house burned. The house was empty.", ["Clara's old house", "The house"],
     "owned before"),
    ("nouns", "That was wrong. That was very wrong.", ["That", "That"], "same demonstrative"),
    # pronouns
    ("pronouns", "This is a good boat, but it leaks.", ["This", "it"], "salience"),
    ("pronouns", "Someone called twice. They were angry.", ["Someone", "They"], "salience"),
    ("pronouns", "Clara opened the letter. She smiled.", ["Clara", "She"], "salience"),
    ("pronouns", "The book is old, but it sells well.", ["The book", "it"], "salience"),
    ("pronouns", "The sisters left early. They were tired.", ["The sisters", "They"], "salience"),
]  # fmt: skip


@pytest.mark.parametrize(("component", "text", "cluster", "rule"), RIGHT, ids=lambda value: str(value)[:40])
def test_a_rule_links(component: str, text: str, cluster: list[str], rule: str) -> None:
    assert sorted(cluster) in [sorted(found) for found in resolved(text, component)]
    assert rule in {link.rule for link in links(text, component)}


WRONG = [
    ("names", "Clara Holt met Peter Holt in Leeds."),  # one surname, two people
    ("names", "Clara Holt lives in Leeds. Mr. Holt paints."),  # gender
    ("names", "Mrs. Holt lives in Leeds. Miss Holt paints."),  # two titles, two people
    ("names", "America is large. An American paints."),  # a people is not its country
    ("syntax", "Peter told him to wash herself."),  # nobody agrees
    ("nouns", "That was wrong. Clara left. It rained. That was right."),  # too far
    ("nouns", "Peter read Clara's letter. Clara left. It rained. It snowed. This letter was sad."),
    ("names", "The Duke of Kent met the Duke of York."),
    ("syntax", "Clara saw him in the mirror."),
    ("syntax", "Clara Holt, a painter, lives in Leeds."),  # apposition is no identity under OntoNotes
    ("quotes", '"I am tired," said Clara. "I am not," said Peter.'),  # two speakers
    ("nouns", "A dog barked. A dog was old."),
    ("nouns", "The old dog barked. The young dog was hungry."),
    ("nouns", "Clara's dog barked. Peter's dog was hungry."),
    ("pronouns", "Clara saw her in the mirror."),  # binding
    ("pronouns", "It rained in Leeds all day."),
    ("pronouns", "It is clear that the train was late."),
    ("pronouns", "Peter opened the letter. She smiled."),
]


@pytest.mark.parametrize(("component", "text"), WRONG, ids=lambda value: str(value)[:40])
def test_a_rule_does_not_link(component: str, text: str) -> None:
    assert links(text, component) == [] or "quotes" in component
    if component == "quotes":
        assert not any("Clara" in cluster and "Peter" in cluster for cluster in resolved(text, component))


def test_appositions_and_predicates_corefer_under_other_guidelines() -> None:
    text = "Clara Holt, the painter, lives in Leeds. Peter is a teacher."
    rules = {link.rule for link in links(text, "syntax", guidelines="gum")}
    assert rules == {"apposition", "predicate"}


def test_a_name_that_two_people_have_is_a_tie() -> None:
    text = "Clara Holt lives in Leeds. Clara Moss lives in York. Clara paints."
    discourse = discourse_by_rules(parsed(text), only=["proper"])
    assert discourse.links == []
    assert [(miss.reason, len(miss.candidates)) for miss in discourse.near_misses] == [
        ("a tie between entities with this name", 2)
    ]


def test_what_is_denied_is_no_predicate() -> None:
    assert links("Peter is not a teacher.", "syntax", guidelines="gum") == []


def test_you_is_who_spoke_before() -> None:
    text = '"I am tired," said Clara. "You never sleep," said Peter.'
    assert ["I", "Clara", "You"] in resolved(text, "quotes")


def test_a_turn_goes_on_behind_its_speaker() -> None:
    text = '"I am tired," said Clara, "and I am going home."'
    assert ["I", "Clara", "I"] in resolved(text, "quotes")


def test_speakers_do_not_alternate_across_a_pause() -> None:
    pause = "The rain fell on the old roof of the house. " * 5
    text = f'"I am tired," said Clara. {pause}"I am not," said Peter. "I am going."'
    assert not any("Clara" in cluster and len(cluster) > 2 for cluster in resolved(text, "quotes"))


def test_speakers_alternate() -> None:
    text = (
        '"I am tired," said Clara. "I am not," said Peter. It rained on the old roof, and it was late. "Go."'
    )
    assert ["I", "Clara"] in resolved(text, "quotes")
    text = '"I am tired," said Clara.\n\n"I am not," said Peter.\n\n"I am going."'
    assert ["I", "Clara", "I"] in resolved(text, "quotes")


def test_a_pronoun_may_come_before_its_subject() -> None:
    assert resolved("In her youth, Clara painted horses.", "pronouns") == [["her", "Clara"]]


def test_possessives_of_one_possessor_are_linked_once_the_possessors_are() -> None:
    text = "Clara sold her house. The house was old. Clara loved her house."
    assert ["her house", "The house", "her house"] in resolved(text) or any(
        cluster.count("her house") == 2 for cluster in resolved(text)
    )


def test_labels_say_who_speaks() -> None:
    text = "CLARA: I am late.\n\nPETER: I am early.\n\nCLARA: I am sorry.\n\nPETER: My train was late."
    clusters = resolved(text, "genre", "quotes")
    assert not any("CLARA" in cluster and "PETER" in cluster for cluster in clusters)
    assert any(cluster.count("CLARA") == 2 and "I" in cluster for cluster in clusters)


def test_a_letter_names_you_and_i() -> None:
    clusters = resolved("Dear Clara,\n\nI hope that you are well. I am ill.\n\nPeter", "genre")
    assert ["Dear Clara", "you"] in clusters
    assert ["I", "Peter"] in clusters


def test_a_colon_alone_makes_no_speaker() -> None:
    assert resolved("Leeds: I love it.", "genre") == []


def test_handles_are_names() -> None:
    assert any(link.rule == "handle" for link in links("Clara waved. Thanks, @clara for this.", "genre"))
