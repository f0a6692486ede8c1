"""Layers: governors as numbers, and the words of a mention that hang on words outside of it."""

from __future__ import annotations

import pytest

from referee.exceptions import FormatError
from referee.model.layers import governors_of, top_words

GOVERNORS = [1, -1, 3, 1, 6, 6, 3]  # she saw | her friend | with the dog


@pytest.mark.parametrize("head", ["3", "x", "_", "-1", "", "²"])
def test_a_head_that_is_not_a_word_of_the_document_is_refused(head: str) -> None:
    with pytest.raises(FormatError, match=f"document d: word 1 has the head '{head}'"):
        governors_of("d", ["-", head, "0"])


@pytest.mark.parametrize(
    ("words", "tops"),
    [
        (range(2, 7), [3]), (range(7), [1]), (range(2), [1]),
        ([2, 4], [2, 4]),  # the words between are not of the mention
        (range(6, 9), [6, 7, 8]),  # zeros, behind all words, have no governor here
        ([], []),
    ],
)  # fmt: skip
def test_top_words_hang_on_words_outside_of_the_mention(words: list[int], tops: list[int]) -> None:
    assert top_words(words, GOVERNORS) == tops


def test_a_circle_has_no_top() -> None:
    assert top_words(range(2), [1, 0]) == []
