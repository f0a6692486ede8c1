"""Mentions of many documents with the clusters that they are in, added some at a time; vectors are in a file.

The vectors of 100,000 documents would fill the memory of most machines. They are needed again when what was
linked in different documents is compared, a few at a time.
"""

from __future__ import annotations

from typing import cast

import numpy as np

from referee.arrays import IntArray
from referee.resolve.across.neighbours import Vectors
from referee.resolve.across.row_file import RowFile
from referee.resolve.across.spotted import Spotted, stacked


class LinkedMentions:
    """What was added, in its order: columns without vectors, documents, clusters."""

    def __init__(self) -> None:
        """Begin with none."""
        self._columns, self._homes, self._labels = list[Spotted](), list[IntArray](), list[IntArray]()
        self._vectors, self._clusters = RowFile(), 0

    def add(self, mentions: Spotted, homes: IntArray, label: IntArray) -> None:
        """Add mentions, the number of the document of each, and its cluster, numbered from 0."""
        self._vectors.add(mentions.vector)
        self._columns.append(mentions._replace(vector=mentions.vector[:, :0].copy()))
        self._homes.append(homes)
        self._labels.append(label + self._clusters)
        self._clusters += int(label.max(initial=-1)) + 1

    @property
    def parts(self) -> int:
        """The number of times that mentions were added."""
        return len(self._labels)

    @property
    def label(self) -> IntArray:
        """The cluster of each mention."""
        return np.concatenate([np.zeros(0, np.int64), *self._labels])

    @property
    def homes(self) -> IntArray:
        """The number of the document of each mention."""
        return np.concatenate([np.zeros(0, np.int64), *self._homes])

    def columns(self) -> Spotted:
        """Put the columns together, without vectors."""
        return stacked([*self._columns])

    def mentions(self) -> Spotted:
        """Put the columns together; vectors are read from the file when they are asked for."""
        return self.columns()._replace(vector=cast(Vectors, self._vectors))
