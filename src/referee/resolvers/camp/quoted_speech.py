"""Quoted speech: I and we mean the speaker, you the hearer; outside of quotations, the narrator.

Quotations, and who speaks to whom, are found as in every resolver's texts (`people.speakers`); here they
become links with reasons.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from referee.resolvers.camp.discourse import Discourse
from referee.resolvers.camp.markables import Kind, Markable
from referee.resolvers.camp.parse_view import NOBODY
from referee.resolvers.people import conversations
from referee.resolvers.people.names import FEMALE, MALE
from referee.resolvers.people.speakers import BY_TURNS, NAMED, Scene, Turn, find_speakers, find_turns

PERSONS = {"first_pronouns": "same I", "we_pronouns": "same we", "you_pronouns": "same you"}
NARRATOR = -1  # the turn of what is not quoted
GENDERS = {"masculine": MALE, "feminine": FEMALE}
# Who is called by name: I know, Clara, that you are tired.
SET_OFF_BEFORE = frozenset((",", ".", "!", "?", ";", "—", "--"))
SET_OFF_BEHIND = SET_OFF_BEFORE | {":"}
CALLING = frozenset(("npadvmod", "intj", "vocative"))  # spaCy's parsers have no relation for vocatives


def match_speech(discourse: Discourse) -> None:
    """Link the pronouns of one person in one turn, and I with its speaker."""
    spoken = find_turns(discourse.layout)
    turns = _numbered(discourse, spoken)
    speakers, hearers = _speakers(discourse, spoken)
    called = _called(discourse, turns)
    people = {"first_pronouns": speakers, "you_pronouns": {"vocative": called, "hearer": hearers}}
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


def _numbered(discourse: Discourse, spoken: Sequence[Turn]) -> list[int]:
    """Number the turn that each word is said in."""
    turns = [NARRATOR] * len(discourse.parse.words)
    for number, turn in enumerate(spoken):
        for quote in turn.quotes:
            turns[quote.start : quote.end + 1] = [number] * (quote.end + 1 - quote.start)
    return turns


def _speakers(
    discourse: Discourse, spoken: Sequence[Turn]
) -> tuple[dict[str, dict[object, Markable]], dict[object, Markable]]:
    """Give each turn its speaker, by the rule that found it, and its hearer."""
    people = _People(discourse)
    find_speakers(people.scene, spoken)
    speakers: dict[str, dict[object, Markable]] = defaultdict(dict)
    hearers: dict[object, Markable] = {}
    for number, turn in enumerate(spoken):
        if subject := people.subject(turn):
            speakers["speaker"][number] = subject
            if subject.is_pronoun and discourse.layout.laid_out:
                people.tell_apart(subject, turn, spoken[:number])
        elif speaker := people.nearest(turn.speaker, turn.start):
            if turn.how == BY_TURNS:
                speakers["speaker by turns"][number] = speaker
            elif discourse.layout.laid_out:  # elsewhere who acts behind a quotation may lead to the next
                speakers["acting speaker"][number] = speaker
        if hearer := people.nearest(turn.hearer, turn.start):
            hearers[number] = hearer
    return speakers, hearers


class _People:
    """The people of a text as they are known before pronouns are resolved."""

    def __init__(self, discourse: Discourse) -> None:
        """See the entities so far as those of a scene."""
        self.discourse, entities = discourse, discourse.entities
        numbers = {id(entity): number for number, entity in enumerate(entities)}
        single = [markable for markable in discourse.markables if not markable.coordinated]
        spans = [(m.start, m.end, numbers[id(discourse.entity_of[m])]) for m in single]
        self.at = dict(zip(spans, single, strict=True))
        self.markables = [list(entity.markables) for entity in entities]
        genders = {
            number: GENDERS.get(entity.properties.gender.value or "", 0)
            for number, entity in enumerate(entities)
            if entity.properties.animacy.value == "animate" and entity.properties.number.value != "plural"
        }
        layout = discourse.layout
        self.scene = Scene(layout.words, layout.lower, spans, discourse.quoted, genders)

    def subject(self, turn: Turn) -> Markable | None:
        """Give the subject of a verb of speech that says who speaks in a turn."""
        if turn.how == NAMED:
            for word in (quote.speaker for quote in turn.quotes if quote.speaker >= 0):
                mention = self.scene.mention_at(word)
                if mention and mention[2] in self.scene.genders:
                    return self.at[mention]
        return None

    def nearest(self, entity: int, start: int) -> Markable | None:
        """Give the last markable of an entity before a word, or else its first."""
        if entity == conversations.NOBODY:
            return None
        before = [markable for markable in self.markables[entity] if markable.start < start]
        return before[-1] if before else self.markables[entity][0]

    def tell_apart(self, subject: Markable, turn: Turn, before: Sequence[Turn]) -> None:
        """Link the he of "he said" with whom the turns around make likely; he is not who spoke last."""
        again = self.nearest(turn.speaker, subject.start)
        if again and again is not subject and self.discourse.compatible(subject, again):
            self.discourse.link(subject, again, "speaker again", "by the turns around")
        beside = bool(before) and turn.paragraph - before[-1].paragraph == 1
        if beside and (other := self.nearest(before[-1].speaker, subject.start)):
            self.discourse.others[subject] = other


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
