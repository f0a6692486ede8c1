"""Mentions in the words around them, in brackets that nest."""

from __future__ import annotations

import pytest

from referee.analysis.contexts import marked
from referee.language.mention_types import Described
from referee.model import Document, Mention

WORDS = ["the", "old", "king", "of", "Spain", "slept"]


@pytest.mark.parametrize(
    ("one", "other", "written"),
    [
        ((0, 5), (0, 3), "[(the old king) of Spain] slept"),
        ((0, 3), (0, 5), "([the old king] of Spain) slept"),
        ((0, 5), (4, 5), "[the old king of (Spain)] slept"),
        ((4, 5), (0, 5), "(the old king of [Spain]) slept"),
        ((0, 3), (4, 5), "[the old king] of (Spain) slept"),
    ],
)
def test_the_longer_of_two_that_begin_or_end_together_is_outside(
    one: tuple[int, int], other: tuple[int, int], written: str
) -> None:
    document = Document.of("d", WORDS, [(0, 6)], ())
    marks = [
        (Described("d", Mention.at(*span), document=document), brackets)
        for span, brackets in ((one, "[]"), (other, "()"))
    ]
    assert marked(document, (0, 6), marks) == written
