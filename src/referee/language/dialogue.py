"""Who says what in other languages than English: quotations, speeches behind a dash, and who is named there.

A turn is a quotation, or what stands behind a dash that begins a sentence or follows a colon. Words that name
its speaker are no part of it: behind a comma or the like comes a verb of speech with its subject ("dit-il",
"zei de oude man"), or a sentence before leads to it ("Il grogna : – …"). The verbs stand in the table of a
language, `[speech]`; without them turns have no named speakers.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from referee.arrays import IntArray
from referee.language.word_classes import ME, WE, YOU, WordClasses, classes_of, quotations
from referee.model import Text

DASHES = frozenset(("—", "–", "-", "--"))
PAUSE = 60  # words of narration after which a dialogue is another one
NEW_DIALOGUE = 10  # how far apart the numbers of two dialogues' turns are
BEHIND = 3  # words between a verb of speech and its subject, and
PHRASE = 4  # words of the subject behind its first one
LEAD = 25  # words of a sentence that leads to a turn
GOES_ON = 12  # sentences of one speech without another dash
TOLD_BY_ME = 0.01  # of the words outside of marked speech are I, so that a narrator says it
_ENDS = frozenset((".", "!", "?", "…", "...", ";", ":"))
_BEFORE_VERB = _ENDS | DASHES | frozenset((",", "»", "”", '"', "''", "’"))
_CLITICS = frozenset(("s'", "s’", "se", "lui", "me", "m'", "m’", "leur", "nous", "te", "t'", "t’"))


class Told(NamedTuple):
    """For each word: the turn it is said in, or 0, and the turn whose speaker it names, or 0."""

    turn: IntArray
    says: IntArray


def told_in(text: Text, language: str) -> Told:
    """Find the turns of a text."""
    words, known = text.words[: text.length], classes_of(language)
    lengths = [end - start for start, end in text.sentences] or [text.length]
    told = dialogue(words, np.repeat(np.arange(len(lengths)), lengths), quotations(words, known), known)
    return _continued(words, told, _line_begins(text))


def dialogue(words: Sequence[str], sentence: IntArray, quote: IntArray, known: WordClasses) -> Told:
    """Find turns and their speakers; `quote` numbers quotations.

    >>> text = "– Je viens , dit - elle . – Toi ? Paul rit .".split()
    >>> said = dialogue(text, np.array([0] * 8 + [1] * 3 + [2] * 3), np.zeros(14, np.int64), classes_of("fr"))
    >>> said.turn.tolist(), said.says.tolist()
    ([1, 1, 1, 1, 0, 0, 0, 1, 2, 2, 2, 0, 0, 0], [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
    """
    lower = [word.lower() for word in words]
    turn = _turns(words, lower, sentence, quote, known)
    says = np.zeros(len(words), np.int64)
    for verb in (at for at, word in enumerate(lower) if word in known.saying):
        _name_speaker(words, lower, sentence, turn, says, verb, known)
    return Told(turn, says)


def _line_begins(text: Text) -> set[int]:
    """List the words that begin a line, where that is known."""
    if text.running is None:
        return set()
    places = enumerate(pairwise(text.characters), start=1)
    return {word for word, ((_, end), (start, _)) in places if "\n" in text.running[end:start]}


def _continued(words: Sequence[str], told: Told, begins: Collection[int]) -> Told:
    """Join a turn with the one before, if only who says that is between, and nobody is named for this one.

    “Come!” said Ann. “It is late.” A dash, or another line, begins what somebody else says.
    """
    edges = np.flatnonzero(np.diff(np.r_[0, told.turn, 0])).tolist()
    runs = [(first, stop) for first, stop in pairwise(edges) if told.turn[first]]
    named = set(told.says.tolist())
    joined = np.arange(told.turn.max(initial=0) + 1)
    for (_, end), (first, _) in pairwise(runs):
        before, number = int(told.turn[end - 1]), int(told.turn[first])
        between = words[end : first + 1]
        joins = before in told.says[end:first] and number not in named and len(between) <= 2 * PHRASE
        if joins and before < number and first not in begins and DASHES.isdisjoint(between):
            joined[number:] -= 1
    return Told(joined[told.turn], joined[told.says])


def _turns(
    words: Sequence[str], lower: Sequence[str], sentence: IntArray, quote: IntArray, known: WordClasses
) -> IntArray:
    """Number turns; the next one of a dialogue has the next number."""
    starts = np.flatnonzero(np.r_[True, sentence[1:] != sentence[:-1]]).tolist() if len(words) else []
    spans = [*_quoted(words, quote, starts), *_behind_dashes(words, lower, starts, quote, known)]
    turn = np.zeros(len(words), np.int64)
    number, end = 0, -PAUSE
    for first, stop in sorted(spans):
        continues = 0 <= first - end <= PAUSE and _is_naming(lower, end, first, known)
        if not continues:
            number += 1 if first - end < PAUSE or not number else NEW_DIALOGUE
        turn[first:stop] = number
        end = stop
    return turn


def _quoted(words: Sequence[str], quote: IntArray, starts: Sequence[int]) -> list[tuple[int, int]]:
    """List quotations by their words, but for titles and the like: words without a stop within a sentence.

    In French one pair of marks may hold a whole dialogue, in which each dash begins what another one says.
    """
    edges, begins = np.flatnonzero(np.diff(np.r_[0, quote, 0])).tolist(), set(starts)
    dashes = [start for start in starts if words[start] in DASHES]
    spans: list[tuple[int, int]] = []
    for first, stop in pairwise(edges):
        said = words[first + 1 : stop - 1]
        begun = first in begins or words[first - 1] in _BEFORE_VERB or not _BEFORE_VERB.isdisjoint(said)
        if quote[first] and begun:
            spans += pairwise([first, *(at for at in dashes if first < at < stop), stop])
    return spans


def _is_naming(lower: Sequence[str], end: int, first: int, known: WordClasses) -> bool:
    """Whether nothing is between two quotations but who says both: a verb of speech, and no end."""
    between = lower[end:first]
    return (
        0 < len(between) <= BEHIND + PHRASE + 3
        and not known.saying.isdisjoint(between)
        and _ENDS.isdisjoint(between)
        and DASHES.isdisjoint(between[-1:])
    )


def _behind_dashes(
    words: Sequence[str], lower: Sequence[str], starts: Sequence[int], quote: IntArray, known: WordClasses
) -> list[tuple[int, int]]:
    """List speeches behind dashes by their words: the sentence, and those that go on with I and you."""
    mine = np.array([known.pronouns.get(word, 0) in (ME, WE) for word in lower], np.bool_)
    yours = np.array([known.pronouns.get(word, 0) == YOU for word in lower], np.bool_)
    ends = [*starts[1:], len(words)]
    opened = [_opens(words, start, end) for start, end in zip(starts, ends, strict=True)]
    told = [not quote[start] and at < 0 for start, at in zip(starts, opened, strict=True)]
    outside = sum((end - start) * each for start, end, each in zip(starts, ends, told, strict=True))
    own = sum(int(mine[a:b].sum()) * each for a, b, each in zip(starts, ends, told, strict=True))
    by_me = own > TOLD_BY_ME * outside
    spans = []
    for number, at in enumerate(opened):
        if at < 0 or quote[at : at + 2].any():
            continue
        last = number
        for following in range(number + 1, min(number + 1 + GOES_ON, len(starts))):
            inside = slice(starts[following], ends[following])
            if opened[following] >= 0 or quote[inside].any():
                break
            if yours[inside].any() or (mine[inside].any() and not by_me):
                last = following
            elif following - last > 1:
                break
        spans.append((at, ends[last]))
    return spans


def _opens(words: Sequence[str], start: int, end: int) -> int:
    """Give the dash that opens a speech in a sentence, or -1."""
    if words[start] in DASHES and end - start > 1:
        return start
    return next((at for at in range(start + 1, end - 1) if words[at] in DASHES and words[at - 1] == ":"), -1)


def _name_speaker(
    words: Sequence[str], lower: Sequence[str], sentence: IntArray, turn: IntArray, says: IntArray,
    verb: int, known: WordClasses,
) -> None:  # fmt: skip
    """Mark who a verb of speech names, if it stands behind what is said, or leads to it."""
    begin = verb - 1 if verb and lower[verb - 1] in _CLITICS else verb
    before = begin - 1
    number = next((int(turn[at]) for at in (begin, before, before - 1) if at >= 0 and turn[at]), 0)
    if number and before >= 0 and words[before] in _BEFORE_VERB:
        if subject := _subject_behind(words, lower, verb + 1, known):
            says[slice(*subject)] = number
            _leave_out(words, sentence, turn, begin, subject[1])
        return
    limit = min(verb + LEAD, len(words) - 1)
    colon = next((at for at in range(verb, limit) if words[at] in _ENDS), -1)
    if colon >= 0 and words[colon] == ":" and not turn[verb]:
        number = next((int(turn[at]) for at in range(colon, min(colon + 3, len(words))) if turn[at]), 0)
        subject = _subject_before(words, lower, sentence, begin, known)
        if number and subject:
            says[slice(*subject)] = number


def _leave_out(words: Sequence[str], sentence: IntArray, turn: IntArray, begin: int, end: int) -> None:
    """Take who says it out of a turn: to the next comma or stop."""
    stop = end
    while stop < len(words) and sentence[stop] == sentence[begin] and words[stop] not in _BEFORE_VERB:
        stop += 1
    turn[begin:stop] = 0


def _subject_behind(
    words: Sequence[str], lower: Sequence[str], start: int, known: WordClasses
) -> tuple[int, int] | None:
    """Find the subject behind a verb: dit - il; dit timidement Louisa; fit le vieux."""
    for at in range(start, min(start + BEHIND, len(words))):
        word = lower[at].lstrip("-").removeprefix("t-")
        if word in known.subjects:
            return at, at + 1
        if words[at][:1].isupper() or lower[at] in known.determiners:
            return at, _phrase_end(words, lower, at, known)
        if words[at] in _ENDS or words[at] == ",":
            return None
    return None


def _phrase_end(words: Sequence[str], lower: Sequence[str], start: int, known: WordClasses) -> int:
    """Say where a name or noun phrase ends that begins with a word."""
    is_name = words[start][:1].isupper() and lower[start] not in known.determiners
    end = start + 1
    while end < min(start + 1 + PHRASE, len(words)):
        abbreviates = words[end] == "." and words[end - 1] in ("M", "Dr", "St")
        if not abbreviates and (lower[end] in known.after_noun or (is_name and not words[end][:1].isupper())):
            break
        end += 1
    return end


def _subject_before(
    words: Sequence[str], lower: Sequence[str], sentence: IntArray, verb: int, known: WordClasses
) -> tuple[int, int] | None:
    """Find the subject of a sentence before its verb: its first pronoun, name or noun phrase."""
    begin = verb
    while begin and sentence[begin - 1] == sentence[verb] and words[begin - 1] not in _ENDS:
        begin -= 1
    for at in [*range(max(verb - 1, begin), max(verb - BEHIND, begin) - 1, -1), *range(begin, verb)]:
        if lower[at] in known.subjects:
            return at, at + 1
    for at in range(begin, verb):
        if lower[at] in known.determiners or (words[at][:1].isupper() and (at > begin or at + 1 == verb)):
            return at, min(_phrase_end(words, lower, at, known), verb)
    return None
