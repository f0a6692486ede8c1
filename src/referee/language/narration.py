"""Whether an English text is a story, by its words alone: it tells of people, in the past, without numbers.

The weights are a logistic regression's, rounded: on OntoGUM's fiction, LitBank and FantasyCoref against the
other genres of OntoGUM it is right on 238 of 247 training documents, and on 59 of 60 development documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from referee.language.english import FEMININE, FIRST_SINGULAR, MASCULINE, SECOND

_PRESENT = frozenset(("is", "are", "has", "have", "does", "will", "can", "'s", "'re", "’s", "’re"))
_QUOTES = frozenset(('"', "“", "”", "``", "''", "‘"))
# What is counted in a hundred words, and its weight.
_WEIGHTS = {"people": 0.5, "present": -0.9, "narrator": 0.25, "numbers": -3.4, "quotes": 0.6, "readers": -0.5}
_BASE = 2.1
NOVEL = 1_900  # words: LitBank's openings of novels have 2,000; OntoGUM has shorter stories


class Narration(NamedTuple):
    """Whether a text is a story, whether it is as long as the opening of a novel, and what shows it."""

    is_story: bool
    words: int
    people: float  # he, she and their forms in a hundred words
    present: float

    @property
    def is_novel(self) -> bool:
        """Whether it is a long story."""
        return self.is_story and self.words >= NOVEL

    @property
    def reason(self) -> str:
        """Say why, in a few words."""
        shown = f"{self.people:.1f} he or she and {self.present:.1f} is or has in 100 words"
        if self.is_novel:
            return f"a long story: {self.words:,} words, {shown}"
        return f"a story of {self.words:,} words only" if self.is_story else f"not a story: {shown}"


def narration_of(words: Sequence[str], length: int | None = None) -> Narration:
    """Judge a text by its words; by its first words, if its `length` is more.

    >>> narration_of("He said that she had lost him . “ Come , ” she cried , and he went .".split()).is_story
    True
    >>> narration_of("The pump is 3 years old . It has 2 valves .".split()).is_story
    False
    """
    lower = [word.lower() for word in words]
    count = max(sum(word[:1].isalpha() for word in lower), 1)
    counted = {
        "people": sum(word in MASCULINE | FEMININE for word in lower) / count,
        "present": sum(word in _PRESENT for word in lower) / count,
        "narrator": sum(word in FIRST_SINGULAR for word in lower) / count,
        "readers": sum(word in SECOND for word in lower) / count,
        "numbers": sum(any(sign.isdigit() for sign in word) for word in lower) / max(len(lower), 1),
        "quotes": sum(word in _QUOTES for word in lower) / max(len(lower), 1),
    }
    score = _BASE + sum(_WEIGHTS[name] * 100 * share for name, share in counted.items())
    return Narration(score > 0, length or len(lower), 100 * counted["people"], 100 * counted["present"])
