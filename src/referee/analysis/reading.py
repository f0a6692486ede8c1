"""Reads key and responses together for an analysis, with the task's engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from referee.analysis.entities import MutualPartition
from referee.analysis.relation_links import LAYER_CAUSES, RelationLink, relation_links
from referee.exceptions import RefereeError
from referee.matching.aligned import Aligned
from referee.matching.batch import Batch, ReadBatch, Repeats
from referee.matching.protocol import Protocol
from referee.model import Document
from referee.scoring.evaluate import Progress, nothing_in_common
from referee.scoring.task import Task


class SystemReading(NamedTuple):
    """What was read of a system."""

    comparison: MutualPartition
    links: Sequence[RelationLink]  # of the layer, if it has no clusters
    notices: Sequence[str]
    trees: Sequence[bytes]


def read_systems(
    task: Task, aligned: Sequence[Aligned], progress: Progress
) -> tuple[list[Document], list[SystemReading]]:
    """Read the key's documents, and compare each system with the key, with the task's engine."""
    documents: list[Document] = []
    batches: list[list[Batch]] = []
    links: list[list[RelationLink]] = [[] for _ in aligned]
    for some, read, found in task.engine.map(_Reading(aligned), list(aligned[0].batches())):
        for known, more in zip(links, found, strict=True):
            known += (replace(link, document=len(documents) + link.document) for link in more)
        documents += some
        batches.append(read)
        progress(len(some))
    joined = [Batch.joined(system) for system in zip(*batches, strict=True)]
    return documents, [
        _system_reading(each, batch, task.protocol, of_layer)
        for each, batch, of_layer in zip(aligned, joined, links, strict=True)
    ]


def align_all(task: Task) -> list[Aligned]:
    """Bring each response together with the key; all with the same documents of it."""
    aligned = list(task.aligned())
    documents = [[k for unit in each.units for k, _ in unit.pairs] for each in aligned]
    if any(each != documents[0] for each in documents):
        raise RefereeError(
            "the responses are paired with different documents of the key; analyse each by itself"
        )
    return aligned


@dataclass(frozen=True, slots=True)
class _Reading:
    """Reads a batch of the key's documents with their layers, and the mentions of all systems in them."""

    aligned: Sequence[Aligned]

    def __call__(self, batch: range) -> tuple[list[Document], list[Batch], list[list[RelationLink]]]:
        read = [each.read(batch) for each in self.aligned]
        documents = [self.aligned[0].key.document(k) for k, _ in read[0].pairs]
        return documents, [*read], [self._links(each) for each in read]

    def _links(self, batch: ReadBatch) -> list[RelationLink]:
        """List the links of a layer without clusters."""
        layer, relations = self.aligned[0].protocol.layer, batch.beyond and batch.beyond.relations
        return relation_links(relations, layer) if relations and layer in LAYER_CAUSES else []


def _system_reading(
    aligned: Aligned, batch: Batch, protocol: Protocol, links: Sequence[RelationLink]
) -> SystemReading:
    """Compare the clusters of a system with the key's, and say what bringing them together took."""
    comparison = MutualPartition.of(
        (batch.key, batch.response), batch.sides, drop_singletons=protocol.singletons == "drop"
    )
    repeats = aligned.judge_repeats(Repeats(*comparison.repeats))
    empty = nothing_in_common(
        aligned.key.name,
        aligned.response.name,
        key_mentions=int(comparison.key.owner.sum()),
        response_mentions=int(comparison.response.owner.sum()),
        common=int((comparison.recall.present & comparison.key.owner).sum()),
    )
    said = [*empty, *aligned.said, *batch.notices, *repeats, *aligned.judge_unread(batch.unread)]
    return SystemReading(comparison, links, said, batch.trees)
