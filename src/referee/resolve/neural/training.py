"""Training: one network, by itself or taught by others, within a number of seconds.

python -m referee.resolve.neural.training settings.json OUT_FOLDER
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from referee.arrays import IntArray
from referee.resolve.neural.encoder import KINDS, Encoder, Linear
from referee.resolve.neural.examples import Choice, Example, Lesson, crop, groups, lay, load_examples
from referee.resolve.neural.measuring import Reply, answers, measure, measure_gap
from referee.resolve.neural.network import Network, Scored
from referee.resolve.neural.objective import Taught, Weights, objective, teach
from referee.resolve.neural.shapes import Shape, Sizes
from referee.resolve.neural.swapping import Swaps

TABLES = ("rough", "pairs", "seen", "length", "product")


@dataclass(slots=True)
class Settings:
    """One training run."""

    name: str = "base"
    data: str = "lab/data.npz"
    encoder: list[str] = field(default_factory=lambda: ["lab/e5.npz"])
    layers: int = 7
    seed: int = 1
    head_seed: int = 1  # runs that are to be averaged begin with the same head
    epochs: int = 20
    seconds: float = 480.0
    rate: float = 1e-4
    head_rate: float = 5e-4
    table_rate: float = (
        5e-3  # of what the head knows by looking: one number moves by a rate's worth at a step
    )
    decay: float = 0.8  # of the rate, from layer to layer downwards
    warmup: float = 0.06
    words: int = 1500
    average: float = 0.99  # the mean reaches back 1 / (1 - average) steps, which must be few of all
    encoder_dropout: float = 0.1
    gap: int = 4  # paragraphs of GAP beside the documents of each batch
    unlabelled: list[str] = field(default_factory=list)
    speakers: float = 0.5
    ruled: float = 0.25
    other_guideline: float = 0.0  # how often unlabelled documents are shown under LitBank's guidelines
    crossed: float = 0.0  # how often labelled ones are shown under the other guidelines, without their labels
    sizes: dict[str, Any] = field(default_factory=dict)
    weights: dict[str, Any] = field(default_factory=dict)
    teachers: list[str] = field(default_factory=list)
    measures: int = 3
    crop: float = 0.0  # how often only a part of a document is shown
    swaps: str = ""  # the file of words and names that are exchanged
    swapped: float = 0.0  # how often
    start: str = ""  # the network to begin with, instead of an encoder and a new head
    rounded: bool = False  # learn with the encoder in eight bits, as it will run
    limit: int = 0  # documents of each corpus: for a rehearsal


def load_encoder(paths: list[str], layers: int, dropout: float) -> tuple[Encoder, IntArray]:
    """Read an encoder's arrays, and which pieces it knows."""
    stored: dict[str, Any] = {}
    for path in paths:
        with np.load(path) as file:
            stored |= {name: file[name] for name in file.files}
    full, width, heads, positions, buckets = stored.pop("shape").tolist()
    kept = stored.pop("kept").astype(np.int64)
    epsilon = 1e-5 if buckets else 1e-12
    layers = min(layers, full)
    encoder = Encoder(Shape(layers, width, heads, kept.size, positions, buckets, epsilon), dropout)
    state = {}
    for name in encoder.state_dict():
        if name == "kinds.weight":  # new: no encoder was trained with it
            state[name] = torch.zeros(KINDS, width)
        elif name in stored:
            state[name] = torch.from_numpy(stored[name].astype(np.float32))
        else:
            scale = stored[name + ".s"].astype(np.float32)
            state[name] = torch.from_numpy(stored[name + ".q"].astype(np.float32) * scale)
    encoder.load_state_dict(state)
    return encoder, kept


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


class Teacher:
    """A network that reads each document once, whole, and remembers the vectors of its words."""

    def __init__(self, network: Network) -> None:
        """Begin with nothing read."""
        self.network = network
        self.vectors: dict[tuple[str, int | None], Tensor] = {}

    @torch.no_grad()
    def read_all(
        self, examples: Sequence[Example], guideline: int | None, kept: IntArray, device: str
    ) -> None:
        """Read documents, many at a time."""
        ordered = sorted(range(len(examples)), key=lambda index: examples[index].length)
        choice = Choice(guideline=guideline)
        for batch in groups(examples, ordered, 6000):
            laid = lay(batch, [choice] * len(batch), kept, device)
            vectors = self.network.read(laid.inputs).half()
            for example, offset in zip(batch, laid.offsets, strict=True):
                self.vectors[example.id, guideline] = vectors[offset : offset + example.length]

    def states(self, example: Example, choice: Choice, kept: IntArray, device: str) -> Tensor:
        """Give the vectors of a document, or of the part of it that is shown."""
        whole = example.whole or example
        if whole.renamed:
            read = self.network.read(lay([whole], [choice], kept, device).inputs)
        else:
            if (whole.id, choice.guideline) not in self.vectors:
                self.read_all([whole], choice.guideline, kept, device)
            read = self.vectors[whole.id, choice.guideline]
        return read[example.begin :][: example.length].float()


