"""A noun and a name of one person say turns by turns with another, and never one after the other."""

from __future__ import annotations

import pytest

from marked_story import story
from referee.resolvers.people.second_pass import with_people

BEGIN = "[Ann/A] met [Fagin/F], and [she/A] saw that [he/F] sat. [The girl/J] came when [she/J] sang.\n\n"
FAGIN, ANN = '"Go," said [Fagin/F].\n\n', '"No," said [Ann/A].\n\n'
JEW, GIRL = '"Go," said [the Jew/J].\n\n', '"Go," said [the girl/J].\n\n'


def joined(text: str) -> bool:
    """Whether Fagin is whom the text has as the Jew, or as the girl."""
    document = story(text)
    clusters = [{document.text.spelled(m.spans).lower() for m in each} for each in with_people(document)]
    return any("fagin" in cluster and cluster & {"the jew", "the girl"} for cluster in clusters)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ((FAGIN + ANN + JEW + ANN) * 2, True),
        ((FAGIN + ANN + JEW + ANN) + FAGIN, False),  # twice is not enough
        ((FAGIN + ANN + JEW + ANN) * 2 + JEW + FAGIN, False),  # they talk to each other
        ((FAGIN + "It rained.\n\nIt rained.\n\n" + ANN + JEW + ANN) * 2, False),  # not of one conversation
        ((FAGIN + ANN + '"Go," said [he/J].\n\n' + ANN) * 2, False),  # he is no noun
        ((FAGIN + ANN + '"Go," said [Ben/J].\n\n' + ANN) * 2, False),  # nor is a name
    ],
)
def test_a_noun_that_speaks_by_turns_with_another_means_who_is_named(text: str, answer: bool) -> None:
    assert joined(BEGIN.replace("The girl", "The Jew").replace("[she/J]", "[he/J]") + text) is answer


def test_she_is_not_he() -> None:
    assert not joined(BEGIN + (FAGIN + ANN + GIRL + ANN) * 2)


SAT = "[The king/K] and [the smith/K] sat when [he/K] sang.\n\n"
KING, SMITH, SON = (f'"Go," said [the {who}/K].\n\n' for who in ("king", "smith", "young son"))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (KING + SMITH, ["The king, the king", "the smith, he, the smith"]),
        (
            KING + '"Go," [the old smith/K] replied, and [he/K] left.',
            ["The king, the king", "the smith, he, the old smith, he"],
        ),
        (KING + KING, ["The king, the smith, he, the king, the king"]),
        (KING + "It rained.\n\n" + SMITH, ["The king, the smith, he, the king, the smith"]),
        (KING + '"Go," [he/K] said.', ["The king, the smith, he, the king, he"]),
        (KING + SMITH.replace("/K", "/S"), ["The king, the smith, he, the king", "the smith"]),
        (  # whom another answers, and then two answer him: they are on one side, and he is on the other
            SON + KING + SMITH + KING + '"Go," said [the cook/K].\n\n',
            ["The king, the king, the king", "the smith, he, the young son, the smith, the cook"],
        ),
        # who answers the same one is on one side
        (
            KING + SMITH + KING + SON,
            ["The king, the king, the king", "the smith, he, the smith, the young son"],
        ),
    ],
)
def test_an_entity_in_which_one_answers_another_is_two(text: str, parts: list[str]) -> None:
    document = story(SAT + text)
    clusters = sorted(with_people(document))
    assert [", ".join(document.text.spelled(m.spans) for m in each) for each in clusters] == parts
