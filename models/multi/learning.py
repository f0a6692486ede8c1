"""Training by the clock: batches that other processes make, on a GPU that several networks share.

Learning rates follow the share of the time that is over. So a run ends when it should, however fast the
machine is, and another run gives other weights of about the same worth.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.utils.data import DataLoader, IterableDataset

from corpora import CORPORA
from referee.resolvers.neural.features import WordFeatures
from referee.training import constants
from referee.training.data.examples import Batch, Example, View, Vocabulary, collate, crop
from referee.training.loop import Average, Optimization, Schedule, layer_rates
from referee.training.losses import Taught, Weights, objective, teach
from referee.training.networks.encoder import Linear
from referee.training.networks.resolver import Inputs, Network
from referee.training.trainer import TABLES, answers, measure

REPORTED = 100  # steps between two lines of the log
WHOLE = 1800  # words of a document that is shown whole; a longer one is cut into parts
PARTS = 500, 2300  # the words of these parts
LONGEST_DEV = 4000  # words of a dev document that are measured here
WORDS_READ = 20_000  # that a teacher reads at a time


@dataclass(frozen=True)
class Plan:
    """How one network learns."""

    minutes: float
    layers: int
    seed: int = 1
    words: int = 3000  # of a batch
    rate: float = 1.6e-4
    head_rate: float = 6e-4
    table_rate: float = 4e-3
    decay: float = 0.87
    warmup: float = 0.05
    average: float = 0.995
    rounded: bool = False
    workers: int = 2
    steps: int = 0  # at most; 0 for any number
    weights: dict[str, float] = field(default_factory=dict)


class Part(NamedTuple):
    """What is shown of a document."""

    id: str
    begin: int
    length: int


class Batches(IterableDataset[tuple[Batch, list[Part]]]):
    """Batches without an end, epoch after epoch; each process that makes them has its own order."""

    def __init__(self, examples: Sequence[Example], vocabulary: Vocabulary, words: int, seed: int) -> None:
        """Take the documents."""
        super().__init__()
        self.examples, self.vocabulary, self.words, self.seed = examples, vocabulary, words, seed

    def __iter__(self) -> Iterator[tuple[Batch, list[Part]]]:
        """Shuffle parts of documents into batches."""
        worker = torch.utils.data.get_worker_info()
        random = Random(f"{self.seed} {worker.id if worker else 0}")
        while True:
            batch: list[Example] = []
            for part in epoch_of(self.examples, random):
                if batch and sum(each.length for each in batch) + part.length > self.words:
                    yield self.made(batch, random)
                    batch = []
                batch.append(part)

    def made(self, batch: Sequence[Example], random: Random) -> tuple[Batch, list[Part]]:
        """Make a batch, and say what is in it."""
        views = [view_of(example, random) for example in batch]
        parts = [Part(example.id, example.begin, example.length) for example in batch]
        return changed(collate(batch, views, self.vocabulary, "cpu"), Tensor.numpy), parts


def epoch_of(examples: Sequence[Example], random: Random) -> list[Example]:
    """Cut documents into parts, as often as their corpus is seen, and shuffle them."""
    parts = []
    for example in examples:
        often = CORPORA[example.guideline].often
        for _ in range(int(often) + (random.random() < often % 1)):
            parts += parts_of(example, random)
    random.shuffle(parts)
    return parts


def parts_of(example: Example, random: Random) -> list[Example]:
    """Cut a long document into parts of any length; sometimes only a part of a short one is shown."""
    if example.length <= WHOLE:
        if example.length < constants.CROPPED_FROM or random.random() < 0.75:
            return [example]
        length = int(example.length * random.uniform(constants.SMALLEST_PART, 1.0))
        first = random.randint(0, example.length - length)
        return [crop(example, first, first + length)]
    return parts_of_long(example, random)


def parts_of_long(example: Example, random: Random) -> list[Example]:
    """Cut a long document into parts of any length."""
    edges = [0]
    while edges[-1] < example.length:
        edges.append(edges[-1] + random.randint(*PARTS))
    shift = random.randint(0, PARTS[0])
    edges = sorted({min(max(edge - shift, 0), example.length) for edge in edges} | {example.length})
    return [crop(example, a, b) for a, b in pairwise(edges) if b - a > 50]


def view_of(example: Example, random: Random) -> View:
    """Choose how to show a document."""
    corpus = CORPORA[example.guideline]
    ruled = random.random() < corpus.cut_by_rule
    return View(int(ruled), random.random() < corpus.speakers)


class Remembered:
    """Teachers that read each document once, and remember the vectors of its words."""

    def __init__(
        self, networks: Sequence[Network], examples: Sequence[Example], vocabulary: Vocabulary, device: str
    ) -> None:
        """Let all of them read all documents."""
        self.networks = networks
        self.vectors = [self._read(network, examples, vocabulary, device) for network in networks]

    @torch.no_grad()
    def _read(
        self, network: Network, examples: Sequence[Example], vocabulary: Vocabulary, device: str
    ) -> dict[str, Tensor]:
        known, batch = {}, list[Example]()
        ordered = sorted(examples, key=lambda example: example.length)
        for number, example in enumerate(ordered, 1):
            batch.append(example)
            if number == len(ordered) or sum(each.length for each in batch) > WORDS_READ:
                collated = collate(batch, [View()] * len(batch), vocabulary, device)
                vectors = network.read(collated.inputs).half()
                for each, offset in zip(batch, collated.offsets, strict=True):
                    known[each.id] = vectors[offset : offset + each.length]
                batch = []
        return known

    @torch.no_grad()
    def judge(self, parts: Sequence[Part], batch: Batch, index: Tensor, candidates: Tensor) -> Taught:
        """Ask about spans and antecedents that the pupil has chosen."""
        said = []
        for network, vectors in zip(self.networks, self.vectors, strict=True):
            states = [vectors[part.id][part.begin : part.begin + part.length] for part in parts]
            said.append(network.head(torch.cat(states).float(), batch.inputs.words, (index, candidates)))
        return teach(said)


def changed(batch: Batch, change: Callable[[Any], Any]) -> Batch:
    """Change all arrays of a batch: tensors to numpy's, which processes can hand over, or back again."""
    inputs = batch.inputs
    words = WordFeatures(*map(change, inputs.words))
    others = (change(array) for array in (inputs.rows, inputs.kinds, inputs.used))
    made = Inputs(*others, words, change(inputs.ends))
    return Batch(made, change(batch.mentions), change(batch.roles), change(batch.labelled), batch.offsets)


