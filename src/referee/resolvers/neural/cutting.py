"""Texts as a model reads them: words, their sentences and their speakers.

Running text is cut into words as treebanks have them, and words into sentences, by light rules.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from referee.arrays import IntArray, run_starts
from referee.language.added_layers import readable
from referee.model import Span, Text
from referee.model.layers import SPEAKER

ABBREVIATIONS = (
    "Mr Mrs Ms Dr St Jr Sr Prof Gen Col Sen Rep Gov Capt Lt Sgt Rev Hon Inc Ltd Co Corp vs etc Mt Messrs"
)
_UNSEEN = "\\u00ad\\u200b\\u200e\\u200f\\u2060\\ufeff"  # signs without a shape: no words
_ACCENTS = "\\u0300-\\u036f"  # that are written as separate characters
_EMOJI = "[\\u2600-\\u27bf\\U0001f000-\\U0001faff]"
_JOINED = "[\\ufe0f\\U0001f3fb-\\U0001f3ff]"  # what changes the look of the emoji before it
# No part repeats another that can match the same signs, so that no text takes longer than its length.
_WORD = re.compile(
    r"(?:https?://|www\.)[^\s<>\"“”]*[^\s<>\"“”.,;:!?'’)\]}]"
    r"|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}"
    r"|[^\W\d_]+(?=n['’]t\b)|n['’]t\b|['’](?:s|re|ve|ll|d|m)\b"
    r"|\d+(?:[.,:]\d+)*|(?:[A-Z]\.){2,}|[A-HJ-Z]\.(?=\s)|No\.(?=\s*\d)"
    rf"|(?:{ABBREVIATIONS.replace(' ', '|')})\."
    rf"|(?:[^\W_][{_ACCENTS}]*)+|\.\.\.|--"
    rf"|{_EMOJI}{_JOINED}*(?:\u200d{_EMOJI}{_JOINED}*)*|[^\s{_UNSEEN}]"
)
NOBODY = frozenset(("-", "_", ""))  # speakers that are none
_END = frozenset((".", "!", "?", "…", "..."))
_STRAIGHT = '"'
_AFTER = frozenset(("''", "”", "’", "'", ")", "]"))


def cut_words(text: str) -> list[Span]:
    """Say where the words of a text are, in characters.

    >>> text = "Dr. Ames didn't call; 'Kim's dog' did."
    >>> [text[start:end] for start, end in cut_words(text)]
    ['Dr.', 'Ames', 'did', "n't", 'call', ';', "'", 'Kim', "'s", 'dog', "'", 'did', '.']
    """
    return [found.span() for found in _WORD.finditer(text)]


def cut_sentences(words: Sequence[str], breaks: frozenset[int] = frozenset()) -> IntArray:
    """Number the sentence of each word: one ends after . ! ? and what closes there, or before a given break.

    A straight quotation mark closes if one is open since the last break.

    >>> cut_sentences(["Yes", ".", '"', "Go", "!", '"', "he", "said", ".", "No", "."]).tolist()
    [0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2]
    """
    numbers, number, ended, quoted = [], 0, False, False
    for index, word in enumerate(words):
        closing = quoted if word == _STRAIGHT else word in _AFTER
        if index in breaks or (ended and not closing and word not in _END and not word[:1].islower()):
            number += index > 0
            ended, quoted = False, quoted and index not in breaks
        ended = word in _END or (ended and closing)
        quoted ^= word == _STRAIGHT
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
    """Name the speaker of each word, '' for no speaker; nothing where speakers are not known."""
    speakers = text.layers.get(SPEAKER, ())[: text.length]
    return ["" if speaker in NOBODY else speaker for speaker in speakers]
