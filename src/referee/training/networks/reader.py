"""The reader in torch, for training: it sees alike passages of several documents together.

A copy of an encoder's upper layers goes over several passages in one row, so that attention reaches from one
document into another (Caciularu et al. 2021), and pairs of mentions are scored from what comes out of it. It
begins with the states that the encoder has after its lower layers, of each passage by itself; or, where it
has a whole encoder, with subwords.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from referee.formats.io.saving import save_bytes
from referee.resolvers.across.head import LINKED_KINDS
from referee.resolvers.across.pair_features import FEATURES
from referee.resolvers.neural.forward import Floats
from referee.training import constants
from referee.training.networks.encoder import Encoder, Layer, Linear
from referee.training.networks.shapes import Shape

MASKED = -1e4


@dataclass(frozen=True, slots=True)
class ReaderSizes:
    """How wide the parts after the layers are, and what is dropped in training."""

    vector: int = constants.READER_VECTOR
    hidden: int = constants.READER_HIDDEN
    dropout: float = constants.READER_DROPOUT
    layer_dropout: float = constants.LAYER_DROPOUT
    feature_dropout: float = constants.READER_FEATURES_DROPOUT
    subword_dropout: float = constants.SUBWORD_DROPOUT  # of whole subwords, before they are read


class ReaderStart(NamedTuple):
    """What a reader begins with: an encoder's weights, and how many of its layers passages go through alone.

    With no layer below, the reader has a whole encoder, and reads subwords.
    """

    shape: Shape
    weights: Mapping[str, Floats]
    lower: int


class BlockRows(NamedTuple):
    """Blocks of passages as rows: what is read, marks, and of each column the passage (−1: padding)."""

    inputs: Tensor  # row × column × width of lower states, or × 2 (subword, its kind)
    marks: Tensor  # 0, 1 in an event, 2 in an entity
    passage: Tensor
    column: Tensor  # counted from where the passage begins


class BlockPairs(NamedTuple):
    """Pairs of mentions: the first and last subword of each, among all rows one after the other."""

    one: Tensor  # pair × 2
    other: Tensor
    kind: Tensor
    features: Tensor


class UpperLayers(nn.Module):
    """Layers of an encoder, under the numbers that they have there."""

    def __init__(self, shape: Shape, lower: int, dropout: float) -> None:
        """Allocate the weights."""
        super().__init__()
        self.layers = nn.ModuleDict(
            {str(number): Layer(shape, dropout) for number in range(lower, shape.layers)}
        )


class ReaderNetwork(nn.Module):
    """Layers over rows of passages, and a score for each pair of mentions."""

    def __init__(self, shape: Shape, lower: int, sizes: ReaderSizes) -> None:
        """Allocate the weights; marks and what is added between passages start as zero."""
        super().__init__()
        self.shape, self.lower, self.sizes = shape, lower, sizes
        width, vector, hidden = shape.width, sizes.vector, sizes.hidden
        self.begin = None if lower else Encoder(replace(shape, layers=0), sizes.layer_dropout)
        self.enc = UpperLayers(shape, lower, sizes.layer_dropout)
        self.mark = nn.Embedding(1 + len(LINKED_KINDS), width)
        nn.init.zeros_(self.mark.weight)
        self.apart = nn.Parameter(torch.zeros(shape.layers, shape.heads))
        self.g = nn.ModuleDict(
            {part: nn.Linear(width, vector, bias=part == "first") for part in ("first", "last", "mean")}
        )
        self.w = nn.ModuleList(nn.Linear(vector, hidden, bias=False) for _ in range(3))
        self.kind = nn.Embedding(len(LINKED_KINDS), hidden)
        self.f = nn.Linear(len(FEATURES), hidden)
        self.o = nn.Sequential(
            nn.ReLU(), nn.Dropout(sizes.dropout), nn.Linear(hidden, hidden // 2),
            nn.ReLU(), nn.Dropout(sizes.dropout / 2), nn.Linear(hidden // 2, 1),
        )  # fmt: skip
        self.dropout, self.light = nn.Dropout(sizes.dropout), nn.Dropout(sizes.feature_dropout)
        self.register_buffer("mean", torch.zeros(len(FEATURES)))
        self.register_buffer("std", torch.ones(len(FEATURES)))

    @classmethod
    def beginning(cls, start: ReaderStart, sizes: ReaderSizes) -> ReaderNetwork:
        """Begin with a copy of an encoder's layers."""
        network = cls(start.shape, start.lower, sizes)
        begun = network.state_dict()
        copied = {
            name: torch.from_numpy(np.array(start.weights[name.partition(".")[2]], np.float32))
            for name in begun
            if name.startswith(("enc.", "begin.")) and name != "begin.kinds.weight"  # new, as none has it
        }
        network.load_state_dict(begun | copied)
        return network

    def forward(self, rows: BlockRows, pairs: BlockPairs) -> Tensor:
        """Read blocks and compare pairs of their mentions: log odds."""
        device = rows.marks.device.type
        with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            states = self.states(rows)
        states = self.dropout(states.float().reshape(-1, self.shape.width))
        one, other = (self.vectors(states, side) for side in (pairs.one, pairs.other))
        hidden = self.kind(pairs.kind) + self.f(self.light((pairs.features - self.mean) / self.std))
        hidden = hidden + self.w[0](one + other) + self.w[1]((one - other).abs()) + self.w[2](one * other)
        odds: Tensor = self.o(hidden)
        return odds[:, 0]

    def states(self, rows: BlockRows) -> Tensor:
        """Let all subwords of a row see each other."""
        states = self.beginning_states(rows) + self.mark(rows.marks)
        if self.training and self.sizes.subword_dropout:
            left = torch.rand(states.shape[:2], device=states.device) >= self.sizes.subword_dropout
            states = states * left[..., None]
        elsewhere = rows.passage[:, :, None] != rows.passage[:, None, :]
        bias = self.distance_bias(rows, elsewhere) + (rows.passage < 0)[:, None, None, :] * MASKED
        for number, layer in self.enc.layers.items():
            between = self.apart[int(number)][None, :, None, None]
            states = layer(states, bias + elsewhere[:, None] * between)
        return states

    def beginning_states(self, rows: BlockRows) -> Tensor:
        """Take lower states, or look subwords up, each passage's columns counted from where it begins."""
        if self.begin is None:
            return rows.inputs.float()
        begin = self.begin
        piece, kind = rows.inputs.unbind(-1)
        known = begin.pieces(piece) + begin.positions(rows.column) + begin.kinds(kind)
        return begin.dropout(begin.norm(known))

    def distance_bias(self, rows: BlockRows, elsewhere: Tensor) -> Tensor:
        """Give what MPNet adds for distances, within passages; another passage is far away."""
        if self.begin is None or self.begin.distances is None:
            return torch.zeros((), device=rows.marks.device)
        away = (rows.column[:, None, :] - rows.column[:, :, None]).masked_fill(elsewhere, constants.ELSEWHERE)
        bucket = self.begin.buckets[away + self.shape.positions - 1]
        bias: Tensor = self.begin.distances(bucket).permute(0, 3, 1, 2)
        return bias

    def vectors(self, states: Tensor, ends: Tensor) -> Tensor:
        """Describe mentions by their first and last subword and their average."""
        first, last = ends.unbind(1)
        mean = self.g["mean"](states)
        sums = torch.cat([mean.new_zeros(1, mean.shape[1]), mean.cumsum(0)])
        average = (sums[last + 1] - sums[first]) / (last + 1 - first)[:, None]
        return functional.gelu(self.g["first"](states)[first] + self.g["last"](states)[last] + average)

    def round_as_exported(self, rounded: bool) -> None:
        """Round the layers' products as they will be in eight bits, or do not."""
        for module in self.modules():
            if isinstance(module, Linear):
                module.rounded = rounded

    def layers_above(self, name: str) -> int | None:
        """Count the encoder's layers above one of its weights; None for a weight of the reader alone."""
        if name.startswith("enc."):
            return self.shape.layers - 1 - int(name.split(".")[2])
        return self.shape.layers if name.startswith("begin.") else None

    def as_arrays(self) -> dict[str, Floats]:
        """Give all weights by name."""
        return {name: weight.detach().float().cpu().numpy() for name, weight in self.state_dict().items()}


def save_reader(network: ReaderNetwork, path: Path) -> None:
    """Write a reader in half precision, with what is needed to build it again."""
    from safetensors.torch import save

    state = {name: weight.detach().half().cpu().contiguous() for name, weight in network.state_dict().items()}
    about = {"shape": asdict(network.shape), "lower": network.lower, "sizes": asdict(network.sizes)}
    save_bytes(path, save(state, {name: json.dumps(value) for name, value in about.items()}))


def load_reader(path: Path, device: str = "cpu") -> ReaderNetwork:
    """Read a reader back, ready to answer."""
    from safetensors import safe_open

    with safe_open(path, "pt") as file:
        about = {name: json.loads(value) for name, value in file.metadata().items()}
        state = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118
    network = ReaderNetwork(Shape(**about["shape"]), about["lower"], ReaderSizes(**about["sizes"]))
    network.load_state_dict(state)
    return network.to(device).eval()
