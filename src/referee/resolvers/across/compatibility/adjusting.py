"""Adjusts the log odds of pairs by what names, numbers, days and documents say, with a small network.

Two events of one text whose heads have other roots are seldom one: on ECB+ dev 31 % of such pairs of given
mentions that were linked were right, and 18 % of found ones. So their log odds are lowered.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from referee.arrays import FloatArray, IntArray
from referee.exceptions import FormatError
from referee.resolvers.across.compatibility.profiles import COLUMNS, StatedFacts
from referee.resolvers.across.neighbours import RowPairs
from referee.resolvers.across.pair_features import FEATURES

Floats = npt.NDArray[np.float32]
FILE = "compatibility.safetensors"
INPUTS = (*COLUMNS, "odds", "certain", "read")
EVENT = 0  # the number of the kind
CLIPPED, SCALED = 8.0, 4.0  # log odds as an input: more count as so many, and are divided by this
WORTH = 0.01  # pairs that are less likely, and have not the same head in capitals, stay as they are
OTHER_ROOT = 2.0  # taken off for that; with 1 and 3 events and both kinds on ECB+ dev are within 0.3
_SAME, _CAPITALS = FEATURES.index("same_head"), FEATURES.index("capitals")
_TOGETHER = FEATURES.index("same_document")


class Adjuster:
    """A network of one hidden layer, whose result is added to log odds."""

    def __init__(self, weights: Mapping[str, npt.NDArray[np.floating]]) -> None:
        """Take the arrays."""
        self.w = {name: np.asarray(weight, np.float32) for name, weight in weights.items()}
        if self.w["hidden.weight"].shape[1] != len(INPUTS):
            raise FormatError(
                f"{FILE} was trained with other columns than this version has; install this version's model"
            )

    @classmethod
    def of(cls, folder: Path) -> Adjuster | None:
        """Open the file of a model, if it has one."""
        from safetensors.numpy import load_file

        return cls(load_file(folder / FILE)) if (folder / FILE).exists() else None

    def adjusted(
        self, facts: StatedFacts, pairs: RowPairs, features: Floats, odds: FloatArray, *, read: bool
    ) -> FloatArray:
        """Give the log odds of pairs by all that is known; `read` says which of two scorers they are from."""
        rows = worth_adjusting(features, odds)
        result = odds.copy()
        if rows.size:
            inputs = adjuster_inputs(facts, pairs.chosen(rows), features[rows], odds[rows], read=read)
            result[rows] += self.added(inputs)
        other_root = (features[:, _SAME] == 0) & (features[:, _TOGETHER] > 0)
        result[other_root & (facts.kind[pairs.first] == EVENT)] -= OTHER_ROOT
        return result

    def added(self, inputs: Floats) -> Floats:
        """Say what is added to the log odds of pairs with these inputs."""
        hidden = np.tanh(inputs @ self.w["hidden.weight"].T + self.w["hidden.bias"])
        added: Floats = hidden @ self.w["out.weight"] + self.w["out.bias"]
        return added


def worth_adjusting(features: Floats, odds: FloatArray) -> IntArray:
    """Choose pairs that may be the same at all: by their log odds, or by the heads of names."""
    same_name = (features[:, _SAME] > 0) & (features[:, _CAPITALS] > 0)
    return np.flatnonzero((expit(odds) >= WORTH) | same_name)


def adjuster_inputs(
    facts: StatedFacts, pairs: RowPairs, features: Floats, odds: FloatArray, *, read: bool
) -> Floats:
    """Put what the network sees into rows."""
    clipped = np.clip(odds, -CLIPPED, CLIPPED) / SCALED
    more = np.stack([clipped, np.abs(clipped), np.full(clipped.size, float(read))], 1)
    return np.concatenate([facts.columns(pairs, features), more.astype(np.float32)], 1)
