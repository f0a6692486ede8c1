"""Guessed heads and stems: inflected forms of a word have one stem, different words have two."""

from __future__ import annotations

import pytest

from referee.language.stems import head_stem, word_stem


@pytest.mark.parametrize(
    "forms",
    [
        "fire fires fired firing", "stop stops stopped stopping", "city cities", "bus buses",
        "say says said saying",
        "move moves moved moving", "nominate nominates nominated nominating",
        "kill kills killed killing", "die dies died dying", "shoot shoots shot shooting",
        "man men", "class classes",
        "carry carries carried carrying", "explode explodes", "win winner winning",
    ],
)  # fmt: skip
def test_forms_of_one_word_have_one_stem(forms: str) -> None:
    assert len({word_stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize("words", ["fire fir-tree", "sing sink", "be bed", "as ass", "ring red"])
def test_different_words_have_different_stems(words: str) -> None:
    one, other = words.split()
    assert word_stem(one) != word_stem(other)


@pytest.mark.parametrize(
    ("mention", "stem"),
    [
        ("the head coach of the Sixers", "coach"), ("Maurice Cheeks , the coach ,", "cheek"),
        ("was fired", "fir"), ("checked in", "check"), ("his", "his"), ("the", "the"), ("Apple 's", "appl"),
        ("of late", "lat"),
    ],
)  # fmt: skip
def test_the_head_ends_the_core(mention: str, stem: str) -> None:
    assert head_stem(mention.split()) == stem


def test_no_words_have_no_stem() -> None:
    assert head_stem([]) == ""
