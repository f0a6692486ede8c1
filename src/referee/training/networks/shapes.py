"""Sizes of networks and what they read, without torch: known also where networks are only exported."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from referee.arrays import IntArray
from referee.resolvers.neural.features import CAPITAL_CLASSES, PRONOUN_CLASSES
from referee.training import constants


@dataclass(frozen=True, slots=True)
class Shape:
    """What an encoder's size is; `buckets` is 0 for BERT.

    `kinds` are those of subwords: classes of capitals, which an encoder of small letters cannot see, times
    guidelines.
    """

    layers: int
    width: int
    heads: int
    pieces: int
    positions: int = 512
    buckets: int = 0
    epsilon: float = 1e-12
    kinds: int = 2 * CAPITAL_CLASSES


@dataclass(frozen=True, slots=True)
class Sizes:
    """How wide the parts of the head are, and how many candidates and antecedents there are."""

    ends: int = constants.ENDS
    span: int = constants.SPAN
    products: int = constants.PRODUCTS
    hidden: int = constants.PAIR_HIDDEN
    factors: int = 0  # numbers of which each is a product of one of a span's and one of its antecedent's
    spans_per_word: float = constants.TRAINED_SPANS_PER_WORD  # candidates
    antecedents: int = constants.TRAINED_ANTECEDENTS
    dropout: float = constants.HEAD_DROPOUT
    guidelines: int = 2
    pronouns: int = PRONOUN_CLASSES  # one more in a model that knows several languages

    def as_dict(self) -> dict[str, float]:
        """Give the sizes by name."""
        return asdict(self)


class PassageInput(NamedTuple):
    """What is read of a passage: rows of subwords and of special tokens around them; each word's two ends."""

    rows: npt.NDArray[Any]  # lower states, or a subword and its kind
    ends: IntArray


def lower_layers(shape: Shape) -> int:
    """Count the layers after which an encoder's lower states are taken: the lower half."""
    return shape.layers // 2


def distance_buckets(positions: int, buckets: int, farthest: int = 128) -> IntArray:
    """Put distances, from 1 - positions to positions - 1, into buckets as T5 does.

    Half of them are for each direction; far distances go by their logarithm.

    >>> distance_buckets(5, 8, 16).tolist()
    [2, 2, 2, 1, 0, 5, 6, 6, 6]
    """
    apart = np.arange(1 - positions, positions)
    half, exact = buckets // 2, buckets // 4
    away = np.abs(apart)
    ratio = np.log(np.maximum(away, 1).astype(np.float32) / np.float32(exact))
    far = ratio / np.float32(math.log(farthest / exact)) * np.float32(half - exact)
    near = np.where(away < exact, away, np.minimum(exact + far.astype(np.int64), half - 1))
    return near + half * (apart > 0)
