"""Scores the annotation as it is now, exactly as `referee score` scores it in a file.

The key is read once. A unit is scored anew when one of its documents was edited: with documents as units that
is the document alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from threading import RLock
from typing import Any

import numpy as np

from referee.matching.aligned import Aligned
from referee.metrics.catalogue import CATALOGUE
from referee.metrics.standard import CONLL, CONLL_METRICS
from referee.model import Chains, Corpus, CorpusView, Document, DocumentCorpus, Topic
from referee.scoring.evaluate import metric_names, score_aligned
from referee.scoring.result import Result
from referee.scoring.task import Task
from referee.service.workbench.documents import OpenDocument

PRESENT = "present"  # what the annotation is called that is edited


class LiveCorpus(Corpus):
    """The documents as they are now."""

    def __init__(self, documents: Sequence[OpenDocument], name: str, *, cross_document: bool) -> None:
        """Look at documents that are edited."""
        self.open, self.name, self.cross_document = documents, name, cross_document
        self.ids = [each.id for each in documents]
        self.cut = any(each.journal.before.text.cut for each in documents)

    def document(self, number: int) -> Document:
        """Give a document as it is now."""
        return self.open[number].document()

    def chains(self, numbers: Sequence[int | None]) -> Chains:
        """Give mentions as they are now."""
        if self.cross_document or None in numbers:
            documents = (None if number is None else self.document(number) for number in numbers)
            return Chains.of(documents, cross_document=self.cross_document)
        return Chains.joined([self.open[number].columns.chains() for number in numbers if number is not None])

    def topic_of(self, number: int) -> Topic:
        """Give a document's topics."""
        text = self.open[number].journal.before.text
        return Topic(text.topic, text.subtopic)

    def weight(self, number: int) -> int:
        """Estimate ten bytes per word."""
        return 10 * self.open[number].length


class ReadOnce(CorpusView):
    """A corpus whose mentions are read once, and kept."""

    def __init__(self, corpus: Corpus) -> None:
        """Keep what is read."""
        super().__init__(corpus)
        self._read: dict[tuple[int | None, ...], Chains] = {}

    def chains(self, numbers: Sequence[int | None]) -> Chains:
        """Read mentions, or remember them."""
        asked = tuple(numbers)
        if asked not in self._read:
            self._read[asked] = self.corpus.chains(numbers)
        return self._read[asked]


@dataclass
class LiveScores:
    """The scores of an annotation that is edited: of each unit, and of all."""

    task: Task  # of the key, with the live corpus as the only response
    live: LiveCorpus
    _units: dict[str, Result] = field(default_factory=dict)
    lock: RLock = field(default_factory=RLock)

    def __post_init__(self) -> None:
        """Bring both sides together."""
        self.metrics = metric_names((), self.task.protocol)
        self._aligned = self._align()
        self._unit_of = {
            r: number
            for number, unit in enumerate(self._aligned.units)
            for _, r in unit.pairs
            if r is not None
        }

    def _align(self) -> Aligned:
        """Align the annotation as it is now; words beside those of a key across documents are left out."""
        response: Corpus = self.live
        if self.task.key.cross_document:
            response = DocumentCorpus(list(self.live), self.live.name, cross_document=True)
        return next(replace(self.task, responses=[response]).aligned())

    @property
    def notices(self) -> list[str]:
        """What should be known about how both sides were brought together."""
        return list(self._aligned.notices)

    def of_document(self, index: int) -> Result | None:
        """Score the unit that a document is in; None if the key does not have it."""
        with self.lock:
            number = self._unit_of.get(index)
            if number is None:
                return None
            aligned = self._align() if self.task.key.cross_document else self._aligned
            return score_aligned(replace(aligned, units=[aligned.units[number]]), self.metrics)

    def of_all(self) -> Result:
        """Score all documents."""
        with self.lock:
            return score_aligned(self._align(), self.metrics)

    def by_document(self, result: Result) -> dict[int, float]:
        """Give the CoNLL average of each document's unit, in percent."""
        if not result.has_conll:
            return {}
        rows = [np.atleast_2d(result.counts[name]) for name in CONLL_METRICS]
        f1 = [
            sum(CATALOGUE[name].scale(row[unit])[2] for name, row in zip(CONLL_METRICS, rows, strict=True))
            for unit in range(len(result.units))
        ]
        return {index: 100 * float(f1[unit]) / 3 for index, unit in self._unit_of.items()}


def score_value(result: Result) -> dict[str, Any]:
    """Tell the page a score: F1 in percent, and the CoNLL average where its metrics are here."""
    metrics = {name: 100 * score.f1 for name, score in result.scores.items()}
    if result.has_conll:
        metrics[CONLL] = 100 * result.conll
    return {"metrics": metrics, "signature": result.signature}


def difference(before: dict[str, Any], after: dict[str, Any]) -> dict[str, float]:
    """Say by how much each metric changed."""
    return {name: value - before["metrics"][name] for name, value in after["metrics"].items()}
