"""Scores a response across documents: linking, mention detection, and the links within and across documents.

A link is a pair of mentions in one cluster. The links within documents are the links at document scope; what
a larger scope has beyond them runs across documents. So two scorings say how many of the links that a
response misses, and of those it invents, are the cross-document ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum

import numpy as np

from referee.arrays import FloatArray
from referee.matching.aligned import Aligned
from referee.matching.protocol import Protocol
from referee.metrics.standard import CROSSDOC_METRICS, METRICS
from referee.scoring.engines import HERE, Engine
from referee.scoring.evaluate import Progress, check_metrics, ignore_progress, score_aligned, tally
from referee.scoring.metric_scores import Score
from referee.scoring.result import Result
from referee.scoring.task import Task

LINKS, DETECTION = "links", "detection"
LEVELS = ("topic", "corpus")  # what Cattan et al. (2021, §3.2) report


@dataclass(frozen=True, slots=True)
class Level:
    """A response's scores at one scope."""

    result: Result
    links: LinkSplit

    @property
    def mentions(self) -> str:
        """Say whether the response has the key's mentions."""
        return mention_setting(self.result.scores[DETECTION])


def score_levels(
    task: Task,
    metrics: Sequence[str] = CROSSDOC_METRICS,
    *,
    protocols: Sequence[Protocol] = (),
    progress: Progress = ignore_progress,
) -> list[Level]:
    """Score each response across documents, under each protocol if not the task's alone.

    Mention detection is counted whichever metrics are asked for.
    """
    wanted = list(dict.fromkeys((DETECTION, *metrics)))
    check_metrics(wanted)
    by_protocol = [
        _levels(task.under(protocol), wanted, progress) for protocol in protocols or [task.protocol]
    ]
    return [level for of_system in zip(*by_protocol, strict=True) for level in of_system]


def _levels(task: Task, metrics: Sequence[str], progress: Progress) -> list[Level]:
    levels = []
    for system, aligned in zip(task.systems, task.aligned(), strict=True):
        result = score_aligned(aligned, metrics, task.engine, progress)
        levels.append(Level(replace(result, system=system), link_split(aligned, task.engine)))
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


def link_split(aligned: Aligned, engine: Engine = HERE) -> LinkSplit:
    """Split the links of a scope."""
    counted = list(engine.map(_Links(aligned), list(aligned.batches())))
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
