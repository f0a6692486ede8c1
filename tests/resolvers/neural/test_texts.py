"""Texts in fifteen genres, twice, and what must and must not be joined there, by the network.

The statements are in two files that people can read. One that does not hold yet is marked, and is noticed as
soon as it does; `python bench/texts.py` marks them anew, for new weights.
"""

from __future__ import annotations

import pytest

from referee.resolvers.neural import _is_ready
from stated_texts import MORE_STATEMENTS, MORE_TEXTS, STATEMENTS, TEXTS, Statement, holds, place

EVERY = [*STATEMENTS, *MORE_STATEMENTS]

needs_model = pytest.mark.skipif(not _is_ready(), reason="no model is installed: make models")


@pytest.mark.parametrize("statement", EVERY, ids=lambda each: f"{each.genre}: {each.one} ~ {each.other}")
def test_statements_name_words_of_their_text(statement: Statement) -> None:
    assert place(statement.genre, statement.one) != place(statement.genre, statement.other)


def test_there_are_fifteen_texts_and_the_demo() -> None:
    assert len(TEXTS) == 16
    lengths = [len(text.split()) for genre, text in TEXTS.items() if "demo" not in genre]
    assert min(lengths) >= 75
    assert max(lengths) <= 200
    assert all(sum(each.genre == genre for each in STATEMENTS) >= 10 for genre in TEXTS)


def test_there_are_fifteen_more_texts() -> None:
    assert len(MORE_TEXTS) == 15
    assert MORE_TEXTS.keys().isdisjoint(TEXTS)
    assert all(65 <= len(text.split()) <= 250 for text in MORE_TEXTS.values())
    assert all(sum(each.genre == genre for each in MORE_STATEMENTS) >= 10 for genre in MORE_TEXTS)


def marked(statement: Statement) -> object:
    """Expect what does not hold yet to fail, so that a mend is noticed."""
    name = f"{statement.genre}: {statement.one} {'=' if statement.joined else '≠'} {statement.other}"
    marks = () if statement.holds else pytest.mark.xfail(reason="not yet", strict=True)
    return pytest.param(statement, id=name, marks=marks)


@needs_model
@pytest.mark.parametrize("statement", [marked(each) for each in EVERY])
def test_what_must_and_must_not_be_joined(statement: Statement) -> None:
    assert holds(statement)
