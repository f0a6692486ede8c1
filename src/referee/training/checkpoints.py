"""Checkpoints: all that a run needs to resume with results that are identical to the bit.

They hold the weights and their mean, the optimizer's state, and the states of all random numbers, as
safetensors with JSON in the header: nothing in them can be executed.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from referee.encoding import encoded
from referee.exceptions import FormatError, ProtocolError
from referee.training.data.examples import Example

if TYPE_CHECKING:
    from referee.training.trainer import Trainer

CHECKPOINT = "checkpoint.safetensors"
FACTS = ("step", "steps", "index", "done", "measured", "idle", "best", "ended")
MEMORY = ("exp_avg", "exp_avg_sq", "step")  # what AdamW keeps of each weight


@dataclass(slots=True)
class Checkpoint:
    """How far a run is."""

    step: int = 0
    steps: int = 0  # of the whole run; 0 before it began
    index: int = 0  # batches of this epoch that are over
    done: float = 0.0
    measured: int = 0
    idle: int = 0  # measures since the best one
    best: float = -1.0
    ended: bool = False  # earlier than planned, because nothing got better
    losses: list[Tensor] = field(default_factory=list)  # since the last measure
    shuffle: Any = None  # the state of random numbers before this epoch's batches were made

    def left(self, trainer: Trainer) -> list[list[Example]]:
        """Make the batches of an epoch, or again those of one that was broken off: the ones that are left."""
        now = trainer.random.getstate()
        if not self.index:
            self.shuffle = now
            return trainer.batches()
        trainer.random.setstate(self.shuffle)
        batches = trainer.batches()
        trainer.random.setstate(now)
        return batches[self.index :]

    def is_better(self, score: float) -> bool:
        """Remember a score; return whether it is the best so far."""
        better = score > self.best
        self.best, self.idle = (score, 0) if better else (self.best, self.idle + 1)
        return better

    def save(self, trainer: Trainer) -> None:
        """Write a checkpoint; the one before is replaced when this one is whole."""
        from safetensors.torch import save_file

        tensors = _tensors(trainer) | {"losses": _stacked(self.losses)}
        facts = {name: getattr(self, name) for name in FACTS}
        facts |= {
            "random": trainer.random.getstate(),
            "shuffle": self.shuffle,
            "average": trainer.optimization.average.steps,
        }
        about = {"run": json.dumps(facts), "settings": json.dumps(_identity(trainer))}
        path = trainer.out / CHECKPOINT
        unfinished = path.with_suffix(".unfinished")
        save_file(
            {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}, unfinished, about
        )
        os.replace(unfinished, path)  # noqa: PTH105 two plain names


def go_on(trainer: Trainer) -> None:
    """Put a trainer where its checkpoint is; refuse one of other settings or documents."""
    path = trainer.out / CHECKPOINT
    tensors, about = _read(path)
    theirs, ours = json.loads(about["settings"]), json.loads(json.dumps(_identity(trainer)))
    other = sorted(name for name in ours if ours[name] != theirs.get(name))
    if other:
        raise ProtocolError(
            f"{path}: this run was started with other {', '.join(other)}; resume it with the same, "
            "or train anew into another folder"
        )
    facts = json.loads(about["run"])
    for name in FACTS:
        setattr(trainer.state, name, facts[name])
    trainer.state.shuffle = _random_state(facts["shuffle"])
    trainer.state.losses = list(tensors.pop("losses").to(trainer.device))
    trainer.random.setstate(_random_state(facts["random"]))
    trainer.optimization.average.steps = facts["average"]
    _put_back(trainer, tensors)


def _read(path: Path) -> tuple[dict[str, Tensor], Mapping[str, str]]:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "pt") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            return tensors, file.metadata()
    except FileNotFoundError as error:
        raise FormatError(f"{path}: there is no run to resume; train without resume=True") from error
    except SafetensorError as error:
        raise FormatError(f"{path}: the checkpoint cannot be read: {error}; train anew") from error


def _identity(trainer: Trainer) -> dict[str, Any]:
    """Give what must be the same in a run that goes on: its settings and its documents."""
    digest = sha256()
    for examples in (*trainer.material.all_train, *trainer.material.dev.values()):
        for example in examples:
            digest.update(encoded(f"{example.id} {example.length}\n"))
            digest.update(example.subwords.tobytes() + example.mentions.tobytes())
    return asdict(trainer.settings) | {"documents": digest.hexdigest()}


def _tensors(trainer: Trainer) -> dict[str, Tensor]:
    """Name all that moves: weights, their mean, the optimizer's state, and torch's random numbers."""
    tensors = {"random.cpu": torch.get_rng_state()}
    if trainer.device != "cpu":
        tensors["random.cuda"] = torch.cuda.get_rng_state()
    for name, mean in _means(trainer):
        tensors[f"mean.{name}"] = mean
    for name, weight in _learnt(trainer):
        tensors[f"weight.{name}"] = weight
        memory = trainer.optimization.optimizer.state.get(weight, {})
        tensors |= {f"{part}.{name}": memory[part] for part in MEMORY if part in memory}
    return tensors


def _means(trainer: Trainer) -> list[tuple[str, Tensor]]:
    names = (name for name, _ in trainer.network.named_parameters())
    return list(zip(names, trainer.optimization.average.mean, strict=True))


def _learnt(trainer: Trainer) -> list[tuple[str, Tensor]]:
    """Name all weights that the optimizer moves."""
    bridges = trainer.teachers.bridges.named_parameters(prefix="bridges")
    return [*trainer.network.named_parameters(), *bridges]


@torch.no_grad()
def _put_back(trainer: Trainer, tensors: Mapping[str, Tensor]) -> None:
    for name, mean in _means(trainer):
        mean.copy_(tensors[f"mean.{name}"])
    for name, weight in _learnt(trainer):
        weight.copy_(tensors[f"weight.{name}"])
        memory = {part: tensors[f"{part}.{name}"] for part in MEMORY if f"{part}.{name}" in tensors}
        if memory:
            fused = trainer.device != "cpu"  # which keeps its count of steps beside the weights
            places = {part: trainer.device if part != "step" or fused else "cpu" for part in memory}
            moved = {part: memory[part].clone().to(places[part]) for part in memory}
            trainer.optimization.optimizer.state[weight] = moved
    torch.set_rng_state(tensors["random.cpu"])
    if trainer.device != "cpu":
        torch.cuda.set_rng_state(tensors["random.cuda"])


def _stacked(losses: list[Tensor]) -> Tensor:
    return torch.stack(losses) if losses else torch.zeros(0)


def _random_state(stored: Any) -> Any:
    """Make a state of Python's random numbers from what JSON has of it."""
    if stored is None:
        return random.Random(0).getstate()
    version, numbers, gauss = stored
    return version, tuple(numbers), gauss
