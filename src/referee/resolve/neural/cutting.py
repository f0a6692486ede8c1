"""A light splitter: running text into words as treebanks have them, and words into sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from referee.arrays import IntArray, run_starts
from referee.model import Span, Text

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


def cut_raw(text: Text) -> Text:
    """Cut a running text into words and sentences; a blank line ends a sentence.

    >>> cut_raw(Text("d", (), (), running="A title\\n\\nIt rained.  She slept.")).sentences
    ((0, 2), (2, 5), (5, 8))
    """
    running = text.running or ""
    characters = tuple(cut_words(running))
    words = tuple(running[start:end] for start, end in characters)
    gaps = ((0, 0), *characters)
    breaks = frozenset(
        number for number, (start, _) in enumerate(characters) if _is_blank(running[gaps[number][1] : start])
    )
    return replace(text, words=words, sentences=runs_of(cut_sentences(words, breaks)), characters=characters)


def _is_blank(gap: str) -> bool:
    """Whether what is between two words has an empty line."""
    return len(f"{gap}.".splitlines()) > 2


def runs_of(numbers: IntArray) -> tuple[Span, ...]:
    """Say where runs of equal numbers begin and end.

    >>> runs_of(np.array([0, 0, 1]))
    ((0, 2), (2, 3))
    """
    edges = [*np.flatnonzero(run_starts(numbers)).tolist(), numbers.size]
    return tuple(pairwise(edges)) if numbers.size else ()
