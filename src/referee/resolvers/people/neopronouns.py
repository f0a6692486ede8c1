"""Xe, zir and the like: a network has hardly seen them, but a text says whose they are.

Within a text such a word is one person's, since that is what it was chosen for: the one who is named before
it first occurs. Two forms of it must occur, so that no name and no accent (ze book) is taken for one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from referee.language import english
from referee.language.first_names import frequent_first_names
from referee.resolvers.people.layout import Layout
from referee.resolvers.people.names import Occurrence
from referee.resolvers.people.settling import Found, named_mentions


def with_neopronouns(layout: Layout, mentions: Sequence[Found]) -> list[Found]:
    """Give neopronouns the entities of those whose they are; the name is added where nothing else has it."""
    result = list(mentions)
    for forms in english.NEOPRONOUNS:
        places = [place for place, word in enumerate(layout.lower) if word in forms]
        if len({layout.lower[place] for place in places}) > 1 and (name := _named_before(layout, places[0])):
            spans = {(place, place + 1) for place in places}
            result = [mention for mention in result if (mention.start, mention.end) not in spans]
            added, entity = _entity_of(layout, result, name)
            result = sorted([*result, *added, *(Found(*span, entity) for span in spans)])
    return result


def _named_before(layout: Layout, place: int) -> Occurrence | None:
    """Find who is named before a word: the last in its sentence, else the first in the sentence before."""
    sentences = [word for word, begins in enumerate(layout.begins) if begins]
    names = [name for name in layout.names if name.end <= place]
    for back in range(bisect_right(sentences, place) - 1, -1, -1):
        inside = [name for name in names if name.start >= sentences[back]]
        people = [name for name in inside if _is_person(name)] or inside
        if people:
            return people[-1 if sentences[back] == _begin(sentences, place) else 0]
    return None


def _begin(sentences: Sequence[int], place: int) -> int:
    return sentences[bisect_right(sentences, place) - 1]


def _is_person(occurrence: Occurrence) -> bool:
    return occurrence.name.title != "" or occurrence.name.words[0] in frequent_first_names()


def _entity_of(layout: Layout, mentions: Sequence[Found], person: Occurrence) -> tuple[list[Found], int]:
    """Give the entity of a name, or where it is in none, a new one with all places of the name."""
    entities = {
        layout.names[occurrence].name: mentions[number].entity
        for number, occurrence in sorted(named_mentions(layout, mentions).items(), reverse=True)
    }
    if person.name in entities:
        return [], entities[person.name]
    free = 1 + max((mention.entity for mention in mentions), default=-1)
    same = [name for name in layout.names if name.name == person.name]
    return [Found(name.start, name.end, free) for name in same], free
