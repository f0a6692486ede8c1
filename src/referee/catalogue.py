"""Every metric by name: the current ones, and those that only old papers use."""

from referee.metrics import METRICS
from referee.twinless import TWINLESS

CATALOGUE = METRICS | TWINLESS
