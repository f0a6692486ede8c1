"""Growing large classes: medium entities are merged by what is known of them as wholes, not left to right.

The paper suggests it: B³ rewards what relates large classes, which resolving mention by mention does not do.
"""

from __future__ import annotations

from collections import defaultdict

from referee.resolve.camp.common_nouns import match_nouns
from referee.resolve.camp.discourse import Discourse, Entity
from referee.resolve.camp.la_hack import spelling
from referee.resolve.camp.markables import Kind, Markable

MEDIUM = 2  # mentions that an entity has at least


def grow_classes(discourse: Discourse) -> None:
    """Look at possessives once more, and merge entities of one name, the largest first."""
    match_nouns(discourse)
    named: dict[tuple[str, ...], dict[Entity, Markable]] = defaultdict(dict)
    for markable in discourse.markables:
        if markable.kind is Kind.NAME and not markable.coordinated and markable.label:
            named[spelling(markable)].setdefault(discourse.entity_of[markable], markable)
    for holders in named.values():
        sizable = [entity for entity in holders if len(entity.markables) >= MEDIUM]
        for entity in sizable:
            largest = max(sizable, key=lambda other: len(other.markables))
            if entity is not largest and discourse.compatible(holders[entity], holders[largest]):
                discourse.link(holders[entity], holders[largest], "entities of one name", "both are medium")
