"""Corpora that put all mentions of no event that they know under one name, which is no cluster."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from referee.model import Document, DocumentCorpus


class OtherEventCorpus(DocumentCorpus):
    """Documents in which a name stands for any other event.

    Such mentions are a cluster in each document, as for every scorer that reads the file, and no cluster
    across documents. `only("events")` leaves them out.
    """

    def __init__(
        self, documents: Iterable[Document], name: str, other: str, notices: Sequence[str] = ()
    ) -> None:
        """Rename the clusters that are called `other`, so that they join no documents."""
        super().__init__((_apart(document, other) for document in documents), name, cross_document=True)
        self._documents_without = [_without(document, other) for document in self.documents]
        dropped = [
            len(all_.clusters) - len(without.clusters)
            for all_, without in zip(self.documents, self._documents_without, strict=True)
        ]
        self._others, self._other = sum(dropped), other
        self.notices = [*notices, *self._said()]

    def _said(self) -> list[str]:
        return [
            f"{self.name}: '{self._other}' stands for any other event: its mentions are joined within their "
            f"document only ({self._others} documents), and left out by mentions='events'"
        ] * bool(self._others)

    def only(self, mentions: str) -> DocumentCorpus:
        """Leave out mentions of no event that the corpus knows, if events are wanted."""
        if mentions != "events" or not self._others:
            return self
        chosen = DocumentCorpus(self._documents_without, self.name, cross_document=True)
        chosen.notices = [notice for notice in self.notices if notice not in self._said()]
        return chosen


def _apart(document: Document, other: str) -> Document:
    clusters = (
        replace(cluster, id=_own_name(document, other)) if cluster.id == other else cluster
        for cluster in document.clusters
    )
    return replace(document, clusters=tuple(clusters))


def _without(document: Document, other: str) -> Document:
    own = _own_name(document, other)
    return replace(document, clusters=tuple(cluster for cluster in document.clusters if cluster.id != own))


def _own_name(document: Document, other: str) -> str:
    return f"{other} in {document.id}"
