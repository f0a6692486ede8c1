"""The head of an English mention and its stem, guessed from the words alone.

Where nobody parsed a text, this is what tells that "the fired coach" and "his coaches" speak of coaches. The
head is the last word before what follows a noun phrase's core: a preposition, a comma, a relative pronoun;
the stem is what inflection leaves. For candidates and hints; what a score depends on has parsed heads.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from referee.language.english import AFTER_NOUN, ARTICLES, POSSESSIVE_MARKS

_PREPOSITIONS = "into over under against after before during near between about than"
AFTER_CORE = AFTER_NOUN - {'"'} | frozenset(_PREPOSITIONS.split())  # a quotation mark may be before a head
_NO_HEADS = "\" `` '' . ! ? $ % up down out off away back"  # particles too: "checked in", "broke out"
NO_HEADS = ARTICLES | POSSESSIVE_MARKS | frozenset(_NO_HEADS.split())
_IRREGULAR = """
    am is are was were been being:be has had having:have does did done doing:do goes went gone:go said:say
    made:make took taken:take came:come gave given:give found:find got:get told:tell left:leave kept:keep
    began begun:begin brought:bring bought:buy fought:fight caught:catch thought:think held:hold lost:lose
    won:win shot:shoot stole stolen:steal struck stricken:strike sold:sell sent:send spent:spend stood:stand
    fell fallen:fall felt:feel broke broken:break chose chosen:choose wrote written:write spoke spoken:speak
    saw seen:see knew known:know grew grown:grow flew flown:fly drove driven:drive rose risen:rise ran:run
    led:lead met:meet paid:pay dies died dying:die lies lay:lie ties tied tying:tie
    dealt:deal hung:hang swept:sweep men:man women:woman
    children:child people:person wives:wife lives:life feet:foot police:police news:news series:series
"""
NO_PLURAL = ("ss", "us", "is")
SHORTEST = 3  # letters of a stem
VOWELS = frozenset("aeiouy")


def _irregular() -> dict[str, str]:
    forms: dict[str, str] = {}
    waiting: list[str] = []
    for word in _IRREGULAR.split():
        form, colon, base = word.partition(":")
        waiting.append(form)
        if colon:
            forms.update(dict.fromkeys(waiting, _cut(base)))
            waiting.clear()
    return forms


def head_stem(words: Sequence[str]) -> str:
    """Guess the stem of a mention's head.

    >>> head_stem("the fired head coaches of the Sixers".split()), head_stem(["firing"]), head_stem(["fires"])
    ('coach', 'fir', 'fir')
    """
    lower = [word.lower() for word in words]
    first = next((i for i, word in enumerate(lower) if word not in NO_HEADS), 0)
    end = next((i for i in range(first + 1, len(lower)) if lower[i] in AFTER_CORE), len(lower))
    heads = [word for word in lower[first:end] if word not in NO_HEADS]
    return word_stem(heads[-1] if heads else lower[-1] if lower else "")


@lru_cache(maxsize=2**16)
def word_stem(word: str) -> str:
    """Cut off a word's inflection.

    >>> [word_stem(word) for word in ("stopped", "stop", "cities", "city", "said", "buses", "moved", "move")]
    ['stop', 'stop', 'citi', 'citi', 'sai', 'bus', 'mov', 'mov']
    """
    return IRREGULAR.get(word) or _cut(word)


def _cut(word: str) -> str:
    stem = word
    for ending in ("'s", "’s", "ing", "ed", "es", "s"):
        short = word.removesuffix(ending)
        if (
            short != word
            and len(short) >= SHORTEST - 1
            and not word.endswith(NO_PLURAL)
            and VOWELS & {*short}
        ):
            stem = short
            break
    if stem.endswith("y") and len(stem) >= SHORTEST:
        stem = stem[:-1] + "i"
    if len(stem) > SHORTEST and stem[-1] == stem[-2] and stem[-1] not in "ls":
        stem = stem[:-1]
    return stem.removesuffix("e") if len(stem) > SHORTEST else stem


IRREGULAR = _irregular()
