"""Neighbourhoods: documents that are alike, few enough that all pairs of their mentions can be compared.

What two documents both mention is mostly mentioned in documents that are alike. So a large group of them is
divided: the pairs of documents that are most alike are put together first (Kruskal 1956), as long as none of
the neighbourhoods that come about becomes too large. They are no walls: what each makes one is compared with
what others made.
"""

from __future__ import annotations

import numpy as np

from referee.arrays import Grouped, IntArray
from referee.resolve.across.spotted import AlikeDocuments


def neighbourhoods(
    alike: AlikeDocuments, words: IntArray, group: IntArray, most: int
) -> list[list[IntArray]]:
    """Divide each group of documents into neighbourhoods of at most `most` words, given those of each.

    >>> from referee.resolve.across.neighbours import RowPairs
    >>> alike = AlikeDocuments(RowPairs(np.array([0, 0, 1]), np.array([1, 2, 3])), np.array([0.2, 0.9, 0.8]))
    >>> divided = neighbourhoods(alike, np.full(5, 4), np.zeros(5, np.int64), most=8)
    >>> [[own.tolist() for own in each] for each in divided]
    [[[0, 2], [1, 3], [4]]]
    """
    groups = Grouped.of(group)
    large = np.zeros(words.size, np.bool_)
    first = np.arange(words.size)
    for number in range(groups.sizes.size):
        documents = groups[number]
        large[documents] = words[documents].sum() > most
        first[documents] = np.where(large[documents], documents, documents[0])
    joined = _joined(alike, words, np.where(large, group, -1), most)
    first = np.where(large, joined, first)
    return [_divided(groups[number], first) for number in range(groups.sizes.size)]


def _divided(documents: IntArray, first: IntArray) -> list[IntArray]:
    hoods = Grouped.of(first[documents])
    return [documents[hoods[number]] for number in range(hoods.sizes.size)]


def _joined(alike: AlikeDocuments, words: IntArray, group: IntArray, most: int) -> IntArray:
    """Put documents of one group together, the most alike first: the first one of each neighbourhood."""
    pairs = alike.pairs
    inside = np.flatnonzero((group[pairs.first] == group[pairs.second]) & (group[pairs.first] >= 0))
    order = inside[np.lexsort((pairs.second[inside], pairs.first[inside], -alike.likeness[inside]))]
    parent, sizes = list(range(words.size)), words.tolist()

    def root(document: int) -> int:
        while parent[document] != document:
            parent[document] = document = parent[parent[document]]
        return document

    for one, other in zip(pairs.first[order].tolist(), pairs.second[order].tolist(), strict=True):
        a, b = sorted((root(one), root(other)))
        if a != b and sizes[a] + sizes[b] <= most:
            parent[b] = a
            sizes[a] += sizes[b]
    return np.array([root(document) for document in parent], np.int64)
