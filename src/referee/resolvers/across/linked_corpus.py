"""Documents that were linked, with how their clusters came about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.arrays import BoolArray, IntArray
from referee.model import DocumentCorpus
from referee.resolvers.across.explaining import ExplainedJoin, Explainer, JoinedMentions
from referee.resolvers.across.linkage import Join
from referee.resolvers.across.mention_table import MentionTable, cluster_names


@dataclass(frozen=True, eq=False)
class LinkedTable:
    """Mentions with the clusters that they are in, and the joins that made these."""

    table: MentionTable
    label: IntArray
    chosen: BoolArray  # mentions that the documents have
    joins: Sequence[Join]

    def __eq__(self, other: object) -> bool:
        """Whether the same was joined in the same order."""
        return isinstance(other, LinkedTable) and [*self.joins] == [*other.joins]

    def __hash__(self) -> int:
        """Equal tables have one hash."""
        return hash(tuple(self.joins))

    def explained(self) -> list[ExplainedJoin]:
        """Explain the joins of all clusters that the documents have."""
        arrays, label = self.table.arrays, self.label
        names = cluster_names(arrays.document, label, self.chosen)
        called = dict(zip(label[self.chosen].tolist(), names[self.chosen].tolist(), strict=True))
        texts = [document.text for document in self.table.documents]
        columns = (arrays.document, arrays.start, arrays.end, arrays.kind, label)
        explainer = Explainer(JoinedMentions(texts, *columns, lambda number: str(called[number])))
        listed = (join for join in self.joins if int(label[join.first]) in called)
        return [explainer.explained(number, join) for number, join in enumerate(listed)]


class LinkedCorpus(DocumentCorpus):
    """Documents whose clusters span them, and what was joined to what."""

    def __init__(self, linked: LinkedTable) -> None:
        """Give documents the clusters of the mentions that are chosen."""
        documents = linked.table.clustered(linked.label, linked.chosen).documents
        super().__init__(documents, "resolved", cross_document=True)
        self.linked = linked

    @property
    def joins(self) -> list[ExplainedJoin]:
        """What was joined to what, step by step, and why; of the clusters that the documents have."""
        return self.linked.explained()
