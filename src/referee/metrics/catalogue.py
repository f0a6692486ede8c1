"""Every metric by name: the current ones, those that only old papers use, and those that look at mentions."""

from referee.metrics.mention_metrics import MENTION_METRICS, MentionMetric
from referee.metrics.standard import METRICS, Metric
from referee.metrics.twinless import TWINLESS

TABLE_METRICS = METRICS | TWINLESS  # functions of the contingency table
CATALOGUE: dict[str, Metric | MentionMetric] = {**TABLE_METRICS, **MENTION_METRICS}
