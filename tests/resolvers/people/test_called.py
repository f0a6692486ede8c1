"""Xe and zir, the Pole and the 20-year-old are those who are named before them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from referee.model import Text
from referee.resolvers.neural.cutting import cut_raw
from referee.resolvers.people.called import with_epithets, with_neopronouns, with_singular_they
from referee.resolvers.people.layout import Layout, layout_of
from referee.resolvers.people.settling import Found

Pass = Callable[[Layout, Sequence[Found]], list[Found]]


def joined(running: str, *found: Found) -> list[list[str]]:
    """Write out the entities."""
    text = cut_raw(Text("d", (), (), running=running))
    entities: dict[int, list[str]] = {}
    for start, end, entity in with_neopronouns(layout_of(text), sorted(found)):
        entities.setdefault(entity, []).append(" ".join(text.words[start:end]))
    return list(entities.values())


@pytest.mark.parametrize(
    ("running", "entities"),
    [
        ("Sam Field sang. Xe likes xyr song.", [["Sam Field", "Xe", "xyr"]]),
        ("Then Peter met Nora. Ze likes zir song.", [["Peter", "Ze", "zir"]]),  # the first before
        ("Then Rowan met Nora, and xe gave xyr song.", [["Nora", "xe", "xyr"]]),  # the last of the sentence
        ("Then Rowan came. It rained. Ze likes zir song.", [["Rowan", "Ze", "zir"]]),
        (
            "Then Rowan came. Xe likes xyr song. Then Nora came. Fae likes faer dog. Xe sang.",
            [["Rowan", "Xe", "xyr", "Xe"], ["Nora", "Fae", "faer"]],
        ),
        ("Then Rowan came. Ze book is good.", []),  # an accent: one form alone
        ("Xe likes xyr song.", []),  # nobody is named
        ("Sam Field sang, and Sam Field left. Xe likes xyr song.", [["Sam Field", "Sam Field", "Xe", "xyr"]]),
    ],
)
def test_neopronouns_are_of_those_who_are_named_before(running: str, entities: list[list[str]]) -> None:
    assert joined(running) == entities


def test_a_name_that_is_in_an_entity_brings_it_along_and_a_wrong_one_is_left() -> None:
    running = "Sam Field sang of the sea. Xe likes xyr song."
    name, sea, wrong = Found(0, 2, 4), Found(4, 6, 5), Found(7, 8, 5)
    assert joined(running, name, sea, wrong) == [["Sam Field", "Xe", "xyr"], ["the sea"]]


def parted(running: str, phrases: Sequence[Sequence[str]], how: Pass = with_epithets) -> set[tuple[str, ...]]:
    """Part or join entities that are given by phrases, each the next place behind those before it."""
    text = cut_raw(Text("d", (), (), running=running))
    found = []
    for number, entity in enumerate(phrases):
        at = 0
        for phrase in entity:
            words = phrase.split()
            at = next(i for i in range(at, text.length) if list(text.words[i : i + len(words)]) == words)
            found.append(Found(at, at + len(words), number))
            at += 1
    entities: dict[int, list[str]] = {}
    for start, end, number in how(layout_of(text), sorted(found)):
        entities.setdefault(number, []).append(" ".join(text.words[start:end]))
    return {tuple(entity) for entity in entities.values()}


RACE = "Adam Kowal beat Ben Ford on Sunday. The Pole was faster than he had hoped. "


@pytest.mark.parametrize(
    ("running", "phrases", "entities"),
    [
        (  # the one of the sentence before, and what is said of him
            RACE + "Third was Paul Roux. The Frenchman fell, but he got up. Kowal saw him.",
            [["Adam Kowal", "The Pole", "he", "The Frenchman", "he", "Kowal", "him"]],
            {("Adam Kowal", "The Pole", "he", "Kowal", "him"), ("Paul Roux", "The Frenchman", "he")},
        ),
        (  # who is from elsewhere is somebody else
            RACE + "The American fell. He is 30.",
            [["Adam Kowal", "The Pole", "he", "The American", "He"]],
            {("Adam Kowal", "The Pole", "he"), ("Ben Ford", "The American", "He")},
        ),
        (  # also where the other epithet was not found
            "Rosa Klein beat Maria Silva. The German won in two sets. The Brazilian thanked her fans.",
            [["Rosa Klein", "The Brazilian", "her"]],
            {("Rosa Klein",), ("Maria Silva", "The Brazilian", "her")},
        ),
        (  # who is from there anyway is not somebody else
            "Rosa Klein beat Maria Silva. The German won in two sets. The German thanked her fans.",
            [["Maria Silva", "sets", "The German", "her"]],
            {("Rosa Klein", "The German", "her"), ("Maria Silva", "sets")},
        ),
        (  # an age says nothing of who it is not
            RACE + "The 20-year-old fell. He is ill.",
            [["Adam Kowal", "The Pole", "he", "The 20 - year - old", "He"]],
            {("Adam Kowal", "The Pole", "he", "The 20 - year - old", "He")},
        ),
        (  # where an entity has no name, nothing is known to be wrong
            RACE + "A man fell. The American got up. He is ill.",
            [["A man", "The American", "He"]],
            {("A man", "The American", "He")},
        ),
        (
            RACE + "Third was Paul Roux. The city cheered.",
            [["Adam Kowal", "The city"]],
            {("Adam Kowal", "The city")},
        ),
    ],
)
def test_an_epithet_is_who_is_named_before_it(
    running: str, phrases: list[list[str]], entities: set[tuple[str, ...]]
) -> None:
    assert parted(running, phrases) == entities


@pytest.mark.parametrize(
    ("running", "joined"),
    [
        ("Adam Kowal won in Oslo. The Pole finished early.", True),
        ("Adam Kowal won in Oslo. The Pole was glad.", True),
        ("Adam Kowal beat Ben Ford. The Pole finished early.", False),  # either may be the Pole
        ("Adam Kowal won in Oslo. The Polish team finished early.", False),
        ("Adam Kowal won in Oslo. He met the German team.", False),
        ("It rained in Oslo. The Pole finished early.", False),
    ],
)
def test_an_epithet_that_nobody_found_is_the_only_person_before_it(running: str, joined: bool) -> None:
    """Beside an epithet that was found: otherwise nothing is looked for."""
    given = [["Adam Kowal"]] * ("Adam" in running) + [["The Swede"]]
    found = parted(running + " The Swede fell.", given)
    assert (("Adam Kowal", "The Pole") in found) == joined
    assert ("The Swede",) in found


@pytest.mark.parametrize(
    ("running", "phrases", "entities"),
    [
        (
            "Robin Vale starts today. They come from a bank. We like them.",
            [["Robin Vale"], ["They", "them"]],
            {("Robin Vale", "They", "them")},
        ),
        (  # who is in no entity
            "Robin Vale starts today. They come from a bank. We like them.",
            [["They", "them"]],
            {("Robin Vale", "They", "them")},
        ),
        (  # somebody who is called she
            "Robin Vale starts today. They come from a bank. We like them. She left.",
            [["Robin Vale", "She"], ["They", "them"]],
            {("Robin Vale", "She"), ("They", "them")},
        ),
        (  # others are near
            "Robin Vale met the boys. They come from a bank. We like them.",
            [["Robin Vale"], ["the boys"], ["They", "them"]],
            {("Robin Vale",), ("the boys",), ("They", "them")},
        ),
        (
            "Robin Vale met Ann Lee. They come from a bank. We like them.",
            [["Robin Vale"], ["They", "them"]],
            {("Robin Vale",), ("They", "them")},
        ),
        (  # once may be anybody
            "Robin Vale works at a bank. They pay well.",
            [["Robin Vale"], ["They"]],
            {("Robin Vale",), ("They",)},
        ),
    ],
)
def test_they_is_one_person_who_alone_is_named_before(
    running: str, phrases: Sequence[Sequence[str]], entities: set[tuple[str, ...]]
) -> None:
    assert parted(running, phrases, with_singular_they) == entities
