"""Quoted speech: I and we mean who speaks, you whoever is spoken to; outside of quotations, the narrator."""

from __future__ import annotations

from collections.abc import Iterator

from referee.resolve.camp.discourse import Discourse
from referee.resolve.camp.markables import Markable
from referee.resolve.camp.parse_view import NOBODY
from referee.resolve.camp.quotes import Quote, find_quotes, find_speakers
from referee.resolve.camp.vocatives import is_vocative

PERSONS = {"first_pronouns": "same I", "we_pronouns": "same we", "you_pronouns": "same you"}
NARRATOR = -1  # the turn of what nobody says


def match_speech(discourse: Discourse) -> None:
    """Link the pronouns of one person in one turn, and I with its speaker."""
    quotes = find_quotes(discourse.parse)
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


def _called(discourse: Discourse, turns: list[int]) -> dict[object, Markable]:
    """Find the first whom each speaker calls; a narrator may call anyone."""
    called: dict[object, Markable] = {}
    for markable in discourse.markables:
        turn = _turn(discourse, markable, turns)
        if turn != NARRATOR and is_vocative(discourse, markable):
            called.setdefault(turn, markable)
    return called


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
