"""Which names are one person's: by their forms, by votes, and never against what excludes it."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations

import pytest

from referee.resolvers.people.inventory import Inventory, certain, shares
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


NAMES = ["Nora", "Nora Finch", "N. Finch", "Mrs. Finch", "Captain Finch", "Finch", "Aunt Nora"]
NAMES += ["Elizabeth Finch", "Lizzy", "Lizzy Reed"]


def test_a_name_may_be_a_form_of_one_with_its_surname_first_name_or_initial() -> None:
    alike = {pair for pair in combinations(NAMES, 2) if shares(*map(name, pair))}
    assert alike == {
        *(("Nora", other) for other in ("Nora Finch", "Aunt Nora")),
        *(
            ("Nora Finch", other)
            for other in ("N. Finch", "Mrs. Finch", "Captain Finch", "Finch", "Aunt Nora")
        ),
        *(("N. Finch", other) for other in ("Mrs. Finch", "Captain Finch", "Finch")),
        *(("Mrs. Finch", other) for other in ("Captain Finch", "Finch", "Elizabeth Finch")),
        *(("Captain Finch", other) for other in ("Finch", "Elizabeth Finch")),
        ("Finch", "Elizabeth Finch"),
        ("Elizabeth Finch", "Lizzy"),
        ("Lizzy", "Lizzy Reed"),
    }
    assert not shares(name("Captain Nora"), name("Nora Finch"))  # a title of surnames
    assert shares(name("Mrs. Nora"), name("Nora Finch"))
    assert not shares(name("Aunt Finch"), name("Nora Finch"))  # one of first names
    assert shares(name("Lizzy"), name("Elizabeth"))
    assert not shares(name("Aunt Lizzy"), name("Elizabeth"))


def test_a_name_without_a_title_is_certain_and_one_with_the_same_title() -> None:
    pairs = {
        ("Nora", "Nora Finch"): True,
        ("Mrs. Finch", "Mrs. Nora Finch"): True,
        ("Mrs. Finch", "Nora Finch"): False,
        ("Nora Finch", "Miss Nora Finch"): True,
        ("Nora Finch", "N. Finch"): False,
        ("Finch", "Mrs. Finch"): True,
        ("Captain Finch", "Mrs. Finch"): False,
        ("Finch", "Nora"): False,
    }
    assert {pair: certain(*map(name, pair)) for pair in pairs} == pairs


def test_what_excludes_another_name() -> None:
    names = (
        "Nora Finch",
        "E. Finch",
        "Mrs. Finch",
        "Captain Finch",
        "Finch",
        "Nora",
        "Sister Nora",
        "Miss Nora",
        "Mr. Tom Finch",
        "Mrs. Tom Finch",
        "Sir Tom",
        "Lord Finch",
        "Captain Moss",
        "Mr. Tom",
    )
    made = Inventory({name(each): 3 for each in names}, defaultdict(Counter), {})
    apart: dict[str, set[str]] = {each: set() for each in names}
    for one, other in combinations(names, 2):
        assert made.exclude(name(one), name(other)) == made.exclude(name(other), name(one))
        if made.exclude(name(one), name(other)):
            apart[one].add(other)
    men = {"Mr. Tom Finch", "Sir Tom", "Lord Finch", "Mr. Tom"}
    assert apart == {
        "Nora Finch": {"E. Finch", "Mrs. Tom Finch", "Captain Moss", *men},
        "E. Finch": {"Mr. Tom Finch", "Mrs. Tom Finch", "Captain Moss"},
        "Mrs. Finch": {"Miss Nora", "Mrs. Tom Finch", "Captain Moss", *men},
        "Captain Finch": {"Captain Moss"},
        "Finch": {"Captain Moss"},
        "Nora": men,
        "Sister Nora": men,
        "Miss Nora": {"Mrs. Tom Finch", *men},
        "Mr. Tom Finch": {"Mrs. Tom Finch", "Sir Tom", "Lord Finch", "Captain Moss"},
        "Mrs. Tom Finch": {"Sir Tom", "Lord Finch", "Captain Moss", "Mr. Tom"},
        "Sir Tom": {"Mr. Tom"},
        "Lord Finch": {"Mr. Tom"},
        "Captain Moss": set(),
        "Mr. Tom": set(),
    }


def test_how_sure_votes_are_grows_with_their_number() -> None:
    def together(one: dict[int, int], other: dict[int, int]) -> float:
        names = [Name("", ("tom",)), Name("", ("anna",))]
        votes = dict(zip(names, (Counter(one), Counter(other)), strict=True))
        made = Inventory(dict.fromkeys(names, 9), votes, {})
        return made.together(*(made.person_of[each] for each in names))

    assert together({0: 1}, {1: 1}) == 0
    assert together({0: 1}, {0: 1}) == pytest.approx(1 / 2)
    assert together({0: 2}, {0: 4, 1: 4}) == pytest.approx(1 / 2 * 2 / 3)
    assert together({0: 3, 1: 1}, {0: 1, 1: 1}) == pytest.approx(1 / 2 * 2 / 3)


def test_the_last_word_of_a_full_name_is_a_surname_and_not_a_first_name() -> None:
    names = [name(each) for each in ("Nora Harlow", "Harlow", "Captain Moss", "Nora")]
    made = Inventory(dict.fromkeys(names, 3), defaultdict(Counter), {})
    assert made.exclude(names[1], names[2])
    assert not made.exclude(names[3], names[2])


@pytest.mark.parametrize(
    ("written", "surname"),
    [
        ("Nora Harlow", "harlow"), ("Harlow Reed", "reed"), ("Harlow", ""), ("Captain Harlow", "harlow"),
        ("Nora", ""), ("Captain Moss", "moss"), ("Moss", "moss"), ("Reed", "reed"), ("Finch", ""),
        ("Captain Nora", "nora"), ("Miss Nora", ""), ("Captain Nora Moss", "moss"),
    ],
)  # fmt: skip
def test_which_word_of_a_name_is_a_surname(written: str, surname: str) -> None:
    """Harlow is a first name, too, and so is Nora, but of a captain."""
    known = [name(each) for each in ("Nora Harlow", "Harlow Reed", "Captain Moss", "Nora")]
    made = Inventory(dict.fromkeys(known, 3), defaultdict(Counter), {})
    assert made._surname(name(written)) == surname
