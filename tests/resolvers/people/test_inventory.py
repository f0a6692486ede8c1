"""Which names are one person's: by their forms, by votes, and never against what excludes it."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from referee.resolvers.people.inventory import Inventory
from referee.resolvers.people.names import FEMALE, MALE, Name, name_occurrences

Given = dict[str, tuple[int, dict[int, int]]]  # name as written → how often, and in which entities


def name(written: str) -> Name:
    (found,) = name_occurrences(["x", *written.split()], [True] + [False] * 5)
    return found.name


def people(given: Given) -> list[set[str]]:
    names = {name(written): written for written in given}
    votes: dict[Name, Counter[int]] = defaultdict(Counter)
    votes |= {each: Counter(given[written][1]) for each, written in names.items()}
    inventory = Inventory({each: given[written][0] for each, written in names.items()}, votes, {})
    return sorted(
        (
            {names[each] for each in person.names}
            for person in {id(p): p for p in inventory.person_of.values()}.values()
        ),
        key=sorted,
    )


def apart(*names: str) -> Given:
    """Give each name four occurrences in an entity of its own."""
    return {written: (4, {number: 4}) for number, written in enumerate(names)}


@pytest.mark.parametrize(
    "names",
    [
        ("Nora Finch", "Nora"),
        ("Miss Nora Finch", "Miss Nora"),
        ("Elizabeth Bennet", "Lizzy"),
        ("Captain Frederick Wentworth", "Frederick"),
        ("Mr. Darcy", "Darcy"),
    ],
)
def test_forms_of_one_name_are_one_person_wherever_the_resolver_put_them(names: tuple[str, ...]) -> None:
    assert people(apart(*names)) == [set(names)]


@pytest.mark.parametrize(
    "names",
    [
        ("Mr. Bennet", "Mrs. Bennet"),
        ("Mrs. Bennet", "Miss Bennet"),
        ("Jane Bennet", "Elizabeth Bennet"),
        ("Mrs. John Dashwood", "Mrs. Dashwood"),
        ("Sir Walter Elliot", "Mr. Elliot"),
        ("Mrs. Clay", "Mrs. Smith"),
        ("John Smith", "Mary Smith"),
    ],
)
def test_names_that_exclude_each_other_stay_apart_in_one_entity(names: tuple[str, ...]) -> None:
    assert people({written: (9, {0: 9}) for written in names}) == sorted(
        [{each} for each in names], key=sorted
    )


def test_votes_decide_whose_surname_it_is() -> None:
    names = {"Tom Reed": (9, {0: 9}), "Sam Reed": (9, {1: 9}), "Reed": (9, {1: 8, 0: 1})}
    assert people(names) == [{"Reed", "Sam Reed"}, {"Tom Reed"}]


def test_without_votes_a_surname_of_two_is_nobodys() -> None:
    assert {"Reed"} in people({"Tom Reed": (9, {0: 9}), "Sam Reed": (9, {1: 9}), "Reed": (9, {2: 9})})


def test_one_who_is_named_far_more_often_is_meant() -> None:
    names = {"Tom Reed": (90, {0: 90}), "Sam Reed": (2, {1: 2}), "Reed": (9, {2: 9})}
    assert {"Tom Reed", "Reed"} in people(names)


def test_names_that_a_resolver_keeps_apart_stay_apart_unless_the_form_is_certain() -> None:
    assert people(apart("Charles Hayter", "Mr. Hayter")) == [{"Charles Hayter"}, {"Mr. Hayter"}]
    assert people(apart("Charles Hayter", "Hayter")) == [{"Charles Hayter", "Hayter"}]


def test_names_that_share_no_word_are_joined_by_many_votes() -> None:
    assert people({"Sissy": (9, {0: 9}), "Jupe": (9, {0: 9})}) == [{"Jupe", "Sissy"}]
    assert people({"Sissy": (9, {0: 9}), "Jupe": (9, {0: 4, 1: 5})}) == [{"Jupe"}, {"Sissy"}]


def test_two_first_names_in_one_entity_are_two_people() -> None:
    assert people({"Tom": (5, {0: 5}), "Daniel": (5, {0: 3, 1: 2})}) == [{"Daniel"}, {"Tom"}]


def test_pronouns_are_surer_than_a_first_name() -> None:
    robin, counts = Name("", ("tom",)), {Name("", ("tom",)): 3}
    inventory = Inventory(counts, {robin: Counter({0: 3})}, {robin: FEMALE})
    assert inventory.gender(inventory.person_of[robin]) == FEMALE
    without = Inventory(counts, {robin: Counter({0: 3})}, {})
    assert without.gender(without.person_of[robin]) == MALE
