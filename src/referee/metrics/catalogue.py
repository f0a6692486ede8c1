"""Every metric by name: the current ones, and those that only old papers use."""

from referee.metrics.standard import METRICS
from referee.metrics.twinless import TWINLESS

CATALOGUE = METRICS | TWINLESS
