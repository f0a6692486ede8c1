"""Splits coreference links into those within a document and those across documents.

A link is a pair of mentions in one cluster. The links within documents are the links at document scope; what
a larger scope has beyond them runs across documents. So two scorings tell how many of the links that a
response misses, and of those it invents, are the cross-document ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum

import numpy as np

from referee.arrays import FloatArray
from referee.matching.aligned import Aligned
from referee.metrics.standard import METRICS
from referee.scoring.engines import Jobs, engine_for
from referee.scoring.evaluate import tally
from referee.scoring.result import Score

LINKS = "links"


@dataclass(frozen=True, slots=True)
class LinkSplit:
    """Recall, precision and F1 of the links within documents and of those across."""

    within: Score
    across: Score

    @property
    def missed(self) -> tuple[int, int]:
        """Links of the key that the response lacks, within documents and across."""
        return _missing(self.within, "recall"), _missing(self.across, "recall")

    @property
    def invented(self) -> tuple[int, int]:
        """Links of the response that the key lacks, within documents and across."""
        return _missing(self.within, "precision"), _missing(self.across, "precision")

    def to_dict(self) -> dict[str, Mapping[str, object]]:
        """Make a plain value for JSON."""
        return {
            name: {"recall": s.recall, "precision": s.precision, "f1": s.f1, "counts": dict(s.counts)}
            for name, s in (("within", self.within), ("across", self.across))
        }


def link_split(aligned: Aligned, *, jobs: Jobs = 1) -> LinkSplit:
    """Split the links of a scope."""
    counted = list(engine_for(jobs).map(_Links(aligned), list(aligned.batches())))
    links, within = (
        np.array([fsum(column) for column in np.concatenate(part).T.tolist()])
        for part in zip(*counted, strict=True)
    )
    # Where a mention is repeated, the two scopes may keep it in different clusters: hence the bound.
    return LinkSplit(_score(within), _score(np.maximum(links - within, 0)))


@dataclass(frozen=True, slots=True)
class _Links:
    """Counts the links of a batch: all of them, and those within documents."""

    aligned: Aligned

    def __call__(self, batch: range) -> tuple[FloatArray, FloatArray]:
        read = self.aligned.read(batch)
        links, within = (
            tally(*sides, self.aligned.protocol, (LINKS,))[0][LINKS]
            for sides in (read.sides, read.by_document)
        )
        return links, within


def _score(totals: FloatArray) -> Score:
    recall, precision, f1 = METRICS[LINKS].scale(totals).tolist()
    return Score(
        recall, precision, f1, dict(zip(METRICS[LINKS].columns, map(int, totals.tolist()), strict=True))
    )


def _missing(score: Score, side: str) -> int:
    return int(score.counts[f"{side}_denominator"] - score.counts[f"{side}_numerator"])
