"""Dev scores while training: clusters of all documents against their keys, and GAP."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch

from referee.arrays import FloatArray, IntArray
from referee.resolve.neural.deciding import Decisions
from referee.resolve.neural.examples import Choice, Example, Vocabulary, groups, lay
from referee.resolve.neural.network import Network
from referee.scoring.scorer import Scorer

Clusters = list[list[tuple[int, int]]]


class Measured(NamedTuple):
    """A corpus's scores, and how many of its mentions were kept as candidates."""

    conll: float
    muc: float
    b_cubed: float
    ceaf_e: float
    mentions: float
    kept: float


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


class Gap(NamedTuple):
    """GAP's F1, for both genders and for each, and feminine by masculine."""

    f1: float
    feminine: float
    masculine: float
    bias: float


def measure_gap(examples: Sequence[Example], responses: Sequence[Clusters]) -> Gap:
    """Score GAP: a name is right if a mention that contains it or lies in it is in the pronoun's cluster."""
    counts = np.zeros((2, 3))  # gender × (both, key, response)
    for example, clusters in zip(examples, responses, strict=True):
        pronoun, *names, a, b, feminine = example.gap
        own = next((cluster for cluster in clusters if (pronoun, pronoun) in cluster), [])
        for (first, last), right in ((names[:2], a), (names[2:], b)):
            said = any((s <= first and last <= e) or (first <= s and e <= last) for s, e in own)
            counts[feminine] += (said and right, right, said)
    f1 = 2 * counts[:, 0] / np.maximum(counts[:, 1] + counts[:, 2], 1)
    total = counts.sum(0)
    return Gap(2 * total[0] / max(total[1] + total[2], 1), f1[1], f1[0], f1[1] / max(f1[0], 1e-9))
