"""The last look, at the whole text: each person is one entity and no two people are, and I is who speaks.

The other components go from left to right. This one looks at what they made of the text, as a resolver's
output is looked at (`people.second_pass`): entities that grew wrong are parted by their names, people with
several names are joined, and I and you in a quotation go to those who speak and listen.
"""

from __future__ import annotations

from collections import defaultdict

from referee.resolvers.camp.discourse import Discourse, Entity
from referee.resolvers.camp.markables import Kind, Markable
from referee.resolvers.people.second_pass import second_pass
from referee.resolvers.people.settling import Found


def settle_people(discourse: Discourse) -> None:
    """Part what grew wrong, and join what is one person; a short text says too little of its people."""
    if len(discourse.parse.words) < discourse.lexicon.limits["whole text"]:
        return
    meant = _people_of(discourse)
    groups: dict[Entity | int, list[Markable]] = defaultdict(list)
    for markable in discourse.markables:
        groups[meant.get(markable, discourse.entity_of[markable])].append(markable)
    for first, *others in discourse.part(groups.values()):
        for other in others:
            antecedent = _nearest_before(other.first, discourse.entity_of[first.first])
            discourse.link(other.first, antecedent, *_reason(other.first))


def _people_of(discourse: Discourse) -> dict[Markable, Entity | int]:
    """Say which entity the second pass gives to each markable: its own, by number, or a person's."""
    entities = discourse.entities
    at = {(m.start, m.end): m for m in discourse.markables if not m.coordinated}
    found = sorted(
        Found(markable.start, markable.end, number)
        for number, entity in enumerate(entities)
        for markable in entity.markables
        if not markable.coordinated
    )
    people = second_pass(discourse.layout, found)
    return {
        at[start, end]: entities[number] if number < len(entities) else number
        for start, end, number in people
        if (start, end) in at
    }


def _nearest_before(anaphor: Markable, entity: Entity) -> Markable:
    """Choose what to tell as the antecedent: the nearest name before, else the nearest of any form."""
    before = [markable for markable in entity.markables if markable.number < anaphor.number]
    return max(before, key=lambda markable: (markable.kind is Kind.NAME, markable.number))


def _reason(anaphor: Markable) -> tuple[str, str]:
    """Name the rule that made two entities one, and say why."""
    if anaphor.kind is Kind.NAME:
        return "one person's names", "the names of the whole text are of one person"
    if anaphor.person == 1:
        return "speaker of a turn", "who speaks, by the turns of the whole text"
    if anaphor.person == 2:
        return "hearer of a turn", "who is spoken to, by the turns of the whole text"
    return "nearest person", "the nearest name that agrees, where an entity had several people"
