"""Losses of the resolver: by labels (mentions, kinds of entities, antecedents), and by what teachers say.

Teachers are networks whose predictions a smaller one learns (Hinton et al. 2015).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from referee.resolvers.neural.features import IMPOSSIBLE
from referee.training import constants
from referee.training.data.examples import Batch, Example, View, Vocabulary, collate, groups
from referee.training.networks.resolver import Network, Scored

WORDS_READ = 6000  # that a teacher reads at a time: a limit of memory


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each part counts."""

    rough: float = constants.ROUGH_WEIGHT
    mention: float = 1.0
    entity: float = constants.ENTITY_WEIGHT
    types: float = constants.TYPE_WEIGHT
    gap: float = constants.GAP_WEIGHT
    teacher: float = constants.TEACHER_WEIGHT  # how much of an antecedent's target is the teachers'
    teacher_mention: float = constants.TEACHER_WEIGHT


def objective(scored: Scored, batch: Batch, weights: Weights, taught: Taught | None = None) -> Tensor:
    """Add up all losses of a batch, per ten words."""
    shape = scored.linked.shape
    flat = batch.mentions[:, 0]
    linked, entity, cluster, kind = (torch.zeros(shape.numel(), device=flat.device) for _ in range(4))
    cluster[flat], linked[flat], entity[flat], kind[flat] = batch.mentions[:, 1:].T.float()
    known = batch.labelled
    scale = 10.0 / len(batch.roles)
    loss = scored.scores.new_zeros(())
    spans = batch.labelled[scored.spans.start]
    if taught is not None:
        loss = loss + taught_loss(scored, taught, weights)
    valid = scored.valid & known[:, None]
    loss = loss + weights.mention * _binary(scored.linked, linked.view(shape), valid)
    loss = loss + weights.entity * _binary(scored.entity, entity.view(shape), valid)
    is_linked, kinds = linked[scored.index], kind[scored.index].long()
    loss = loss + weights.mention * _binary(scored.mention, is_linked, spans)
    types = functional.cross_entropy(scored.types.float(), kinds, reduction="none")
    loss = loss + weights.types * (types * (kinds > 0)).sum()
    right = cluster[scored.index] * is_linked
    rows = torch.arange(len(right), device=right.device)[:, None]
    gold = (right[:, None] == right[scored.candidates]) & (right[:, None] > 0)
    gold = gold & (scored.rough[rows, scored.candidates] > IMPOSSIBLE / 2)
    loss = loss + (marginal_loss(scored.scores, gold) * spans).sum()
    gold = (right[:, None] == right[None]) & (right[:, None] > 0) & (scored.rough > IMPOSSIBLE / 2)
    none = scored.rough.new_zeros(len(right), 1)
    loss = loss + weights.rough * (marginal_loss(torch.cat([none, scored.rough], 1), gold) * spans).sum()
    return (loss + weights.gap * gap_loss(scored, batch)) * scale


def _binary(scores: Tensor, right: Tensor, counted: Tensor) -> Tensor:
    losses = functional.binary_cross_entropy_with_logits(scores, right, reduction="none")
    return (losses * counted).sum()


def marginal_loss(scores: Tensor, gold: Tensor) -> Tensor:
    """Give the negative marginal log-likelihood of the right antecedents (Lee et al. 2017).

    Where a span has none, the first column is right.
    """
    gold = torch.cat([~gold.any(1, keepdim=True), gold], 1)
    return scores.logsumexp(1) - scores.masked_fill(~gold, IMPOSSIBLE).logsumexp(1)


def gap_loss(scored: Scored, batch: Batch) -> Tensor:
    """Let GAP's pronoun choose its name, or a pronoun like itself, and not the other name.

    A span is a name if its head is the last word of one. Where the right name does not come before, only the
    other name is forbidden.
    """
    spans = scored.spans
    role = batch.roles[spans.start]
    asked = (role >= 3) & (spans.start == spans.end)
    names = batch.roles[spans.last] * (spans.pronoun == 0)
    theirs, pronoun = names[scored.candidates], spans.pronoun
    rows = torch.arange(len(role), device=role.device)[:, None]
    possible = scored.rough[rows, scored.candidates] > IMPOSSIBLE / 2
    right = (theirs == 1) & possible
    alike = (pronoun[scored.candidates] == pronoun[:, None]) & possible
    before = right.any(1, keepdim=True)
    allowed = torch.where(before, right | alike, (theirs != 2) & possible)
    allowed = torch.cat([~before, allowed], 1)
    losses = scored.scores.logsumexp(1) - scored.scores.masked_fill(~allowed, IMPOSSIBLE).logsumexp(1)
    return (losses * asked).sum()


