"""Mentions that are added some at a time come back in their order, with clusters of their own."""

from __future__ import annotations

import numpy as np

from referee.resolvers.across.mentions import MentionArrays
from referee.resolvers.across.resolver import LinkedMentions


def some(*starts: int, documents: tuple[int, ...] = ()) -> MentionArrays:
    start, document = np.array(starts, np.int64), np.array(documents, np.int64)
    vectors = np.stack([start, start + 0.5], 1).astype(np.float16)
    return MentionArrays(start, start + 1, start / 10, vectors, document, document, np.stack([start], 1))


def test_clusters_of_what_is_added_are_different_ones() -> None:
    linked = LinkedMentions()
    linked.add(some(4, 2, 6, documents=(0, 0, 3)), np.array([0, 1, 0]))
    linked.add(some(), np.zeros(0, np.int64))
    linked.add(some(5, 7, documents=(1, 2)), np.array([0, 0]))
    assert linked.parts == 3
    assert linked.label.tolist() == [0, 1, 0, 2, 2]
    assert linked.columns().document.tolist() == [0, 0, 3, 1, 2]
    assert linked.columns().start.tolist() == [4, 2, 6, 5, 7]
    assert linked.columns().vector.shape == (5, 0)
    every = linked.mentions()
    assert every.vector[[3, 1]].tolist() == [[5, 5.5], [2, 2.5]]
    assert every.places.ravel().tolist() == every.start.tolist() == [4, 2, 6, 5, 7]


def test_nothing_is_added() -> None:
    assert LinkedMentions().label.size == LinkedMentions().parts == 0
