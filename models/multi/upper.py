"""Training on one processor: the lower layers of the encoder stay as they are, and say all only once.

What the lower layers make of the training texts is kept in one file of half precision (1.7 GB), from which
the upper layers and the head learn, by the clock. Texts are cut into the same parts in every epoch,
and batches have rows of about one length, so that little is computed for padding.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import torch
from learning import WHOLE, parts_of_long, view_of
from torch import Tensor

from corpora import CORPORA
from referee.resolvers.neural.subwords import windows
from referee.training.data.examples import Batch, Example, View, Vocabulary, collate
from referee.training.loop import Average, Optimization, Schedule, layer_rates
from referee.training.losses import Weights, objective
from referee.training.networks.encoder import Linear
from referee.training.networks.resolver import Network
from referee.training.trainer import TABLES

STATES, CHECKPOINT = "states.f16", "checkpoint.safetensors"
LENGTHS = 64, 128, 256, 514  # of rows, which are put into batches with others of their class
REPORTED, SAVED = 50, 200  # steps between two lines of the log, and between two checkpoints
MEMORY = ("exp_avg", "exp_avg_sq", "step")  # what AdamW keeps of each weight


@dataclass(frozen=True)
class Plan:
    """How the upper layers learn."""

    minutes: float
    layers: int = 7
    frozen: int = 3  # of the layers
    seed: int = 1
    words: int = 600  # of a batch
    rate: float = 3e-4
    head_rate: float = 1e-3
    table_rate: float = 5e-3
    decay: float = 0.9
    warmup: float = 0.05
    average: float = 0.99
    rounded_from: float = 0.8  # the share of the run after which products are rounded as the export will
    half: bool = True  # products of the encoder in bfloat16
    steps: int = 0  # at most; 0 for any number


class Part(NamedTuple):
    """A part of a text; where what the lower layers say of it is stored, and its rows."""

    example: Example
    begin: int
    rows: tuple[int, int]


class LowerStates:
    """What the lower layers say of each part: computed when it is first needed, and remembered in a file."""

    def __init__(
        self, network: Network, plan: Plan, examples: Sequence[Example], vocabulary: Vocabulary, path: Path
    ) -> None:
        """Cut all texts into parts; the file goes on where an earlier run left it."""
        self.network, self.plan, self.vocabulary = network, plan, vocabulary
        random, begin = Random(0), 0
        self.parts = list[Part]()
        for example in examples:
            cut = [example] if example.length <= WHOLE else parts_of_long(example, random)
            for part in cut:
                rows = windows(part.subwords, vocabulary.special_tokens).rows
                self.parts.append(Part(part, begin, rows.shape))
                begin += rows.size
        width = network.encoder.shape.width
        mode: Any = "r+" if path.exists() else "w+"
        self.states = np.memmap(path, np.float16, mode, shape=(begin, width))
        self.known = np.memmap(path.with_suffix(".known"), np.bool_, mode, shape=(begin,))

    def of(self, part: Part) -> Tensor:
        """Give rows × columns × width."""
        place = slice(part.begin, part.begin + part.rows[0] * part.rows[1])
        if not self.known[place.start]:
            inputs = collate([part.example], [View()], self.vocabulary, "cpu").inputs
            self.network.eval()
            with torch.no_grad(), torch.autocast("cpu", torch.bfloat16, enabled=self.plan.half):
                states = self.network.encoder.below(inputs.rows, inputs.kinds, inputs.used, self.plan.frozen)
            self.network.train()
            self.states[place] = states.reshape(-1, states.shape[-1]).half().numpy()
            self.known[place] = True
        return torch.from_numpy(self.states[place].astype(np.float32)).view(*part.rows, -1)


def epoch(parts: Sequence[Part], words: int, shares: dict[str, float], random: Random) -> list[list[Part]]:
    """Shuffle parts into batches of rows of one class of lengths, each corpus as often as it should be."""
    batches = []
    for least, most in zip((0, *LENGTHS), LENGTHS, strict=False):
        chosen = []
        for part in parts:
            if least < part.rows[1] <= most:
                often = shares[CORPORA[part.example.guideline].guidelines]
                chosen += [part] * (int(often) + (random.random() < often % 1))
        random.shuffle(chosen)
        batch: list[Part] = []
        for part in chosen:
            if batch and sum(each.example.length for each in batch) + part.example.length > words:
                batches.append(batch)
                batch = []
            batch.append(part)
        batches += [batch] if batch else []
    random.shuffle(batches)
    return batches


class UpperLearner:
    """The upper layers and the head, and how far they are."""

    def __init__(self, lower: LowerStates, out: Path) -> None:
        """Freeze the rest."""
        self.lower, self.out = lower, out
        self.network, self.plan = network, plan = lower.network, lower.plan
        self.spent, self.step = 0.0, 0
        encoder = network.encoder
        frozen = [
            encoder.pieces,
            encoder.positions,
            encoder.kinds,
            encoder.norm,
            *encoder.layers[: plan.frozen],
        ]
        for module in frozen:
            module.requires_grad_(requires_grad=False)
        for layer in encoder.layers:
            layer.rate = 0.0  # dropout of attention is half of all time on a processor
        groups = layer_rates(network, plan.rate, plan.decay, self.other_rate)
        for group in groups:
            group["params"] = [weight for weight in group["params"] if weight.requires_grad]
        self.learnt = {name: weight for name, weight in network.named_parameters() if weight.requires_grad}
        self.optimization = Optimization(
            [group for group in groups if group["params"]],
            Average(self.learnt.values(), plan.average),
            Schedule(plan.warmup, least=1e-3),
            fused=True,
        )

    def other_rate(self, name: str) -> float:
        """Give the rate of a weight outside the encoder."""
        return self.plan.table_rate if name.split(".")[1] in TABLES else self.plan.head_rate

    def loss(self, given: tuple[Batch, Tensor]) -> Tensor:
        """Compare what the network says with what is known."""
        batch, lower = given
        inputs, encoder = batch.inputs, self.network.encoder
        with torch.autocast("cpu", torch.bfloat16, enabled=self.plan.half):
            states = encoder.above(lower, inputs.used, self.plan.frozen)
        words = states.reshape(-1, encoder.shape.width)[inputs.ends].float().mean(1)
        return objective(self.network.head(words, inputs.words), batch, Weights())

    def batch_of(self, parts: Sequence[Part], random: Random) -> tuple[Batch, Tensor]:
        """Put parts together, and what the lower layers say of them."""
        examples = [part.example for part in parts]
        views = [view_of(each, random) for each in examples]
        batch = collate(examples, views, self.lower.vocabulary, "cpu")
        lower = torch.zeros(*batch.inputs.rows.shape, self.network.encoder.shape.width)
        row = 0
        for part in parts:
            rows, columns = part.rows
            lower[row : row + rows, :columns] = self.lower.of(part)
            row += rows
        return batch, lower

    def run(self, shares: dict[str, float], report: Callable[..., None]) -> None:
        """Learn until the time is over; the average of the weights is what remains."""
        plan = self.plan
        self.go_on()
        random, losses, words = Random(f"{plan.seed} {self.step}"), list[float](), 0
        self.network.train()
        began = time.time() - self.spent
        for chosen in self.batches(shares, random):
            self.spent = time.time() - began
            done = self.spent / (60 * plan.minutes)
            done = max(done, self.step / plan.steps) if plan.steps else done
            if done >= 1:
                break
            self.round_if(done >= plan.rounded_from)
            batch, lower = self.batch_of(chosen, random)
            losses.append(float(self.optimization.step(self.loss, (batch, lower), done)))
            words, self.step = words + len(batch.roles), self.step + 1
            if self.step % REPORTED == 0 or self.step == 5:
                mean, losses = sum(losses) / len(losses), []
                report(step=self.step, done=round(done, 3), loss=round(mean, 3), words=words)
                if not math.isfinite(mean):
                    raise SystemExit("the loss is no number")
            if self.step % SAVED == 0:
                self.save()
        self.save()
        self.optimization.average.swap()
        self.network.eval()

    def batches(self, shares: dict[str, float], random: Random) -> Iterator[list[Part]]:
        """Give batches epoch after epoch."""
        while True:
            yield from epoch(self.lower.parts, self.plan.words, shares, random)

    def round_if(self, rounded: bool) -> None:
        """Round the products of the layers that learn, or do not."""
        for module in self.network.encoder.layers[self.plan.frozen :].modules():
            if isinstance(module, Linear):
                module.rounded = rounded

    def save(self) -> None:
        """Write all that moves; the checkpoint before is replaced when this one is whole."""
        from safetensors.torch import save_file

        tensors = {}
        for (name, weight), mean in zip(self.learnt.items(), self.optimization.average.mean, strict=True):
            memory = self.optimization.optimizer.state.get(weight, {})
            tensors |= {f"weight {name}": weight.detach(), f"mean {name}": mean}
            tensors |= {f"{part} {name}": memory[part] for part in MEMORY if part in memory}
        facts = {"spent": self.spent, "step": self.step, "average": self.optimization.average.steps}
        unfinished = self.out / f"{CHECKPOINT}.unfinished"
        save_file(tensors, unfinished, {"run": json.dumps(facts)})
        os.replace(unfinished, self.out / CHECKPOINT)  # noqa: PTH105 two plain names

    @torch.no_grad()
    def go_on(self) -> None:
        """Go on where a run was broken off."""
        from safetensors import safe_open

        if not (self.out / CHECKPOINT).exists():
            return
        with safe_open(self.out / CHECKPOINT, "pt") as file:
            facts = json.loads(file.metadata()["run"])
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        self.spent, self.step = facts["spent"], facts["step"]
        self.optimization.average.steps = facts["average"]
        for (name, weight), mean in zip(self.learnt.items(), self.optimization.average.mean, strict=True):
            weight.copy_(tensors[f"weight {name}"])
            mean.copy_(tensors[f"mean {name}"])
            memory = {part: tensors[f"{part} {name}"] for part in MEMORY if f"{part} {name}" in tensors}
            if memory:
                self.optimization.optimizer.state[weight] = memory
