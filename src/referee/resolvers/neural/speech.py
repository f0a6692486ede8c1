"""Who says what, by the words alone: quotations, turns, and the word that names a turn's speaker.

Quotations are found by their marks, also where marks are missing or stand the wrong way round; the speaker of
each by a verb of speech beside it ("said Tom", "the old king cried"). What is said here is only evidence: the
network learns how far to trust it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from referee.arrays import IntArray, run_starts
from referee.language import english
from referee.language.dialogue import dialogue
from referee.language.word_classes import WordClasses
from referee.resolvers.neural.features import WordFeatures
from referee.resolvers.people.quotations import LONGEST_QUOTE, find_quotes, name_speakers

__all__ = ["LONGEST_QUOTE", "PAUSE", "Speech", "find_speech", "marked_speech"]
PAUSE = 60  # words of narration after which a dialogue is another one
LABEL = 6  # words within which the label of who speaks ends
NEW_DIALOGUE = 10  # how far apart the numbers of two dialogues' turns are


class Speech(NamedTuple):
    """For each word: its quotation, its turn and voice there, and the turn that it names the speaker of."""

    quote: IntArray  # the number of its quotation, or 0
    turn: IntArray  # the number of the turn it is said in, or 0; the next turn of a dialogue is one more
    voice: IntArray  # equal for turns whose speakers have the same name, or 0
    says: IntArray  # of a word outside of quotations that names a speaker: the turn, or 0


def find_speech(words: Sequence[str]) -> Speech:
    """Find quotations and speakers.

    >>> said = find_speech('" I know , " said old Tom , " you . " " Do I ? "'.split())
    >>> said.turn.tolist()
    [1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2]
    >>> said.says.tolist()[5:9]
    [0, 0, 1, 0]
    """
    lower = [word.lower() for word in words]
    quotes = find_quotes(words)
    name_speakers(words, lower, quotes)
    count = len(words)
    quote, turn, says = (np.zeros(count, np.int64) for _ in range(3))
    names: dict[str, int] = {}
    voices: dict[int, int] = {}  # turn → voice
    number, last_end = 0, 0
    for index, each in enumerate(quotes):
        if not each.continued:
            number += 1 if each.start - last_end < PAUSE else NEW_DIALOGUE
        last_end = each.end
        inside = slice(each.start, each.end + 1)
        quote[inside], turn[inside] = index + 1, number
        if each.speaker >= 0:
            name = lower[each.speaker]
            if name not in english.PERSONAL:
                voices[number] = names.setdefault(name, len(names) + 1)
            says[each.speaker] = number
    by_turn = np.zeros(number + 1, np.int64)
    by_turn[list(voices)] = list(voices.values())
    return Speech(quote, turn, by_turn[turn], says)


def marked_speech(words: Sequence[str], described: WordFeatures, classes: WordClasses) -> Speech:
    """Find turns in any language: where another one speaks, if speakers are known, else by quotation marks.

    The first words of a turn name its speaker, if a full stop or a colon ends them soon, as in plays.

    >>> from referee.language.word_classes import classes_of
    >>> from referee.resolvers.neural.features import describe_words
    >>> play = "FAUST . Ich bin es . MARTHE . Du !".split()
    >>> known = describe_words(play, np.zeros(10, np.int64), ["f"] * 6 + ["m"] * 4, language="de")
    >>> said = marked_speech(play, known, classes_of("de"))
    >>> said.turn.tolist(), said.says.tolist()
    ([1, 1, 1, 1, 1, 1, 2, 2, 2, 2], [1, 0, 0, 0, 0, 0, 2, 0, 0, 0])
    """
    speaker, says = described.speaker, np.zeros(len(words), np.int64)
    if not speaker.any():
        told = dialogue(words, described.sentence, described.quote, classes)
        return Speech(described.quote, told.turn, says, told.says)
    begins = run_starts(speaker)
    turn = np.cumsum(begins & (speaker > 0)) * (speaker > 0)
    for start in np.flatnonzero(begins & (speaker > 0)).tolist():
        end = next((at for at in range(start, min(start + LABEL, len(words))) if words[at] in ".:"), start)
        says[start:end] = turn[start]
    return Speech(described.quote, turn, speaker, says)
