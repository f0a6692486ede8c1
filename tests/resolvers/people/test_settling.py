"""How much a text must say of a name before it is somebody: each figure met exactly, and missed by one."""

from __future__ import annotations

import pytest

from referee.model import Text
from referee.resolvers.people.layout import layout_of
from referee.resolvers.people.names import FEMALE, MALE, Name
from referee.resolvers.people.settling import Found, People, find_people, gender_of_pronoun, settled

ZORBY = Name("", ("zorby",))


def people(names: int, he: int, she: int, *, elsewhere: int = 0) -> tuple[People, list[Found], Text]:
    """One entity of a name and pronouns, and the same name in another entity."""
    words: list[str] = []
    found = []
    for spelled, count, entity in (
        ("Zorby", names, 0),
        ("he", he, 0),
        ("she", she, 0),
        ("Zorby", elsewhere, 1),
    ):
        for _ in range(count):
            words += ["so", spelled]
            found.append(Found(len(words) - 1, len(words), entity))
    text = Text("d", tuple(words), ((0, len(words)),))
    return find_people(layout_of(text), found), found, text


@pytest.mark.parametrize(
    ("he", "she", "gender"),
    [
        (1, 0, 0), (2, 0, MALE), (0, 2, FEMALE), (4, 1, 0), (5, 1, MALE), (1, 5, FEMALE), (1, 4, 0),
        (8, 2, 0), (9, 2, MALE), (0, 0, 0), (3, 3, 0),
    ],
)  # fmt: skip
def test_pronouns_show_a_gender_where_they_mostly_agree(he: int, she: int, gender: int) -> None:
    found, _, _ = people(9 + he + she, he, she)  # most of the entity is the name
    assert found.inventory.genders.get(ZORBY, 0) == gender


@pytest.mark.parametrize(("elsewhere", "gender"), [(3, MALE), (4, 0)])
def test_the_name_must_mostly_be_in_the_entity(elsewhere: int, gender: int) -> None:
    found, _, _ = people(4, 3, 0, elsewhere=elsewhere)  # 4 of 7, and 4 of 8
    assert found.inventory.genders.get(ZORBY, 0) == gender


@pytest.mark.parametrize(("names", "known"), [(1, False), (2, True)])
def test_a_person_is_named_twice_at_least(names: int, known: bool) -> None:
    found, _, _ = people(names, 2, 0)
    assert (found.person(0) is not None) == known


@pytest.mark.parametrize(("he", "it", "known"), [(2, 1, True), (2, 2, False), (1, 2, False), (0, 0, False)])
def test_a_name_is_a_persons_by_its_pronouns(he: int, it: int, known: bool) -> None:
    words = ["so", "Zorby", "so", "Zorby", *["so", "he"] * he, *["so", "it"] * it]
    mentions = [Found(place, place + 1, 0) for place in range(1, len(words), 2)]
    layout = layout_of(Text("d", tuple(words), ((0, len(words)),)))
    assert (find_people(layout, mentions).person(0) is not None) == known


@pytest.mark.parametrize(("found", "added"), [(19, 0), (20, 2)])
def test_names_are_added_of_people_whose_names_were_found_often(found: int, added: int) -> None:
    words = ["so", "Zorby"] * (found + 2) + ["so", "he"] * 3 + ["the", "Zorby", "so", "Zorby", "the"]
    places = [*range(1, 2 * found, 2), *range(2 * found + 5, 2 * found + 10, 2)]
    mentions = [Found(place, place + 1, 0) for place in places]
    layout = layout_of(Text("d", tuple(words), ((0, len(words)),)))
    after = settled(layout, mentions, find_people(layout, mentions))
    assert len(after) - len(mentions) == added
    assert [each.start for each in after[len(mentions) :]] == [2 * found + 1, 2 * found + 3][:added]


@pytest.mark.parametrize(
    ("word", "gender"),
    [("he", MALE), ("his", MALE), ("she", FEMALE), ("herself", FEMALE), ("it", 0), ("they", 0)],
)
def test_genders_of_pronouns(word: str, gender: int) -> None:
    assert gender_of_pronoun(word) == gender
