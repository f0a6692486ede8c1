"""Numbers the entities of a unit so that the same number on both sides means the same entity.

A unit is a document, or several (a topic, a corpus); an entity's number is the same in all of its documents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from referee.errors import entities as analysis
from referee.metrics.assignment import best_alignment
from referee.model import Mention

Located = tuple[int, Mention]  # the number of a document, and a mention in it
Entities = list[list[Located]]
Numbered = list[tuple[int, list[Located]]]


def entities_of(side: analysis.Entities, units: int) -> list[Entities]:
    """List each unit's entities by their first mention, each with its distinct mentions in order."""
    by_unit: list[Entities] = [[] for _ in range(units)]
    documents, unit = side.document.tolist(), side.unit.tolist()
    for start, end in side.edges():
        located = zip(documents[start:end], side.mention[start:end], strict=True)
        by_unit[unit[start]].append(sorted(set(located)))
    return [sorted(entities) for entities in by_unit]


def key_numbers(key: Entities) -> Numbered:
    """Number key entities from 1, in order."""
    return list(enumerate(key, start=1))


def response_numbers(key: Entities, response: Entities) -> Numbered:
    """Give each response entity the number of the key entity that CEAFe aligns it with; others come after."""
    partner = _aligned(key, response)
    fresh = iter(range(len(key) + 1, len(key) + len(response) + 1))
    return [
        (partner[i] + 1 if i in partner else next(fresh), mentions) for i, mentions in enumerate(response)
    ]


def _aligned(key: Entities, response: Entities) -> dict[int, int]:
    """Align entities one to one by their Dice overlap (CEAF's φ₄): response entity → key entity."""
    homes: dict[Located, int] = {mention: k for k, entity in enumerate(key) for mention in entity}
    shared = Counter(
        (homes[mention], r) for r, entity in enumerate(response) for mention in entity if mention in homes
    )
    cells = list(shared)
    k, r = (np.array([cell[side] for cell in cells], np.int64) for side in (0, 1))
    dice = np.array([_dice(key[a], response[b], shared[a, b]) for a, b in cells], np.float64)
    chosen = best_alignment(k, r, dice)
    return {b: a for (a, b), is_chosen in zip(cells, chosen.tolist(), strict=True) if is_chosen}


def _dice(one: Sequence[Located], other: Sequence[Located], common: int) -> float:
    return 2 * common / (len(one) + len(other))
