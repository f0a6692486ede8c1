"""Training: one network, by itself or taught by others, within a number of steps or seconds.

python -m referee.training.loop settings.json OUT_FOLDER
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from referee.training.checkpoints import Checkpoint
from referee.training.data.examples import FICTION, LABELLED, Choice, Example, Vocabulary, crop, groups, lay
from referee.training.data.gap import gap_figures
from referee.training.data.material import Material, prepared_material
from referee.training.export.storing import load_encoder, load_network, save_network
from referee.training.measuring import Reply, answers, measure
from referee.training.networks.encoder import Encoder, Linear
from referee.training.networks.resolver import Network
from referee.training.networks.shapes import Sizes
from referee.training.objective import Weights, objective
from referee.training.optimizing import Average, rates
from referee.training.settings import Settings
from referee.training.teaching import Teachers

BRIDGE_RATE = 1e-3
Say = Callable[[Mapping[str, Any]], None]


class Trainer:
    """A run: its documents, its network and its teachers."""

    def __init__(
        self, settings: Settings, network: Network, vocabulary: Vocabulary, material: Material, out: Path,
        device: str, teachers: Sequence[Network] = (), say: Say | None = None,
    ) -> None:  # fmt: skip
        """Bring all of them together; the network's mean is kept in the folder `out`."""
        self.settings, self.out, self.device = settings, out, device
        self.network, self.vocabulary, self.material = network, vocabulary, material
        self.began = time.time()
        self.settled = 0.0
        self.listener = say or _print
        for module in network.encoder.modules():
            if isinstance(module, Linear):
                module.rounded = settings.rounded
        torch.manual_seed(settings.seed)
        self.random = random.Random(settings.seed)
        self.weights = Weights(**settings.weights)
        drawn = network.encoder.shape.width if settings.near else 0
        self.teachers = Teachers(teachers, vocabulary, device, drawn)
        for examples in material.all_train:
            self.teachers.read_all(examples)
        fused = device != "cpu"
        grouped = rates(network, settings)
        if bridges := list(self.teachers.bridges.parameters()):
            grouped.append({"params": bridges, "lr": BRIDGE_RATE, "base": BRIDGE_RATE})
        self.optimizer = torch.optim.AdamW(grouped, weight_decay=0.01, fused=fused)
        self.average = Average(network, settings.average)
        self.state = Checkpoint()
        self.stopping = False  # set it, and the run ends after its next step

    @property
    def resumable(self) -> bool:
        """Whether the run keeps checkpoints and the best network: one with patience does."""
        return self.settings.patience > 0

    @property
    def target(self) -> Path:
        """Where the network is kept."""
        return self.out / f"{self.settings.name}.safetensors"

    def say(self, **facts: Any) -> None:
        """Tell how it goes."""
        self.listener({"name": self.settings.name, "at": round(time.time() - self.began, 1), **facts})

    def batches(self) -> list[list[Example]]:
        """Shuffle the documents into batches, and put some short ones beside the documents of each."""
        train = self.material.train
        order = self.random.sample(range(len(train)), len(train))
        batches = list(groups([self.shown(example) for example in train], order, self.settings.words))
        for batch in batches:
            for examples, count in self.material.beside:
                chosen = self.random.sample(examples, min(count, len(examples)))
                batch += [self.shown(example) for example in chosen]
        return batches

    def shown(self, example: Example) -> Example:
        """Show a document, or sometimes only a part of it: at least a third, anywhere."""
        example = self.renamed(example)
        longest = self.settings.longest or example.length
        cropped = example.length >= 300 and self.random.random() < self.settings.crop
        if not cropped and example.length <= longest:
            return example
        length = min(int(example.length * self.random.uniform(0.34, 1.0)) if cropped else longest, longest)
        first = self.random.randint(0, example.length - length)
        return crop(example, first, first + length)

    def renamed(self, example: Example) -> Example:
        """Sometimes give people other names, and as often as not the other gender."""
        swaps = self.material.swaps
        if swaps is None or self.random.random() >= self.settings.swapped:
            return example
        return swaps.swap(example, self.random)

    def choice(self, example: Example) -> Choice:
        """Choose how to show a document."""
        labelled = example.corpus in LABELLED
        often = self.settings.crossed if labelled else self.settings.other_guideline
        guideline = int(example.corpus not in FICTION) if self.random.random() < often else None
        ruled = self.random.random() < self.settings.ruled
        return Choice(int(ruled), self.random.random() < self.settings.speakers, guideline)

    def progress(self, step: int, steps: int) -> float:
        """How much of the run is over, in steps or in time, whichever is more."""
        seconds = self.settings.seconds
        spent = (time.time() - self.began - self.settled) / (seconds - self.settled) if seconds else 0.0
        return min(max(step / steps, spent), 1.0)

    def run(self) -> None:
        """Train, measure now and then, and keep the mean of the weights."""
        self.settled = time.time() - self.began
        state, beside = self.state, [len(examples) for examples, _ in self.material.beside]
        self.say(event="ready", train=len(self.material.train), beside=beside, step=state.step)
        if state.done >= 1.0:
            return  # it was finished before
        state.steps = state.steps or self.settings.epochs * len(self.batches())
        while state.done < 1.0 and not self.stopping:
            self.epoch()
        if not (self.stopping or state.ended):
            self.report(last=True)
        if self.resumable:
            state.save(self)

    def epoch(self) -> None:
        """Go through all documents once, or through those that were left when the run was stopped."""
        state, measures = self.state, self.settings.measures
        for batch in state.left(self):
            state.losses.append(self.step(batch, state.done))
            state.step += 1
            state.index += 1
            state.done = self.progress(state.step, state.steps)
            if state.done < 1.0 and state.done * measures >= state.measured + 1:
                state.measured = int(state.done * measures)
                self.report()
            if state.done >= 1.0 or self.stopping:
                return
        state.index = 0

    def step(self, examples: list[Example], done: float) -> Tensor:
        """Learn from one batch."""
        warm = min(done / self.settings.warmup, 1.0) if self.settings.warmup else 1.0
        for group in self.optimizer.param_groups:
            group["lr"] = group["base"] * max(warm * (1 - done), 1e-3)
        choices = [self.choice(example) for example in examples]
        batch = lay(examples, choices, self.vocabulary, self.device)
        read = self.network.read(batch.inputs)
        scored = self.network.head(read, batch.inputs.words)
        taught = self.teachers.say(examples, choices, batch, scored)
        loss = objective(scored, batch, self.weights, taught)
        if self.teachers.bridges:
            loss = loss + self.settings.near * 10 * self.teachers.apart(read)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.average.update()
        return loss.detach()

    def report(self, *, last: bool = False) -> None:
        """Measure the mean of the weights on dev, and save it if it is to be kept."""
        state, losses = self.state, self.state.losses
        pace = (time.time() - self.began - self.settled) / max(state.step, 1)
        loss = float(torch.stack(losses).mean()) if losses else 0.0
        self.average.swap()
        measured = self.measured(thorough=last and not self.resumable)
        better = state.is_better(self.overall(measured))
        if better if self.resumable else last:
            save_network(self.network, self.vocabulary.kept, self.settings, self.target)
        facts = {"step": state.step, "pace": round(pace, 4), "loss": round(loss, 4), "best": better}
        self.say(event="last" if last else "dev", steps=state.steps, **facts, **measured)
        self.average.swap()
        state.losses = []
        if self.resumable and not last:
            state.ended = state.idle >= self.settings.patience
            state.done = 1.0 if state.ended else state.done
            state.save(self)

    def measured(self, *, thorough: bool = False) -> dict[str, Any]:
        """Measure without speakers; at the end also with them, with cut sentences and other decisions."""
        plain = Choice(speakers=False)
        views: dict[str, tuple[Choice, dict[str, Any]]] = {"": (plain, {})}
        if thorough:
            views |= {
                "+single": (plain, {"by_entity": False}),
                "+0.5": (plain, {"threshold": 0.5}),
                "-0.5": (plain, {"threshold": -0.5}),
                "+speakers": (Choice(), {}),
                "+cut": (Choice(1, speakers=False), {}),
            }
        facts: dict[str, Any] = {}
        for corpus, examples in self.material.dev.items():
            given: dict[Choice, list[Reply]] = {}
            for view, (choice, knobs) in views.items():
                if choice not in given:
                    given[choice] = answers(self.network, examples, self.vocabulary, self.device, choice)
                responses = [answer.clusters(**knobs) for answer in given[choice]]
                if examples and examples[0].gap:
                    facts[corpus] = [
                        round(value, 4)
                        for value in gap_figures([example.gap for example in examples], responses)
                    ]
                    break
                scores = measure([example.key for example in examples], responses)
                percent = [round(100 * value, 2) for value in scores]
                facts[corpus + view] = percent if not view else percent[0]
        return facts

    def overall(self, measured: Mapping[str, Any]) -> float:
        """Give one number for all dev corpora: their mean, in percent."""
        dev = self.material.dev
        scores = [
            measured[corpus][0] * (100 if examples and examples[0].gap else 1)
            for corpus, examples in dev.items()
        ]
        return float(sum(scores)) / max(len(scores), 1)


def _print(facts: Mapping[str, Any]) -> None:
    print(json.dumps(facts), flush=True)  # noqa: T201


def trainer_as_set(settings: Settings, folder: Path, device: str) -> Trainer:
    """Load what the settings of a run name."""
    encoder, kept = load_encoder(settings.encoder, settings.layers, settings.encoder_dropout)
    network = new_network(encoder, settings, device)
    if settings.start:
        network = load_network(Path(settings.start), device, settings.encoder_dropout).train()
    teachers = [load_network(Path(path), device) for path in settings.teachers]
    return Trainer(settings, network, Vocabulary(kept), prepared_material(settings), folder, device, teachers)


def new_network(encoder: Encoder, settings: Settings, device: str) -> Network:
    """Put a new head on an encoder."""
    torch.manual_seed(settings.head_seed)
    return Network(encoder, Sizes(**settings.sizes)).to(device)


def train_as_set(settings: Path, folder: Path) -> None:
    """Run one training from a file of settings."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.set_num_threads(1)
    torch.backends.cuda.matmul.allow_tf32 = True
    trainer_as_set(Settings(**json.loads(settings.read_text(encoding="utf-8"))), folder, device).run()


if __name__ == "__main__":
    train_as_set(*map(Path, sys.argv[1:]))
