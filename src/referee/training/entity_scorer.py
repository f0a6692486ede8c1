"""Training of the scorer that decides mentions against whole entities (`resolvers.neural.entity_decisions`).

What it sees of an entity depends on the decisions before. So it learns from entities as it builds them
itself: examples are collected along the decisions of the pairs alone, then along those of a scorer that
learned from these, and so on (Ross et al. 2011). Scores of pairs must come from networks that were not
trained on the same documents, since those are surer of their pairs than they will be of other texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from referee.arrays import FloatArray
from referee.exceptions import FormatError
from referee.resolvers.neural.entity_decisions import (
    MOST,
    EntityDecisions,
    EntityScorer,
    Option,
    Options,
    described,
)
from referee.resolvers.neural.features import IMPOSSIBLE
from referee.resolvers.neural.forward import Floats
from referee.training import constants
from referee.training.data.scored_pairs import ScoredDocument
from referee.training.loop import (
    Average,
    Optimization,
    Report,
    Schedule,
    one_thread,
    parameter_group,
    reporting,
    take_steps,
)
from referee.training.losses import marginal_loss

REPORTED = 500  # steps between two lines


class EntityComparison(NamedTuple):
    """A mention beside the entities that it may join, and alone; and which of these are right."""

    fits: Floats
    alone: Floats
    right: list[bool]


class CollectedDecisions(EntityDecisions):
    """Decisions that keep every comparison on their way."""

    def __init__(self, scorer: EntityScorer, document: ScoredDocument, threshold: float) -> None:
        """Decide all of a document."""
        super().__init__(scorer, document.facts, threshold)
        self.key = document.key
        self.comparisons: list[EntityComparison] = []
        self.decide(document.scores, document.candidates)

    def compare(self, span: int, options: Options) -> FloatArray:
        """Score the entities, and keep what was seen."""
        fits, alone = described(self.facts, span, options)
        seen = np.array(fits, np.float32), np.array(alone, np.float32)
        self.comparisons.append(EntityComparison(*seen, right_options(self.key, span, options.best)))
        return self.scorer.scores(fits, alone)


def right_options(key: Sequence[int], span: int, options: Sequence[Option]) -> list[bool]:
    """Say which entities a mention should join: those with most of its cluster, if they are pure enough."""
    worth = []
    for option in options:
        mentions = option.entity.mentions
        same = sum(key[each] == key[span] for each in mentions) if key[span] else 0
        pure = same > 0 and same >= constants.ENTITY_SHARE * len(mentions)
        worth.append(same - constants.ENTITY_STRANGER * (len(mentions) - same) if pure else -np.inf)
    best = max(worth)
    return [each == best > -np.inf for each in worth]


class PairsAlone(EntityScorer):
    """The scorer before anything is learned: what an entity's pairs score together."""

    def __init__(self) -> None:
        """Take no weights."""
        super().__init__({})

    def scores(self, fits: Sequence[Sequence[float]], begins: Sequence[float]) -> FloatArray:
        """Give the scores of entities, where none scores 0."""
        return np.array([fit[0] for fit in fits], np.float64)


class Scaling(NamedTuple):
    """How numbers are limited to what is not rare in training, and brought to one scale."""

    lowest: Tensor
    highest: Tensor
    mean: Tensor
    spread: Tensor

    @classmethod
    def of(cls, rows: Floats) -> Scaling:
        """Find it; of shares, and of what is yes or no, nothing is too rare."""
        least, most = rows.min(0), rows.max(0)
        lowest, highest = np.quantile(rows, (constants.ENTITY_RARE, 1 - constants.ENTITY_RARE), axis=0)
        share = (least >= 0) & (most == 1)
        columns = (
            np.where(share, least, lowest), np.where(share, most, highest),
            rows.mean(0), rows.std(0) + constants.SMALLEST_SPREAD,
        )  # fmt: skip
        return cls(*(torch.from_numpy(column.astype(np.float32)) for column in columns))

    def scaled(self, rows: Tensor) -> Tensor:
        """Bring numbers to the scale."""
        return (rows.clamp(self.lowest, self.highest) - self.mean) / self.spread


class Examples(NamedTuple):
    """Comparisons as arrays; those with fewer entities than others are filled up."""

    fits: Tensor  # comparison × MOST × numbers
    alone: Tensor  # comparison × numbers
    used: Tensor  # comparison × MOST
    right: Tensor
    scaling: dict[str, Scaling]

    @classmethod
    def of(cls, comparisons: Sequence[EntityComparison]) -> Examples:
        """Put comparisons together."""
        count, width = len(comparisons), comparisons[0].fits.shape[1]
        fits = np.zeros((count, MOST, width), np.float32)
        used, right = (np.zeros((count, MOST), np.bool_) for _ in range(2))
        for row, comparison in enumerate(comparisons):
            entities = len(comparison.fits)
            fits[row, :entities], used[row, :entities] = comparison.fits, True
            right[row, :entities] = comparison.right
        alone = np.stack([comparison.alone for comparison in comparisons])
        scaling = {"fit": Scaling.of(fits[used]), "alone": Scaling.of(alone)}
        given = [torch.from_numpy(array) for array in (fits, alone, used, right)]
        return cls(given[0], given[1], given[2], given[3], scaling)


