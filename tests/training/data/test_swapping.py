"""People with other names: what changes, what stays, and that her becomes his or him."""

from __future__ import annotations

import zlib
from random import Random

import numpy as np

from referee.language.word_classes import HE, SHE
from referee.resolvers.neural.features import describe_words
from referee.training.data.examples import Example
from referee.training.data.swapping import Swaps

WORDS = [
    "Ada",
    "met",
    "Ben",
    ".",
    "He",
    "gave",
    "her",
    "the",
    "dog",
    "and",
    "saw",
    "her",
    "dog",
    ".",
    "She",
    "likes",
    "ada",
    ".",
]
VOCABULARY = ["ada", "ben", "eva", "tom", "she", "he", "her", "his", "him"]


def form(word: str) -> int:
    return zlib.crc32(word.encode())


def pair(word: str) -> list[int]:
    return [form(word), VOCABULARY.index(word)]


SWAPS = Swaps(
    np.array([pair("her") + pair("him"), pair("her") + pair("his"), pair("she") + pair("he")]),
    np.array([pair("ada"), pair("eva")]),
    np.array([pair("ben"), pair("tom")]),
    np.array([pair("her"), pair("his"), pair("him")]),
)


def example(gap: tuple[int, ...] = ()) -> Example:
    sentences = np.array([0] * 4 + [1] * 10 + [2] * 4)
    columns = (describe_words(WORDS, sentences),)
    pieces = np.array([VOCABULARY.index(w.lower()) if w.lower() in VOCABULARY else 99 for w in WORDS])
    ends = np.repeat(np.arange(len(WORDS))[:, None], 2, 1)
    roles = np.zeros(len(WORDS), np.int64)
    return Example("x", columns, pieces, ends, np.zeros((0, 6), np.int64), roles, gap)


def swapped(seed: int) -> tuple[Example, list[str]]:
    changed = SWAPS.swap(example(), Random(seed))
    return changed, [
        VOCABULARY[piece] if piece < 99 else word.lower()
        for piece, word in zip(changed.subwords.tolist(), WORDS, strict=True)
    ]


def test_names_and_gender_are_exchanged_together_or_names_alone() -> None:
    seen = set()
    for seed in range(20):
        changed, words = swapped(seed)
        seen.add(" ".join(words))
        assert changed.columns[0].form.tolist() == [form(word) for word in words]
        assert changed.renamed
    assert seen == {
        "eva met tom . he gave her the dog and saw her dog . she likes ada .",
        "tom met eva . she gave him the dog and saw his dog . he likes ada .",
    }


def test_the_classes_of_pronouns_follow() -> None:
    for seed in range(4):
        changed, words = swapped(seed)
        turned = words[4] == "she"
        assert changed.columns[0].pronoun[[4, 14]].tolist() == ([SHE, HE] if turned else [HE, SHE])


def test_the_document_itself_stays_as_it_is() -> None:
    whole = example()
    SWAPS.swap(whole, Random(1))
    assert whole.subwords.tolist() == example().subwords.tolist()
    assert whole.columns[0].form.tolist() == example().columns[0].form.tolist()


def test_a_paragraph_of_gap_without_known_names_keeps_its_gender() -> None:
    stranger = example(gap=(1,))
    stranger.columns = (stranger.columns[0]._replace(capital=stranger.columns[0].capital * 0),)
    for seed in range(8):
        assert SWAPS.swap(stranger, Random(seed)).subwords.tolist() == stranger.subwords.tolist()
