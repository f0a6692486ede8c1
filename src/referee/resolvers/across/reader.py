"""The reader: passages of several documents in one row, and pairs of their mentions compared after that.

A model's folder has it as reader.onnx and reader.safetensors, and across.json says how many subwords a row
has at most and how many passages each is read with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import erf

from referee.arrays import IntArray
from referee.resolvers.across.neighbours import RowPairs
from referee.resolvers.neural.forward import Floats

READER, PAIRS = "reader.onnx", "reader.safetensors"
WANTED = "wanted"  # the input that says of which subwords there are states; earlier readers give all
SLOW = ["SkipLayerNormFusion"]  # a node of onnxruntime 1.20 to 1.31 that takes four times as long as two


class ReadRow(NamedTuple):
    """Passages that are read together, one after the other: lower states, marks, and the passage of each."""

    lower: Floats
    marks: IntArray  # 0, or 1 inside an event, or 2 inside an entity
    passages: IntArray


class ReadStates(NamedTuple):
    """The states of the subwords that were wanted, and the first and last of each mention among them."""

    states: Floats
    first: IntArray
    last: IntArray


class Reader:
    """A reader's files, opened; one thread reads a row."""

    def __init__(self, folder: Path) -> None:
        """Load the layers, and what compares pairs."""
        import onnxruntime
        from safetensors.numpy import load_file

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(folder / READER), options, disabled_optimizers=SLOW)
        self.chooses = WANTED in {given.name for given in self.session.get_inputs()}
        self.pairs = ReadPairs(load_file(folder / PAIRS))

    def states(self, row: ReadRow, first: IntArray, last: IntArray) -> ReadStates:
        """Read a row, for the mentions with these first and last subwords."""
        given = {name: part[None] for name, part in row._asdict().items()}
        if not self.chooses:
            return ReadStates(self.session.run(None, given)[0][0], first, last)
        wanted, number = subwords_within(first, last, len(row.marks))
        states: Floats = self.session.run(None, given | {WANTED: wanted})[0]
        return ReadStates(states[0], number[first], number[last])


def subwords_within(first: IntArray, last: IntArray, size: int) -> tuple[IntArray, IntArray]:
    """List the subwords of mentions, and say of each of so many which of these it is.

    >>> wanted, number = subwords_within(np.array([1, 2]), np.array([2, 4]), 6)
    >>> wanted.tolist(), number[[1, 4]].tolist()
    ([1, 2, 3, 4], [0, 3])
    """
    steps = np.zeros(size + 1, np.int64)
    np.add.at(steps, first, 1)
    np.add.at(steps, last + 1, -1)
    inside = np.cumsum(steps[:-1]) > 0
    return np.flatnonzero(inside), np.cumsum(inside) - 1


class ReadPairs:
    """Compares mentions that were read together, in numpy."""

    def __init__(self, weights: Mapping[str, npt.NDArray[np.floating]]) -> None:
        """Take the arrays, in whatever precision."""
        w = {name: np.asarray(weight, np.float32) for name, weight in weights.items()}
        self.w, self.size = w, len(w["g.first.weight"])
        self.parts = np.concatenate([w[f"g.{part}.weight"] for part in ("first", "last", "mean")])
        self.compared = np.concatenate([w["w.1.weight"], w["w.2.weight"]], 1)
        self.weight = w["f.weight"] / w["std"]
        self.bias = w["f.bias"] - self.weight @ w["mean"]

    def vectors(self, states: Floats, first: IntArray, last: IntArray) -> Floats:
        """Describe mentions by their first subword, their last one and the mean of all."""
        projected = states @ self.parts.T
        size = self.size
        sums = np.concatenate([np.zeros((1, size)), np.cumsum(projected[:, 2 * size :], 0, dtype=np.float64)])
        mean = (sums[last + 1] - sums[first]) / (last + 1 - first)[:, None]
        total = (
            projected[first, :size]
            + projected[last, size : 2 * size]
            + self.w["g.first.bias"]
            + mean.astype(np.float32)
        )
        vectors: Floats = total * np.float32(0.5) * (1 + erf(total * np.float32(0.5**0.5)))
        return vectors

    def odds(self, vectors: Floats, kind: IntArray, features: Floats, pairs: RowPairs) -> Floats:
        """Compare pairs of mentions of one kind: log odds."""
        one, other = vectors[pairs.first], vectors[pairs.second]
        hidden = np.concatenate([np.abs(one - other), one * other], 1) @ self.compared.T
        alone = vectors @ self.w["w.0.weight"].T + self.w["kind.weight"][kind] / 2
        hidden += alone[pairs.first] + alone[pairs.second]
        hidden += features @ self.weight.T + self.bias
        hidden = self._linear("o.2", np.maximum(hidden, 0, out=hidden))
        odds: Floats = self._linear("o.5", np.maximum(hidden, 0, out=hidden))[:, 0]
        return odds

    def _linear(self, name: str, rows: Floats) -> Floats:
        result: Floats = rows @ self.w[f"{name}.weight"].T + self.w[f"{name}.bias"]
        return result


def marked_row(lower: Sequence[npt.NDArray[np.float16]], spans: IntArray) -> ReadRow:
    """Put passages one after the other; spans are mentions: kind, first and last subword in the row of each.

    Where an event and an entity overlap, the event's mark is seen.
    """
    sizes = [len(part) for part in lower]
    marks = np.zeros(sum(sizes), np.int64)
    for kind, first, last in sorted(spans.tolist(), reverse=True):
        marks[first : last + 1] = kind + 1
    passages = np.repeat(np.arange(len(sizes)), sizes)
    return ReadRow(np.concatenate(lower).astype(np.float32), marks, passages)
