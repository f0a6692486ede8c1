"""The head across documents in torch, for training: the arrays of `AcrossHead` have the same names."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from referee.resolvers.across.head import MENTION_PARTS
from referee.resolvers.across.pair_features import FEATURES
from referee.resolvers.across.span_words import PARTS, WIDEST_SPAN, SpanWords
from referee.training import constants

COSINES = 2


class SpanMixer(nn.Module):
    """Adds up what the words of spans say."""

    def __init__(self, parts: tuple[str, ...], width: int, size: int) -> None:
        """Make a matrix for each part."""
        super().__init__()
        self.names = parts
        for part in parts:
            self.add_module(part, nn.Linear(width, size, bias=False))
        self.width = nn.Embedding(WIDEST_SPAN, size)
        nn.init.normal_(self.width.weight, std=0.1)

    def forward(self, states: Tensor, spans: SpanWords) -> Tensor:
        """Mix spans of all words; `states` end with a row of zeros.

        Words are multiplied before they are added up, or spans after it: whichever there are fewer of.
        """
        device = states.device
        total: Tensor = self.width(torch.from_numpy(spans.width).to(device))
        few = spans.size < len(states)
        for part in self.names:
            linear = self.get_submodule(part)
            rows = states if few else linear(states)
            if part == "mean":
                sums = torch.cat([rows.new_zeros(1, rows.shape[1]), rows.cumsum(0)])
                width = torch.from_numpy(spans.last - spans.first + 1).to(device)[:, None]
                mixed = (sums[spans.last + 1] - sums[spans.first]) / width
            else:
                mixed = rows[torch.from_numpy(getattr(spans, part))]
            total = total + (linear(mixed) if few else mixed)
        return torch.relu(total)


class HeadNetwork(nn.Module):
    """Scores mentions and pairs; both from one mixture of a span's words if it is shared."""

    def __init__(
        self,
        width: int,
        size: int = constants.HEADS_SIZE,
        vector: int = constants.HEADS_VECTOR,
        hidden: int = constants.HEADS_HIDDEN,
        dropout: float = constants.HEADS_DROPOUT,
        *,
        shared: bool = False,
    ) -> None:
        """Make all layers; `width` is the encoder's."""
        super().__init__()
        self.mention = SpanMixer(MENTION_PARTS, width, size)
        self.mention.add_module("out", nn.Linear(size, 3))
        self.span = SpanMixer(PARTS, width, size)
        for part in (*MENTION_PARTS, "width") if shared else ():  # the head is for pairs alone
            self.span.add_module(part, self.mention.get_submodule(part))
        self.narrow = nn.Linear(size, vector)
        self.told = nn.Linear(len(FEATURES) + COSINES, hidden)  # a name in models' files
        self.kind = nn.Embedding(2, hidden)
        self.sum, self.apart, self.product = (nn.Linear(vector, hidden, bias=False) for _ in range(3))
        self.hidden, self.out = nn.Linear(hidden, hidden // 2), nn.Linear(hidden // 2, 1)
        self.dropout, self.light = nn.Dropout(dropout), nn.Dropout(constants.FEATURES_DROPOUT)
        self.register_buffer("shift", torch.zeros(len(FEATURES)))
        self.register_buffer("scale", torch.ones(len(FEATURES)))

    def mention_odds(self, states: Tensor, spans: SpanWords) -> Tensor:
        """Score spans as not a mention, as an event, as an entity."""
        mixed = self.mention(self.dropout(states), spans)
        odds: Tensor = self.mention.get_submodule("out")(self.dropout(mixed))
        return odds

    def vectors(self, states: Tensor, spans: SpanWords) -> Tensor:
        """Give each mention the vector that pairs are compared by."""
        return torch.tanh(self.narrow(self.dropout(self.span(self.dropout(states), spans))))

    def pair_odds(self, one: Tensor, other: Tensor, kind: int, cosines: Tensor, features: Tensor) -> Tensor:
        """Compare vectors of one kind: log odds."""
        known = torch.cat([(features - self.shift) / self.scale, cosines], 1)
        hidden = self.told(self.light(known)) + self.kind.weight[kind]
        hidden = hidden + self.sum(one + other) + self.apart((one - other).abs()) + self.product(one * other)
        hidden = torch.relu(self.hidden(self.dropout(torch.relu(hidden))))
        odds: Tensor = self.out(self.light(hidden))
        return odds[:, 0]

    def arrays(self) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float16]]]:
        """Give all weights in half precision."""
        return {name: weight.detach().half().numpy() for name, weight in self.state_dict().items()}