@dataclass(frozen=True, slots=True)
class Taught:
    """What teachers say of the same spans and antecedents, on the average."""

    linked: Tensor  # probabilities
    entity: Tensor
    antecedents: Tensor


def teach(several: list[Scored]) -> Taught:
    """Average what several networks say of the same spans and antecedents."""
    count = len(several)
    return Taught(
        sum((scored.linked.sigmoid() for scored in several), torch.zeros(())) / count,
        sum((scored.entity.sigmoid() for scored in several), torch.zeros(())) / count,
        sum((scored.scores.softmax(1) for scored in several), torch.zeros(())) / count,
    )


def taught_loss(scored: Scored, taught: Taught, weights: Weights) -> Tensor:
    """Come close to the teachers in mentions and antecedents."""
    loss = weights.teacher_mention * _binary(scored.linked, taught.linked, scored.valid)
    loss = loss + constants.ENTITY_WEIGHT * weights.teacher_mention * _binary(
        scored.entity, taught.entity, scored.valid
    )
    certain = -(taught.antecedents.clamp(min=1e-9).log() * taught.antecedents).sum(1)
    away = -(taught.antecedents * scored.scores.log_softmax(1)).sum(1) - certain
    return loss + weights.teacher * away.sum()


class Teacher:
    """A network that reads each document once, whole, and remembers the vectors of its words."""

    def __init__(self, network: Network) -> None:
        """Begin with nothing read."""
        self.network = network
        self.vectors: dict[tuple[str, int | None], Tensor] = {}

    @torch.no_grad()
    def read(self, examples: Sequence[Example], guideline: int | None, batch: Batch) -> None:
        """Read the documents of a batch."""
        vectors = self.network.read(batch.inputs).half()
        for example, offset in zip(examples, batch.offsets, strict=True):
            self.vectors[example.id, guideline] = vectors[offset : offset + example.length]

    def states(self, example: Example, view: View, vocabulary: Vocabulary, device: str) -> Tensor:
        """Give the vectors of a document, or of the part of it that is shown."""
        whole = example.whole or example
        if whole.renamed:
            read = self.network.read(collate([whole], [view], vocabulary, device).inputs)
        else:
            if (whole.id, view.guideline) not in self.vectors:
                shown = View(guideline=view.guideline)
                self.read([whole], view.guideline, collate([whole], [shown], vocabulary, device))
            read = self.vectors[whole.id, view.guideline]
        return read[example.begin :][: example.length].float()


class Teachers:
    """Several of them, who are asked together."""

    def __init__(
        self, networks: Sequence[Network], vocabulary: Vocabulary, device: str, width: int = 0
    ) -> None:
        """Begin with nothing read; a pupil's vectors of some width are drawn to theirs, 0 for not at all."""
        self.several = [Teacher(network) for network in networks]
        self.vocabulary, self.device = vocabulary, device
        widths = [network.encoder.shape.width for network in networks] if width else []
        self.bridges = nn.ModuleList(nn.Linear(width, theirs) for theirs in widths).to(device)
        self.seen: list[Tensor] = []

    def read_all(self, examples: Sequence[Example]) -> None:
        """Let each read all documents once, many at a time."""
        if not self.several:
            return
        different = list({example.id: example for example in examples}.values())
        ordered = sorted(range(len(different)), key=lambda index: different[index].length)
        for batch in groups(different, ordered, WORDS_READ):
            collated = collate(batch, [View()] * len(batch), self.vocabulary, self.device)
            for teacher in self.several:
                teacher.read(batch, None, collated)

    @torch.no_grad()
    def judge(
        self, examples: Sequence[Example], views: Sequence[View], batch: Batch, scored: Scored
    ) -> Taught | None:
        """Ask about the spans and antecedents that the pupil itself has chosen."""
        given = (scored.index, scored.candidates)
        said, self.seen = [], []
        for teacher in self.several:
            states = [
                teacher.states(example, view, self.vocabulary, self.device)
                for example, view in zip(examples, views, strict=True)
            ]
            self.seen.append(torch.cat(states))
            said.append(teacher.network.head(self.seen[-1], batch.inputs.words, given))
        return teach(said) if said else None

    def distance(self, read: Tensor) -> Tensor:
        """Measure how far a pupil's vectors are from the teachers' of the same words, over a bridge each."""
        angles = [
            1 - functional.cosine_similarity(bridge(read), states, dim=1).mean()
            for bridge, states in zip(self.bridges, self.seen, strict=True)
        ]
        return torch.stack(angles).mean()
