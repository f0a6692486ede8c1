"""Training of readers: blocks of alike passages are drawn, and all pairs of mentions in them are judged.

In each step the mentions of both kinds are marked and judged, or those of one, by chance: so a reader can be
asked for either. Beside annotated passages it can learn from those that other readers have judged, whose
probabilities are its targets (Hinton et al. 2015). In the last quarter it rounds as its export will.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from referee.arrays import FloatArray, Grouped, IntArray, find, ragged
from referee.training import constants
from referee.training.data.passages import ReaderMaterial
from referee.training.loop import (
    Average,
    Optimization,
    Schedule,
    layer_rates,
    one_thread,
    reporting,
    take_steps,
)
from referee.training.networks.reader import BlockPairs, BlockRows, ReaderNetwork, ReaderSizes, ReaderStart

BOTH, EVENTS, ENTITIES = range(3)  # what is marked and judged
SCHEDULE = Schedule(first=constants.READER_FIRST)
TOGETHER = 8  # blocks that are read at a time: a limit of memory
REPORTED = 100  # steps between two lines


@dataclass(frozen=True)
class ReaderSettings:
    """How a reader is trained."""

    steps: int = constants.READER_STEPS
    rate: float = constants.READER_RATE
    decay: float = constants.READER_LAYER_DECAY  # of the rate, from layer to layer downwards
    head_rate: float = constants.READER_HEAD_RATE
    seed: int = 1
    lengths: tuple[int, ...] = constants.ROW_LENGTHS  # of a row, in subwords
    two: bool = False  # read two passages at a time, each near pair as often as the others
    subwords: int = constants.READER_SUBWORDS  # annotated ones in a step
    taught: int = constants.READER_TAUGHT  # those that others have judged
    # steps until annotated ones come again, where there are others: few are soon known
    annotated_every: int = constants.READER_ANNOTATED_EVERY
    average: float = constants.READER_AVERAGE
    rounded: bool = True
    sizes: ReaderSizes = field(default_factory=ReaderSizes)


USUAL_READER = ReaderSettings()


def train_reader(
    start: ReaderStart,
    material: ReaderMaterial,
    settings: ReaderSettings = USUAL_READER,
    taught: ReaderMaterial | None = None,
    device: str = "cpu",
    report: Callable[[str], None] | None = None,
) -> ReaderNetwork:
    """Train a reader; on one core of a CPU, so that the result is the same on every number of them."""
    with one_thread():
        torch.manual_seed(settings.seed)
        network = ReaderNetwork.beginning(start, settings.sizes).to(device)
        _ReaderTraining(network, material, settings, taught, report).run()
        return network


class _ReaderTraining:
    """The training of one reader."""

    def __init__(
        self,
        network: ReaderNetwork,
        material: ReaderMaterial,
        settings: ReaderSettings,
        taught: ReaderMaterial | None,
        report: Callable[[str], None] | None,
    ) -> None:
        self.network, self.settings, self.report = network, settings, report
        features = material.pairs.features.astype(np.float32)
        network.mean.copy_(torch.from_numpy(features.mean(0)))
        network.std.copy_(torch.from_numpy(features.std(0) + constants.SMALLEST_SPREAD))
        self.random = np.random.default_rng(settings.seed)
        annotated = _Blocks(material, settings, self.random)
        self.lessons = [(annotated, settings.subwords, constants.PAIRS_WEIGHED)]
        if taught is not None:
            judged = _Blocks(taught, settings, self.random)
            self.lessons.append((judged, settings.taught, constants.PAIRS_WEIGHED_TAUGHT))

    def run(self) -> None:
        """Take all steps, and keep the running average of the weights."""
        network, settings = self.network, self.settings
        groups = layer_rates(network, settings.rate, settings.decay, lambda _: settings.head_rate)
        average = Average(network.parameters(), settings.average)
        network.train()
        take_steps(
            Optimization(groups, average, SCHEDULE), range(settings.steps), self.loss, settings.steps,
            after_step=reporting(self.report, REPORTED, settings.steps, "reader: "),
        )  # fmt: skip
        average.swap()
        network.round_as_exported(False)
        network.eval()

    def loss(self, step: int) -> Tensor:
        """Judge one batch of each data set that is due."""
        settings = self.settings
        is_late = step / settings.steps >= constants.ROUNDED_FROM
        self.network.round_as_exported(settings.rounded and is_late)
        due = self.lessons[1:] if step % settings.annotated_every else self.lessons
        mode = int(self.random.integers(ENTITIES + 1))
        total = self.network.mark.weight.new_zeros(())
        for blocks, subwords, weighed in due or self.lessons:
            batch = blocks.drawn(subwords)
            judged, rows, count = read_blocks(self.network, blocks.material, batch, mode)
            same = torch.from_numpy(blocks.material.pairs.same[rows]).to(judged.device)
            losses = functional.binary_cross_entropy_with_logits(judged, same, reduction="sum")
            total = total + losses / (count * weighed * (1.0 if mode == BOTH else 0.5))
        return total


class _Blocks:
    """Draws blocks of passages: one after the other, in another order each time, with those alike."""

    def __init__(
        self, material: ReaderMaterial, settings: ReaderSettings, random: np.random.Generator
    ) -> None:
        self.material, self.settings, self.random = material, settings, random
        self.length = np.array([len(rows) for rows in material.inputs], np.int64)
        near = material.pairs.near
        both = Grouped.of(np.concatenate([near.first, near.second]))
        other, alike = np.concatenate([near.second, near.first]), np.tile(material.pairs.alike, 2)
        self.near = {number: (other[both[number]], alike[both[number]]) for number in range(self.length.size)}
        self.waiting: list[int] = []

    def drawn(self, subwords: int) -> list[list[int]]:
        """Draw rows of one length until they have so many subwords."""
        length = int(self.random.choice(self.settings.lengths))
        blocks: list[list[int]] = []
        while subwords > 0:
            if not self.waiting:
                count = self.material.pairs.near.size if self.settings.two else self.length.size
                self.waiting = self.random.permutation(count).tolist()
            block = (
                self.pair(self.waiting.pop()) if self.settings.two else self.block(self.waiting.pop(), length)
            )
            blocks.append([block[at] for at in self.random.permutation(len(block))])
            subwords -= int(self.length[block].sum()) if self.settings.two else length
        return blocks

    def pair(self, number: int) -> list[int]:
        """Take both passages of a near pair."""
        near = self.material.pairs.near
        return sorted({int(near.first[number]), int(near.second[number])})

    def block(self, seed: int, most: int) -> list[int]:
        """Take a passage, and those most alike, a little by chance, as long as they fit into a row."""
        block, size = [seed], int(self.length[seed])
        other, alike = self.near[seed]
        for at in np.argsort(-(alike + self.random.gumbel(size=alike.size) * constants.NOISE)).tolist():
            if other[at] == seed:
                continue
            size += int(self.length[other[at]])
            if size > most:
                break
            block.append(int(other[at]))
        return block


def read_blocks(
    network: ReaderNetwork, material: ReaderMaterial, blocks: Sequence[Sequence[int]], mode: int
) -> tuple[Tensor, IntArray, int]:
    """Read blocks: log odds of pairs of mentions, which pairs these are, and of how many pairs of passages.

    Pairs of passages that are not near are left out; what is in two blocks comes twice.
    """
    pairs, device = material.pairs, network.mark.weight.device
    rows, begins = _collated(material, blocks, mode)
    row, number = _pairs_inside(material, blocks)
    of_row = np.repeat(row, pairs.edges[number + 1] - pairs.edges[number])
    chosen = ragged(pairs.edges[number], pairs.edges[number + 1])
    if mode != BOTH:
        asked = pairs.mentions.kind[pairs.pairs.first[chosen]] == mode - 1
        of_row, chosen = of_row[asked], chosen[asked]
    one, other = (
        torch.from_numpy(
            material.ends[mention]
            + (of_row * rows.marks.shape[1] + begins[of_row, pairs.home[mention]])[:, None]
        )
        for mention in (pairs.pairs.first[chosen], pairs.pairs.second[chosen])
    )
    kind = torch.from_numpy(pairs.mentions.kind[pairs.pairs.first[chosen]])
    features = torch.from_numpy(pairs.features[chosen].astype(np.float32))
    compared = BlockPairs(one, other, kind, features)
    odds = network(
        BlockRows(*(each.to(device) for each in rows)), BlockPairs(*(each.to(device) for each in compared))
    )
    return odds, chosen, number.size


def _pairs_inside(material: ReaderMaterial, blocks: Sequence[Sequence[int]]) -> tuple[IntArray, IntArray]:
    """List the near pairs of passages in each block: the number of the block, and of the pair."""
    near, size = material.pairs.near, len(material.inputs)
    code = near.first * size + near.second
    rows, numbers = [], []
    for row, block in enumerate(blocks):
        passages = np.sort(np.array(block, np.int64))
        one, other = np.triu_indices(passages.size)
        index, there = find(passages[one] * size + passages[other], code)
        rows.append(np.full(int(there.sum()), row))
        numbers.append(index[there])
    return np.concatenate(rows), np.concatenate(numbers)


def _collated(
    material: ReaderMaterial, blocks: Sequence[Sequence[int]], mode: int
) -> tuple[BlockRows, IntArray]:
    """Put passages one after the other into rows, and give where each begins in its row."""
    inputs = material.inputs
    size = len(blocks), max(sum(len(inputs[passage]) for passage in block) for block in blocks)
    table = np.zeros((*size, inputs[0].shape[1]), inputs[0].dtype)
    marks, column = np.zeros(size, np.int64), np.zeros(size, np.int64)
    number, begins = np.full(size, -1), np.zeros((len(blocks), len(inputs)), np.int64)
    for row, block in enumerate(blocks):
        at = 0
        for order, passage in enumerate(block):
            length = len(inputs[passage])
            place = row, slice(at, at + length)
            table[place], number[place], column[place] = inputs[passage], order, np.arange(length)
            event, entity = material.inside[passage].T
            marks[place] = np.where(event & (mode != ENTITIES), 1, 2 * (entity & (mode != EVENTS)))
            begins[row, passage] = at
            at += length
    return BlockRows(*map(torch.from_numpy, (table, marks, number, column))), begins


@torch.no_grad()
def block_odds(
    network: ReaderNetwork, material: ReaderMaterial, blocks: Sequence[Sequence[int]], mode: int = BOTH
) -> tuple[FloatArray, IntArray]:
    """Read blocks: the average log odds of each pair of mentions, and how often it was read."""
    size = material.pairs.pairs.size
    total, times = np.zeros(size), np.zeros(size, np.int64)
    for at in range(0, len(blocks), TOGETHER):
        odds, rows, _ = read_blocks(network, material, blocks[at : at + TOGETHER], mode)
        np.add.at(total, rows, odds.double().cpu().numpy())
        np.add.at(times, rows, 1)
    return total / np.maximum(times, 1), times


def near_odds(network: ReaderNetwork, material: ReaderMaterial) -> FloatArray:
    """Let a reader judge all near pairs, each two passages by themselves: log odds."""
    near = material.pairs.near
    blocks = [sorted({*pair}) for pair in zip(near.first.tolist(), near.second.tolist(), strict=True)]
    return block_odds(network, material, blocks)[0]