class Trainer:
    """A run: its documents, its network and its teachers."""

    def __init__(self, settings: Settings, out: Path, device: str) -> None:
        """Load everything."""
        self.settings, self.out, self.device = settings, out, device
        self.began = time.time()
        random.seed(settings.seed)
        np.random.seed(settings.seed)
        encoder, self.kept = load_encoder(settings.encoder, settings.layers, settings.encoder_dropout)
        torch.manual_seed(settings.head_seed)
        self.network = Network(encoder, Sizes(**settings.sizes)).to(device)
        if settings.start:
            self.network = load_network(Path(settings.start), device, settings.encoder_dropout).train()
        for module in self.network.encoder.modules():
            if isinstance(module, Linear):
                module.rounded = settings.rounded
        torch.manual_seed(settings.seed)
        self.weights = Weights(**settings.weights)
        examples = load_examples(Path(settings.data))
        self.train = self._chosen(examples, {("gum", "train"), ("lit", "train")})
        self.beside = [(self._chosen(examples, {("gap", "development")}), settings.gap)]
        self.beside += [(self._chosen(examples, {(name, "train")}), 1) for name in settings.unlabelled]
        self.swaps = Swaps.load(Path(settings.swaps)) if settings.swaps else None
        self.dev = {
            "gum": self._chosen(examples, {("gum", "dev")}),
            "lit": self._chosen(examples, {("lit", "dev")}),
            "gap": self._chosen(examples, {("gap", "validation")}),
        }
        self.teachers = [Teacher(load_network(Path(path), device)) for path in settings.teachers]
        for teacher in self.teachers:
            for examples in (self.train, *(examples for examples, _ in self.beside)):
                teacher.read_all(examples, None, self.kept, device)
        fused = device != "cpu"
        self.optimizer = torch.optim.AdamW(rates(self.network, settings), weight_decay=0.01, fused=fused)
        self.average = Average(self.network, settings.average)
        self.random = random.Random(settings.seed)

    def _chosen(self, examples: list[Example], wanted: set[tuple[str, str]]) -> list[Example]:
        chosen = [example for example in examples if (example.corpus, example.part) in wanted]
        limit = self.settings.limit
        return chosen[:: max(len(chosen) // limit, 1)][:limit] if limit else chosen

    def say(self, **facts: Any) -> None:
        """Write a line of the log."""
        line = {"name": self.settings.name, "at": round(time.time() - self.began, 1), **facts}
        print(json.dumps(line), flush=True)  # noqa: T201

    def batches(self) -> list[list[Example]]:
        """Shuffle the documents into batches, and put some short ones beside the documents of each."""
        order = self.random.sample(range(len(self.train)), len(self.train))
        batches = list(groups([self.shown(example) for example in self.train], order, self.settings.words))
        for batch in batches:
            for examples, count in self.beside:
                chosen = self.random.sample(examples, min(count, len(examples)))
                batch += [self.renamed(example) for example in chosen]
        return batches

    def shown(self, example: Example) -> Example:
        """Show a document, or sometimes only a part of it: at least a third, anywhere."""
        example = self.renamed(example)
        if example.length < 300 or self.random.random() >= self.settings.crop:
            return example
        length = int(example.length * self.random.uniform(0.34, 1.0))
        first = self.random.randint(0, example.length - length)
        return crop(example, first, first + length)

    def renamed(self, example: Example) -> Example:
        """Sometimes give people other names, and as often as not the other gender."""
        if self.swaps is None or self.random.random() >= self.settings.swapped:
            return example
        return self.swaps.swap(example, self.random)

    def choice(self, example: Example) -> Choice:
        """Choose how to show a document."""
        labelled = example.corpus in ("gum", "lit")
        often = self.settings.crossed if labelled else self.settings.other_guideline
        guideline = int(example.corpus != "lit") if self.random.random() < often else None
        ruled = self.random.random() < self.settings.ruled
        return Choice(int(ruled), self.random.random() < self.settings.speakers, guideline)

    def progress(self, step: int, steps: int) -> float:
        """How much of the run is over, in steps or in time, whichever is more."""
        spent = (time.time() - self.began - self.settled) / (self.settings.seconds - self.settled)
        return min(max(step / steps, spent), 1.0)

    def run(self) -> None:
        """Train, measure now and then, and keep the mean of the weights."""
        self.settled = time.time() - self.began
        self.say(event="ready", train=len(self.train), beside=[len(examples) for examples, _ in self.beside])
        steps = self.settings.epochs * len(self.batches())
        step, done, marks = 0, 0.0, [(k + 1) / self.settings.measures for k in range(self.settings.measures)]
        losses: list[Tensor] = []
        while done < 1.0:
            for batch in self.batches():
                losses.append(self.step(batch, done))
                step += 1
                done = self.progress(step, steps)
                if done >= 1.0:
                    break
                if done >= marks[0] and len(marks) > 1:
                    marks.pop(0)
                    self.report(step, losses)
                    losses = []
        self.report(step, losses, last=True)

    def step(self, examples: list[Example], done: float) -> Tensor:
        """Learn from one batch."""
        warm = min(done / self.settings.warmup, 1.0) if self.settings.warmup else 1.0
        for group in self.optimizer.param_groups:
            group["lr"] = group["base"] * max(warm * (1 - done), 1e-3)
        choices = [self.choice(example) for example in examples]
        batch = lay(examples, choices, self.kept, self.device)
        scored = self.network(batch.inputs)
        taught = self.taught(examples, choices, batch, scored) if self.teachers else None
        loss = objective(scored, batch, self.weights, taught)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.average.update()
        return loss.detach()

    @torch.no_grad()
    def taught(self, examples: list[Example], choices: list[Choice], batch: Lesson, scored: Scored) -> Taught:
        """Ask the teachers about the spans and antecedents that the network itself has kept."""
        given = (scored.index, scored.candidates)
        said = []
        for teacher in self.teachers:
            states = [
                teacher.states(example, choice, self.kept, self.device)
                for example, choice in zip(examples, choices, strict=True)
            ]
            said.append(teacher.network.head(torch.cat(states), batch.inputs.words, given))
        return teach(said)

    def report(self, step: int, losses: list[Tensor], *, last: bool = False) -> None:
        """Measure the mean of the weights on dev, and save it at the end."""
        self.average.swap()
        if last:
            save_network(
                self.network, self.kept, self.settings, self.out / f"{self.settings.name}.safetensors"
            )
        pace = (time.time() - self.began - self.settled) / max(step, 1)
        facts = {"step": step, "pace": round(pace, 4), "loss": round(float(torch.stack(losses).mean()), 4)}
        self.say(event="last" if last else "dev", **facts, **self.measured(thorough=last))
        self.average.swap()
        if last:
            self.say(event="live", **{f"live-{name}": value for name, value in self.measured().items()})

    def measured(self, *, thorough: bool = False) -> dict[str, Any]:
        """Measure without speakers; at the end also with them, with cut sentences and other decisions."""
        plain = Choice(speakers=False)
        views: dict[str, tuple[Choice, dict[str, Any]]] = {"": (plain, {})}
        if thorough:
            views |= {
                "+single": (plain, {"by_entity": False}),
                "+0.5": (plain, {"least": 0.5}),
                "-0.5": (plain, {"least": -0.5}),
                "+speakers": (Choice(), {}),
                "+cut": (Choice(1, speakers=False), {}),
            }
        facts: dict[str, Any] = {}
        for corpus in ("gum", "lit"):
            examples = self.dev[corpus]
            given: dict[Choice, list[Reply]] = {}
            for view, (choice, knobs) in views.items():
                if choice not in given:
                    given[choice] = answers(self.network, examples, self.kept, self.device, choice)
                responses = [answer.clusters(**knobs) for answer in given[choice]]
                scores = measure([example.key for example in examples], responses)
                percent = [round(100 * value, 2) for value in scores]
                facts[corpus + view] = percent if not view else percent[0]
        examples = self.dev["gap"]
        said = answers(self.network, examples, self.kept, self.device, plain)
        gap = measure_gap(examples, [answer.clusters() for answer in said])
        return facts | {"gap": [round(value, 4) for value in gap]}


def save_network(network: Network, kept: IntArray, settings: Settings, path: Path) -> None:
    """Write all weights in half precision, with what is needed to build the network again."""
    from safetensors.torch import save_file

    state = {name: weight.detach().half().cpu().contiguous() for name, weight in network.state_dict().items()}
    state["kept"] = torch.from_numpy(kept.astype(np.int32))
    shape = asdict(network.encoder.shape)
    about = {"shape": json.dumps(shape), "sizes": json.dumps(network.head.sizes.as_dict())}
    save_file(state, path, {**about, "settings": json.dumps(asdict(settings))})


def load_network(path: Path, device: str, dropout: float = 0.0) -> Network:
    """Read a network back, ready to answer."""
    from safetensors import safe_open

    with safe_open(path, "pt") as file:
        about = file.metadata()
        state = {name: file.get_tensor(name).float() for name in file.keys() if name != "kept"}  # noqa: SIM118
    network = Network(
        Encoder(Shape(**json.loads(about["shape"])), dropout), Sizes(**json.loads(about["sizes"]))
    )
    network.load_state_dict(state)
    return network.to(device).eval()


def train_as_set(settings: Path, folder: Path) -> None:
    """Run one training from a file of settings."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.set_num_threads(1)
    torch.backends.cuda.matmul.allow_tf32 = True
    Trainer(Settings(**json.loads(settings.read_text(encoding="utf-8"))), folder, device).run()


if __name__ == "__main__":
    train_as_set(*map(Path, sys.argv[1:]))
