"""What a model is told of a text: its words, their sentences and their speakers."""

from __future__ import annotations

import numpy as np

from referee.arrays import IntArray
from referee.language.added_layers import readable
from referee.model import Text
from referee.model.layers import SPEAKER
from referee.resolve.neural.cutting import cut_sentences

NOBODY = frozenset(("-", "_", ""))  # speakers that are none


def sentence_numbers(text: Text) -> IntArray:
    """Number the sentence of each word; a text that is one long sentence has not been cut yet.

    >>> sentence_numbers(Text("d", ("Hm", ".", "Yes", "."), ((0, 2), (2, 4)))).tolist()
    [0, 0, 1, 1]
    """
    if len(text.sentences) < 2:
        return cut_sentences(text.words[: text.length])
    lengths = [end - start for start, end in text.stretches]
    return np.repeat(np.arange(len(lengths)), lengths)


def words_of(text: Text) -> list[str]:
    """List the written words as they are read."""
    return [readable(word) for word in text.words[: text.length]]


def speakers_of(text: Text) -> list[str]:
    """Name the speaker of each word, '' for nobody; nothing where speakers are not known."""
    speakers = text.layers.get(SPEAKER, ())[: text.length]
    return ["" if speaker in NOBODY else speaker for speaker in speakers]
