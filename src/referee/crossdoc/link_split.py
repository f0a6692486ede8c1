"""Splits coreference links into those within a document and those across documents.

A link is a pair of mentions in one cluster. The links within documents are the links at document scope; what
a larger scope has beyond them runs across documents. So two scorings tell how many of the links that a
response misses, and of those it invents, are the cross-document ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import fsum
from os import PathLike

import numpy as np

from referee.matching.protocol import Protocol
from referee.matching.units import Groups
from referee.metrics.standard import METRICS
from referee.model import Corpus
from referee.scoring.evaluate import evaluate
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


def link_split(
    key: Corpus,
    response: Corpus,
    protocol: Protocol,
    groups: Groups | None = None,
    parses: str | PathLike[str] | None = None,
) -> LinkSplit:
    """Split the links of a scope."""
    all_links = _links(key, response, protocol, groups, parses)
    within = _links(key, response, replace(protocol, scope="document"), None, parses)
    # Where a mention is repeated, the two scopes may keep it in different clusters: hence the bound.
    return LinkSplit(_score(within), _score(np.maximum(all_links - within, 0)))


def _links(
    key: Corpus,
    response: Corpus,
    protocol: Protocol,
    groups: Groups | None,
    parses: str | PathLike[str] | None,
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    counts = evaluate(key, response, protocol, (LINKS,), parses=parses, groups=groups).counts[LINKS]
    return np.array([fsum(column) for column in counts.T.tolist()])


def _score(totals: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Score:
    recall, precision, f1 = METRICS[LINKS].scale(totals).tolist()
    return Score(
        recall, precision, f1, dict(zip(METRICS[LINKS].columns, map(int, totals.tolist()), strict=True))
    )


def _missing(score: Score, side: str) -> int:
    return int(score.counts[f"{side}_denominator"] - score.counts[f"{side}_numerator"])
