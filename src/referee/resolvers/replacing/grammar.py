"""What a pronoun is in its sentence: a possessor or not, and the verb that agrees with it."""

from __future__ import annotations

from collections.abc import Sequence

from referee.language.agreement import ADVERBS, AUXILIARIES, UNCHANGED, is_past_or_modal, singular_verb
from referee.language.english import (
    AFTER_NOUN,
    ARTICLES,
    DEMONSTRATIVES,
    DETERMINERS,
    POSSESSIVE_DETERMINERS,
    POSSESSIVES,
    RELATIVES,
    THIRD,
)
from referee.resolvers.replacing.words import WordsOf

POSSESSIVE = POSSESSIVES & THIRD - {"her"}  # which may be an object too
# What may come behind "her" where it is not a possessive.
_AFTER_OBJECT = """
    to and or but as at in on of for with from by if when while because so than then there here up down out
    off over away back again about into through before after until was is were are had has would could should
    will not yesterday today tomorrow tonight now soon once twice alone too either instead how what where
    why since without like against around
"""
AFTER_OBJECT = (
    ARTICLES
    | DEMONSTRATIVES
    | RELATIVES
    | POSSESSIVE_DETERMINERS - {"her", "its"}
    | frozenset(_AFTER_OBJECT.split())
)
# Behind these a bare verb may follow: "made her laugh" is not her laugh, "saw her dress" may be.
_BEFORE_BARE = frozenset(
    "let lets letting make makes made making see sees saw seen seeing watch watched watching hear heard "  # noqa: SIM905
    "hearing help helped helping have had feel felt".split()
)
_OF_BOTH = frozenset(("very", "so", "most", "all"))  # before an adjective of hers, or behind her
_PHRASE = 3  # words within which a possessor has its noun
_BEFORE_INVERTED = frozenset("what where when why how who whom whose which nor neither so if".split())  # noqa: SIM905
_INVARIABLE = frozenset("did can will could would should may might must had".split())  # noqa: SIM905
_CLAUSE = frozenset((".", "!", "?", ";", ":", ",", "”", '"', "''", ")", "—", "–", "--", "…", "...", "’"))
_NO_VERBS = (AFTER_NOUN | DETERMINERS | AFTER_OBJECT | {"themselves"}) - UNCHANGED - AUXILIARIES


def is_possessive(words: WordsOf, number: int) -> bool | None:
    """Whether a pronoun is a possessor; of "her", nothing where neither a tag nor what follows says so."""
    text = words.text
    lower = text.words[number].lower()
    if lower != "her":
        return lower in POSSESSIVE
    if words.tags and words.tags[number] != "_":
        return words.tags[number] in ("PRP$", "DET")
    following = text.words[number + 1 : number + 1 + _PHRASE]
    if number + 1 >= text.length or not following[0][:1].isalpha() or following[0].lower() in AFTER_OBJECT:
        return False
    if following[0].lower().endswith("ly") or words.begins(number + 1):
        return False
    if following[0].lower() in _OF_BOTH:
        return None
    before = text.words[number - 1].lower() if number else ""
    return None if before in _BEFORE_BARE else _owns(words, number + 1, following)


def _owns(words: WordsOf, number: int, following: tuple[str, ...]) -> bool | None:
    """Whether a noun follows soon, with nothing between that is not part of its phrase."""
    for at, word in enumerate(following):
        if word != "-" and (not word[:1].isalpha() or word.lower() in AFTER_OBJECT):
            return None
        if words.is_noun(number + at):
            return True
    return None


def verb_changes(words: WordsOf, number: int, *, is_several: bool) -> list[tuple[int, str]] | None:
    """List the verbs whose form changes where one takes the place of "they"; nothing where that is unclear.

    The verb is behind the pronoun, or an auxiliary before it: "are they here" is "is Ann here".
    """
    lower, written = words.lower, words.text.words
    if lower[number] != "they" or is_several:
        return []
    before = lower[number - 1] if number else ""
    if before in AUXILIARIES | _INVARIABLE and _is_inverted(words, number - 1):
        if before in _INVARIABLE:
            return []
        return [(number - 1, _as_written(written[number - 1], singular_verb(before) or before))]
    return _behind(words, number + 1)


def _is_inverted(words: WordsOf, auxiliary: int) -> bool:
    before = words.lower[auxiliary - 1] if auxiliary else "."
    return words.begins(auxiliary) or before in _CLAUSE | _BEFORE_INVERTED | {"and", "but"}


def _behind(words: WordsOf, verb: int) -> list[tuple[int, str]] | None:
    """Make the verb behind a subject agree; one in the same clause that hangs on it must need no change."""
    lower, text = words.lower, words.text
    while verb < len(lower) and (lower[verb] in ADVERBS or lower[verb].endswith("ly")):
        verb += 1
    is_verb = verb < len(lower) and lower[verb] not in _NO_VERBS
    form = singular_verb(lower[verb]) if is_verb else None
    if form is None or not _is_alone(lower, verb):
        return None
    if form == lower[verb]:
        return []
    blank = " " * (text.words[verb][:1] in "'’" and text.running is not None)
    return [(verb, blank + _as_written(text.words[verb], form))]


def _is_alone(lower: Sequence[str], verb: int) -> bool:
    """Whether no second verb of the clause would have to agree too: "they walk and talk"."""
    if is_past_or_modal(lower[verb]) or lower[verb] in ("were", "'re", "’re"):
        return True
    for at in range(verb + 1, len(lower)):
        if lower[at] in _CLAUSE - {","}:
            return True
        if lower[at] in ("and", "or", "but"):
            follows = lower[at + 1] if at + 1 < len(lower) else ""
            return follows in THIRD | ARTICLES | DEMONSTRATIVES | POSSESSIVE_DETERMINERS | {"i", "we", "you"}
    return True


def _as_written(old: str, form: str) -> str:
    return form[:1].upper() + form[1:] if old[:1].isupper() else form
