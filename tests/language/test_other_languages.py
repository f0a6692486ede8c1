"""Only a text that clearly has the frequent words of another language is not taken for English."""

from __future__ import annotations

import random

import pytest

from corpora import corpus
from referee import formats
from referee.language.other_languages import OTHER_SCRIPT, other_language

pytest.importorskip("spacy", reason="whose stop words are taken")
DIALOGUE = "'' Hey . '' `` Yeah ? '' `` Gone ? '' `` Gone . '' Tom shrugged . `` Mary , Bill , Sue . '' " * 9
RECIPE = "2 cups flour , 1 teaspoon salt , 3 eggs , butter . Mix . Bake 20 minutes . Cool . Serve warm . " * 9
NAMES = "Alaska Gates Delta Frontier Hawaiian United JetBlue Spirit Terminal Avianca Sun Country Air " * 9
GERMAN = "Der Mann ging mit seinem Hund durch die Stadt , und er sah , dass die Leute nicht da waren . " * 4
FRENCH = "Elle ne savait pas ce que les autres avaient fait dans la maison pendant la nuit . " * 4
RUSSIAN = "Он не знал , что они делали в доме всю ночь . " * 4


@pytest.mark.parametrize("text", [DIALOGUE, RECIPE, NAMES, "Nein .", GERMAN[:90], ""])
def test_english_without_frequent_words_and_short_texts_stay(text: str) -> None:
    assert other_language(text.split()) == ""


def test_other_languages_are_named() -> None:
    texts = {GERMAN: "German", FRENCH: "French", RUSSIAN: OTHER_SCRIPT}
    assert {text: other_language(text.split()) for text in texts} == texts


@pytest.mark.parametrize("size", [40, 100, 400])
def test_no_passage_of_english_corpora_is_refused(size: int) -> None:
    draw = random.Random(size)
    for name in ("ontogum/dev/conll", "litbank"):
        for document in formats.read(corpus(name))[:30]:
            start = draw.randrange(max(document.text.length - size, 1))
            words = document.words[start : start + size]
            assert other_language(words) == "", f"{document.id}: {' '.join(words)}"
