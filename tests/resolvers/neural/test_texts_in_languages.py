"""Texts in other languages of our own, and what must and must not be joined there, by models/multi.

The statements are in tests/data/texts/languages.txt, as those about English texts are in the files beside it.
"""

from __future__ import annotations

import pytest

from stated_texts import MULTI, OTHER_STATEMENTS, OTHER_TEXTS, Statement, holds, place

for library in ("onnxruntime", "py3langid", "safetensors", "tokenizers"):
    pytest.importorskip(library, reason=f"{library} is not installed")

NEEDS_WEIGHTS = pytest.mark.skipif(not (MULTI / "encoder.onnx").exists(), reason="the weights are not here")


def test_there_are_texts_of_several_kinds_in_each_language() -> None:
    kinds = [name.split()[0] for name in OTHER_TEXTS]
    assert {name: kinds.count(name) for name in kinds} == {
        "German": 5,
        "Dutch": 6,
        "French": 5,
        "Hungarian": 2,
    }
    assert all(sum(each.genre == genre for each in OTHER_STATEMENTS) >= 6 for genre in OTHER_TEXTS)


@pytest.mark.parametrize(
    "statement", OTHER_STATEMENTS, ids=lambda each: f"{each.genre}: {each.one} ~ {each.other}"
)
def test_statements_name_words_of_their_text(statement: Statement) -> None:
    assert place(statement.genre, statement.one) != place(statement.genre, statement.other)


def marked(statement: Statement) -> object:
    """Expect what does not hold yet to fail, so that a mend is noticed."""
    name = f"{statement.genre}: {statement.one} {'=' if statement.joined else '≠'} {statement.other}"
    marks = () if statement.holds else pytest.mark.xfail(reason="not yet", strict=True)
    return pytest.param(statement, id=name, marks=marks)


@NEEDS_WEIGHTS
@pytest.mark.parametrize("statement", [marked(each) for each in OTHER_STATEMENTS])
def test_what_must_and_must_not_be_joined(statement: Statement) -> None:
    assert holds(statement, str(MULTI))
