"""Draws corpora like the one we have, and scores them: rows of counts add up, so a draw is a row of weights
and all draws are one matrix product.

Sums are exact. Counts are rounded to a grid (a power of two for each column, too fine to change a printed
decimal), so that no sum needs more digits than a double has. Then the order of additions does not matter, and
the same seed gives the same numbers with any number of threads, blocks or systems.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from referee.arrays import FloatArray
from referee.metrics.catalogue import CATALOGUE
from referee.metrics.standard import CONLL, CONLL_METRICS
from referee.scoring.result import Result

BLOCK = 2**18  # weights drawn at a time: they fit a processor's cache
LEAST = 128  # draws at a time, however many units: products of fewer are slow
SMALL = 2**18  # multiplications in a product that BLAS does on one core
DIGITS = 52  # bits of a double that a sum may fill
F1 = 2  # where a scale puts F1


@dataclass(frozen=True, slots=True)
class Stack:
    """The counts of several systems over the same units, side by side, equal columns once."""

    columns: FloatArray  # units × distinct columns, on the grid
    places: dict[str, tuple[tuple[int, ...], ...]]  # metric → system → its columns
    units: int
    counting: str  # whose rules say how counts become scores

    @classmethod
    def of(cls, results: Sequence[Result]) -> Stack:
        """Put results side by side."""
        units = len(results[0].units)
        known: dict[bytes, int] = {}
        columns: list[FloatArray] = []
        places = {}
        for name in results[0].counts:
            counts = _on_grid(np.stack([result.counts[name] for result in results]), units)
            places[name] = tuple(tuple(_place(row, known, columns) for row in system) for system in counts)
        return cls(np.column_stack(columns), places, units, results[0].protocol.counting)

    @property
    def measures(self) -> tuple[str, ...]:
        """The metrics, and the CoNLL average if its three are here."""
        return (
            (*self.places, CONLL) if all(name in self.places for name in CONLL_METRICS) else (*self.places,)
        )

    def totals(self) -> FloatArray:
        """The corpus as it is: distinct columns × 1."""
        return np.asarray(self.columns.sum(axis=0)[:, None])

    def scores(self, totals: FloatArray) -> FloatArray:
        """Recall, precision and F1 of each system in each measure: systems × measures × 3 × draws.

        The CoNLL average has F1 only; its recall and precision are not a number.
        """
        systems = len(self.places[next(iter(self.places))])
        scores = np.full((systems, len(self.measures), 3, totals.shape[1]), np.nan)
        for number, name in enumerate(self.places):
            counts = totals[np.array(self.places[name])]  # systems × columns × draws
            scale = CATALOGUE[name].scale_under(self.counting)
            scores[:, number] = np.moveaxis(scale(np.moveaxis(counts, 1, -1)), -1, 1)
        if CONLL in self.measures:
            rows = [list(self.places).index(name) for name in CONLL_METRICS]
            scores[:, -1, F1] = scores[:, rows, F1].mean(axis=1)
        return scores

    def against_first(self) -> Swapping:
        """Pair the first system with each other one, to swap what they did unit by unit."""
        pairs: dict[tuple[int, int], int] = {}
        places = {}
        for name, systems in self.places.items():
            first = systems[0]
            turns = [turn for other in systems[1:] for turn in ((first, other), (other, first))]
            places[name] = tuple(
                tuple(pairs.setdefault(pair, len(pairs)) for pair in zip(ours, theirs, strict=True))
                for ours, theirs in turns
            )
        ours, theirs = np.array(list(pairs)).T
        return Swapping(
            Stack(self.columns[:, ours], places, self.units, self.counting),
            self.columns[:, theirs] - self.columns[:, ours],
        )

    def bootstrap(self, samples: int, seed: int) -> Iterator[FloatArray]:
        """Draw as many units as there are, with replacement, many times: totals, block by block."""
        chance = np.random.default_rng(seed)
        kind = np.uint16 if self.units < 2**16 else np.uint32
        for size in _blocks(samples, self.units):
            drawn = chance.integers(0, self.units, (size, self.units), dtype=kind)
            rows = np.arange(0, size * self.units, self.units)[:, None]
            weights = np.bincount((drawn + rows).ravel(), minlength=size * self.units)
            yield totals_of(weights.reshape(size, self.units).astype(np.float64), self.columns)


@dataclass(frozen=True, slots=True)
class Swapping:
    """Pairs of systems: the first and the second, the second and the first, the first and the third, …"""

    stack: Stack
    change: FloatArray  # what a swapped unit adds to each column of the stack

    def scores(self, samples: int, seed: int) -> Iterator[FloatArray]:
        """Score all pairs after random swaps, block by block."""
        totals = self.stack.totals()
        for swapped in swaps(self.stack.units, samples, seed):
            yield self.stack.scores(totals + totals_of(swapped, self.change))


def swaps(units: int, samples: int, seed: int) -> Iterator[FloatArray]:
    """Toss a coin for each unit, many times: draws × units of 0 and 1, block by block.

    If there are no more ways to swap than samples asked for, each way comes once and the test is exact.
    """
    if 2**units <= samples:
        yield (np.arange(2**units)[:, None] >> np.arange(units) & 1).astype(np.float64)
        return
    chance = np.random.default_rng(seed)
    for size in _blocks(samples, units):
        tosses = np.frombuffer(chance.bytes((size * units + 7) // 8), np.uint8)
        yield np.unpackbits(tosses, count=size * units).reshape(size, units).astype(np.float64)


def totals_of(weights: FloatArray, columns: FloatArray) -> FloatArray:
    """Weigh and sum units, given draws × units and units × columns: columns × draws.

    The product is divided into small ones, which BLAS computes on one core. These are as fast; a large one on
    all cores waits for the slowest core, which takes long if the machine is busy.
    """
    draws, units = weights.shape
    rows = min(SMALL // columns.size, draws)
    if rows == 0:  # there is enough to do for many cores
        return np.asarray(columns.T @ weights.T)
    whole = draws - draws % rows
    parts = np.matmul(weights[:whole].reshape(whole // rows, rows, units), columns)
    totals = np.concatenate([parts.reshape(whole, -1), weights[whole:] @ columns])
    return np.ascontiguousarray(totals.T)


def _blocks(samples: int, units: int) -> Iterator[int]:
    size = max(BLOCK // units, LEAST)
    for start in range(0, samples, size):
        yield min(size, samples - start)


def _on_grid(counts: FloatArray, units: int) -> FloatArray:
    """Round to a power of two per column: systems × units × columns in, systems × columns × units out."""
    counts = np.moveaxis(counts, -1, 1)
    largest = np.abs(counts).max(axis=(0, 2), keepdims=True) * units
    step = np.exp2(np.ceil(np.log2(np.maximum(largest, 1))) - DIGITS)
    return np.asarray(np.rint(counts / step) * step)


def _place(column: FloatArray, known: dict[bytes, int], columns: list[FloatArray]) -> int:
    number = known.setdefault(column.tobytes(), len(columns))
    if number == len(columns):
        columns.append(column)
    return number
