"""People and their families: who is one person, who are two, and who speaks."""

from __future__ import annotations

import pytest

from camp_texts import by_hand, discourse_by_rules, links, resolved
from referee.resolvers.camp.person_names import NO_NAME, PersonName


def name(first: str = "", last: str = "", marital: str = "") -> PersonName:
    """Make a name of its parts."""
    parts = [frozenset(part.split()) for part in (first, last, marital)]
    return PersonName(parts[0] | parts[1], *parts)


@pytest.mark.parametrize(
    ("one", "other", "answer"),
    [
        (name("clara", "holt"), name("peter", "holt"), True),
        (name("clara", "holt"), name("clara", "moss"), True),
        (name("clara", "holt"), name("", "holt"), False),
        (name("clara", "holt"), name("clara"), False),
        (name("clara"), name("", "moss"), True),  # nothing in common
        (name("bill", "dent"), name("william", "dent"), False),
        (name("w.", "dent"), name("william", "dent"), False),
        (name("", "holt", "married_titles"), name("", "holt", "unmarried_titles"), True),
        (name("", "holt", "married_titles"), name("", "holt", "married_titles"), False),
        (name("clara", "holt", "married_titles"), name("clara", "holt", "unmarried_titles"), False),
        (NO_NAME, name("clara", "holt"), False),
    ],
)
def test_names_of_two_people_clash(one: PersonName, other: PersonName, answer: bool) -> None:
    assert one.clashes(other) is other.clashes(one) is answer


def together(text: str, one: str, other: str, *components: str) -> bool:
    """Whether two phrases are in one entity."""
    return any(one in cluster and other in cluster for cluster in resolved(text, *components))


def test_a_pronoun_does_not_make_two_people_one() -> None:
    text = "Clara Holt met Anna Moss. She saw herself in the mirror. Anna Moss laughed. Clara Holt left."
    assert not together(text, "Clara Holt", "Anna Moss")


def test_a_mother_is_not_her_daughter() -> None:
    text = "Clara Holt lived with Peter Holt in Leeds. Mrs. Holt was ill. Miss Holt cooked. Peter Holt slept."
    assert not together(text, "Clara Holt", "Mrs. Holt")
    assert not together(text, "Mrs. Holt", "Miss Holt")


def test_the_wife_of_john_holt_is_not_john_holt() -> None:
    text = "John Holt lived in Leeds. Mrs. John Holt painted. Holt was proud."
    assert not together(text, "John Holt", "Mrs. John Holt")


def test_a_title_before_a_first_name_keeps_it() -> None:
    assert together("Sir John Middleton came. Sir John laughed.", "Sir John Middleton", "Sir John", "names")


def test_an_epithet_is_no_part_of_a_name() -> None:
    assert together("Clara Holt wept. Poor Clara was alone.", "Clara Holt", "Poor Clara", "names")


def test_a_list_keeps_its_people_apart() -> None:
    items = "- Anna Lind, a singer. She lives in Oslo.\n- Sara Moe, a pilot. She flies to Rome."
    text = f"Guests:\n\n{items}\n\nSara left."
    assert not together(text, "Anna Lind, a singer", "Sara")


def test_a_role_and_its_name_are_one_mention() -> None:
    text = "Apple said that its chief executive, Tim Cook, will visit Berlin. Cook was tired."
    assert ["its chief executive, Tim Cook", "Cook"] in resolved(text)


def test_labels_of_a_chat_may_be_taken_for_anything() -> None:
    text = "NORA: I lost my keys.\n\nBEN: I have them in my car.\n\nNORA: Can you bring them?\n\nBEN: I will."
    assert not any(cluster.count("I") == 3 for cluster in resolved(text, "genre", "quotes"))


def test_a_book_with_some_colons_is_no_transcript() -> None:
    story = "The old road was long and the rain was cold. " * 80
    text = f"Clara: I am late. {story}\n\nPeter: I am early. {story}\n\nClara: I am sorry."
    assert not any(link.rule == "speaker label" for link in links(text, "genre"))


CONVERSATION = (
    '"I am late," said Clara.\n\n"I have waited," said Peter.\n\n'
    '"I ran all the way."\n\n"I believe you."\n\n"Then I am glad."'
)


def test_two_people_speak_by_turns() -> None:
    clusters = resolved(CONVERSATION, "quotes")
    assert ["I", "Clara", "I", "you", "I"] in clusters
    assert ["I", "Peter", "I"] in clusters


def test_nobody_calls_himself() -> None:
    text = '"I am late," said Clara.\n\n"It rains," said Peter.\n\n"I know, Clara, I know."'
    assert not any(
        "Clara" in cluster and cluster.count("I") > 1 for cluster in resolved(text, "names", "quotes")
    )


def test_who_acts_in_a_paragraph_speaks_in_it() -> None:
    text = 'It rained.\n\nClara smiled. "I am tired."\n\nThe dog barked.'
    assert ["Clara", "I"] in resolved(text, "quotes")
    assert {link.rule for link in links(text, "quotes")} == {"acting speaker"}


def test_a_name_in_a_quotation_does_not_say_it() -> None:
    text = 'It rained.\n\n"Clara," cried Peter, "I am here."'
    assert not any("Clara" in cluster and "I" in cluster for cluster in resolved(text, "quotes"))


def test_she_who_answers_is_not_who_spoke() -> None:
    text = '"I am late," said Clara.\n\n"I am early," she said. Anna had come.'
    assert not together(text, "Clara", "she")


SPEAKING = """
Dorian NNP Dorian 2 nsubj (NORP)
smiled VBD smile 0 ROOT
.      .   .     2 punct

Dorian NNP Dorian 2 compound (PERSON*
Gray   NNP Gray   3 nsubj *)
left   VBD leave  0 ROOT
.      .   .      3 punct
"""


def test_a_first_name_is_what_the_full_name_is() -> None:
    discourse = discourse_by_rules(by_hand(SPEAKING), only=["names"])
    assert {markable.label for markable in discourse.markables} == {"PERSON"}


TOLD = """
Newland NNP Newland 2 nsubj (PERSON)
lost    VBD lose    0 ROOT
his     PRP$ his    4 poss
hat     NN hat      2 dobj
"""


@pytest.mark.parametrize(("times", "gender"), [(2, None), (3, "masculine")])
def test_a_text_tells_the_gender_of_a_rare_name(times: int, gender: str | None) -> None:
    discourse = discourse_by_rules(by_hand("\n\n".join([TOLD.strip()] * times)), only=["genre"])
    assert discourse.markables[0].properties.gender.value == gender
