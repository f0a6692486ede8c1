"""Where sentences end, by the marks and the quotation marks of each language."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.arrays import IntArray
from referee.language.cutting.rules import CuttingRules, rules_of
from referee.language.languages import ENGLISH, WITHOUT_BLANKS

_AFTER_ENGLISH = frozenset(("''", "”", "’", "'", ")", "]"))


def cut_sentences(
    words: Sequence[str], breaks: frozenset[int] = frozenset(), language: str = ENGLISH
) -> IntArray:
    """Number the sentence of each word: one ends after . ! ? and what closes there, or before a given break.

    A quotation mark that may open or close, as the straight one, closes if one is open since the last break.

    >>> cut_sentences(["Yes", ".", '"', "Go", "!", '"', "he", "said", ".", "No", "."]).tolist()
    [0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2]
    >>> cut_sentences("» Geh ! « sagte er . » Nein .".split(), language="de").tolist()
    [0, 0, 0, 0, 0, 0, 0, 1, 1, 1]
    >>> cut_sentences("「 行く 。 」 と 言った 。 雨 。".split(), language="ja").tolist()
    [0, 0, 0, 0, 0, 0, 0, 1, 1]
    """
    rules = rules_of(language)
    closes = _AFTER_ENGLISH if language == ENGLISH else rules.closes | {")", "]", "''"}
    numbers, number, ended, quoted = [], 0, False, False
    for index, word in enumerate(words):
        closing = quoted if word in rules.turns else word in closes
        if index in breaks or (ended and not closing and not _goes_on(word, rules, words[index - 1])):
            number += index > 0
            ended, quoted = False, quoted and index not in breaks
        ended = _ends(word, rules) or (ended and closing)
        quoted ^= word in rules.turns
        numbers.append(number)
    return np.array(numbers, np.int64)


def _goes_on(word: str, rules: CuttingRules, before: str) -> bool:
    """Whether a sentence that could have ended goes on with this word."""
    if word in rules.ends or word[:1].islower():
        return True
    return word in rules.quoting and before in rules.closes


def _ends(word: str, rules: CuttingRules) -> bool:
    """Whether a sentence may end behind a word; so it may behind usw., but not behind Dr."""
    return word in rules.ends or (word[-1:] == "." and word[:-1].lower() in rules.closing)


def line_ends(gap: str, language: str = ENGLISH) -> bool:
    """Whether what is between two words ends a sentence: an empty line, or any line end in a script without
    blanks, whose lines are not broken at words.

    >>> line_ends("\\n"), line_ends("\\n \\n"), line_ends("\\n", "ja")
    (False, True, True)
    """
    return len(f"{gap}.".splitlines()) > (1 if language in WITHOUT_BLANKS else 2)
