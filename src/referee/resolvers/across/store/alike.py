"""Links new texts with each other and with the stored texts most like them, as if all were linked at once.

All mentions of these are compared, old and new, and clustered from single mentions, so that what was joined
before is decided again.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from referee.arrays import IntArray
from referee.resolvers.across.constants import BESIDE_FRESH
from referee.resolvers.across.mentions import MentionArrays, SimilarDocuments, StudiedDocuments, stacked
from referee.resolvers.across.resolver import AcrossResolver, LinkedMentions
from referee.resolvers.across.store.contents import Contents
from referee.resolvers.across.store.redeciding import JoinLog


def linked_to_alike(
    contents: Contents,
    studied: StudiedDocuments,
    resolver: AcrossResolver,
    progress: Callable[[int], None] | None,
) -> tuple[MentionArrays, JoinLog, list[IntArray]]:
    """Find mentions in new texts, and cluster them with stored ones.

    Gives the new mentions, the joins by rows of the store, and which rows were compared at once.
    """
    before, found, log = len(contents.texts), LinkedMentions(), JoinLog(contents)
    number = np.arange(len(studied.documents))
    there = (number < before) & ~np.isin(number, sorted(contents.gone))
    lengths = np.array([document.text.length for document in studied.documents], np.int64)
    stored, met = contents.mentions(), list[IntArray]()
    (hoods,) = resolver.divided(studied, np.where(number < before, -1, 0))
    for hood, parts in resolver.found(studied, hoods, progress):
        near = most_alike(studied.alike, hood, np.where(there, lengths, 0), BESIDE_FRESH)
        rows = np.flatnonzero(np.isin(stored.document, near))
        for few in parts:
            names = np.concatenate([rows, contents.rows.size + found.size + np.arange(few.size)])
            linked = resolver.linked_part(studied, stacked([stored.chosen(rows), few]) if rows.size else few)
            if names.size:
                log.decide(names, linked.label, linked.joins)
            found.add(few, np.arange(few.size))
            met.append(names)
        if progress:
            progress(hood.size)
    return found.mentions(), log, met


def most_alike(alike: SimilarDocuments, hood: IntArray, lengths: IntArray, most: int) -> IntArray:
    """Choose the documents that are most alike to any of some others, of at most so many words together.

    Those of length 0 are not chosen.

    >>> from referee.resolvers.across.neighbours import RowPairs
    >>> pairs = RowPairs(np.array([0, 1, 2]), np.array([3, 3, 3]))
    >>> alike = SimilarDocuments(pairs, np.array([0.2, 0.9, 0.8]))
    >>> most_alike(alike, np.array([3]), np.array([5, 5, 5, 0]), 10).tolist()
    [1, 2]
    """
    best = np.zeros(lengths.size)
    inside = np.isin(np.arange(lengths.size), hood)
    for ours, other in (alike.pairs, alike.pairs[::-1]):
        here = inside[ours]
        np.maximum.at(best, other[here], alike.similarity[here])
    order = np.argsort(-best, kind="stable")
    order = order[(best[order] > 0) & (lengths[order] > 0) & ~inside[order]]
    return order[np.cumsum(lengths[order]) <= most]
