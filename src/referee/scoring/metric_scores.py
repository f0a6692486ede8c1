"""A metric's score, and the scores of a result as attributes: `result.muc`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import overload

from referee.metrics.catalogue import CATALOGUE


@dataclass(frozen=True, slots=True)
class Score:
    """Recall, precision and F1, between 0 and 1, and the counts that they come from.

    Examples:
        >>> import referee
        >>> referee.score([["a", "b"]], [["a", "b"]]).muc.counts["recall_numerator"]
        1
    """

    recall: float
    precision: float
    f1: float
    counts: Mapping[str, float]


class MetricScore:
    """An attribute of a result: the score of the metric of the same name."""

    def __set_name__(self, owner: type, name: str) -> None:
        """Remember the metric's name."""
        self.name = name
        self.__doc__ = f"The score of {CATALOGUE.ours[name].label}, if it was computed."

    @overload
    def __get__(self, result: None, owner: type) -> MetricScore: ...

    @overload
    def __get__(self, result: MetricScores, owner: type) -> Score: ...

    def __get__(self, result: MetricScores | None, owner: type) -> MetricScore | Score:
        """Find the score; a result that has none says so in `__getattr__`."""
        if result is None:
            return self
        if self.name not in result.scores:
            raise AttributeError(self.name)
        return result.scores[self.name]


class MetricScores:
    """A result's scores as attributes, one for each metric of the catalogue, which a test compares."""

    scores: Mapping[str, Score]

    mentions = MetricScore()
    muc = MetricScore()
    b_cubed = MetricScore()
    ceaf_m = MetricScore()
    ceaf_e = MetricScore()
    blanc = MetricScore()
    lea = MetricScore()
    links = MetricScore()
    b_cubed_entities = MetricScore()
    detection = MetricScore()
    b_cubed_0 = MetricScore()
    b_cubed_all = MetricScore()
    b_cubed_rahman_ng = MetricScore()
    ceaf_m_rahman_ng = MetricScore()
    ceaf_e_rahman_ng = MetricScore()
    b_cubed_sys = MetricScore()
    ceaf_m_sys = MetricScore()
    mention_overlap = MetricScore()
    zeros = MetricScore()
    bridging_recognition = MetricScore()
    bridging_mention = MetricScore()
    bridging_entity = MetricScore()
    non_referring = MetricScore()
