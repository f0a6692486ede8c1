"""What is asked about an open group: all of it at once if it has few parts, and otherwise smaller questions.

Parts that are held together are an entity as long as nobody decides. In a large group there is a question
about each entity in which links are voted down, and one about each entity that is tied with larger ones
(those with more mentions, or as many and earlier): which of them it belongs to. So each tied link is asked
about.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.arrays import BoolArray, IntArray, connected_parts

FEW = 12  # parts that a person can look at together
Question = list[list[int]]  # parts, each of some rows


def questions(
    sizes: Sequence[int], entity: IntArray, holds: BoolArray, tied: BoolArray, against: BoolArray
) -> list[Question]:
    """Ask about the rows of an open group, which stand for so many mentions each."""
    if not (tied | against).any():
        return []
    if len(sizes) <= FEW:
        return [[[row] for row in range(len(sizes))]]
    members: dict[int, list[int]] = {}
    for row, number in enumerate(entity.tolist()):
        members.setdefault(number, []).append(row)
    entities = list(members.values())
    within = [_contradiction(rows, holds, against) for rows in entities if against[np.ix_(rows, rows)].any()]
    size = [sum(sizes[row] for row in rows) for rows in entities]
    rank = sorted(range(len(entities)), key=lambda at: (-size[at], entities[at]))
    between = []
    for place, at in enumerate(rank):
        larger = [other for other in rank[:place] if tied[np.ix_(entities[at], entities[other])].any()]
        if larger:
            between.append([entities[each] for each in sorted([at, *larger])])
    return [*within, *between]


def _contradiction(rows: list[int], holds: BoolArray, against: BoolArray) -> Question:
    """Ask about an entity with links that are voted down; what has none of them stays together."""
    inside = np.ix_(rows, rows)
    disputed: BoolArray = np.any(against[inside], axis=1)
    undisputed = ~disputed
    one, other = np.nonzero(holds[inside] & undisputed[:, None] & undisputed)
    part = connected_parts(one, other, len(rows))
    found: dict[int, list[int]] = {}
    for row, number in zip(rows, part.tolist(), strict=True):
        found.setdefault(number, []).append(row)
    return list(found.values())
