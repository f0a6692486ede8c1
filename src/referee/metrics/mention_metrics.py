"""Metrics that look at mentions themselves, not only at the table: their words, their order, their zeros."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from referee.arrays import BoolArray, FloatArray, IntArray, distinct, find, run_starts, spread, totals
from referee.metrics.assignment import best_alignment
from referee.metrics.standard import RECALL_PRECISION, Scale, counts, ratios

Clusters = Sequence[Sequence[Sequence[int]]]  # cluster → mention → words


@dataclass(frozen=True, slots=True)
class MentionRows:
    """One side's mentions, a row each: cluster after cluster, and in text order inside each.

    A mention is once in a cluster at most. Words have the same number in key and response.
    """

    number: IntArray  # the same for mentions that are the same, on one side
    partner: IntArray  # number of the other side's mention that it is paired with, −1 for none
    cluster: IntArray
    unit: IntArray
    zero: BoolArray  # whether its head is a word that is not written
    offsets: IntArray  # row → where its words begin in `words`; and the number of words
    words: IntArray

    @property
    def sizes(self) -> IntArray:
        """Count the words of each mention."""
        return np.diff(self.offsets)


@dataclass(frozen=True, slots=True)
class MentionMetric:
    """A metric's name in tables, how it counts mentions of key and response, and how that becomes scores."""

    label: str
    count: Callable[[MentionRows, MentionRows, int], FloatArray]  # key, response, units
    columns: tuple[str, ...]
    scale: Scale

    def scale_under(self, counting: str) -> Scale:
        """Say how counts become scores: in one way only."""
        del counting
        return self.scale


def mention_overlap(key: MentionRows, response: MentionRows, units: int) -> FloatArray:
    """Mention overlap ratio (Žabokrtský et al. 2022): words in common under the best pairing of mentions.

    R = Σ |k ∩ r| / Σ |k| over the words of mentions, with the pairs (k, r) that make the sum largest, each
    mention in one pair at most; P divides by Σ |r|.

    It asks neither which mentions the protocol takes for the same nor which cluster they are in.

    >>> key, response = rows_of_words([[[1, 2, 3], [7]], [[8, 9]]], [[[2, 3], [8]]])
    >>> mention_overlap(key, response, units=1).tolist()  # 2 words of the first, 1 of the last
    [[3.0, 6.0, 3.0, 3.0]]
    """
    k, r, common = words_in_common(key, response)
    best = totals(key.unit[k], common * best_alignment(k, r, common), units)
    return counts(
        best, totals(key.unit, key.sizes, units), best, totals(response.unit, response.sizes, units)
    )


def words_in_common(key: MentionRows, response: MentionRows) -> tuple[IntArray, IntArray, IntArray]:
    """List the pairs of mentions that share words: rows of key and response, and how many words."""
    ours, theirs = (_distinct_words(side) for side in (key, response))
    order = np.argsort(theirs[1], kind="stable")
    row, word = theirs[0][order], theirs[1][order]
    which, at = spread(np.searchsorted(word, ours[1]), np.searchsorted(word, ours[1], "right"))
    pair, first = distinct(ours[0][which], row[at])
    return ours[0][which][first], row[at][first], np.bincount(pair, minlength=first.size)


def _distinct_words(side: MentionRows) -> tuple[IntArray, IntArray]:
    """List rows and their words, each word of a row once."""
    row = np.repeat(np.arange(side.number.size), side.sizes)
    _, first = distinct(row, side.words)
    return row[first], side.words[first]


def zeros(key: MentionRows, response: MentionRows, units: int) -> FloatArray:
    """Anaphoric zeros (Žabokrtský et al. 2023): zeros of the key that are linked to something before them.

    A zero that is not the first mention of its entity is right if its partner is in the same response entity
    as the partner of an earlier mention of the entity (TP), linked wrongly if it is in another one (WL),
    and missed if it has no partner or the partner is the first of its entity (FN). A zero of the response
    that is not the first of its entity, and not such a partner, is spurious (FP). R = TP / (TP + FN + WL) and
    P = TP / (TP + FP + WL).

    Without anaphoric zeros it scores 0.

    >>> key, response = rows_of_words([[[1], [5], [9]]], [[[1], [5]], [[7], [9]]], zeros={5, 7, 9})
    >>> zeros(key, response, units=1).tolist()  # 5 is right, 9 is linked to another
    [[1.0, 2.0, 1.0, 2.0]]
    """
    firsts = np.unique(response.number[run_starts(response.cluster)])
    anaphor = key.zero & ~run_starts(key.cluster)
    has_partner = key.partner >= 0
    missed = anaphor & (~has_partner | find(key.partner, firsts)[1])
    resumed = _meets_again(key, response)
    right, astray = anaphor & ~missed & resumed, anaphor & ~missed & ~resumed
    covered = np.unique(key.partner[anaphor & has_partner])
    spurious = response.zero & ~find(response.number, firsts)[1] & ~find(response.number, covered)[1]
    tp, wl, fn = (np.bincount(key.unit[rows], minlength=units) for rows in (right, astray, missed))
    fp = np.bincount(response.unit[spurious], minlength=units)
    return counts(tp, tp + fn + wl, tp, tp + fp + wl)


def _meets_again(key: MentionRows, response: MentionRows) -> BoolArray:
    """Say which mentions' partners are in a cluster that an earlier mention's partner is in, too."""
    numbers, last = np.unique(response.number[::-1], return_index=True)
    owner = response.cluster[::-1][last]  # of several clusters the last
    index, paired = find(key.partner, numbers)
    rows = np.flatnonzero(paired)
    _, first = distinct(key.cluster[rows], owner[index[rows]])
    again = paired
    again[rows[first]] = False
    return again


def rows_of_words(
    key: Clusters, response: Clusters, zeros: Collection[int] = ()
) -> tuple[MentionRows, MentionRows]:
    """Make rows of one unit's clusters of mentions, which are lists of words; the same words are the same
    mention, and one that is a word of `zeros` alone is a zero.
    """
    numbers: dict[tuple[int, ...], int] = {}
    sides = []
    for clusters in (key, response):
        listed = [
            (number, words)
            for number, cluster in enumerate(clusters)
            for words in sorted(map(tuple, cluster))
        ]
        number = [numbers.setdefault(words, len(numbers)) for _, words in listed]
        sides.append((listed, np.array(number, np.int64)))
    ours, theirs = (
        MentionRows(
            mention,
            np.where(np.isin(mention, others), mention, -1),
            np.array([cluster for cluster, _ in listed], np.int64),
            np.zeros(mention.size, np.int64),
            np.array([words[0] in zeros and len(words) == 1 for _, words in listed], np.bool_),
            np.append(0, np.cumsum([len(words) for _, words in listed])).astype(np.int64),
            np.array([word for _, words in listed for word in words], np.int64),
        )
        for (listed, mention), (_, others) in zip(sides, sides[::-1], strict=True)
    )
    return ours, theirs


MENTION_METRICS: dict[str, MentionMetric] = {
    "mention_overlap": MentionMetric("Overlap", mention_overlap, RECALL_PRECISION, ratios),
    "zeros": MentionMetric("Zeros", zeros, RECALL_PRECISION, ratios),
}
