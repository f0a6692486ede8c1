"""Nouns that mean a named person, by who answers whom."""

from __future__ import annotations

import pytest

from referee.language.word_classes import classes_of
from referee.model import Mention
from referee.resolvers.people.answering import Said, joined_answers

# Entity 0 is called by a name, 1 and 2 by nouns, 3 by another name.
WORDS = ["Paul", "Paul", "abbé", "abbé", "elle", "Jean", "Jean", "ministre", "il", "x"]
ENTITY = [0, 0, 1, 1, 2, 3, 3, 2, 0]


def joined(*turns: tuple[int | None, int | None], more: tuple[str, int] = ("x", 9)) -> list[int]:
    words = [*WORDS[:9], more[0]]
    entity = [*ENTITY, more[1]]
    mentions = [Mention.at(at, at + 1) for at in range(len(words))]
    said = {number: Said(*turn) for number, turn in enumerate(turns, 1)}
    return joined_answers(words, mentions, entity, said, classes_of("fr"))[:9]


BY_TURNS = [(0, None), (3, None), (1, None), (3, None), (0, None), (3, None), (1, None), (3, None), (0, None)]
ONE = [0 if number == 1 else number for number in ENTITY]


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (BY_TURNS, ONE),  # two turns apart, four times
        (BY_TURNS[:7], ENTITY),  # three times
        ([(3, 0), (1, None)] * 2 + [(3, 0)], ONE),  # who is called answers
        ([(3, 0), (1, None)] * 2, ENTITY),
        (
            [*BY_TURNS, (None, None), (0, None), (1, None), (0, None), (1, None)],
            ENTITY,
        ),  # they talk with each other
        ([(3 if who == 0 else who, None) for who, _ in BY_TURNS], ENTITY),  # nobody stands for himself
        ([(2 if who == 1 else who, None) for who, _ in BY_TURNS], ENTITY),  # she is not he
        ([(3 if who == 1 else 1 if who == 3 else who, None) for who, _ in BY_TURNS], ENTITY),  # two names
        ([], ENTITY),
    ],
)
def test_a_noun_that_stands_for_a_name_means_that_person(
    turns: list[tuple[int | None, int | None]], expected: list[int]
) -> None:
    assert joined(*turns) == expected
