"""Mention scorers in torch that are trained by themselves: over states that are given, or a whole encoder.

One over given states becomes the mention part of a head (`across_head`), under the same names. Those with a
whole encoder teach.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from referee.resolvers.across.head import MENTION_PARTS
from referee.resolvers.across.span_words import SpanWords
from referee.resolvers.neural.forward import Floats
from referee.training.constants import MENTIONS_DROPOUT
from referee.training.networks.across_head import SpanMixer
from referee.training.networks.encoder import Encoder
from referee.training.networks.shapes import PassageInput, Shape

SMALL = 1e-4  # added to second moments, so that none is nothing
KINDS = "encoder.kinds.weight"  # for capitals, which the encoder cannot see: new, so it learns fast


class MentionNetwork(nn.Module):
    """Scores spans as not a mention, as an event, as an entity."""

    def __init__(self, width: int, size: int, hidden: int = 0, dropout: float = MENTIONS_DROPOUT) -> None:
        """Make the layers over states of a width; `hidden` 0 leaves the second one out."""
        super().__init__()
        self.mention = SpanMixer(MENTION_PARTS, width, size)
        if hidden:
            self.mention.add_module("hidden", nn.Linear(size, hidden))
        self.mention.add_module("out", nn.Linear(hidden or size, 3))
        self.dropout = nn.Dropout(dropout)
        self.encoder: Encoder | None = None
        self.left_out = 0.0
        self.blank = 0

    @classmethod
    def with_encoder(
        cls,
        shape: Shape,
        weights: Mapping[str, Floats],
        size: int,
        *,
        dropout: float = MENTIONS_DROPOUT,
        left_out: float = 0.0,
        blank: int = 0,
    ) -> MentionNetwork:
        """Put one on the layers of an encoder that a shape has, which learn, too.

        While they do, a share of the subwords is `left_out`, and `blank` is read instead.
        """
        network = cls(shape.width, size, dropout=dropout)
        network.encoder = Encoder.of(shape, weights)
        network.left_out, network.blank = left_out, blank
        return network

    def forward(self, inputs: Sequence[PassageInput], spans: SpanWords) -> Tensor:
        """Score spans of several texts, one after the other: log odds."""
        states, layers = self.dropout(self.states(inputs)), dict(self.mention.named_children())
        if "words" in layers:
            states = layers["words"](states)
        padded = torch.cat([states, states.new_zeros(1, states.shape[1])])
        mixed = self.dropout(self.mention(padded, spans))
        if "hidden" in layers:
            mixed = self.dropout(torch.relu(layers["hidden"](mixed)))
        odds: Tensor = layers["out"](mixed)
        return odds

    def states(self, inputs: Sequence[PassageInput]) -> Tensor:
        """Give each word its state: as it is given, or the average of its first and its last subword."""
        device = next(self.parameters()).device
        if self.encoder is None:
            given = np.concatenate([text.rows for text in inputs]).astype(np.float32)
            return torch.from_numpy(given).to(device)
        rows, used = _padded([text.rows for text in inputs], device)
        piece, kind = rows.unbind(-1)
        if self.training and self.left_out:
            gone = (torch.rand(piece.shape, device=device) < self.left_out) & used
            piece = piece.masked_fill(gone, self.blank)
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=device.type == "cuda"):
            by_piece = self.encoder(piece, kind, used)
        flat = by_piece.float().reshape(-1, by_piece.shape[2])
        ends = [text.ends + row * rows.shape[1] for row, text in enumerate(inputs)]
        first, last = torch.from_numpy(np.concatenate(ends)).to(device).unbind(1)
        return (flat[first] + flat[last]) / 2

    def layers_above(self, name: str) -> int | None:
        """Count the encoder's layers above one of its weights; None for a weight of the scorer."""
        if self.encoder is None or not name.startswith("encoder.") or name == KINDS:
            return None
        depth = self.encoder.shape.layers
        return depth - 1 - int(name.split(".")[2]) if name.startswith("encoder.layers.") else depth

    def arrays(self) -> dict[str, npt.NDArray[np.float16]]:
        """Give the weights of the scorer in half precision, as a head has them."""
        weights = self.mention.state_dict()
        return {f"mention.{name}": weight.half().cpu().numpy() for name, weight in weights.items()}


def low_rank(network: MentionNetwork, states: Floats, rank: int) -> MentionNetwork:
    """Let the products with wide states go through fewer numbers, those that matter most for some states.

    Where M are all products and LLᵀ the second moments of the states, no product of so low a rank is nearer
    to M on these states than the largest singular values of ML make it.
    """
    parts = [network.mention.get_submodule(part).weight.detach().double() for part in MENTION_PARTS]
    wide = torch.from_numpy(states.astype(np.float64))
    moments = wide.T @ wide / len(wide) + SMALL * torch.eye(wide.shape[1], dtype=torch.float64)
    root = torch.linalg.cholesky(moments)
    left, values, right = torch.linalg.svd(torch.cat(parts).cpu() @ root, full_matrices=False)
    after, before = left[:, :rank] * values[:rank], torch.linalg.solve(root.T, right[:rank].T).T
    even = (after.norm(dim=0) / before.norm(dim=1)).sqrt()  # both are as large: halves have few digits
    changed = deepcopy(network)
    words = nn.Linear(wide.shape[1], rank, bias=False)
    mixers = zip(MENTION_PARTS, (after / even).chunk(len(parts)), strict=True)
    for layer, weight in ((words, before * even[:, None]), *mixers):
        changed_layer = changed.mention.get_submodule(layer) if isinstance(layer, str) else layer
        changed_layer.weight = nn.Parameter(weight.float().contiguous())  # as files of weights need them
    changed.mention.add_module("words", words)
    return changed


def with_mentions(
    head: Mapping[str, npt.NDArray[np.floating]], network: MentionNetwork
) -> dict[str, npt.NDArray[np.floating]]:
    """Give a head another mention scorer; what compares pairs stays as it is."""
    others = {name: weight for name, weight in head.items() if not name.startswith("mention.")}
    return others | network.arrays()


def _padded(rows: Sequence[npt.NDArray[Any]], device: torch.device) -> tuple[Tensor, Tensor]:
    """Put rows under each other, as long as the longest; and mark the columns that are used."""
    longest = max(map(len, rows))
    table = np.zeros((len(rows), longest, rows[0].shape[1]), np.int64)
    used = np.arange(longest) < np.array([[len(row)] for row in rows])
    for number, row in enumerate(rows):
        table[number, : len(row)] = row
    return torch.from_numpy(table).to(device), torch.from_numpy(used).to(device)
