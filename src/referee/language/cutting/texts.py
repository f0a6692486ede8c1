"""Running texts, cut into words and sentences."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from referee.arrays import IntArray, run_starts
from referee.language.cutting.sentences import cut_sentences, line_ends
from referee.language.cutting.words import cut_words
from referee.language.languages import ENGLISH
from referee.model import Span, Text


def cut_raw(text: Text, language: str = ENGLISH) -> Text:
    """Cut a running text into words and sentences; a blank line ends a sentence.

    >>> cut_raw(Text("d", (), (), running="A title\\n\\nIt rained.  She slept.")).sentences
    ((0, 2), (2, 5), (5, 8))
    """
    running = text.running or ""
    characters = tuple(cut_words(running, language))
    words = tuple(running[start:end] for start, end in characters)
    gaps = ((0, 0), *characters)
    breaks = frozenset(
        number
        for number, (start, _) in enumerate(characters)
        if line_ends(running[gaps[number][1] : start], language)
    )
    sentences = runs_of(cut_sentences(words, breaks, language))
    return replace(text, words=words, sentences=sentences, characters=characters)


def runs_of(numbers: IntArray) -> tuple[Span, ...]:
    """Say where runs of equal numbers begin and end.

    >>> runs_of(np.array([0, 0, 1]))
    ((0, 2), (2, 3))
    """
    edges = [*np.flatnonzero(run_starts(numbers)).tolist(), numbers.size]
    return tuple(pairwise(edges)) if numbers.size else ()
