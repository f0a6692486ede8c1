"""Spans of words in columns: which words each is described by.

Roots of English words and heads of mentions, guessed from the spelling alone.

A root joins what derivation parts: "shot", "shooting" and "shooter", "dies" and "death". It is rougher than
a stem, and serves as one hint among many: a model weighs whether two mentions with one root mean the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from referee.arrays import IntArray
from referee.language.english import (
    AFTER_NOUN,
    CLITICS,
    DEMONSTRATIVES,
    DETERMINERS,
    FIRST_PLURAL,
    OBJECTS,
    PERSONAL,
    POSSESSIVE_DETERMINERS,
    POSSESSIVE_MARKS,
    REFLEXIVES,
    RELATIVES,
    SECOND,
    SUBJECTS,
    THIRD,
)
from referee.model import Text

AFTER_CORE = AFTER_NOUN | {"after", "before", "during", "into", "over", "against"}
_LIGHT = 'of and , . " - in on at for with to by from as was were is are be been has have had'
_LIGHT_PRONOUNS = (SUBJECTS & THIRD) | POSSESSIVE_MARKS
LIGHT = DETERMINERS | _LIGHT_PRONOUNS | frozenset(_LIGHT.split())  # words that tell no two mentions apart
_COMMON = """
    a about after all also an and any are as at be because been before being but by can could did do does for
    from had has have how if in into is just more most no not of on one or other
    out over said so some than that the then there these this to up was were what when
    which who will with would , . '' `` ' " - -- : ; ( ) 's n't ? !
"""
# Without "me", "my" and "us", as the model was trained.
_COMMON_PRONOUNS = (SUBJECTS | OBJECTS | POSSESSIVE_DETERMINERS) - {"me", "my", "us"}
COMMON = _COMMON_PRONOUNS | frozenset(_COMMON.split())  # words that tell no two texts apart
_UNTRAINED = REFLEXIVES & (FIRST_PLURAL | SECOND | {"themself"})  # the model was trained without these
POINTING = PERSONAL - _UNTRAINED | RELATIVES | DEMONSTRATIVES
_IRREGULAR = """
    said:say told:tell died,dies,dying,dead,death,deaths:die shot,shooting,shootings:shoot killed:kill
    won,wins,winning,winner:win bought:buy sold:sell took,taken:take went:go made:make came:come
    left:leave found:find held:hold broke,broken:break struck:strike hit:hit fell,fallen:fall
    began:begin led:lead men:man women:woman children:child wives:wife stole,stolen:steal caught:catch
    ran:run became:become got:get gave,given:give kept:keep lost,loss:lose met:meet paid:pay rose:rise
    sent:send felt:feel thought:think beaten:beat fought:fight driven,drove:drive chosen,chose:choose
    wore:wear flew:fly written,wrote:write spoke:speak was,were,is,are,been:be had,has:have did,done:do
"""
_ENDINGS = """
    ations:at ation:at ements:e ement:e ments: ment: ings: ing: ness: ers: er: ors: or: ies:y ied:y sses:ss
    ions: ion: ed: es: s: ly:
"""
ENDINGS = tuple(ending.partition(":")[::2] for ending in _ENDINGS.split())  # longer ones first
SHORTEST = 3  # letters of what an ending leaves


def _irregular() -> dict[str, str]:
    forms: dict[str, str] = {}
    for group in _IRREGULAR.split():
        words, _, root = group.partition(":")
        forms.update(dict.fromkeys(words.split(","), root))
    return forms


IRREGULAR_ROOTS = _irregular()


def is_spoken(word: str) -> bool:
    """Say whether a word has a letter or a digit: it is more than signs."""
    return any(sign.isalnum() for sign in word)


@lru_cache(maxsize=2**16)
def word_root(word: str) -> str:
    """Cut off what inflection and derivation add.

    >>> [word_root(word) for word in ("Shot", "shooting", "stopped", "explosion", "explode", "cities")]
    ['shoot', 'shoot', 'stop', 'explos', 'explod', 'city']
    """
    word = word.lower()
    if word in IRREGULAR_ROOTS:
        return IRREGULAR_ROOTS[word]
    if not word.isalpha() or len(word) <= SHORTEST:
        return word
    for ending, instead in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST and not _only_looks(word, ending):
            word = word[: -len(ending)] + instead
            break
    if len(word) > SHORTEST and word[-1] == word[-2] and word[-1] not in "sl":
        word = word[:-1]
    return word[:-1] if word.endswith("e") and len(word) > SHORTEST else word


def _only_looks(word: str, ending: str) -> bool:
    return ending == "s" and word.endswith("ss")


def head_index(words: Sequence[str], start: int, end: int) -> int:
    """Guess which word of start … end - 1 is the head: the last of the core, of what is possessed if any.

    >>> words = "the new head coach of the Sixers 's first team".split()
    >>> head_index(words, 0, 7), head_index(words, 5, 10), head_index(words, 0, 1)
    (3, 9, 0)
    """
    core = start
    while core < end - 1 and words[core].lower() in DETERMINERS:
        core += 1
    after = core + 1
    while after < end and words[after].lower() not in AFTER_CORE and words[after] not in CLITICS:
        after += 1
    if after < end - 1 and words[after] in CLITICS:
        return head_index(words, after + 1, end)
    return after - 1


WIDEST_SPAN = 12  # words; a wider mention that is given counts as so wide
PARTS = ("first", "last", "before", "after", "head", "mean")


class SpanWords(NamedTuple):
    """The words of spans: the first, the last, those beside (−1 if none), the head; and the width."""

    first: IntArray
    last: IntArray
    before: IntArray
    after: IntArray
    head: IntArray

    @property
    def size(self) -> int:
        """The number of spans."""
        return self.first.size

    @property
    def width(self) -> IntArray:
        """The number of words, from 0 for one word."""
        width: IntArray = np.minimum(self.last - self.first, WIDEST_SPAN - 1)
        return width

    def shifted(self, by: int) -> SpanWords:
        """Count words from elsewhere; no word stays none."""
        return SpanWords(*(np.where(column < 0, -1, column + by) for column in self))

    def moved(self, index: IntArray) -> SpanWords:
        """Say where each word is now; the last is for no word."""
        return SpanWords(*(index[column] for column in self))

    def chosen(self, rows: IntArray) -> SpanWords:
        """Keep some spans."""
        return SpanWords(*(column[rows] for column in self))


def span_words(text: Text, first: IntArray, last: IntArray) -> SpanWords:
    """Say which words describe spans of a text."""
    ends = zip(first.tolist(), last.tolist(), strict=True)
    head = np.array([head_index(text.words, start, end + 1) for start, end in ends], np.int64)
    after = np.where(last + 1 < text.length, last + 1, -1)
    return SpanWords(first, last, first - 1, after, head)


def all_spans(text: Text) -> SpanWords:
    """List the spans of each sentence up to the widest, none of signs alone; heads are not looked for."""
    starts, ends = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for begin, end in text.stretches:
        first = np.repeat(np.arange(begin, end), WIDEST_SPAN)
        last = first + np.tile(np.arange(WIDEST_SPAN), end - begin)
        starts.append(first[last < end])
        ends.append(last[last < end])
    first, last = np.concatenate(starts), np.concatenate(ends)
    spoken = np.cumsum([0, *map(is_spoken, text.words)])
    said = spoken[last + 1] > spoken[first]
    first, last = first[said], last[said]
    return SpanWords(first, last, first - 1, np.where(last + 1 < text.length, last + 1, -1), first)


def spans_together(parts: Sequence[SpanWords]) -> SpanWords:
    """Put spans of several texts into the same columns."""
    return SpanWords(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
