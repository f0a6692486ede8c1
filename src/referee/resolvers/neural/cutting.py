"""Texts as a model reads them: words, their sentences and their speakers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.arrays import IntArray
from referee.language import english
from referee.language.added_layers import readable
from referee.language.cutting.sentences import cut_sentences
from referee.language.cutting.texts import cut_raw
from referee.language.cutting.words import cut_words
from referee.language.languages import ENGLISH
from referee.model import Text
from referee.model.layers import SPEAKER

__all__ = [
    "cut_raw", "cut_sentences", "cut_words", "modern_words", "sentence_numbers", "speakers_of", "words_of",
]  # fmt: skip

NOBODY = frozenset(("-", "_", ""))  # speakers that are none


def sentence_numbers(text: Text, language: str = ENGLISH) -> IntArray:
    """Number the sentence of each word; a text that is one long sentence has not been cut yet.

    >>> sentence_numbers(Text("d", ("Hm", ".", "Yes", "."), ((0, 2), (2, 4)))).tolist()
    [0, 0, 1, 1]
    """
    if len(text.sentences) < 2:
        return cut_sentences(text.words[: text.length], language=language)
    lengths = [end - start for start, end in text.stretches]
    return np.repeat(np.arange(len(lengths)), lengths)


def words_of(text: Text) -> list[str]:
    """List the written words as they are read."""
    return [readable(word) for word in text.words[: text.length]]


def speakers_of(text: Text) -> list[str]:
    """Name the speaker of each word, '' for no speaker; nothing where speakers are not known."""
    speakers = text.layers.get(SPEAKER, ())[: text.length]
    return ["" if speaker in NOBODY else speaker for speaker in speakers]


def modern_words(words: Sequence[str]) -> list[str]:
    """Give old English pronouns, and the verbs that agree with them, the form that is read most often.

    Networks have hardly seen *thou*, and read it as a noun. *Art* is a verb beside it alone.

    >>> modern_words("Thou art late , said the Art dealer ; give me thy hand .".split())[:8]
    ['You', 'are', 'late', ',', 'said', 'the', 'Art', 'dealer']
    """
    modern = list(words)
    for place, word in enumerate(words):
        lower = word.lower()
        form = english.MODERN_FORMS.get(lower)
        if lower == "art" and "thou" in {each.lower() for each in words[max(0, place - 1) : place + 2]}:
            form = "are"
        if form:
            modern[place] = form.capitalize() if word[:1].isupper() else form
    return modern
