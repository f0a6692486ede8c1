"""Sizes of networks and what they read, without torch: known also where networks are only exported."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from referee.arrays import IntArray


@dataclass(frozen=True, slots=True)
class Shape:
    """What an encoder's size is; `buckets` is 0 for BERT."""

    layers: int
    width: int
    heads: int
    pieces: int
    positions: int = 512
    buckets: int = 0
    epsilon: float = 1e-12


@dataclass(frozen=True, slots=True)
class Sizes:
    """How wide the parts of the head are, and how many candidates and antecedents there are."""

    ends: int = 256
    span: int = 256
    products: int = 8
    hidden: int = 160
    factors: int = 0  # numbers of which each is a product of one of a span's and one of its antecedent's
    spans_per_word: float = 0.3  # candidates
    antecedents: int = 40
    dropout: float = 0.3

    def as_dict(self) -> dict[str, float]:
        """Give the sizes by name."""
        return asdict(self)


class PassageInput(NamedTuple):
    """What is read of a passage: a row for each piece, marks around them; and each word's two end pieces."""

    rows: npt.NDArray[Any]  # lower states, or a piece and its kind
    ends: IntArray


def lower_layers(shape: Shape) -> int:
    """Report after how many layers an encoder's lower states are taken: after the lower half."""
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
