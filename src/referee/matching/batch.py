"""A batch of units with their mentions numbered: what `Aligned` reads and metrics count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from referee.arrays import IntArray, distinct
from referee.display import number_of
from referee.matching.corefud.matching import CorefudMentions, NumberedMentions
from referee.matching.matchings import Numbers
from referee.matching.pairing import Pair
from referee.metrics.contingency import Membership
from referee.metrics.mention_metrics import MentionRows
from referee.model import Chains

if TYPE_CHECKING:
    from referee.matching.anaphora.reading import BeyondIdentity


class Repeats(NamedTuple):
    """How many mentions key and response annotate again."""

    key: int
    response: int

    def __add__(self, other: tuple[int, ...]) -> Repeats:  # type: ignore[override]
        """Add up what two batches have."""
        return Repeats(self.key + other[0], self.response + other[1])

    def notices(self, key: str, response: str) -> list[str]:
        """Say it, and what is done about it."""
        said = []
        if self.key:
            said.append(
                f"{key}: {number_of(self.key, 'repeated mention')}, counted as the reference "
                f"scorer counts them"
            )
        if self.response:
            said.append(
                f"{response}: {number_of(self.response, 'repeated mention')}; of those in the key "
                f"the first counts"
            )
        return said


@dataclass(frozen=True)
class Batch:
    """The mentions of some units, key and response in the key's words, numbered alike.

    One that was just read is a `ReadBatch`, which knows what metrics of mentions ask, too.
    """

    pairs: Sequence[Pair]  # the documents, unit by unit
    unit_of_document: IntArray
    key: Chains
    response: Chains
    numbers: Numbers
    across: bool  # whether a unit may hold several documents
    unread: int  # mentions whose tree cannot be read
    trees: Sequence[bytes]  # a digest of each document's trees, if mentions were matched by way of any
    notices: Sequence[str]

    @cached_property
    def sides(self) -> tuple[Membership, Membership]:
        """Key and response: which mention is in which cluster of which unit."""
        units = self.unit_of_document if self.across else None
        return _memberships(self.key, self.response, self.numbers, units)

    @cached_property
    def by_document(self) -> tuple[Membership, Membership]:
        """The same with every document as a unit of its own: links from document to document are cut."""
        return _memberships(self.key, self.response, self.numbers)

    @staticmethod
    def joined(batches: Sequence[Batch]) -> Batch:
        """Put batches that follow each other into one."""
        if len(batches) == 1:
            return batches[0]
        units = [int(batch.unit_of_document.max(initial=-1)) + 1 for batch in batches]
        numbers: list[Numbers] = []
        before = 0
        for batch in batches:
            number, first = distinct(np.concatenate(batch.numbers))
            ours, theirs = np.split(before + number, [batch.key.start.size])
            numbers.append((ours, theirs))
            before += first.size
        ours, theirs = (np.concatenate(column) for column in zip(*numbers, strict=True))
        return Batch(
            [pair for batch in batches for pair in batch.pairs],
            np.concatenate([sum(units[:i]) + batch.unit_of_document for i, batch in enumerate(batches)]),
            Chains.joined([batch.key for batch in batches]),
            Chains.joined([batch.response for batch in batches]),
            (ours, theirs),
            batches[0].across,
            sum(batch.unread for batch in batches),
            [digest for batch in batches for digest in batch.trees],
            [notice for batch in batches for notice in batch.notices],
        )


@dataclass(frozen=True)
class ReadBatch(Batch):
    """A batch that was just read, with what is known about its mentions beside their clusters."""

    mentions: CorefudMentions | NumberedMentions
    beyond: BeyondIdentity | None = None  # where sets count, or Universal Anaphora's rules

    def mention_rows(self) -> tuple[MentionRows, MentionRows]:
        """List the mentions with their words and partners, unit by unit, for metrics that look at them."""
        unit = self.unit_of_document
        ours, theirs = self.mentions.rows
        return replace(ours, unit=unit[ours.unit]), replace(theirs, unit=unit[theirs.unit])


def _memberships(
    key: Chains, response: Chains, numbers: Numbers, unit_of_document: IntArray | None = None
) -> tuple[Membership, Membership]:
    """Put matched mentions into their clusters: one unit per document, or larger ones as given."""
    if unit_of_document is not None:
        return (
            _in_units(key, numbers[0], unit_of_document),
            _in_units(response, numbers[1], unit_of_document),
        )
    units = key.lengths.size
    return (
        Membership(numbers[0], key.cluster, key.cluster_document, units),
        Membership(numbers[1], response.cluster, response.cluster_document, units),
    )


def _in_units(side: Chains, mention: IntArray, unit_of_document: IntArray) -> Membership:
    """Join what clusters have in the documents of one unit; links from unit to unit are cut."""
    unit = unit_of_document[side.cluster_document]
    cluster, first = _joined_clusters(side, unit)
    units = int(unit_of_document.max(initial=-1)) + 1
    return Membership(mention, cluster[side.cluster], unit[first], units)


def _joined_clusters(side: Chains, unit: IntArray) -> tuple[IntArray, IntArray]:
    """Number the entities of each unit, given the unit of each cluster; also say each one's first cluster."""
    entity = side.entity if side.entity is not None else np.arange(side.cluster_document.size)
    return distinct(unit, entity)
