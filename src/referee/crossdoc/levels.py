"""Scores a response across documents: linking, mention detection apart, and the two kinds of link.

Splits coreference links into those within a document and those across documents.

A link is a pair of mentions in one cluster. The links within documents are the links at document scope; what
a larger scope has beyond them runs across documents. So two scorings tell how many of the links that a
response misses, and of those it invents, are the cross-document ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from os import PathLike

import numpy as np

from referee import formats
from referee.arrays import FloatArray
from referee.matching.aligned import Aligned
from referee.matching.protocol import Protocol
from referee.matching.units import Groups
from referee.metrics.standard import CROSSDOC_METRICS, METRICS
from referee.model import Corpus
from referee.scoring.engines import Jobs, engine_for
from referee.scoring.evaluate import check_metrics, score_aligned, tally
from referee.scoring.result import Result, Score
from referee.scoring.systems import Bar, PathName, gathered, no_bar, system_names

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


DETECTION = "detection"
LEVELS = ("topic", "corpus")  # what Cattan et al. (2021, §3.2) report


@dataclass(frozen=True, slots=True)
class Level:
    """A response's scores at one scope."""

    result: Result
    links: LinkSplit

    @property
    def mentions(self) -> str:
        """Say whether the response was given the key's mentions."""
        return mention_setting(self.result.scores[DETECTION])


def score_level(
    key: Corpus,
    response: Corpus,
    protocol: Protocol,
    metrics: Sequence[str] = CROSSDOC_METRICS,
    *,
    groups: Groups | None = None,
    parses: str | PathLike[str] | None = None,
    jobs: Jobs = 1,
    progress: Callable[[int], None] | None = None,
) -> Level:
    """Score at a protocol's scope; mention detection is counted whichever metrics are asked for."""
    wanted = list(dict.fromkeys((DETECTION, *metrics)))
    check_metrics(wanted)
    aligned = Aligned.of(key, response, protocol, parses=parses, groups=groups)
    result = score_aligned(aligned, wanted, jobs=jobs, progress=progress)
    return Level(result, link_split(aligned, jobs=jobs))


def score_levels(
    key: str,
    responses: Sequence[PathName | Corpus],
    protocols: Sequence[Protocol],
    metrics: Sequence[str] = CROSSDOC_METRICS,
    *,
    groups: Groups | None = None,
    parses: str | None = None,
    jobs: Jobs = 1,
    bar: Bar = no_bar,
) -> list[Level]:
    """Score each response file across documents, under each protocol."""
    strict, ids = protocols[0].strict, protocols[0].ids
    key_corpus = formats.read(key, role="key", strict=strict, ids=ids)
    responses = gathered(key_corpus, responses)
    levels = []
    with bar(len(key_corpus) * len(responses) * len(protocols), "scoring") as advance:
        for path, name in zip(responses, system_names(responses), strict=True):
            response = formats.opened(path, role="response", strict=strict, ids=ids)
            for protocol in protocols:
                level = score_level(
                    key_corpus, response, protocol, metrics, groups=groups, parses=parses, jobs=jobs,
                    progress=advance,
                )  # fmt: skip
                levels.append(replace(level, result=replace(level.result, system=name)))
    return levels


def mention_setting(detection: Score) -> str:
    """Compare the response's mentions with the key's: the same, a subset, different, or none.

    >>> counts = {"recall_numerator": 2, "recall_denominator": 3, "precision_denominator": 2}
    >>> mention_setting(Score(2 / 3, 1.0, 0.8, counts))
    "a subset of the key's (2 of 3)"
    """
    common, key = detection.counts["recall_numerator"], detection.counts["recall_denominator"]
    response = detection.counts["precision_denominator"]
    if not response:
        return "none"
    if common == key == response:
        return f"the same as the key's ({key}): gold mentions"
    if common == response:
        return f"a subset of the key's ({common} of {key})"
    return f"different from the key's: predicted mentions ({common} of {response} are among its {key})"
