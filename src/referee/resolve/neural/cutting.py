"""A light splitter: running text into words as treebanks have them, and words into sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from referee.arrays import IntArray
from referee.model.mentions import Span

ABBREVIATIONS = (
    "Mr Mrs Ms Dr St Jr Sr Prof Gen Col Sen Rep Gov Capt Lt Sgt Rev Hon Inc Ltd Co Corp vs etc No Mt Messrs"
)
_WORD = re.compile(
    r"https?://\S+|www\.\S+|\S+@\S+\.\w+"
    r"|[^\W\d_]+(?=n['’]t\b)|n['’]t\b|['’](?:s|re|ve|ll|d|m)\b"
    r"|\d+(?:[.,:]\d+)*|(?:[A-Z]\.)+(?=[\s,])|(?:" + ABBREVIATIONS.replace(" ", "|") + r")\."
    r"|[^\W_]+|\.\.\.|--|\S"
)
_END = frozenset((".", "!", "?", "…", "..."))
_AFTER = frozenset(('"', "''", "”", "’", "'", ")", "]"))


def cut_words(text: str) -> list[Span]:
    """Say where the words of a text are, in characters.

    >>> text = "Dr. Ames didn't call; 'Kim's dog' did."
    >>> [text[start:end] for start, end in cut_words(text)]
    ['Dr.', 'Ames', 'did', "n't", 'call', ';', "'", 'Kim', "'s", 'dog', "'", 'did', '.']
    """
    return [found.span() for found in _WORD.finditer(text)]


def cut_sentences(words: Sequence[str], breaks: frozenset[int] = frozenset()) -> IntArray:
    """Number the sentence of each word: one ends after . ! ? and what closes there, or before a given break.

    >>> cut_sentences(["Yes", ".", '"', "Go", "!", '"', "he", "said", "."]).tolist()
    [0, 0, 0, 1, 1, 1, 1, 1, 1]
    """
    numbers, number, ended = [], 0, False
    for index, word in enumerate(words):
        if index in breaks or (ended and word not in _AFTER and word not in _END and not word[:1].islower()):
            number += index > 0
            ended = False
        ended = word in _END or (ended and word in _AFTER)
        numbers.append(number)
    return np.array(numbers, np.int64)
