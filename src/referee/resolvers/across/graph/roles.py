"""Roles of entities in events, by the order of English words: who did what to whom, with whom, where, when.

Only mentions of one sentence are looked at. A name of a day, month or time is `when`; what follows a
preposition of place is `where`; the nearest one before a verb that no preposition governs is `who`, or `whom`
if the verb is passive; the nearest one behind it is `whom`, or `with` behind another preposition; a passive's
`by` is `who`. Behind a noun ("the arrest of Smith"), `of` is `whom` and `by` is `who`; who possesses it
("Smith's arrest") is `with`. All others are `beside`: in the same sentence, their role unknown.
`bench/roles.py` compares this with spaCy's parses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from referee.language.english import ARTICLES, DETERMINERS, POSSESSIVE_MARKS
from referee.model import Span

WHO, WHOM, WITH, WHERE, WHEN, BESIDE = ROLES = ("who", "whom", "with", "where", "when", "beside")
_TIMES = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday january february april june july august
    september october november december jan feb apr aug sept oct nov dec mon tue tues wed thu thurs fri sat
    today yesterday tomorrow tonight morning afternoon evening night midnight noon weekend week month year
    decade century hours days weeks months years a.m. p.m. am pm
    """.split()  # noqa: SIM905
)
_AMBIGUOUS_TIMES = frozenset(("March", "May"))  # with a capital
_DATE = re.compile(r"(?:1[89]|20)\d\d|\d{1,2}[:.]\d\d|\d{1,2}(?:st|nd|rd|th)|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}")
_PLACES = frozenset("in at near outside inside within across throughout around off".split())  # noqa: SIM905
_GOVERNING = "of on for from to with about against into onto over under by as after before between during"
_OTHERS = frozenset(f"{_GOVERNING} through than like including amid among toward towards via without".split())
_CLAUSES = frozenset("after before as than like".split())  # noqa: SIM905  # also begin clauses with subjects
_JOINING = frozenset("and or , while after before to".split())  # noqa: SIM905  # a verb to another one's subject
_BREAKS = frozenset(
    (",", ";", ":", "-", "--", "—", "–", "(", ")", '"', "“", "”", "and", "but", "that", "which")
)
_BE = frozenset("is are was were be been being am 's 're get gets got getting".split())  # noqa: SIM905
_BETWEEN = frozenset("not n't never also later then now being been just already".split())  # noqa: SIM905
_REACH = 3  # words from a form of "be" to its participle


def is_time(words: Sequence[str]) -> bool:
    """Whether a mention says when.

    >>> is_time(["last", "Tuesday"]), is_time(["July", "4"]), is_time(["Ann"])
    (True, True, False)
    """
    return any(word.lower() in _TIMES or word in _AMBIGUOUS_TIMES or _DATE.fullmatch(word) for word in words)


def roles(words: Sequence[str], event: Span, mentions: Iterable[Span]) -> list[tuple[str, Span]]:
    """Give each mention its role in the event of the same words, which are a sentence.

    >>> roles("Acme fired Ann Lee on Monday .".split(), (1, 2), [(0, 1), (2, 4), (5, 6)])
    [('who', (0, 1)), ('whom', (2, 4)), ('when', (5, 6))]
    >>> roles("Cheeks was fired by Philadelphia .".split(), (2, 3), [(0, 1), (4, 5)])
    [('whom', (0, 1)), ('who', (4, 5))]
    """
    others = sorted(span for span in mentions if not _overlap(span, event))
    found = {span: _circumstance(words, span) for span in others}
    free = [span for span in others if not found[span]]
    found |= _participants(words, event, free)
    return [(found[span] or BESIDE, span) for span in others]


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _circumstance(words: Sequence[str], span: Span) -> str:
    if is_time(words[span[0] : span[1]]):
        return WHEN
    return WHERE if _preposition(words, span) in _PLACES else ""


def _preposition(words: Sequence[str], span: Span) -> str:
    """The preposition that a mention begins with, or that is before it."""
    before = span[0] - 1
    while before >= 0 and words[before].lower() in DETERMINERS:
        before -= 1
    first, word = words[span[0]].lower(), words[before].lower() if before >= 0 else ""
    return next((each for each in (first, word) if each in _PLACES | _OTHERS), "")


def _participants(words: Sequence[str], event: Span, free: Sequence[Span]) -> dict[Span, str]:
    found: dict[Span, str] = {}
    noun = _is_noun(words, event) and not any(span[1] == event[0] for span in free)
    passive = _is_passive(words, event)
    before = [span for span in free if span[1] <= event[0]]
    behind = [span for span in free if span[0] >= event[1]]
    able = [span for span in before if _governs(words, span, event, noun=noun)]
    if able:
        subject = able[0] if words[event[0] - 1].lower() in _JOINING else able[-1]
        found[subject] = WITH if noun else WHOM if passive else WHO
    reached = [span for span in behind if not _BREAKS & {word.lower() for word in words[event[1] : span[0]]}]
    for span in reached[:2]:
        between = {word.lower() for word in words[event[1] : span[0]]} & (_PLACES | _OTHERS)
        governing = _preposition(words, span)
        if governing:
            role = _governed_role(governing, noun=noun, passive=passive)
        else:
            role = WHOM if not (noun or passive or between) else ""
        if role and role not in found.values():
            found[span] = role
    return found


def _governed_role(preposition: str, *, noun: bool, passive: bool) -> str:
    if preposition == "by":
        return WHO if noun or passive else WITH
    return WHOM if preposition == "of" and noun else WITH


def _governs(words: Sequence[str], span: Span, event: Span, *, noun: bool) -> bool:
    """Whether a mention before an event may be its subject; of a noun, only if it possesses it."""
    between = [word.lower() for word in words[span[1] : event[0]]]
    if noun:
        return between[:1] != [] and between[0] in POSSESSIVE_MARKS and len(between) <= _REACH
    return not {_preposition(words, span)} & (_PLACES | _OTHERS - _CLAUSES) and not {";", ":"} & set(between)


def _is_noun(words: Sequence[str], event: Span) -> bool:
    """Whether an event is told by a noun: with an article or a possessor before it or in it."""
    first = words[event[0]].lower()
    before = [word.lower() for word in words[max(event[0] - 2, 0) : event[0]]]
    determined = first in DETERMINERS or bool({*before[-1:]} & (DETERMINERS | POSSESSIVE_MARKS))
    described = before[:1] != [] and before[0] in ARTICLES and before[-1] not in _BE
    return determined or described or before[-1:] in (["of"], ["in"], ["after"], ["during"], ["for"])


def _is_passive(words: Sequence[str], event: Span) -> bool:
    before = [word.lower() for word in words[max(event[0] - _REACH, 0) : event[0]]]
    while before and (before[-1] in _BETWEEN - _BE or before[-1].endswith("ly")):
        before.pop()
    return bool(before) and before[-1] in _BE and not words[event[0]].lower().endswith("ing")
