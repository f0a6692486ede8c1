"""Numbers the entities of a document so that the same number on both sides means the same entity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from referee.errors import entities as analysis
from referee.metrics.assignment import best_alignment
from referee.model import Mention

Entities = list[list[Mention]]
Numbered = list[tuple[int, list[Mention]]]


def entities_of(side: analysis.Entities, documents: int) -> list[Entities]:
    """List each document's entities by their first mention, each with its distinct mentions in order."""
    found: list[Entities] = [[] for _ in range(documents)]
    numbers = side.document.tolist()
    for start, end in side.edges():
        found[numbers[start]].append(sorted(set(side.mention[start:end])))
    return [sorted(entities) for entities in found]


def numbered(key: Entities, response: Entities) -> Numbered:
    """Give each response entity the number of the key entity that CEAFe aligns it with; others come after.

    Key entities are numbered from 1, in order.
    """
    partner = _aligned(key, response)
    fresh = iter(range(len(key) + 1, len(key) + len(response) + 1))
    return [
        (partner[i] + 1 if i in partner else next(fresh), mentions) for i, mentions in enumerate(response)
    ]


def _aligned(key: Entities, response: Entities) -> dict[int, int]:
    """Align entities one to one by their Dice overlap (CEAF's φ₄): response entity → key entity."""
    homes: dict[Mention, int] = {mention: k for k, entity in enumerate(key) for mention in entity}
    shared = Counter(
        (homes[mention], r) for r, entity in enumerate(response) for mention in entity if mention in homes
    )
    cells = list(shared)
    k, r = (np.array([cell[side] for cell in cells], np.int64) for side in (0, 1))
    dice = np.array([_dice(key[a], response[b], shared[a, b]) for a, b in cells], np.float64)
    chosen = best_alignment(k, r, dice)
    return {b: a for (a, b), is_chosen in zip(cells, chosen.tolist(), strict=True) if is_chosen}


def _dice(one: Sequence[Mention], other: Sequence[Mention], common: int) -> float:
    return 2 * common / (len(one) + len(other))