def unchanged(given: Any) -> Any:
    """Give what is given: numpy's arrays are handed over as they are, without shared memory."""
    return given


class Learner:
    """A network, what it learns from, and how far it is."""

    def __init__(
        self,
        network: Network,
        plan: Plan,
        examples: Sequence[Example],
        vocabulary: Vocabulary,
        teachers: Remembered | None = None,
    ) -> None:
        """Bring all together."""
        self.network, self.plan, self.teachers = network, plan, teachers
        self.device = str(next(network.parameters()).device)
        self.weights = Weights(**plan.weights)
        for module in network.encoder.modules():
            if isinstance(module, Linear):
                module.rounded = plan.rounded
        groups = layer_rates(network, plan.rate, plan.decay, self.other_rate)
        self.optimization = Optimization(
            groups, Average(network.parameters(), plan.average), Schedule(plan.warmup, least=1e-3),
            fused=self.device != "cpu",
        )  # fmt: skip
        batches = Batches(examples, vocabulary, plan.words, plan.seed)
        ahead = {"prefetch_factor": 4, "persistent_workers": True} if plan.workers else {}
        self.batches = DataLoader(
            batches, batch_size=None, num_workers=plan.workers, collate_fn=unchanged, **ahead
        )

    def sent(self, array: Any) -> Tensor:
        """Send an array to the GPU."""
        return torch.from_numpy(array).to(self.device, non_blocking=True)

    def other_rate(self, name: str) -> float:
        """Give the rate of a weight outside the encoder."""
        return self.plan.table_rate if name.split(".")[1] in TABLES else self.plan.head_rate

    def loss(self, given: tuple[Batch, list[Part]]) -> Tensor:
        """Compare what the network says with what is known, and with its teachers."""
        batch, parts = given
        scored = self.network(batch.inputs)
        taught = None
        if self.teachers:
            taught = self.teachers.judge(parts, batch, scored.index, scored.candidates)
        return objective(scored, batch, self.weights, taught)

    def run(self, report: Callable[..., None]) -> None:
        """Learn until the time is over; the average of the weights is what remains."""
        self.network.train()
        began, losses, words = time.time(), list[Tensor](), 0
        for step, (batch, parts) in enumerate(self.batches, 1):
            done = (time.time() - began) / (60 * self.plan.minutes)
            done = max(done, step / self.plan.steps) if self.plan.steps else done
            if done >= 1:
                break
            there = changed(batch, self.sent)
            losses.append(self.optimization.step(self.loss, (there, parts), done))
            words += len(there.roles)
            if step % REPORTED == 0 or step == 10:
                mean = float(torch.stack(losses).mean())
                losses = []
                report(step=step, done=round(done, 3), loss=round(mean, 3), words=words)
                if not math.isfinite(mean):
                    raise SystemExit("the loss is no number")
        self.optimization.average.swap()
        self.network.eval()


def measured(
    network: Network, dev: Sequence[Example], vocabulary: Vocabulary, device: str
) -> dict[str, list[float]]:
    """Score dev by corpus: CoNLL, MUC, B³, CEAF-e, mentions, their recall."""
    by_corpus: dict[str, list[Example]] = {}
    for example in dev:
        short = crop(example, 0, min(example.length, LONGEST_DEV))
        by_corpus.setdefault(CORPORA[example.guideline].guidelines, []).append(short)
    scores = {}
    for name, examples in by_corpus.items():
        replies = answers(network, examples, vocabulary, device, View())
        found = measure([each.key for each in examples], [reply.clusters() for reply in replies])
        scores[name] = [round(100 * value, 1) for value in found]
    return scores


def log_to(path: Path) -> Callable[..., None]:
    """Write lines of facts into a file."""
    began = time.time()

    def report(**facts: Any) -> None:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"at": round(time.time() - began, 1), **facts}) + "\n")

    return report
