"""Scores on dev: clusters of all documents against their keys, and GAP."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

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


def measure_gap(asked: Sequence[tuple[int, ...]], responses: Sequence[Clusters]) -> Gap:
    """Score GAP: a name is right if a mention that contains it or lies in it is in the pronoun's cluster."""
    counts = np.zeros((2, 3))  # gender × (both, key, response)
    for (pronoun, *names, a, b, feminine), clusters in zip(asked, responses, strict=True):
        own = next((cluster for cluster in clusters if (pronoun, pronoun) in cluster), [])
        for (first, last), right in ((names[:2], a), (names[2:], b)):
            said = any((s <= first and last <= e) or (first <= s and e <= last) for s, e in own)
            counts[feminine] += (said and right, right, said)
    f1 = 2 * counts[:, 0] / np.maximum(counts[:, 1] + counts[:, 2], 1)
    total = counts.sum(0)
    return Gap(2 * total[0] / max(total[1] + total[2], 1), f1[1], f1[0], f1[1] / max(f1[0], 1e-9))
