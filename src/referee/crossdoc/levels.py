"""Scores a response across documents: linking, mention detection apart, and the two kinds of link."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from os import PathLike

from referee import formats
from referee.crossdoc.link_split import LinkSplit, link_split
from referee.matching.aligned import Aligned
from referee.matching.protocol import Protocol
from referee.matching.units import Groups
from referee.metrics.standard import CROSSDOC_METRICS
from referee.model import Corpus
from referee.scoring.engines import Jobs
from referee.scoring.evaluate import check_metrics, score_aligned
from referee.scoring.result import Result, Score
from referee.scoring.systems import Bar, PathName, gathered, no_bar, system_names

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
