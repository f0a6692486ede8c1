"""Mentions that are linked to nothing."""

from __future__ import annotations

import numpy as np

from referee.arrays import IntArray
from referee.resolve.neural.forward import Kept


def unlinked(entity: Kept, start: IntArray, end: IntArray) -> Kept:
    """Leave the linked spans out of those that may be mentions.

    >>> spans = Kept(np.array([0, 2, 3]), np.array([1, 4, 3]), np.ones(3, np.float32))
    >>> unlinked(spans, np.array([0, 3]), np.array([1, 5])).start.tolist()
    [2, 3]
    """
    linked = set(zip(start.tolist(), end.tolist(), strict=True))
    own = zip(entity.start.tolist(), entity.end.tolist(), strict=True)
    left = np.array([span not in linked for span in own], np.bool_)
    return Kept(entity.start[left], entity.end[left], entity.score[left])
