"""Every metric by name: the current ones, those that only old papers use, those that look at mentions or at
what goes beyond identity, and those that installed packages add by an entry point of `referee.metrics`, a
`Metric` or a `MentionMetric`.
"""

from collections.abc import Iterable

from referee.metrics.mention_metrics import MENTION_METRICS, MentionMetric
from referee.metrics.relations import RELATION_METRICS, RelationMetric
from referee.metrics.standard import METRICS, Metric
from referee.metrics.twinless import TWINLESS
from referee.registry import Registry

CATALOGUE: Registry[Metric | MentionMetric | RelationMetric] = Registry(
    "referee.metrics",
    {**METRICS, **TWINLESS, **MENTION_METRICS, **RELATION_METRICS},
    Metric,
    MentionMetric,
)


def table_metrics(names: Iterable[str]) -> dict[str, Metric]:
    """Take those metrics that are functions of the contingency table."""
    return {name: metric for name in names if isinstance(metric := CATALOGUE[name], Metric)}


def mention_metrics(names: Iterable[str]) -> dict[str, MentionMetric]:
    """Take those metrics that look at the mentions themselves."""
    return {name: metric for name in names if isinstance(metric := CATALOGUE[name], MentionMetric)}


def relation_metrics(names: Iterable[str]) -> dict[str, RelationMetric]:
    """Take those metrics that look at what goes beyond identity."""
    return {name: metric for name in names if isinstance(metric := CATALOGUE[name], RelationMetric)}
