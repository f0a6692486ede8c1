"""Training of the resolver within documents: by labels, or taught by other networks as well."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from referee.arrays import FloatArray, IntArray
from referee.resolvers.neural.deciding import Decisions
from referee.resolvers.neural.tuning import Clusters
from referee.scoring.scorer import Scorer
from referee.training import constants
from referee.training.checkpoints import Checkpoint
from referee.training.data.examples import Example, View, Vocabulary, collate, crop, groups
from referee.training.data.gap import gap_figures
from referee.training.data.swapping import Swaps
from referee.training.export.model import NETWORK
from referee.training.loop import (
    Average,
    Optimization,
    ParameterGroups,
    Schedule,
    layer_rates,
    parameter_group,
    take_steps,
)
from referee.training.losses import Teachers, Weights, objective
from referee.training.networks.encoder import Encoder, Linear
from referee.training.networks.resolver import Network, save_network
from referee.training.networks.shapes import Sizes

TABLES = ("rough", "pairs", "seen", "length", "product")  # of the head, by the second part of a weight's name
WORDS_MEASURED = 3000  # of dev documents that are resolved at a time: a limit of memory
Report = Callable[[Mapping[str, Any]], None]


@dataclass(slots=True)
class Settings:
    """How one network is trained."""

    encoder_layers: int = constants.LAYERS
    seed: int = 1
    head_seed: int = 1  # of the head's first weights
    epochs: int = constants.EPOCHS
    minutes: float = 0.0  # by the clock, after which a run ends before its epochs do; 0 for any number
    rate: float = constants.RATE
    head_rate: float = constants.HEAD_RATE
    table_rate: float = constants.TABLE_RATE  # of what the head knows by looking
    decay: float = constants.LAYER_DECAY  # of the rate, from layer to layer downwards
    warmup: float = constants.WARMUP  # the share of the run in which rates rise
    words: int = constants.BATCH_WORDS  # of a batch
    longest: int = 0  # words that are shown of a document at most; 0 for all
    average: float = constants.AVERAGE  # what it reaches back must be few of all steps
    encoder_dropout: float = constants.ENCODER_DROPOUT
    gap: int = constants.GAP_PARAGRAPHS  # paragraphs of GAP beside the documents of each batch
    masculine: int = 1  # how often a paragraph of GAP about men counts
    speakers: float = constants.WITH_SPEAKERS  # how often documents have theirs
    ruled: float = constants.CUT_BY_RULE  # how often sentences are cut by rule
    other_guideline: float = 0.0  # how often unlabelled documents are shown under other guidelines
    crossed: float = 0.0  # how often labelled ones are shown under others, without their labels
    sizes: dict[str, Any] = field(default_factory=dict)
    weights: dict[str, Any] = field(default_factory=dict)
    teachers: list[str] = field(default_factory=list)
    near: float = 0.0  # how much word vectors are drawn to the teachers'
    measures: int = constants.MEASURES  # of dev, in a run
    patience: int = 0  # measures without a better score after which a run ends; 0 for any number
    crop: float = 0.0  # how often only a part of a document is shown
    swapped: float = 0.0  # how often names and words of both genders are exchanged
    rounded: bool = False  # learn with the encoder in eight bits, as it will run


@dataclass(slots=True)
class Material:
    """Documents with clusters; short or unlabelled ones that come beside them, and how many to a batch."""

    train: list[Example]
    dev: dict[str, list[Example]]
    beside: list[tuple[list[Example], int]] = field(default_factory=list)
    swaps: Swaps | None = None

    @property
    def all_train(self) -> list[list[Example]]:
        """Everything that a teacher will be asked about."""
        return [self.train, *(examples for examples, _ in self.beside)]


class Trainer:
    """A run: its documents, its network and its teachers."""

    def __init__(
        self, settings: Settings, network: Network, vocabulary: Vocabulary, material: Material, out: Path,
        device: str, teachers: Sequence[Network] = (), report: Report | None = None,
    ) -> None:  # fmt: skip
        """Bring all of them together; the best network is written into the folder `out`."""
        self.settings, self.out, self.device = settings, out, device
        self.network, self.vocabulary, self.material = network, vocabulary, material
        self.began = self.first_step = time.time()
        self.listener = report or _print
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
        self.optimization = Optimization(
            self.rates(),
            Average(network.parameters(), settings.average),
            Schedule(settings.warmup, least=constants.LOWEST_RATE),
            fused=device != "cpu",
        )
        self.state = Checkpoint()
        self.stopping = False  # set it, and the run ends after its next step

    def rates(self) -> ParameterGroups:
        """Group the weights by their learning rates."""
        settings = self.settings

        def other_rate(name: str) -> float:
            return settings.table_rate if name.split(".")[1] in TABLES else settings.head_rate

        grouped = layer_rates(self.network, settings.rate, settings.decay, other_rate)
        if bridges := list(self.teachers.bridges.parameters()):
            grouped.append(parameter_group(bridges, constants.BRIDGE_RATE))
        return grouped

    def report(self, **facts: Any) -> None:
        """Report facts about the run."""
        self.listener({"at": round(time.time() - self.began, 1), **facts})

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
        cropped = example.length >= constants.CROPPED_FROM and self.random.random() < self.settings.crop
        if not cropped and example.length <= longest:
            return example
        share = self.random.uniform(constants.SMALLEST_PART, 1.0) if cropped else 1.0
        length = min(int(example.length * share), longest)
        first = self.random.randint(0, example.length - length)
        return crop(example, first, first + length)

    def renamed(self, example: Example) -> Example:
        """Sometimes give people other names, and as often as not the other gender."""
        swaps = self.material.swaps
        if swaps is None or self.random.random() >= self.settings.swapped:
            return example
        return swaps.swap(example, self.random)

    def view(self, example: Example) -> View:
        """Choose how to show a document."""
        often = self.settings.crossed if example.labelled else self.settings.other_guideline
        others = [n for n in range(self.network.head.sizes.guidelines) if n != example.guideline]
        guideline = self.random.choice(others) if others and self.random.random() < often else None
        ruled = self.random.random() < self.settings.ruled
        return View(int(ruled), self.random.random() < self.settings.speakers, guideline)

    def run(self) -> None:
        """Train, measure now and then, and write the best average of the weights."""
        state, beside = self.state, [len(examples) for examples, _ in self.material.beside]
        self.report(event="ready", train=len(self.material.train), beside=beside, step=state.step)
        if state.done >= 1.0:
            return  # it was finished before
        state.steps = state.steps or self.settings.epochs * len(self.batches())
        self.first_step = time.time()
        take_steps(
            self.optimization, self.remaining_batches(), self.loss, state.steps,
            begin=state.step, done=self.share_done, after_step=self.after_step,
        )  # fmt: skip
        if not (self.stopping or state.ended):
            self.measure_dev(last=True)
        state.save(self)

    def share_done(self, step: int) -> float:
        """Give the share of the run that is over: by steps, or by the clock if that is ahead of them."""
        minutes = self.settings.minutes
        by_clock = (time.time() - self.first_step) / (60 * minutes) if minutes else 0.0
        return max(step / self.state.steps, by_clock)

    def remaining_batches(self) -> Iterator[list[Example]]:
        """Give batches epoch after epoch, first those that were left when the run was stopped."""
        while True:
            yield from self.state.left(self)
            self.state.index = 0

    def loss(self, examples: list[Example]) -> Tensor:
        """Compare what the network says of documents with what is known of them, and with its teachers."""
        views = [self.view(example) for example in examples]
        batch = collate(examples, views, self.vocabulary, self.device)
        read = self.network.read(batch.inputs)
        scored = self.network.head(read, batch.inputs.words)
        taught = self.teachers.judge(examples, views, batch, scored)
        loss = objective(scored, batch, self.weights, taught)
        if self.teachers.bridges:
            loss = loss + self.settings.near * constants.NEAR_FACTOR * self.teachers.distance(read)
        return loss

    def after_step(self, step: int, loss: Tensor) -> bool:
        """Measure if it is time to; return whether the run is over."""
        state, measures = self.state, self.settings.measures
        state.losses.append(loss)
        state.step, state.index, state.done = step, state.index + 1, min(self.share_done(step), 1.0)
        if state.done < 1.0 and state.done * measures >= state.measured + 1:
            state.measured = int(state.done * measures)
            self.measure_dev()
        return state.done >= 1.0 or self.stopping

    def measure_dev(self, *, last: bool = False) -> None:
        """Measure the average of the weights on dev, and write it if it is the best so far."""
        state, average = self.state, self.optimization.average
        loss = float(torch.stack(state.losses).mean()) if state.losses else 0.0
        average.swap()
        measured = self.measured()
        better = state.is_better(self.overall(measured))
        if better:
            save_network(self.network, self.vocabulary.subwords, asdict(self.settings), self.out / NETWORK)
        facts = {"step": state.step, "loss": round(loss, 4), "best": better}
        self.report(event="last" if last else "dev", steps=state.steps, **facts, **measured)
        average.swap()
        state.losses = []
        if not last:
            state.ended = 0 < self.settings.patience <= state.idle
            state.done = 1.0 if state.ended else state.done
            state.save(self)

    def measured(self) -> dict[str, Any]:
        """Score each dev corpus: CoNLL and its parts in percent; GAP's scores where it is GAP."""
        facts: dict[str, Any] = {}
        for corpus, examples in self.material.dev.items():
            replies = answers(self.network, examples, self.vocabulary, self.device, View(speakers=False))
            responses = [reply.clusters() for reply in replies]
            if examples and examples[0].gap:
                shares = gap_figures([example.gap for example in examples], responses)
                facts[corpus] = [round(value, 4) for value in shares]
            else:
                scores = measure([example.key for example in examples], responses)
                facts[corpus] = [round(100 * value, 2) for value in scores]
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