class EntityNetwork(nn.Module):
    """One of the small networks; before it has learned anything, the pairs alone decide."""

    def __init__(self, fit: int, alone: int) -> None:
        """Make the layers for as many numbers as an entity, and none, are described by."""
        super().__init__()
        hidden = constants.ENTITY_HIDDEN
        self.fit = nn.Sequential(
            nn.Linear(fit, hidden), nn.ReLU(), nn.Dropout(constants.ENTITY_DROPOUT),
            nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1),
        )  # fmt: skip
        self.alone = nn.Sequential(
            nn.Linear(alone, constants.ALONE_HIDDEN), nn.ReLU(), nn.Linear(constants.ALONE_HIDDEN, 1)
        )
        self.scale = nn.Parameter(torch.ones(1))
        for layers in (self.fit, self.alone):
            nn.init.zeros_(layers[-1].weight)
            nn.init.zeros_(layers[-1].bias)

    def forward(self, examples: Examples, rows: Tensor) -> Tensor:
        """Score none and each entity: comparison × (1 + MOST)."""
        fits, scaling = examples.fits[rows], examples.scaling
        joined = self.fit(scaling["fit"].scaled(fits)).squeeze(-1) + self.scale * fits[:, :, 0]
        joined = joined.masked_fill(~examples.used[rows], IMPOSSIBLE)
        return torch.cat([self.alone(scaling["alone"].scaled(examples.alone[rows])), joined], 1)


def train_network(
    examples: Examples, seed: int, epochs: int = constants.ENTITY_EPOCHS, report: Report | None = None
) -> EntityNetwork:
    """Train one network to choose among none and the entities."""
    torch.manual_seed(seed)
    network = EntityNetwork(examples.fits.shape[2], examples.alone.shape[1])
    average = Average(network.parameters(), constants.ENTITY_AVERAGE)
    groups = [parameter_group(list(network.parameters()), constants.ENTITY_RATE)]
    count = len(examples.fits)
    steps = epochs * -(-count // constants.ENTITY_BATCH)
    batches = (rows for _ in range(epochs) for rows in torch.randperm(count).split(constants.ENTITY_BATCH))
    take_steps(
        Optimization(groups, average, Schedule()),
        batches,
        lambda rows: marginal_loss(network(examples, rows), examples.right[rows]).mean(),
        steps,
        after_step=reporting(report, REPORTED, steps),
    )
    average.swap()
    return network.eval()


def scorer_weights(
    networks: Sequence[EntityNetwork], scaling: dict[str, Scaling], correction: float = 1.0
) -> dict[str, Floats]:
    """Lay out the weights as `EntityScorer` reads them, with a share of what they add to the pairs."""
    weights: dict[str, Tensor] = {
        f"{name}.{column}": values
        for name, columns in scaling.items()
        for column, values in columns._asdict().items()
    }
    scale = torch.stack([network.scale for network in networks]).mean(0)
    weights["scale"] = 1 + correction * (scale - 1)
    for name in scaling:
        several = [[m for m in getattr(n, name) if isinstance(m, nn.Linear)] for n in networks]
        for number, layers in enumerate(zip(*several, strict=True)):
            share = correction if number == len(several[0]) - 1 else 1.0
            weights[f"{name}.{number}.weight"] = share * torch.stack([layer.weight.T for layer in layers])
            weights[f"{name}.{number}.bias"] = share * torch.stack([layer.bias[None] for layer in layers])
    return {name: weight.detach().contiguous().numpy() for name, weight in weights.items()}


def train_entity_scorer(
    documents: Sequence[ScoredDocument], epochs: int = constants.ENTITY_EPOCHS, report: Report | None = None
) -> dict[str, Floats]:
    """Train the scorer along its own decisions, and give its weights."""
    scorer: EntityScorer = PairsAlone()
    threshold = constants.ENTITY_FIRST_THRESHOLD
    comparisons: list[EntityComparison] = []
    with one_thread():
        for number in range(1, constants.ENTITY_ROUNDS + 1):
            for document in documents:
                comparisons += CollectedDecisions(scorer, document, threshold).comparisons
            if not comparisons:
                raise FormatError("the documents have no pair of mentions to learn from")
            if report:
                report(f"round {number} of {constants.ENTITY_ROUNDS}: {len(comparisons):,} comparisons")
            examples = Examples.of(comparisons)
            if number < constants.ENTITY_ROUNDS:
                network = train_network(examples, 0, epochs, report)
                scorer = EntityScorer(scorer_weights([network], examples.scaling))
                threshold = constants.ENTITY_THRESHOLD
        networks = [train_network(examples, seed, epochs, report) for seed in constants.ENTITY_SEEDS]
    return scorer_weights(networks, examples.scaling, constants.ENTITY_CORRECTION)
