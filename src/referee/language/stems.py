"""Stems of English words and heads of mentions, guessed from the spelling alone; and words that say little.

A stem joins what inflection and derivation part: "shot", "shooting" and "shooter", "dies" and "death". It is
rougher than a lemma, and serves as one hint among many: a model, or a reader of errors, weighs whether two
mentions with one stem mean the same. The heads of models across documents were trained with these stems, so a
change of them is a change of the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

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

AFTER_CORE = AFTER_NOUN | {"after", "before", "during", "into", "over", "against"}
_LIGHT = 'of and , . " - in on at for with to by from as was were is are be been has have had'
_LIGHT_PRONOUNS = (SUBJECTS & THIRD) | POSSESSIVE_MARKS
LIGHT = DETERMINERS | _LIGHT_PRONOUNS | frozenset(_LIGHT.split())  # words that distinguish no mentions
_COMMON = """
    a about after all also an and any are as at be because been before being but by can could did do does for
    from had has have how if in into is just more most no not of on one or other out over said so some than
    that the then there these this to up was were what when which who will with would , . '' `` ' " - -- : ;
    ( ) 's n't ? !
"""
# Without "me", "my" and "us", as the model was trained.
_COMMON_PRONOUNS = (SUBJECTS | OBJECTS | POSSESSIVE_DETERMINERS) - {"me", "my", "us"}
COMMON = _COMMON_PRONOUNS | frozenset(_COMMON.split())  # words that distinguish no texts
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
        words, _, stem = group.partition(":")
        forms.update(dict.fromkeys(words.split(","), stem))
    return forms


IRREGULAR = _irregular()


def is_spoken(word: str) -> bool:
    """Say whether a word has a letter or a digit: it is more than signs."""
    return any(sign.isalnum() for sign in word)


@lru_cache(maxsize=2**16)
def word_stem(word: str) -> str:
    """Cut off what inflection and derivation add.

    >>> [word_stem(word) for word in ("Shot", "shooting", "stopped", "explosion", "explode", "cities")]
    ['shoot', 'shoot', 'stop', 'explos', 'explod', 'city']
    """
    word = word.lower()
    if word in IRREGULAR:
        return IRREGULAR[word]
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


def head_stem(words: Sequence[str]) -> str:
    """Guess the stem of a mention's head.

    >>> head_stem("the fired head coaches of the Sixers".split()), head_stem(["firing"]), head_stem([])
    ('coach', 'fir', '')
    """
    return word_stem(words[head_index(words, 0, len(words))]) if words else ""
