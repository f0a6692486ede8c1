"""The encoder in torch: BERT's layers (Devlin et al. 2019) or MPNet's (Song et al. 2020).

MPNet adds a number to the attention of two subwords that shows how far apart they are; BERT does not. Weights
come as plain arrays under the names below; queries, keys and values are one matrix.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from referee.resolvers.neural.forward import Floats
from referee.training.constants import ENCODER_DROPOUT
from referee.training.networks.int8 import SMALLEST, STATE_STEPS, WEIGHT_STEPS
from referee.training.networks.shapes import Shape, distance_buckets


class Linear(nn.Linear):
    """A linear layer that can round as its export to eight bits will (Jacob et al. 2018)."""

    rounded = False

    def forward(self, states: Tensor) -> Tensor:
        """Multiply, with slopes as if nothing was rounded."""
        if not self.rounded:
            return super().forward(states)
        with torch.no_grad():
            exact = states.float()
            step = exact.abs().amax(-1, keepdim=True).clamp(min=SMALLEST) / STATE_STEPS
            off = (exact / step).round() * step - exact
            steps = self.weight.abs().amax(1, keepdim=True).clamp(min=SMALLEST) / WEIGHT_STEPS
            weight_off = (self.weight / steps).round() * steps - self.weight
        return functional.linear(states + off.to(states.dtype), self.weight + weight_off, self.bias)


class Layer(nn.Module):
    """Attention and a feed-forward part, each added to what came in, and normed after that."""

    def __init__(self, shape: Shape, dropout: float) -> None:
        """Allocate the weights."""
        super().__init__()
        width = shape.width
        self.heads, self.rate = shape.heads, dropout
        self.mix, self.out = Linear(width, 3 * width), Linear(width, width)
        self.up, self.down = Linear(width, 4 * width), Linear(4 * width, width)
        self.norm_out = nn.LayerNorm(width, shape.epsilon)
        self.norm_down = nn.LayerNorm(width, shape.epsilon)
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: Tensor, bias: Tensor) -> Tensor:
        """Take rows × columns × width; the bias is added to attention."""
        rows, columns, width = states.shape
        mixed = self.mix(states).view(rows, columns, 3, self.heads, width // self.heads)
        query, key, value = mixed.permute(2, 0, 3, 1, 4)
        rate = self.rate if self.training else 0.0
        attended = functional.scaled_dot_product_attention(query, key, value, bias.to(query.dtype), rate)
        attended = attended.transpose(1, 2).reshape(rows, columns, width)
        states = self.norm_out(states + self.dropout(self.out(attended)))
        return self.norm_down(states + self.dropout(self.down(functional.gelu(self.up(states)))))


class Encoder(nn.Module):
    """Pieces in rows to vectors."""

    def __init__(self, shape: Shape, dropout: float = ENCODER_DROPOUT) -> None:
        """Allocate the weights."""
        super().__init__()
        self.shape = shape
        self.pieces = nn.Embedding(shape.pieces, shape.width)
        self.positions = nn.Embedding(shape.positions, shape.width)
        self.kinds = nn.Embedding(shape.kinds, shape.width)
        nn.init.zeros_(self.kinds.weight)
        self.norm = nn.LayerNorm(shape.width, shape.epsilon)
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.ModuleList(Layer(shape, dropout) for _ in range(shape.layers))
        self.distances = nn.Embedding(shape.buckets, shape.heads) if shape.buckets else None
        if shape.buckets:
            by_distance = torch.from_numpy(distance_buckets(shape.positions, shape.buckets))
            self.register_buffer("buckets", by_distance, persistent=False)

    @classmethod
    def of(cls, shape: Shape, weights: Mapping[str, Floats], dropout: float = ENCODER_DROPOUT) -> Encoder:
        """Make an encoder of weights under its names; what they lack, as the table of kinds, begins anew."""
        encoder = cls(shape, dropout)
        begun = encoder.state_dict()
        known = {
            name: torch.from_numpy(np.array(weights[name], np.float32)) for name in begun if name in weights
        }
        encoder.load_state_dict(begun | known)
        return encoder

    def forward(self, rows: Tensor, kinds: Tensor, used: Tensor) -> Tensor:
        """Encode rows of subwords of several kinds; `used` is true where a row has one."""
        return self.above(self.below(rows, kinds, used, 0), used, 0)

    def below(self, rows: Tensor, kinds: Tensor, used: Tensor, layers: int) -> Tensor:
        """Give the states after some of the lowest layers."""
        columns = torch.arange(rows.shape[1], device=rows.device)
        states = self.dropout(self.norm(self.pieces(rows) + self.positions(columns) + self.kinds(kinds)))
        bias = self._bias(states, used)
        for layer in self.layers[:layers]:
            states = layer(states, bias)
        return states

    def above(self, states: Tensor, used: Tensor, layers: int) -> Tensor:
        """Go on from the states after some of the lowest layers."""
        bias = self._bias(states, used)
        for layer in self.layers[layers:]:
            states = layer(states, bias)
        return states

    def _bias(self, states: Tensor, used: Tensor) -> Tensor:
        """Give what is added to attention."""
        bias = (~used)[:, None, None, :].to(states.dtype) * -1e4
        if self.distances is not None:
            columns = torch.arange(states.shape[1], device=states.device)
            apart = columns[None] - columns[:, None] + self.shape.positions - 1
            bias = bias + self.distances(self.buckets[apart]).permute(2, 0, 1)
        return bias
