"""Measuring while training: what a network answers on dev, and what that scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch

from referee.arrays import FloatArray, IntArray
from referee.resolvers.neural.deciding import Decisions
from referee.resolvers.neural.tuning import Clusters
from referee.scoring.scorer import Scorer
from referee.training.data.examples import Choice, Example, Vocabulary, groups, lay
from referee.training.networks.resolver import Network


class Reply(NamedTuple):
    """What a network says of one document."""

    start: list[int]
    end: list[int]
    scores: FloatArray
    candidates: IntArray

    def clusters(self, **knobs: Any) -> Clusters:
        """Decide."""
        own: dict[int, list[tuple[int, int]]] = {}
        entities = Decisions(**knobs)
        entities.decide(self.scores[:, 1:], self.candidates)
        for index, cluster in enumerate(entities.clusters.tolist()):
            if cluster >= 0:
                own.setdefault(cluster, []).append((self.start[index], self.end[index]))
        return list(own.values())


@torch.no_grad()
def answers(
    network: Network, examples: Sequence[Example], vocabulary: Vocabulary, device: str, choice: Choice
) -> list[Reply]:
    """Ask a network about documents, several at a time."""
    network.eval()
    ordered = sorted(range(len(examples)), key=lambda index: examples[index].length)
    given = []
    for batch in groups(examples, ordered, 3000):
        laid = lay(batch, [choice] * len(batch), vocabulary, device)
        scored = network(laid.inputs)
        columns = (
            scored.spans.start,
            scored.spans.end,
            scored.spans.document,
            scored.scores,
            scored.candidates,
        )
        start, end, document, scores, candidates = (column.cpu().numpy() for column in columns)
        for number, offset in enumerate(laid.offsets):
            own = document == number
            before = int((document < number).sum())
            given.append(
                Reply(
                    (start[own] - offset).tolist(),
                    (end[own] - offset).tolist(),
                    scores[own].astype(np.float64),
                    np.clip(candidates[own] - before, 0, max(int(own.sum()) - 1, 0)),
                )
            )
    network.train()
    return [given[rank] for rank in np.argsort(ordered)]


class Measured(NamedTuple):
    """A corpus's scores, and the recall of mentions."""

    conll: float
    muc: float
    b_cubed: float
    ceaf_e: float
    mentions: float
    mention_recall: float


def measure(keys: Sequence[Clusters], responses: Sequence[Clusters]) -> Measured:
    """Score responses as the CoNLL scorer does, singletons left out on both sides."""
    scorer = Scorer()
    for key, response in zip(keys, responses, strict=True):
        scorer.update(key, response)
    result = scorer.result()
    return Measured(
        result.conll,
        result.muc.f1,
        result.b_cubed.f1,
        result.ceaf_e.f1,
        result.mentions.f1,
        result.mentions.recall,
    )
