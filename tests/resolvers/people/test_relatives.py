"""If Tom is her nephew, his aunt is she; and nobody's grandfather is her husband."""

from __future__ import annotations

import pytest

from marked_cases import document_of
from referee.resolvers.people.layout import layout_of
from referee.resolvers.people.relatives import with_kinds_apart, with_relatives
from referee.resolvers.people.second_pass import found_in
from referee.resolvers.people.settling import Found

NEPHEW = "[1 Nora] saw [2 [1 her] nephew Tom]. "


def written(marked: str, how: object) -> list[list[str]]:
    """Write the entities out after a pass; `how` is one of the two."""
    document = document_of(marked)
    passed: list[Found] = how(layout_of(document.text), found_in(document))  # type: ignore[operator]
    entities: dict[int, list[str]] = {}
    for start, end, entity in passed:
        entities.setdefault(entity, []).append(" ".join(document.words[start:end]))
    return list(entities.values())


@pytest.mark.parametrize(
    ("marked", "aunt"),
    [
        (NEPHEW + "[2 He] loved [2 his] aunt.", ["Nora", "her", "his aunt"]),
        (NEPHEW + "[2 He] loved [2 his] old aunt.", ["Nora", "her", "his old aunt"]),
        (NEPHEW + "[2 Tom's] aunt left.", ["Nora", "her", "Tom's aunt"]),
        (NEPHEW + "[2 He] loved [3 [2 his] aunt].", ["Nora", "her", "his aunt"]),
        (NEPHEW + "[1 She] left. [2 His] aunt!", ["Nora", "her", "She", "His aunt"]),
    ],
)
def test_whoever_has_a_nephew_is_his_aunt(marked: str, aunt: list[str]) -> None:
    assert aunt in [
        [each.replace(" 's", "'s") for each in entity] for entity in written(marked, with_relatives)
    ]


@pytest.mark.parametrize(
    "marked",
    [
        NEPHEW + "[2 He] loved [2 his] uncle, for [1 she] was away.",  # of the other gender
        NEPHEW + "[2 He] loved [2 his] sister.",  # of another kind
        NEPHEW + "[2 He] loved [4 [2 his] aunt Eve]. [4 Eve] left.",  # who has another name
        NEPHEW + "[4 Eve] saw [2 [4 her] nephew]. [2 He] loved [2 his] aunt.",  # there are two
        NEPHEW + "[2 He] loved [2 his] aunt's house.",
        "[2 Tom] loved [2 his] aunt.",  # nobody has a nephew
    ],
)
def test_other_relatives_stay(marked: str) -> None:
    document = document_of(marked)
    found = found_in(document)
    assert with_relatives(layout_of(document.text), found) == found


def test_two_kinds_of_relatives_are_two_people() -> None:
    marked = "[3 [5 My] grandfather] died. [3 He] was old. [3 [5 Your] husband] came. [3 Viktor] sat."
    assert ["My grandfather", "He"] in written(marked, with_kinds_apart)
    assert ["Your husband", "Viktor"] in written(marked, with_kinds_apart)


def test_the_first_kind_keeps_its_entity() -> None:
    document = document_of("[3 [5 My] grandfather] died. [3 [5 Your] husband] came.")
    found = found_in(document)
    kept = [
        one.entity == other.entity
        for one, other in zip(found, with_kinds_apart(layout_of(document.text), found), strict=True)
    ]
    assert kept == [True, True, True, False]


@pytest.mark.parametrize(
    "marked",
    [
        "[3 [5 My] father] died. [3 [5 My] poor father] was old.",
        "[3 [5 My] father] died. [3 [6 His] brother] was old.",  # of two owners
        "[3 [5 My] father] met [7 [5 my] brother].",
    ],
)
def test_one_relative_stays_one(marked: str) -> None:
    document = document_of(marked)
    found = found_in(document)
    assert with_kinds_apart(layout_of(document.text), found) == found