def new_network(encoder: Encoder, settings: Settings, device: str) -> Network:
    """Put a new head on an encoder."""
    torch.manual_seed(settings.head_seed)
    return Network(encoder, Sizes(**settings.sizes)).to(device)


class Reply(NamedTuple):
    """What a network says of one document."""

    start: list[int]
    end: list[int]
    scores: FloatArray
    candidates: IntArray

    def clusters(self, **knobs: Any) -> Clusters:
        """Decide."""
        clusters: dict[int, list[tuple[int, int]]] = {}
        entities = Decisions(**knobs)
        entities.decide(self.scores[:, 1:], self.candidates)
        for index, cluster in enumerate(entities.clusters.tolist()):
            if cluster >= 0:
                clusters.setdefault(cluster, []).append((self.start[index], self.end[index]))
        return list(clusters.values())


@torch.no_grad()
def answers(
    network: Network, examples: Sequence[Example], vocabulary: Vocabulary, device: str, view: View
) -> list[Reply]:
    """Ask a network about documents, several at a time."""
    network.eval()
    ordered = sorted(range(len(examples)), key=lambda index: examples[index].length)
    given = []
    for batch in groups(examples, ordered, WORDS_MEASURED):
        collated = collate(batch, [view] * len(batch), vocabulary, device)
        scored = network(collated.inputs)
        columns = (
            scored.spans.start,
            scored.spans.end,
            scored.spans.document,
            scored.scores,
            scored.candidates,
        )
        start, end, document, scores, candidates = (column.cpu().numpy() for column in columns)
        for number, offset in enumerate(collated.offsets):
            inside = document == number
            before = int((document < number).sum())
            given.append(
                Reply(
                    (start[inside] - offset).tolist(),
                    (end[inside] - offset).tolist(),
                    scores[inside].astype(np.float64),
                    np.clip(candidates[inside] - before, 0, max(int(inside.sum()) - 1, 0)),
                )
            )
    network.train()
    return [given[rank] for rank in np.argsort(ordered)]


class Measured(NamedTuple):
    """A corpus's scores, and the recall of mentions."""

    conll: float
    muc: float
    b_cubed: float
    ceaf_e: float
    mentions: float
    mention_recall: float


def measure(keys: Sequence[Clusters], responses: Sequence[Clusters]) -> Measured:
    """Score responses as the CoNLL scorer does, singletons left out on both sides."""
    scorer = Scorer()
    for key, response in zip(keys, responses, strict=True):
        scorer.update(key, response)
    result = scorer.compute()
    return Measured(
        result.conll,
        result.muc.f1,
        result.b_cubed.f1,
        result.ceaf_e.f1,
        result.mentions.f1,
        result.mentions.recall,
    )
