"""Learning from corrected documents: the head of a model that runs goes on learning, its encoder stays.

What is learnt is measured on documents that were held out: they are divided into folds, and each fold is
resolved by the model as it was and by one that learnt from the others. The model that is written learnt from
all of them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from referee.exceptions import FormatError
from referee.formats.io.saving import save_bytes
from referee.model import Document
from referee.resolvers.base import resolver_named
from referee.resolvers.neural import DROP, KEEP
from referee.resolvers.neural.forward import Floats
from referee.resolvers.neural.models import ENCODER, ENTITIES, HEAD, TOKENIZER, guidelines_of, save_facts
from referee.resolvers.neural.running import Model
from referee.scoring.scorer import Scorer
from referee.training import constants
from referee.training.data.examples import Example, View, Vocabulary, collate, crop, example_of, groups
from referee.training.loop import Average, Optimization, Schedule, one_thread, parameter_group, take_steps
from referee.training.losses import Weights, objective
from referee.training.networks.resolver import Head
from referee.training.networks.shapes import Sizes
from referee.training.trainer import TABLES

LONGEST = 2500  # words that are shown at once: a limit of memory
MEASURED = ("scores", "gap", "failures", "precision")  # facts about a model that another one does not share
SHARES = (0.25, 0.5, 1.0)  # of the way from the old weights to those that were learnt
Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Learning:
    """How a model goes on learning."""

    epochs: int = constants.CORRECTED_EPOCHS
    rate: float = constants.CORRECTED_RATE
    seed: int = 1


class HeldOut(NamedTuple):
    """Documents as they were corrected, and as they are resolved before and after learning from others."""

    key: list[Document]
    before: list[Document]
    after: list[Document]
    has_singletons: bool  # whether there are corrected entities of one mention


class Teaching:
    """A model and the documents that it goes on learning from."""

    def __init__(
        self, base: Path, documents: Sequence[Document], guidelines: str, learning: Learning
    ) -> None:
        """Read the documents once: the encoder stays as it is, so what it makes of them does."""
        self.base, self.guidelines, self.learning = base, guidelines, learning
        self.documents = [document for document in documents if document.text.length]
        sizes = [len(cluster.mentions) for document in self.documents for cluster in document.clusters]
        if max(sizes, default=0) < 2:
            raise FormatError("the corrected documents have no two mentions of one entity to learn from")
        self.has_singletons = sizes.count(1) >= constants.CORRECTED_SINGLETONS * len(sizes)
        self.model = Model(base)
        self.about = self.model.about
        number = guidelines_of(self.about).index(guidelines)
        self.examples, self.states = [], []
        for document in self.documents:
            cut = self.model.cut(document.words[: document.text.length])
            example = example_of(document, *cut, guideline=number)
            parts = [states for _, states in self.model.states(example.columns[0], *cut)]
            self.examples.append(example)
            self.states.append(torch.from_numpy(np.concatenate(parts)))

    def held_out(self, folds: int, report: Report) -> tuple[HeldOut, float]:
        """Learn from all folds but one, and resolve that one, fold after fold.

        How far the weights go to what was learnt is chosen for each fold on the others, and for the model
        that is written, which is the second value, on all.
        """
        everything = range(len(self.documents))
        before = self.resolved(self.base, everything)
        after: dict[float, dict[int, Document]] = {share: {} for share in SHARES}
        order = random.Random(self.learning.seed).sample(everything, len(everything))
        parts = [order[fold::folds] for fold in range(folds)]
        for fold, out in enumerate(parts):
            learnt = self.learn([number for number in everything if number not in out])
            for share in SHARES:
                with TemporaryDirectory(prefix="referee-fold-") as folder:
                    self.write(self.mixed(learnt, share), Path(folder))
                    after[share] |= dict(zip(out, self.resolved(Path(folder), out), strict=True))
            report(f"fold {fold + 1} of {folds}")
        found: dict[int, Document] = {}
        for out in parts:
            share = self._best(after, [number for number in everything if number not in out])
            found |= {number: after[share][number] for number in out}
        resolved = [found[number] for number in everything]
        return HeldOut(self.documents, before, resolved, self.has_singletons), self._best(after, everything)

    def _best(self, after: Mapping[float, Mapping[int, Document]], numbers: Sequence[int]) -> float:
        """Choose the share by which some documents are resolved best; the smaller one of two equals."""

        def conll(share: float) -> float:
            scorer = Scorer()
            for number in numbers:
                scorer.update(*map(self._clusters, (self.documents[number], after[share][number])))
            return scorer.compute().conll

        return max(SHARES, key=conll)

    def _clusters(self, document: Document) -> list[list[Any]]:
        least = 1 if self.has_singletons else 2
        every = (cluster.mentions for cluster in document.clusters)
        return [[mention.spans for mention in mentions] for mentions in every if len(mentions) >= least]

    def mixed(self, learnt: Mapping[str, Floats], share: float) -> dict[str, Floats]:
        """Go from the weights of the model a share of the way to what was learnt (Wortsman et al. 2022)."""
        before = self.model.head.w
        return {
            name: before[name] + np.float32(share) * (weight - before[name]) if name in before else weight
            for name, weight in learnt.items()
        }

    def resolved(self, folder: Path, numbers: Sequence[int]) -> list[Document]:
        """Resolve documents by a model, as `referee resolve` does."""
        keeps = KEEP if self.has_singletons else DROP
        resolver = resolver_named("neural", model=str(folder), guidelines=self.guidelines, singletons=keeps)
        return list(resolver.resolve(self.documents[number].text for number in numbers))

    def learn(self, numbers: Sequence[int]) -> dict[str, Floats]:
        """Go on learning from some documents, and give the weights of the head."""
        learning = self.learning
        torch.manual_seed(learning.seed)
        head, before = self._head().train(), self._head().eval()
        average = Average(head.parameters(), constants.CORRECTED_AVERAGE)
        batches = list(self._batches(numbers, random.Random(learning.seed)))
        optimization = Optimization(_rates(head, learning.rate), average, Schedule())
        with one_thread():
            take_steps(
                optimization, batches, lambda batch: self._loss(head, before, batch), len(batches),
                after_step=lambda *_: False,
            )  # fmt: skip
        average.swap()
        return {name: weight.detach().numpy() for name, weight in head.state_dict().items()}

    def _head(self) -> Head:
        """Make the head as it is in the model."""
        head, weights = Head(self.about["width"], sizes_of(self.model)), self.model.head.w
        known = {name: torch.from_numpy(weight.copy()) for name, weight in weights.items()}
        missing = head.load_state_dict(
            {name: known[name] for name in head.state_dict() if name in known}, strict=False
        )
        if lacking := [name for name in missing.missing_keys if not name.startswith("types.")]:
            raise FormatError(f"{self.base / HEAD}: it has no {lacking[0]}, so it cannot go on learning")
        return head

    def _batches(self, numbers: Sequence[int], chance: random.Random) -> Iterator[list[Part]]:
        """Show each document, or a part of a long one, once in an epoch, in any order."""
        for _ in range(self.learning.epochs):
            order = chance.sample(numbers, len(numbers))
            parts = {number: _part(self.examples[number], chance) for number in order}
            sizes = list(parts.values())
            at = 0
            for batch in groups(sizes, range(len(sizes)), constants.BATCH_WORDS):
                yield [Part(each, number) for each, number in zip(batch, order[at:], strict=False)]
                at += len(batch)

    def _loss(self, head: Head, before: Head, batch: Sequence[Part]) -> Tensor:
        """Learn what was corrected; without singletons among it, what the model says of them stays."""
        examples = [part.example for part in batch]
        collated = collate(examples, [View()] * len(batch), self._vocabulary(), "cpu")
        words = collated.inputs.words
        states = torch.cat(
            [self.states[part.number][part.example.begin :][: part.example.length] for part in batch]
        )
        scored = head(states, words)
        weights = Weights(entity=constants.ENTITY_WEIGHT if self.has_singletons else 0.0)
        loss = objective(scored, collated, weights)
        if self.has_singletons:
            return loss
        with torch.no_grad():
            said = before(states, words).entity.sigmoid()
        drift = functional.binary_cross_entropy_with_logits(scored.entity, said, reduction="none")
        return loss + constants.ENTITY_WEIGHT * (drift * scored.valid).sum() * 10.0 / len(states)

    def _vocabulary(self) -> Vocabulary:
        """Number subwords as the model does; only its encoder, which is not asked again, would read them."""
        return Vocabulary(np.arange(self.model.tokenizer.get_vocab_size()), self.model.special_tokens)

    def write(self, weights: Mapping[str, Floats], folder: Path, **facts: Any) -> None:
        """Write a model that has another head; what was measured of the old one is left out."""
        from safetensors.numpy import load_file
        from safetensors.numpy import save as as_bytes

        folder.mkdir(parents=True, exist_ok=True)
        for name in (ENCODER, TOKENIZER, ENTITIES):
            if (self.base / name).is_file():
                copyfile(self.base / name, folder / name)
        kinds = {name: weight.dtype for name, weight in load_file(self.base / HEAD).items()}
        save_bytes(folder / HEAD, as_bytes({name: weights[name].astype(kinds[name]) for name in kinds}))
        save_facts(folder, {name: fact for name, fact in self.about.items() if name not in MEASURED} | facts)


class Part(NamedTuple):
    """A document, or a part of it, and its number."""

    example: Example
    number: int


def sizes_of(model: Model) -> Sizes:
    """Read the sizes of a head from its weights."""
    weights = model.head.w
    return Sizes(
        ends=len(weights["first.weight"]), span=len(weights["span_first.weight"]),
        products=model.head.products, hidden=len(weights["ours.weight"]),
        factors=len(weights["left.weight"]) if "left.weight" in weights else 0,
        spans_per_word=model.head.spans_per_word, antecedents=model.head.antecedents,
        guidelines=len(weights["guideline.weight"]), pronouns=len(weights["seen.pronoun.weight"]),
    )  # fmt: skip


def _rates(head: Head, rate: float) -> list[dict[str, Any]]:
    """Let tables of what can be seen learn faster than the other weights, as in training."""
    faster = constants.TABLE_RATE / constants.HEAD_RATE
    tables: list[Tensor] = []
    others: list[Tensor] = []
    for name, weight in head.named_parameters():
        (tables if name.partition(".")[0] in TABLES else others).append(weight)
    return [parameter_group(tables, rate * faster), parameter_group(others, rate)]


def _part(example: Example, chance: random.Random) -> Example:
    if example.length <= LONGEST:
        return example
    first = chance.randint(0, example.length - LONGEST)
    return crop(example, first, first + LONGEST)


def learn_from(
    documents: Sequence[Document], base: Path, out: Path, guidelines: str, learning: Learning, folds: int,
    report: Report,
) -> HeldOut:  # fmt: skip
    """Go on learning from corrected documents, measure it on folds that were held out, and write a model."""
    teaching = Teaching(base, documents, guidelines, learning)
    found, share = teaching.held_out(folds, report)
    everything = range(len(teaching.documents))
    learnt = {"name": "corrected documents", "part": f"{len(everything)} documents"}
    told = [*teaching.about.get("trained_on", []), learnt]
    teaching.write(teaching.mixed(teaching.learn(everything), share), out, trained_on=told)
    return found
