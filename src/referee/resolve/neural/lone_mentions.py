"""Mentions that are linked to nothing."""

from __future__ import annotations

import numpy as np

from referee.arrays import IntArray
from referee.resolve.neural.forward import Floats, Kept, NumpyHead
from referee.resolve.neural.surface import Columns


class LoneSpans:
    """The spans of a text that are entities of themselves; nothing is looked for without a threshold."""

    def __init__(self, head: NumpyHead, alone: float | None) -> None:
        """Begin with none; `alone` is what a span must score."""
        self.head, self.alone = head, alone
        self.sections: list[Kept] = []

    def look(self, states: Floats, words: Columns, own: slice) -> None:
        """Look at a section of the text; the states are those of its words."""
        if self.alone is not None:
            section = Columns(*(column[own] for column in words))
            entity = self.head.spans(states, section, output=1, least=self.alone)
            self.sections.append(Kept(entity.start + own.start, entity.end + own.start, entity.score))

    def unlinked(self, start: IntArray, end: IntArray) -> Kept | None:
        """Leave out the spans that are linked."""
        if self.alone is None:
            return None
        linked = set(zip(start.tolist(), end.tolist(), strict=True))
        seen = [np.concatenate(column) for column in zip(*self.sections, strict=True)]
        left = [ends not in linked for ends in zip(seen[0].tolist(), seen[1].tolist(), strict=True)]
        return Kept(*(column[np.array(left, np.bool_)] for column in seen))
