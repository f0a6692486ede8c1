"""Links new texts with each other and with the stored texts most like them, as if all were linked at once.

Every new mention is compared with all mentions of these, and they are read together; the average over all
mentions of a stored entity decides whether it is joined. What is stored is not compared with itself again.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from referee.arrays import IntArray, by_first_sight
from referee.resolvers.across.cluster_parts import PartAverages
from referee.resolvers.across.constants import BESIDE_FRESH
from referee.resolvers.across.linkage import Join, average_linkage
from referee.resolvers.across.mentions import MentionArrays, SimilarDocuments, StudiedDocuments, stacked
from referee.resolvers.across.neighbours import all_pairs
from referee.resolvers.across.resolver import AcrossResolver, LinkedMentions
from referee.resolvers.across.store.contents import Contents


def linked_to_alike(
    contents: Contents,
    studied: StudiedDocuments,
    resolver: AcrossResolver,
    progress: Callable[[int], None] | None,
) -> tuple[MentionArrays, list[Join], list[IntArray]]:
    """Find mentions in new texts, and join them to each other and to stored ones.

    Gives the new mentions, the joins by rows of the store, and which rows were compared at once.
    """
    before, found = len(contents.texts), LinkedMentions()
    number = np.arange(len(studied.documents))
    there = (number < before) & ~np.isin(number, sorted(contents.gone))
    lengths = np.array([document.text.length for document in studied.documents], np.int64)
    stored, joins, met = contents.mentions(), list[Join](), list[IntArray]()
    (hoods,) = resolver.divided(studied, np.where(number < before, -1, 0))
    for hood, parts in resolver.found(studied, hoods, progress):
        near = most_alike(studied.alike, hood, np.where(there, lengths, 0), BESIDE_FRESH)
        rows = np.flatnonzero(np.isin(stored.document, near))
        for few in parts:
            names = np.concatenate([rows, contents.rows.size + found.size + np.arange(few.size)])
            part = np.concatenate([contents.parts[rows], names[rows.size :]])
            every = stacked([stored.chosen(rows), few]) if rows.size else few
            joined = _joined(studied, resolver, every, part, rows.size)
            joins += [Join(int(names[a]), int(names[b]), average) for a, b, average in joined]
            found.add(few, np.arange(few.size))
            met.append(names)
        if progress:
            progress(hood.size)
    return found.mentions(), joins, met


def _joined(
    studied: StudiedDocuments, resolver: AcrossResolver, mentions: MentionArrays, part: IntArray, stored: int
) -> list[Join]:
    """Join mentions to each other, and to the parts that the first ones, which are stored, are in already."""
    of, first = by_first_sight(part)
    pairs = all_pairs(mentions.size)
    pairs = pairs.chosen(pairs.second >= stored)
    likely = resolver.probabilities(studied.compare(mentions), pairs)
    known = PartAverages(pairs, likely).after(of, np.ones_like(of))
    joins = list[Join]()
    average_linkage(
        known.pairs,
        known.averages,
        first.size,
        resolver.merge_threshold,
        members=np.bincount(of),
        joins=joins,
    )
    return [Join(int(first[a]), int(first[b]), average) for a, b, average in joins]


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
