"""Relatives: if Tom is her nephew, then his aunt is she.

In the annotated tales, books and other texts at hand 27 of 27 phrases (*his aunt*) whose owner was said to be
the relative of somebody (*her nephew Tom*), of the gender that the phrase shows, meant that person.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from referee.language import english
from referee.resolvers.people.layout import Layout
from referee.resolvers.people.names import FEMALE, MALE
from referee.resolvers.people.settling import Found, gender_of_pronoun, named_mentions

_PAIRS = (
    ("father mother", "son daughter"), ("uncle aunt", "nephew niece"), ("husband", "wife"),
    ("brother sister", "brother sister"), ("grandfather grandmother", "grandson granddaughter"),
)  # fmt: skip
_MEN = frozenset(["father", "uncle", "husband", "brother", "grandfather", "son", "nephew", "grandson"])
_DESCRIBING = frozenset(["old", "little", "poor", "dear", "own", "late", "good", "young"])


def _answers() -> dict[str, frozenset[str]]:
    """Say what the relative of each kind calls whose relative it is."""
    found: dict[str, frozenset[str]] = {}
    for one, other in _PAIRS:
        for side, opposite in ((one, other), (other, one)):
            found |= {word: frozenset(opposite.split()) for word in side.split()}
    return found


ANSWERS = _answers()


class Relative(NamedTuple):
    """A phrase such as "her old aunt": its words, the end excluded, and whose relative it is."""

    start: int
    end: int
    owner: int
    kind: str


def with_relatives(layout: Layout, mentions: Sequence[Found]) -> list[Found]:
    """Give phrases for relatives the entity of whoever has the owner for a relative, if that is one only.

    A phrase stays in an entity that has a name: somebody may have two nephews.
    """
    begins: dict[int, list[Found]] = defaultdict(list)
    for mention in mentions:
        begins[mention.start].append(mention)
    phrases = _relatives(layout, mentions)
    whose: dict[tuple[int, str], set[int]] = defaultdict(set)  # who is whose relative, of which kind
    for phrase in phrases:
        for mention in begins[phrase.start]:
            if mention.end >= phrase.end:  # her nephew, or her nephew Tom
                whose[mention.entity, phrase.kind].add(phrase.owner)
    genders = _genders(layout, mentions)
    named = {mentions[number].entity for number in named_mentions(layout, mentions)}
    meant: dict[tuple[int, int], int] = {}
    for start, end, owner, kind in phrases:
        entities = {mention.entity for mention in begins[start] if mention.end >= end}
        gender = MALE if kind in _MEN else FEMALE
        possible = {
            person
            for answer in ANSWERS[kind]
            for person in whose.get((owner, answer), ())
            if person != owner and genders.get(person, gender) == gender
        }
        if len(possible) == 1 and not entities & (named | possible):
            meant[start, end] = possible.pop()
    kept = [mention for mention in mentions if (mention.start, mention.end) not in meant]
    return sorted([*kept, *(Found(*span, entity) for span, entity in meant.items())])


def with_kinds_apart(layout: Layout, mentions: Sequence[Found]) -> list[Found]:
    """Part entities in which somebody's relatives are of two kinds: my grandfather and, later, your husband.

    What is behind the first phrase of another kind goes with the last one before.
    """
    result = list(mentions)
    free = 1 + max((mention.entity for mention in mentions), default=-1)
    at = {(start, end): entity for start, end, entity in mentions}
    by_entity: dict[int, list[Relative]] = defaultdict(list)
    for phrase in _relatives(layout, mentions):
        if (phrase.start, phrase.end) in at:
            by_entity[at[phrase.start, phrase.end]].append(phrase)
    for entity, phrases in by_entity.items():
        owners = {phrase.owner for phrase in phrases}
        kinds = list(dict.fromkeys(phrase.kind for phrase in phrases))
        if len(owners) > 1 or len(kinds) != 2 or owners == {entity}:
            continue
        kind_at = {phrase.start: phrase.kind for phrase in phrases}
        last = kinds[0]
        for number, mention in enumerate(mentions):
            if mention.entity == entity:
                last = kind_at.get(mention.start, last)
                result[number] = mention if last == kinds[0] else mention._replace(entity=free)
        free += 1
    return result


def _relatives(layout: Layout, mentions: Sequence[Found]) -> list[Relative]:
    """Find the phrases for relatives whose owner is a mention."""
    lower, found = layout.lower, []
    at = {(start, end): entity for start, end, entity in mentions}
    by_end = {mention.end: mention for mention in sorted(mentions, key=lambda each: (each.end, each.start))}
    for word in range(1, len(lower)):
        if lower[word] not in ANSWERS or "".join(lower[word + 1 : word + 2]) in english.POSSESSIVE_MARKS:
            continue
        first = word - 1
        while first and lower[first] in _DESCRIBING:
            first -= 1
        if lower[first] in english.POSSESSIVE_DETERMINERS and (first, first + 1) in at:
            found.append(Relative(first, word + 1, at[first, first + 1], lower[word]))
        elif lower[first] in english.CLITICS and (owner := by_end.get(first + 1) or by_end.get(first)):
            found.append(Relative(owner.start, word + 1, owner.entity, lower[word]))
    return found


def _genders(layout: Layout, mentions: Sequence[Found]) -> dict[int, int]:
    """Give the gender of entities that are called he or she, by most of these."""
    counted: dict[int, Counter[int]] = defaultdict(Counter)
    for start, end, entity in mentions:
        if end - start == 1 and (gender := gender_of_pronoun(layout.lower[start])):
            counted[entity][gender] += 1
    return {entity: counts.most_common(1)[0][0] for entity, counts in counted.items()}
