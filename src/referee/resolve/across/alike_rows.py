"""Pairs of sparse rows that are alike, without a table of all pairs.

Few rows are all compared. Of many, only pairs that share rare terms are looked at: a term of half of all
texts makes everything a pair of everything, and says nothing. Of these, a row has its most alike alone, for a
hundred thousand texts may have copies of each by the hundred. Their likeness counts all terms.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.arrays import FloatArray
from referee.resolve.across.neighbours import RowPairs, joined_pairs

SparseRows = Any  # of scipy, of length one
FEW = 4096  # rows of which all pairs are compared
RARE = 256  # rows that have a rare term, at most
AT_A_TIME = 256  # rows
MULTIPLIED = 4096  # pairs
MOST_ALIKE = 64  # rows that a row is compared with by all terms
WORTH = 0.3  # of the least likeness: what the rare terms of a pair must come to


def alike_rows(rows: SparseRows, least: float) -> tuple[RowPairs, FloatArray]:
    """List pairs of rows with their cosines: all that share a term; of many rows, those worth comparing."""
    if rows.shape[0] <= FEW:
        product = (rows @ rows.T).tocoo()
        upper = product.row < product.col
        pairs = RowPairs(product.row[upper].astype(np.int64), product.col[upper].astype(np.int64))
        return pairs, np.minimum(product.data[upper], 1.0)
    pairs = _by_rare_terms(rows, WORTH * least)
    return pairs, np.minimum(_cosines(rows, pairs), 1.0)


def _by_rare_terms(rows: SparseRows, worth: float) -> RowPairs:
    rare = np.flatnonzero(np.bincount(rows.indices, minlength=rows.shape[1]) <= RARE)
    narrow = rows[:, rare]
    turned = narrow.T.tocsr()
    parts = []
    for begin in range(0, rows.shape[0], AT_A_TIME):
        product = (narrow[begin : begin + AT_A_TIME] @ turned).tocoo()
        row = product.row.astype(np.int64) + begin
        kept = np.flatnonzero((product.data >= worth) & (row != product.col))
        order = kept[np.lexsort((product.col[kept], -product.data[kept], row[kept]))]
        rank = np.arange(order.size) - np.searchsorted(row[order], row[order])
        alike = order[rank < MOST_ALIKE]
        parts.append((row[alike], product.col[alike].astype(np.int64)))
    return joined_pairs(parts, rows.shape[0])


def _cosines(rows: SparseRows, pairs: RowPairs) -> FloatArray:
    cosines = np.zeros(pairs.size)
    for begin in range(0, pairs.size, MULTIPLIED):
        first, second = (side[begin : begin + MULTIPLIED] for side in pairs)
        product = rows[first].multiply(rows[second])
        cosines[begin : begin + MULTIPLIED] = np.asarray(product.sum(axis=1)).ravel()
    return cosines
