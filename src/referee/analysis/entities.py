"""Entities as rows of mentions in document order, and their partition by the other side.

An entity is a complete graph in which every mention points to all earlier ones. The other side divides it
into n parts, and a spanning tree needs n − 1 wrong links to connect them. So nothing here lists
links: a row *opens* a part or continues one, and only rows that open a part can be wrong.

Repeated mentions are taken as the reference scorer takes them in MUC (rules M2 and M3 of
`docs/reference-scorer.md`), so that the errors of a unit are always its denominator less its numerator:
a key mention belongs to the last of its clusters, and each of its other occurrences is a part by itself;
of a response mention that the key has, too, only the first occurrence counts.

Mentions are ordered by document, then position, and clusters may run through several documents.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from referee.arrays import BoolArray, IntArray, find
from referee.metrics.contingency import Membership, counted_occurrences, in_several
from referee.model import Chains, Mention, Span


@dataclass(frozen=True)
class Entities:
    """The mentions of one side, entity by entity; within an entity by document, then position."""

    document: IntArray
    start: IntArray
    end: IntArray
    parts: Mapping[int, tuple[Span, ...]]  # row → spans, if more than one
    number: IntArray  # the same as on the other side for the same mention
    cluster: IntArray
    unit: IntArray
    entity: IntArray  # the cluster's index among those of its unit
    first: BoolArray  # the first mention of its entity, which is not an anaphor
    owner: BoolArray  # the one occurrence, of all that the mention has on this side, that can be matched

    @classmethod
    def of(cls, chains: Chains, side: Membership, rows: IntArray) -> Entities:
        """Sort some rows of a side."""
        columns = (chains.end[rows], chains.start[rows], chains.document[rows], side.cluster[rows])
        rows = rows[np.lexsort(columns)]
        cluster, number = side.cluster[rows], side.mention[rows]
        unit = side.unit_of_cluster[cluster]
        first = np.ones(rows.size, np.bool_)
        first[1:] = cluster[1:] != cluster[:-1]
        several = chains.parts.by_row()
        parts = several and {i: several[r] for i, r in enumerate(rows.tolist()) if r in several}
        return cls(
            document=chains.document[rows],
            start=chains.start[rows],
            end=chains.end[rows],
            parts=parts,
            number=number,
            cluster=cluster,
            unit=unit,
            entity=cluster - np.searchsorted(side.unit_of_cluster, unit),
            first=first,
            owner=_owners(number, cluster),
        )

    @property
    def size(self) -> int:
        """The number of rows."""
        return self.number.size

    @cached_property
    def mention(self) -> tuple[Mention, ...]:
        """The mention of each row."""
        spans = zip(self.start.tolist(), self.end.tolist(), strict=True)
        return tuple(Mention(self.parts.get(row, (span,))) for row, span in enumerate(spans))

    def edges(self) -> list[tuple[int, int]]:
        """List the entities as half-open ranges of rows."""
        starts = np.flatnonzero(self.first).tolist()
        return list(pairwise([*starts, self.size]))


def _owners(number: IntArray, cluster: IntArray) -> BoolArray:
    """Choose each mention's last cluster, and the first occurrence there."""
    order = np.lexsort((np.arange(number.size), -cluster, number))
    first = np.ones(number.size, np.bool_)
    first[1:] = number[order][1:] != number[order][:-1]
    owner = np.zeros(number.size, np.bool_)
    owner[order[first]] = True
    return owner


@dataclass(frozen=True, slots=True)
class Partition:
    """The entities of one side as cut by the other."""

    other: IntArray  # row → the other side's cluster that holds this occurrence; −1 if none does
    present: BoolArray  # row → whether the other side has the mention at all
    opens: BoolArray  # row → whether it opens a part

    @classmethod
    def of(cls, entities: Entities, others: Entities) -> Partition:
        """Cut entities by those of the other side."""
        known = others.number[others.owner]
        order = np.argsort(known)
        where, present = find(entities.number, known[order])
        other = np.full(entities.size, -1)
        joined = present & entities.owner
        if others.size:
            other[joined] = others.cluster[others.owner][order][where[joined]]
        rows, fresh = _by_part(entities, other)
        opens = np.ones(entities.size, np.bool_)
        opens[rows[~fresh]] = False
        return cls(other, present, opens)

    def parts(self, entities: Entities) -> Iterator[list[int]]:
        """List the rows of each part that has several, in order."""
        rows, fresh = _by_part(entities, self.other)
        for start, end in pairwise([*np.flatnonzero(fresh).tolist(), rows.size]):
            if end - start > 1:
                yield rows[start:end].tolist()


def _by_part(entities: Entities, other: IntArray) -> tuple[IntArray, BoolArray]:
    """Sort the rows that the other side has by part; also say which are the first of theirs."""
    rows = np.flatnonzero(other >= 0)
    rows = rows[np.lexsort((rows, other[rows], entities.cluster[rows]))]
    fresh = np.ones(rows.size, np.bool_)
    fresh[1:] = (np.diff(other[rows]) != 0) | (np.diff(entities.cluster[rows]) != 0)
    return rows, fresh


@dataclass(frozen=True, slots=True)
class MutualPartition:
    """A key and a response, each cut by the other."""

    key: Entities
    response: Entities
    recall: Partition
    precision: Partition
    repeats: tuple[int, int]  # mentions that key and response have again

    @classmethod
    def of(
        cls,
        chains: tuple[Chains, Chains],
        sides: tuple[Membership, Membership],
        *,
        drop_singletons: bool,
    ) -> MutualPartition:
        """Compare key and response, whose mentions are numbered alike."""
        rows = [
            np.flatnonzero(in_several(side)) if drop_singletons else np.arange(side.mention.size)
            for side in sides
        ]
        response = sides[1]
        left = Membership(
            response.mention[rows[1]], response.cluster[rows[1]], response.unit_of_cluster, response.units
        )
        counted = rows[1][counted_occurrences(left, np.sort(sides[0].mention[rows[0]]))]
        keys, responses = Entities.of(chains[0], sides[0], rows[0]), Entities.of(chains[1], sides[1], counted)
        return cls(
            keys,
            responses,
            Partition.of(keys, responses),
            Partition.of(responses, keys),
            (keys.size - int(keys.owner.sum()), rows[1].size - int(responses.owner.sum())),
        )
