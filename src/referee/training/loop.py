"""The training loop: batches and a loss in, trained weights out.

All five trainings go through it: the resolver within documents and its scorer of entities, and the heads, the
mention scorer and the reader across documents. Each of them is a network, a source of batches and a loss. The
optimizer is AdamW; learning rates rise linearly at first and then fall linearly to the end; gradients are
clipped; an average of the weights over the last steps is what remains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import torch
from torch import Tensor

from referee.training.constants import LARGEST_GRADIENT, WARMUP, WEIGHT_DECAY, YOUNG

Report = Callable[[str], None]
ParameterGroups = list[dict[str, Any]]
Batch = TypeVar("Batch")


@dataclass(frozen=True, slots=True)
class Schedule:
    """The learning rate over a run, as a factor of each weight's rate.

    >>> [Schedule(warmup=0.5, first=0.1).factor(done) for done in (0.0, 0.5, 0.75)]
    [0.1, 0.5, 0.25]
    """

    warmup: float = WARMUP  # the share of the run in which it rises
    first: float = 0.0  # where it begins to rise
    least: float = 0.0  # it never falls below this

    def factor(self, done: float) -> float:
        """Give the factor after a share of the run."""
        risen = min(done / self.warmup + self.first, 1.0) if self.warmup else 1.0
        return max(risen * (1 - done), self.least)


class Average:
    """A running average of weights (exponential, faster at the beginning): what remains in the end."""

    def __init__(self, weights: Iterable[Tensor], decay: float, steps: int = 0) -> None:
        """Begin with the weights as they are; `steps` is how many updates count as done."""
        self.decay, self.steps = decay, steps
        self.live = list(weights)
        self.mean = [weight.detach().clone() for weight in self.live]

    @torch.no_grad()
    def update(self) -> None:
        """Move towards the weights."""
        self.steps += 1
        decay = min(self.decay, (1 + self.steps) / (YOUNG + self.steps))
        torch._foreach_lerp_(self.mean, [weight.detach() for weight in self.live], 1 - decay)

    @torch.no_grad()
    def swap(self) -> None:
        """Exchange the weights and their average."""
        for live, mean in zip(self.live, self.mean, strict=True):
            held = live.detach().clone()
            live.copy_(mean)
            mean.copy_(held)


class Optimization:
    """Weights that learn, how fast each does, and their average."""

    def __init__(
        self, groups: ParameterGroups, average: Average, schedule: Schedule, *, fused: bool = False
    ) -> None:
        """Take groups of weights with their rates; gradients of the averaged weights are clipped."""
        self.optimizer = torch.optim.AdamW(groups, weight_decay=WEIGHT_DECAY, fused=fused)
        self.average, self.schedule = average, schedule

    def step(self, loss: Callable[[Batch], Tensor], batch: Batch, done: float) -> Tensor:
        """Learn from a batch after a share of the run, and give its loss."""
        factor = self.schedule.factor(done)
        for group in self.optimizer.param_groups:
            group["lr"] = group["base"] * factor
        value = loss(batch)
        self.optimizer.zero_grad()
        value.backward()
        torch.nn.utils.clip_grad_norm_(self.average.live, LARGEST_GRADIENT)
        self.optimizer.step()
        self.average.update()
        return value.detach()


def take_steps(
    optimization: Optimization,
    batches: Iterable[Batch],
    loss: Callable[[Batch], Tensor],
    steps: int,
    *,
    begin: int = 0,
    done: Callable[[int], float] | None = None,
    after_step: Callable[[int, Tensor], bool],
) -> None:
    """Go through batches from step `begin` on, until `after_step` says that the run is over.

    `done` gives the share of the run that is over after a number of steps, where it is another than theirs.
    """
    for step, batch in zip(range(begin, steps), batches, strict=False):
        share = min(done(step), 1.0) if done else step / steps
        if after_step(step + 1, optimization.step(loss, batch, share)):
            return


def reporting(report: Report | None, every: int, steps: int, name: str = "") -> Callable[[int, Tensor], bool]:
    """Report the loss now and then; no step ends the run."""

    def after_step(step: int, loss: Tensor) -> bool:
        if report and not step % every:
            report(f"{name}step {step} of {steps}  loss {float(loss):.4f}")
        return False

    return after_step


class Layered(Protocol):
    """A network that knows how many layers of its encoder lie above each weight."""

    def named_parameters(self) -> Iterable[tuple[str, Tensor]]:
        """List the weights."""

    def layers_above(self, name: str) -> int | None:
        """Count the layers above a weight of the encoder; None for weights that are not its."""


def layer_rates(
    network: Layered, rate: float, decay: float, other_rate: Callable[[str], float]
) -> ParameterGroups:
    """Group weights by learning rate: that of the uppermost layer, which falls from layer to layer below.

    Weights outside the encoder have the rate that `other_rate` gives for their name.
    """
    grouped: dict[float, list[Tensor]] = {}
    for name, weight in network.named_parameters():
        above = network.layers_above(name)
        grouped.setdefault(other_rate(name) if above is None else rate * decay**above, []).append(weight)
    return [parameter_group(weights, rate) for rate, weights in grouped.items()]


def parameter_group(weights: Sequence[Tensor], rate: float) -> dict[str, Any]:
    """Let weights learn at one rate."""
    return {"params": list(weights), "lr": rate, "base": rate}


@contextmanager
def one_thread() -> Iterator[None]:
    """Compute on one core, so that the result is the same on every number of them."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
