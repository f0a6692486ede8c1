"""Coreference scores as a metric of torchmetrics, for PyTorch Lightning and training on several devices.

The states are sums of counts, so that processes are joined by adding them up: the scores are exactly those of
all documents together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torchmetrics import Metric

from referee.matching.protocol import Protocol
from referee.metrics.catalogue import CATALOGUE
from referee.metrics.standard import DEFAULT_METRICS
from referee.scoring.given import Clusters
from referee.scoring.result import Result
from referee.scoring.scorer import Scorer


class CorefMetric(Metric):
    """Recall, precision and F1 in every metric, over all documents that `update` has seen.

    `forward`, `update`, `compute`, `reset`, `merge_state`, synchronisation over processes, `MetricCollection`
    and Lightning's `self.log_dict` work as with any metric of torchmetrics.

    Args:
        protocol: A preset, a signature or a `Protocol`; mentions are matched exactly.
        metric: Metrics, one or several; the CoNLL average is given if its three are among them.
        **settings: Those of `torchmetrics.Metric`, such as `dist_sync_on_step`.
    """

    is_differentiable = False
    higher_is_better = True
    full_state_update = False

    def __init__(
        self,
        *,
        protocol: Protocol | str = "conll",
        metric: str | Sequence[str] = DEFAULT_METRICS,
        **settings: Any,
    ) -> None:
        """Start with no documents."""
        super().__init__(**settings)
        self.protocol = Protocol.parse(protocol) if isinstance(protocol, str) else protocol
        self.metrics = (metric,) if isinstance(metric, str) else tuple(metric)
        Scorer(protocol=self.protocol, metric=self.metrics)  # refuses what it could not score
        for name in self.metrics:
            zeros = torch.zeros(len(CATALOGUE[name].columns), dtype=torch.float64)
            self.add_state(_state(name), zeros, dist_reduce_fx="sum")

    def update(self, preds: Sequence[Clusters], target: Sequence[Clusters]) -> None:
        """Add a batch: an item for each document, the response's clusters and the key's.

        Args:
            preds: Of each document the clusters that were found, as lists of lists of mentions.
            target: Of each document the key's clusters. A mention is any hashable value or a pair of numbers.
        """
        scorer = Scorer(protocol=self.protocol, metric=self.metrics)
        for response, key in zip(preds, target, strict=True):
            scorer.update(key, response)
        if not preds:
            return
        for name, rows in scorer.compute().counts.items():
            counts = getattr(self, _state(name))
            setattr(self, _state(name), counts + torch.as_tensor(rows.sum(axis=0)).to(counts))

    def compute(self) -> dict[str, Tensor]:
        """Give the scores under flat names, `muc/f1` and so on, as `Result.log_dict` does."""
        counts = {name: getattr(self, _state(name)).double().cpu().numpy()[None] for name in self.metrics}
        logged = Result("response", ["all"], counts, self.protocol).log_dict()
        return {name: torch.tensor(value, device=self.device) for name, value in logged.items()}


def _state(metric: str) -> str:
    return f"{metric}_counts"
