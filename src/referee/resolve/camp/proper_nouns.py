"""CogNIAC's proper nouns: names that La Hack left alone, if one entity alone has all their words."""

from __future__ import annotations

from collections import defaultdict

from referee.resolve.camp.discourse import Discourse, Entity
from referee.resolve.camp.la_hack import PARTICLES
from referee.resolve.camp.markables import Kind, Markable

WORD_LABELS = frozenset(("PERSON", "ORG", "GPE", "FAC", "LOC", ""))


def resolve_names(discourse: Discourse) -> None:
    """Link a name of one word with the one entity whose longer name it begins or ends; of two, with none."""
    edges: dict[str, list[Markable]] = defaultdict(list)  # word → names that begin or end with it
    for markable in discourse.markables:
        if markable.kind is not Kind.NAME or markable.coordinated or not markable.name:
            continue
        if len(markable.name) == 1 and discourse.entity_of[markable].first is markable:
            _resolve(discourse, markable, edges[markable.name[0]])
        elif len(markable.name) > 1:
            for word in {markable.name[0], markable.name[-1]} - PARTICLES:
                edges[word].append(markable)


def _resolve(discourse: Discourse, markable: Markable, longer: list[Markable]) -> None:
    if markable.label not in WORD_LABELS or markable.determiner or markable.possessor is not None:
        return
    possible: dict[Entity, Markable] = {}
    for other in longer:
        if other.label == "PERSON" and not discourse.together(markable, other):
            possible[discourse.entity_of[other]] = other
    if len(possible) > 1:
        discourse.miss(markable, tuple(possible.values())[:2], "a tie between entities with this name")
    for other in possible.values() if len(possible) == 1 else ():
        if discourse.compatible(markable, other):
            discourse.link(markable, other, "part of one name", " ".join(other.name))
