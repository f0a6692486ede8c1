"""Quotations by their marks, and the speaker of each by a verb of speech beside it.

Marks may be missing or stand the wrong way round; speakers are named as in "said Tom", "the old king cried".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.language import english

OPENING, CLOSING, EVEN = ("“", "``", "«", "„"), ("”", "''", "»"), '"'
SINGLE_OPENING, SINGLE_CLOSING, SINGLE_EVEN = "‘", "’", "'"
LONGEST_QUOTE = 400  # words; a quotation that is longer was never closed
LEADS = 30  # words that lead to a quotation
BESIDE = 8  # words between a quotation and the verb that says whose it is
_END = frozenset((".", "!", "?", "…", "...", ";", ":"))
_PUNCTUATION = _END | frozenset((",", "--", "—", "-"))
_SAY = (
    "say says said saying tell tells told ask asks asked asking reply replies replied replying answer "
    "answers answered answering cry cries cried crying shout shouts shouted whisper whispers whispered "
    "exclaim exclaims exclaimed remark remarks remarked observe observed murmur murmured mutter muttered "
    "add adds added continue continues continued return returned returns inquire inquired enquire "
    "enquired explain explained explains declare declared announce announced insist insisted suggest "
    "suggested respond responded demand demanded repeat repeated begin began interrupt interrupted agree "
    "agreed protest protested conclude concluded sigh sighed laugh laughed gasp gasped scream screamed "
    "yell yelled snap snapped growl growled groan groaned sob sobbed rejoin rejoined retort retorted "
    "ejaculate ejaculated quoth went goes thought thinks wrote writes called calls resumed proceeded "
    "persisted pursued"
)
SAYING = frozenset(_SAY.split())
_SKIPPED = frozenset(
    ("had", "has", "have", "then", "now", "also", "again", "at", "last", "once", "only", "to")
)
_SUBJECTS = english.SUBJECTS - {"you"}
_TITLES = frozenset(("mr.", "mrs.", "ms.", "dr.", "mr", "mrs", "ms", "dr", "de", "von", "van", "st."))


@dataclass(slots=True)
class Quote:
    """A quotation by its words, and the word that names its speaker, or -1."""

    start: int  # the mark that opens it
    end: int  # the mark that closes it
    speaker: int = -1  # a word
    continued: bool = False  # said by whoever said the one before


def find_quotes(words: Sequence[str]) -> list[Quote]:
    """Pair the marks; of two that open, the first was closed by the second or before it."""
    marks = _marks(words)
    quotes: list[Quote] = []
    opened = -1
    for number, (index, kind) in enumerate(marks):
        following = marks[number + 1][1] if number + 1 < len(marks) else 0
        if opened >= 0 and index - opened > LONGEST_QUOTE:
            opened = -1
        if opened < 0:
            if kind >= 0 or (following < 0 and _may_open(words, index)):
                opened = index
            continue
        quotes.append(Quote(opened, index))
        # A new paragraph of one speech opens anew; a mark that stands the wrong way round closes.
        opened = index if kind > 0 and following <= 0 and words[index - 1] not in OPENING else -1
        if opened >= 0:
            quotes[-1].end = index - 1
    return [each for each in quotes if each.end - each.start > 1]


def quotes_in_paragraph(
    words: Sequence[str], start: int, stop: int, sides: Sequence[int] = ()
) -> tuple[list[Quote], bool]:
    """Pair the marks of one paragraph, and say whether its last quotation goes on in the next one.

    `sides` say of each word whether there is a blank on one side of it alone: 1 before it, -1 behind it. Of a
    straight mark they show whether it opens or closes.

    >>> quotes, goes_on = quotes_in_paragraph('" Yes , " he said . " But'.split(), 0, 9)
    >>> [(quote.start, quote.end) for quote in quotes], goes_on
    ([(0, 3), (7, 8)], True)
    """
    quotes: list[Quote] = []
    opened = -1
    for index, kind in _marks(words[start:stop], sides[start:stop]):
        at = start + index
        even = words[at] == EVEN and not (sides and sides[at])
        if opened >= 0 and (kind < 0 or even or (sides and kind > 0 and words[at] in (EVEN, SINGLE_EVEN))):
            quotes.append(Quote(opened, at if kind <= 0 or even else at - 1))
            opened = -1 if kind <= 0 or even else at
        elif opened < 0 and (kind >= 0 or even):
            opened = at
    if opened >= 0 and stop - opened > 1:
        quotes.append(Quote(opened, stop - 1))
    single = (SINGLE_OPENING, SINGLE_EVEN)  # which may be apostrophes, and then are never closed
    kept = [
        each for each in quotes if each.end - each.start <= LONGEST_QUOTE or words[each.start] not in single
    ]
    return kept, opened >= 0


def _may_open(words: Sequence[str], index: int) -> bool:
    """Whether a mark that closes stands where one should open: before a capital, behind an end."""
    following = words[index + 1] if index + 1 < len(words) else ""
    before = words[index - 1] if index else "."
    return following[:1].isupper() and before in _PUNCTUATION


def _marks(words: Sequence[str], sides: Sequence[int] = ()) -> list[tuple[int, int]]:
    """List the marks: 1 opens, -1 closes, 0 does either. Single ones count where there are no others."""
    marks = [
        (index, 1 if word in OPENING else -1 if word in CLOSING else _straight(words, index, sides))
        for index, word in enumerate(words)
        if word in OPENING or word in CLOSING or word == EVEN
    ]
    single = {
        index: side
        for index, word in enumerate(words)
        if word in (SINGLE_OPENING, SINGLE_CLOSING, SINGLE_EVEN) and (side := _single(words, index, sides))
    }
    return marks if sum(side > 0 for side in single.values()) <= len(marks) // 2 else list(single.items())


def _single(words: Sequence[str], index: int, sides: Sequence[int]) -> int:
    """Say whether a single mark opens (1) or closes (-1); an apostrophe does neither (0)."""
    word, behind_end = words[index], index == 0 or words[index - 1] in _PUNCTUATION
    opens = word == SINGLE_OPENING
    if word == SINGLE_EVEN:
        before_capital = any(following[:1].isupper() for following in words[index + 1 : index + 2])
        opens = before_capital and (sides[index] > 0 if sides else behind_end)
    closes = behind_end and index > 0 and not (sides and word == SINGLE_EVEN and sides[index] >= 0)
    return 1 if opens else -1 if closes else 0


def _straight(words: Sequence[str], index: int, sides: Sequence[int]) -> int:
    """Say what a straight mark does, by the blanks beside it if they are known, or else by the words."""
    return sides[index] or _turned(words, index) if sides else _turned(words, index)


def _turned(words: Sequence[str], index: int) -> int:
    """Say whether a straight mark opens (1) or closes (-1) by the words beside it; 0 if it may do either."""
    before, behind = words[max(index - 6, 0) : index], [word.lower() for word in words[index + 1 : index + 3]]
    if before[-1:] == [EVEN] or behind[:1] == [EVEN]:
        return 1 if before[-1:] == [EVEN] else -1
    if before and before[-1] in _PUNCTUATION:
        if behind[:1] and (behind[0] in SAYING or (behind[0] in _SUBJECTS and behind[-1] in SAYING)):
            return -1
        if before[-1] in (",", ":") and any(word in SAYING for word in before) and EVEN not in before:
            return 1
    return 0


def name_speakers(words: Sequence[str], lower: Sequence[str], quotes: Sequence[Quote]) -> None:
    """Find the speaker of each quotation, behind it or else before it."""
    for number, quote in enumerate(quotes):
        before = quotes[number - 1].end if number else -1
        behind = quotes[number + 1].start if number + 1 < len(quotes) else len(words)
        gap = quote.start - before - 1
        earlier = quotes[number - 1] if number else None
        led_in = _led_in(words, lower, max(before + 1, quote.start - LEADS), quote.start)
        if led_in < 0 and not _leads_on(words, quote, quotes[number + 1 : number + 2]):
            quote.speaker = _behind(words, lower, quote.end + 1, min(behind, quote.end + 1 + BESIDE))
        # “…,” said Tom, “…”: between the two is nothing but who says both.
        if earlier and earlier.speaker > earlier.end and gap <= BESIDE + 2:
            ends = any(word in _END for word in words[before + 1 : quote.start])
            quote.continued = not ends or (quote.speaker < 0 and words[before - 1] == ",")
        if quote.continued:
            quote.speaker = -1
        elif led_in >= 0:
            quote.speaker = led_in
        elif quote.speaker < 0:
            quote.speaker = _before(words, lower, max(before + 1, quote.start - BESIDE), quote.start)


def _led_in(words: Sequence[str], lower: Sequence[str], start: int, quote: int) -> int:
    """Look for what leads to a quotation: Tom said, “…; then said Tom, “…; Tom sat down and said, “…."""
    if words[quote - 1] not in (",", ":"):
        return -1
    begin = next((word + 1 for word in range(quote - 2, start - 1, -1) if words[word] in _END), start)
    verb = next((word for word in range(quote - 2, begin - 1, -1) if lower[word] in SAYING), -1)
    if verb < begin:
        return -1
    if verb == begin or (verb == begin + 1 and lower[begin] in ("then", "so", "thereupon")):
        return _name_after(words, lower, verb + 1, quote)
    if lower[verb - 1] != "and":
        return _name_before(words, lower, verb, begin)
    acting = (word for word in range(verb - 2, begin - 1, -1) if lower[word] in _SUBJECTS)
    return next(acting, -1)


def _leads_on(words: Sequence[str], quote: Quote, following: Sequence[Quote]) -> bool:
    """Whether what is behind a quotation leads to the next one: “Go.” The king said, “Now.”."""
    return (
        bool(following)
        and quote.end + 1 < following[0].start - 1
        and words[quote.end - 1] in _END
        and words[quote.end + 1][:1].isupper()
        and words[following[0].start - 1] in (",", ":")
        and words[following[0].start + 1][:1].isupper()
        and _END.isdisjoint(words[quote.end + 1 : following[0].start - 1])
    )


def _behind(words: Sequence[str], lower: Sequence[str], start: int, stop: int) -> int:
    """Look for said Tom, or Tom said, behind a quotation."""
    for index in range(start, stop):
        if words[index] in _END and index > start:
            return -1
        if lower[index] in SAYING:
            after = _name_after(words, lower, index + 1, min(stop + BESIDE, len(words)))
            return after if index <= start + 1 and after >= 0 else _name_before(words, lower, index, start)
    return -1


def _before(words: Sequence[str], lower: Sequence[str], start: int, stop: int) -> int:
    """Look for Tom said, before a quotation."""
    for index in range(stop - 1, start - 1, -1):
        if words[index] in _END and index < stop - 1:
            return -1
        if lower[index] in SAYING:
            return _name_before(words, lower, index, max(start - BESIDE, 0))
    return -1


def _name_before(words: Sequence[str], lower: Sequence[str], verb: int, start: int) -> int:
    """Find the subject before a verb: he said, old Tom then said, the king had said."""
    index = verb - 1
    while index >= start and (lower[index] in _SKIPPED or lower[index].endswith("ly")):
        index -= 1
    if index < start or words[index] in _PUNCTUATION or not words[index][:1].isalpha():
        return -1
    if lower[index] in _SUBJECTS | english.PEOPLE_PRONOUNS or words[index][:1].isupper():
        return index
    phrase = range(index - 1, max(start, index - 4) - 1, -1)
    return index if any(lower[word] in english.DETERMINERS for word in phrase) else -1


def _name_after(words: Sequence[str], lower: Sequence[str], start: int, stop: int) -> int:
    """Find the subject behind a verb: said he, said Mr. Holt, said the old king."""
    if start >= stop:
        return -1
    if lower[start] in _SUBJECTS:
        return start
    is_name = words[start][:1].isupper()
    if (
        not is_name
        and lower[start] not in english.DETERMINERS
        and lower[start] not in ("old", "poor", "little")
    ):
        return -1
    index = start
    for following in range(start + 1, min(stop, start + 5)):
        word = lower[following]
        if word in english.CLITICS:  # said Peter's friend
            is_name = False
            continue
        in_name = words[following][:1].isupper() or word in _TITLES
        stops = (
            word in english.AFTER_NOUN
            or word in _PUNCTUATION
            or word.endswith("ly")
            or not word[:1].isalpha()
        )
        if stops or (is_name and not in_name and lower[start] not in _TITLES):
            break
        index = following
    return index if is_name or index > start else -1
