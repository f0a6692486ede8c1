"""What a pronoun may mean by itself, as tables of all that is looked at."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

from referee.resolvers.camp.markables import Kind, Properties, Property
from referee.resolvers.camp.pronouns import _may_be_person, _may_be_they

ANIMACIES, GENDERS = (None, "animate", "inanimate"), (None, "feminine", "neuter")


def other(kind: Kind, label: str = "", *, overloaded: bool = False) -> Any:
    return SimpleNamespace(kind=kind, label=label, overloaded=overloaded)


@pytest.mark.parametrize(("animacy", "gender"), [*product(ANIMACIES, GENDERS)])
def test_he_is_who_is_animate_or_has_a_gender_or_a_name_that_may_be_a_persons(
    animacy: str | None, gender: str | None
) -> None:
    known = animacy == "animate" or gender is not None
    for kind, label, overloaded in product(Kind, ("", "PERSON", "ORG"), (False, True)):
        named = kind is Kind.NAME and (overloaded or label != "ORG")
        assert _may_be_person(animacy, gender, other(kind, label, overloaded=overloaded)) == (known or named)


@pytest.mark.parametrize(("animacy", "gender"), [*product(ANIMACIES, GENDERS)])
def test_they_is_one_person_without_a_name_whose_gender_is_not_known(
    animacy: str | None, gender: str | None
) -> None:
    entity = Properties(gender=Property(gender, 1.0), animacy=Property(animacy, 1.0))
    for kind in Kind:
        expected = kind is not Kind.NAME and animacy == "animate" and gender is None
        assert _may_be_they(entity, other(kind)) == expected
