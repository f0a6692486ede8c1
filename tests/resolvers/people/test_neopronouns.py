"""Xe, zir and the like are those who are named before them."""

from __future__ import annotations

import pytest

from referee.model import Text
from referee.resolvers.neural.cutting import cut_raw
from referee.resolvers.people.layout import layout_of
from referee.resolvers.people.neopronouns import with_neopronouns
from referee.resolvers.people.settling import Found


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
