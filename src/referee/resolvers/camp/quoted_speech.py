"""Quoted speech: I and we mean the speaker, you the hearer; outside of quotations, the narrator.

Quotations are found by their marks, and the speaker of each by a verb of speech beside it; two people speak
by turns. Who is spoken to is whom the speaker calls, "I know, Clara, that you are tired", or who spoke
before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.resolvers.camp.discourse import Discourse
from referee.resolvers.camp.lexicon import Lexicon
from referee.resolvers.camp.markables import Kind, Markable
from referee.resolvers.camp.parse_view import NOBODY, SUBJECTS, Parse

PAIRS = {"``": "''", "“": "”", "«": "»", "„": "“"}
SINGLE_PAIRS = {"‘": "’", "`": "'"}
EVEN, EVEN_SINGLE = '"', "'"
END = frozenset((".", "!", "?"))
SET_OFF_BEFORE = frozenset((",", ".", "!", "?", ";", "—", "--"))
SET_OFF_BEHIND = SET_OFF_BEFORE | {":"}
CALLING = frozenset(("npadvmod", "intj", "vocative"))  # spaCy's parsers have no relation for vocatives
PERSONS = {"first_pronouns": "same I", "we_pronouns": "same we", "you_pronouns": "same you"}
NARRATOR = -1  # the turn of what is not quoted


@dataclass(slots=True, eq=False)
class Quote:
    """A quotation: its words without the marks, and its speaker where known."""

    start: int
    end: int
    speaker: Markable | None = None
    hearer: Markable | None = None
    turn: int = -1  # quotations of one turn have one number


def match_speech(discourse: Discourse) -> None:
    """Link the pronouns of one person in one turn, and I with its speaker."""
    quotes = find_quotes(discourse.parse, discourse.lexicon)
    find_speakers(discourse, quotes)
    turns = _turns(discourse, quotes)
    speakers: dict[object, Markable] = {quote.turn: quote.speaker for quote in quotes if quote.speaker}
    hearers: dict[object, Markable] = {quote.turn: quote.hearer for quote in quotes if quote.hearer}
    called = _called(discourse, turns)
    people = {
        "first_pronouns": {"speaker": speakers},
        "you_pronouns": {"vocative": called, "hearer": hearers},
    }
    for name in PERSONS:
        last: dict[object, Markable] = {}
        for markable in _pronouns(discourse, name):
            turn = _turn(discourse, markable, turns)
            if turn in last:
                reason = "the narrator" if turn == NARRATOR else "one speaker"
                discourse.link(markable, last[turn], PERSONS[name], reason)
            elif rule := next((rule for rule, meant in people.get(name, {}).items() if turn in meant), None):
                _link_person(discourse, markable, people[name][rule][turn], rule)
            last[turn] = markable


def _turns(discourse: Discourse, quotes: list[Quote]) -> list[int]:
    """Number the turn that each word is said in."""
    turns = [NARRATOR] * len(discourse.parse.words)
    for quote in quotes:
        turns[quote.start : quote.end] = [quote.turn] * (quote.end - quote.start)
    return turns


def _turn(discourse: Discourse, markable: Markable, turns: list[int]) -> object:
    """Name who says a word: the speaker that the text names, or the turn of its quotation."""
    speaker = discourse.parse.speakers[markable.head]
    return speaker if speaker != NOBODY else turns[markable.head]


def _pronouns(discourse: Discourse, name: str) -> Iterator[Markable]:
    words = discourse.lexicon[name]
    return (m for m in discourse.markables if m.is_pronoun and m.head_word in words)


def _link_person(discourse: Discourse, markable: Markable, person: Markable, rule: str) -> None:
    """Link I with who says it, and you with who hears it: "I am tired," she said."""
    if not discourse.together(markable, person) and discourse.compatible(markable, person):
        verb = discourse.parse.words[discourse.parse.heads[person.head]]
        discourse.link(markable, person, rule, f"{' '.join(person.words)} {verb}")


def _called(discourse: Discourse, turns: list[int]) -> dict[object, Markable]:
    """Find the first whom each speaker calls; a narrator may call anyone."""
    called: dict[object, Markable] = {}
    for markable in discourse.markables:
        turn = _turn(discourse, markable, turns)
        if turn != NARRATOR and is_vocative(discourse, markable):
            called.setdefault(turn, markable)
    return called


def is_vocative(discourse: Discourse, markable: Markable) -> bool:
    """Whether a phrase addresses a person: a person without an article, set off on both sides."""
    if markable.relation not in CALLING or markable.coordinated or markable.determiner is not None:
        return False
    return _is_person(markable) and _is_set_off(discourse, markable)


def _is_person(markable: Markable) -> bool:
    if markable.kind is Kind.NAME:
        return markable.label in ("PERSON", "") or bool(markable.titles)
    return markable.kind is Kind.NOMINAL and markable.properties.animacy.value == "animate"


def _is_set_off(discourse: Discourse, markable: Markable) -> bool:
    """Whether marks stand before and behind; the edge of a quotation is one, but a comma must be there."""
    parse = discourse.parse
    before = parse.words[markable.start - 1] if markable.start else ""
    behind = parse.words[markable.end] if markable.end < len(parse.words) else ""
    quoted = discourse.quoted[markable.head]
    edges = (
        before in SET_OFF_BEFORE or (quoted and not discourse.quoted[markable.start - 1]),
        behind in SET_OFF_BEHIND or (quoted and behind != "" and not discourse.quoted[markable.end]),
    )
    return all(edges) and "," in (before, behind)


def find_quotes(parse: Parse, lexicon: Lexicon) -> list[Quote]:
    """Find quotations by their marks: double ones, or single ones where a text has no others."""
    doubles = sum(word in PAIRS or word == EVEN for word in parse.words)
    pairs, even = (PAIRS, EVEN) if doubles > 1 else (SINGLE_PAIRS, EVEN_SINGLE)
    quotes: list[Quote] = []
    opened, closing = -1, ""
    for word, written in enumerate(parse.words):
        if opened >= 0 and word - opened > lexicon.limits["quotation"]:
            opened = -1
        if opened >= 0 and written == closing and parse.tags[word] != "POS":
            if word - opened > 1:
                quotes.append(Quote(opened + 1, word))
            opened = -1
        elif opened < 0 and (written in pairs or (written == even and parse.tags[word] != "POS")):
            opened, closing = word, pairs.get(written, even)
    return quotes


def quoted_words(parse: Parse, quotes: list[Quote]) -> list[bool]:
    """Say of each word whether it is inside of a quotation."""
    inside = [False] * len(parse.words)
    for quote in quotes:
        inside[quote.start : quote.end] = [True] * (quote.end - quote.start)
    return inside


def find_speakers(discourse: Discourse, quotes: list[Quote]) -> None:
    """Say who speaks: the subject of a verb of speech beside a quotation, behind it or else before it."""
    quoted = discourse.quoted
    for number, quote in enumerate(quotes):
        behind = _behind(discourse, quote, quoted)
        if number and behind is None and _is_continued(discourse, quotes[number - 1], quote):
            quote.turn = quotes[number - 1].turn
            quote.speaker = quotes[number - 1].speaker
        else:
            quote.turn = number
            quote.speaker = behind or _before(discourse, quote, quoted)
    _alternate([quote for quote in quotes if quote.turn >= 0], discourse.lexicon.limits["pause"])


def _is_continued(discourse: Discourse, quote: Quote, following: Quote) -> bool:
    """Whether only "he said," stands between two quotations."""
    parse = discourse.parse
    between = range(quote.end + 1, following.start - 1)
    near = len(between) <= discourse.lexicon.limits["speaker"]
    ends = sum(parse.words[word] in END for word in between)
    return near and ends <= 1 and any(parse.tags[w][:1] == "V" for w in between)


def _behind(discourse: Discourse, quote: Quote, quoted: list[bool]) -> Markable | None:
    """Look for said she, she said, behind a quotation."""
    stop = min(quote.end + 1 + int(discourse.lexicon.limits["speaker"]), len(quoted))
    for word in range(quote.end + 1, stop):
        if quoted[word] or (discourse.parse.words[word] in END and word > quote.end + 1):
            return None
        if speaker := _speaker_of(discourse, word):
            return speaker
    return None


def _before(discourse: Discourse, quote: Quote, quoted: list[bool]) -> Markable | None:
    """Look for she said, before a quotation."""
    first = quote.start - 2
    for word in range(first, max(-1, first - int(discourse.lexicon.limits["speaker"])), -1):
        if quoted[word] or discourse.parse.words[word] in END:
            return None
        if speaker := _speaker_of(discourse, word):
            return speaker
    return None


def _speaker_of(discourse: Discourse, word: int) -> Markable | None:
    """Give the subject of a verb of speech, if it may be a person."""
    parse = discourse.parse
    if parse.lemmas[word] not in discourse.lexicon["speech_verbs"] or parse.tags[word][:1] != "V":
        return None
    subject = next((c for c in parse.children[word] if parse.relations[c] in SUBJECTS), None)
    markable = None if subject is None else discourse.by_head.get(subject)
    if markable is None or markable.kind is Kind.DEMONSTRATIVE:
        return None
    return None if markable.properties.animacy.value == "inanimate" else markable


def _alternate(quotes: list[Quote], pause: float) -> None:
    """Let two people speak by turns: a turn without a speaker is said by who spoke before the last one."""
    turns: list[list[Quote]] = []
    for quote in quotes:
        if turns and turns[-1][0].turn == quote.turn:
            turns[-1].append(quote)
        else:
            turns.append([quote])
    for number, turn in enumerate(turns):
        last = turns[number - 1] if number and _follows(turns[number - 1], turn, pause) else None
        is_third = last is not None and number > 1 and _follows(turns[number - 2], last, pause)
        earlier = turns[number - 2] if is_third else None
        for quote in turn:
            if quote.speaker is None and earlier:
                quote.speaker = earlier[0].speaker
            if last and last[0].speaker is not quote.speaker:
                quote.hearer = last[0].speaker


def _follows(turn: list[Quote], following: list[Quote], pause: float) -> bool:
    return following[0].start - turn[-1].end <= pause
