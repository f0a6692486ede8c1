"""One side's mentions as CorefUD's scorer has them: once in an entity, entities and mentions in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from referee.arrays import BoolArray, IntArray, distinct, number_of_row, run_starts
from referee.matching.text_order import TextOrder, WordRows
from referee.model import Chains

ClusterIds = Callable[[int], Sequence[str]]  # document → the ids of its clusters, in order


@dataclass(frozen=True, slots=True)
class RankedMentions:
    """The mentions of some documents in the order of their entities, repeats in one entity left out.

    Entities come in the order of their first mentions; of these the longer goes first, then the one that ends
    first, then the entity whose id is less as a string. Mentions of an entity come in the same order.
    """

    row: IntArray  # mention → row of the chains
    document: IntArray
    cluster: IntArray  # numbered in order, document after document
    words: WordRows
    head: IntArray  # word
    zero: BoolArray  # whether the head is a word that is not written
    identity: IntArray  # the same for mentions that are equal, in key and response
    identity_of_row: IntArray  # row of the chains → identity, repeats and what is dropped included
    dropped: BoolArray  # rows of the chains whose cluster is left out: it has one mention only

    @property
    def document_of_cluster(self) -> IntArray:
        """Say which document each entity is in."""
        return self.document[run_starts(self.cluster)]


def rank_mentions(
    sides: tuple[Chains, Chains],
    heads: tuple[IntArray, IntArray],
    orders: tuple[TextOrder, TextOrder],
    ids: tuple[ClusterIds | None, ClusterIds | None],
    *,
    with_heads: bool,
    drop: bool,
) -> tuple[RankedMentions, RankedMentions]:
    """Put both sides in order. `with_heads` says that equal mentions have the same words and the same head;
    `drop` leaves out entities of one mention. Without ids, entities that begin with the same words stay in
    the order in which they were read.
    """
    words = [order.words_of(chains) for order, chains in zip(orders, sides, strict=True)]
    head = [o.numbers(c.document, h) for o, c, h in zip(orders, sides, heads, strict=True)]
    zero = [o.is_zero(c.document, h) for o, c, h in zip(orders, sides, heads, strict=True)]
    known = np.unique(np.concatenate([words[0].words, words[1].words]))
    ranked = [WordRows(side.offsets, np.searchsorted(known, side.words)) for side in words]
    head = [np.searchsorted(known, side) for side in head]
    identity = _identities(ranked, head if with_heads else None)
    ours, theirs = (
        _ranked(*columns, drop=drop) for columns in zip(sides, ranked, head, zero, identity, ids, strict=True)
    )
    return ours, theirs


def _identities(words: Sequence[WordRows], head: Sequence[IntArray] | None) -> tuple[IntArray, IntArray]:
    """Give equal mentions of key and response one number."""
    sizes = np.concatenate([side.sizes for side in words])
    offsets = np.append(0, np.cumsum(sizes))
    number = number_of_row(offsets, np.concatenate([side.words for side in words]))
    number = distinct(number, np.concatenate(head))[0] if head is not None else distinct(number)[0]
    rows = words[0].offsets.size - 1
    return number[:rows], number[rows:]


def _ranked(
    chains: Chains,
    words: WordRows,
    head: IntArray,
    zero: BoolArray,
    identity: IntArray,
    ids: ClusterIds | None,
    *,
    drop: bool,
) -> RankedMentions:
    first, last, size = words.first, words.last, words.sizes
    order = np.lexsort((last, -size, first, chains.cluster))
    rank = _cluster_ranks(chains, order, (first, -size, last), ids)[chains.cluster]
    order = order[np.argsort(rank[order], kind="stable")]
    fresh = np.zeros(order.size, np.bool_)
    fresh[distinct(rank[order], identity[order])[1]] = True  # `distinct` says where each first occurs
    row = order[fresh]
    dropped = np.zeros(order.size, np.bool_)
    if drop:
        dropped = (np.bincount(rank[row], minlength=1)[rank] == 1) if row.size else dropped
        row = row[~dropped[row]]
    cluster = np.cumsum(run_starts(rank[row])) - 1
    return RankedMentions(
        row, chains.document[row], cluster, words.of(row), head[row], zero[row], identity[row], identity,
        dropped,
    )  # fmt: skip


def _cluster_ranks(
    chains: Chains, order: IntArray, key: tuple[IntArray, IntArray, IntArray], ids: ClusterIds | None
) -> IntArray:
    """Number clusters by their first mentions; `order` lists the rows cluster by cluster."""
    lead = order[run_starts(chains.cluster[order])]
    cluster = chains.cluster[lead]
    columns = [column[lead] for column in key]
    by_mention, _ = distinct(*(column - column.min(initial=0) for column in columns))
    ranked = np.lexsort((cluster, by_mention))
    tied = ~run_starts(by_mention[ranked])
    if tied.any() and ids is not None:
        names = _names(chains, cluster, np.flatnonzero(tied | np.append(tied[1:], False)), ranked, ids)
        ranked = np.lexsort((names, by_mention))
    ranks = np.zeros(chains.cluster_document.size, np.int64)
    ranks[cluster[ranked]] = np.arange(ranked.size)
    return ranks


def _names(chains: Chains, cluster: IntArray, tied: IntArray, ranked: IntArray, ids: ClusterIds) -> IntArray:
    """Rank the ids of clusters whose first mentions are alike; the others need none."""
    named: dict[int, str] = {}
    for index in ranked[tied].tolist():
        document = int(chains.cluster_document[cluster[index]])
        before = int(np.searchsorted(chains.cluster_document, document))
        named[index] = ids(document)[int(cluster[index]) - before]
    order = {name: number for number, name in enumerate(sorted(set(named.values())))}
    return np.array([order.get(named.get(index, ""), 0) for index in range(cluster.size)], np.int64)


def text_sorted(mentions: RankedMentions, chosen: IntArray) -> IntArray:
    """Sort mentions by document, first word, last word and number of words; then by their words and heads."""
    words = mentions.words
    first, last, size, document = (
        column[chosen] for column in (words.first, words.last, words.sizes, mentions.document)
    )
    order = np.lexsort((size, last, first, document))
    tied = ~run_starts(first[order], last[order], size[order])
    if not tied.any():
        return chosen[order]
    content = np.zeros(chosen.size, np.int64)
    unsure = np.flatnonzero(tied | np.append(tied[1:], False))
    keys = {
        int(i): (tuple(words.of(chosen[i : i + 1]).words.tolist()), int(mentions.head[chosen[i]]))
        for i in order[unsure].tolist()
    }
    ranks = {key: rank for rank, key in enumerate(sorted(set(keys.values())))}
    for index, key in keys.items():
        content[index] = ranks[key]
    return chosen[np.lexsort((content, size, last, first, document))]


def tied_in_text(mentions: RankedMentions, chosen: IntArray) -> int:
    """Count sorted mentions that differ from the one before in their inner words or their heads alone."""
    words = mentions.words
    columns = [column[chosen] for column in (words.first, words.last, words.sizes)]
    return int((~run_starts(*columns)).sum()) if chosen.size else 0
