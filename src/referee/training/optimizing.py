"""How fast each weight moves, and the mean of the weights over the last steps."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from referee.training.networks.resolver import Network
from referee.training.settings import Settings

TABLES = ("rough", "pairs", "seen", "length", "product")


def rates(network: Network, settings: Settings) -> list[dict[str, Any]]:
    """Group the weights by their learning rate: the lower a layer, the less it changes."""
    depth = network.encoder.shape.layers
    grouped: dict[float, list[Tensor]] = {}
    for name, weight in network.named_parameters():
        if name.startswith("encoder.layers."):
            rate = settings.rate * settings.decay ** (depth - 1 - int(name.split(".")[2]))
        elif name.startswith("encoder.") and name != "encoder.kinds.weight":
            rate = settings.rate * settings.decay**depth
        else:
            rate = settings.table_rate if name.split(".")[1] in TABLES else settings.head_rate
        grouped.setdefault(rate, []).append(weight)
    return [{"params": weights, "lr": rate, "base": rate} for rate, weights in grouped.items()]


class Average:
    """A running mean of the weights: what is kept in the end."""

    def __init__(self, network: Network, decay: float) -> None:
        """Begin with the weights as they are."""
        self.decay = decay
        self.live = list(network.parameters())
        self.mean = [weight.detach().clone() for weight in self.live]
        self.steps = 0

    @torch.no_grad()
    def update(self) -> None:
        """Move towards the weights, faster at the beginning."""
        self.steps += 1
        decay = min(self.decay, (1 + self.steps) / (10 + self.steps))
        torch._foreach_lerp_(self.mean, [weight.detach() for weight in self.live], 1 - decay)

    @torch.no_grad()
    def swap(self) -> None:
        """Exchange the weights and their mean."""
        for live, mean in zip(self.live, self.mean, strict=True):
            held = live.detach().clone()
            live.copy_(mean)
            mean.copy_(held)
