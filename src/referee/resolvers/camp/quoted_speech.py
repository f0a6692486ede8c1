"""Quoted speech: I and we mean the speaker, you the hearer; outside of quotations, the narrator.

Quotations are found by their marks, and the speaker of each by a verb of speech beside it; two people speak
by turns. Who is spoken to is whom the speaker calls, "I know, Clara, that you are tired", or who spoke
before.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from referee.resolvers.camp.discourse import Discourse
from referee.resolvers.camp.markables import Markable
from referee.resolvers.camp.parse_view import NOBODY
from referee.resolvers.camp.quotations import Layout, Quote, find_quotes
from referee.resolvers.camp.speakers import find_speakers
from referee.resolvers.camp.vocatives import is_vocative

PERSONS = {"first_pronouns": "same I", "we_pronouns": "same we", "you_pronouns": "same you"}
NARRATOR = -1  # the turn of what is not quoted


def match_speech(discourse: Discourse) -> None:
    """Link the pronouns of one person in one turn, and I with its speaker."""
    layout = Layout(discourse.parse)
    quotes = find_quotes(discourse.parse, discourse.lexicon, layout)
    find_speakers(discourse, quotes, layout)
    turns = _turns(discourse, quotes)
    speakers: dict[str, dict[object, Markable]] = defaultdict(dict)
    for quote in quotes:
        if quote.speaker:
            speakers[quote.rule][quote.turn] = quote.speaker
    hearers: dict[object, Markable] = {quote.turn: quote.hearer for quote in quotes if quote.hearer}
    called = _called(discourse, turns)
    people = {
        "first_pronouns": speakers,
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
