"""Scores taken apart by kinds of mentions and entities.

Each mention adds to a metric (`metrics.by_mention`), so a metric can be summed over any kind of mention:
recall over the key's mentions of a kind, precision over the response's. On the response side the kind follows
from the response's clusters and the key's text; a mention of the response has the type of the key's mention
that it matches, or else the type of its own span.

Where a mention is repeated, its first occurrence counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from referee.arrays import FloatArray, IntArray, distinct, totals
from referee.exceptions import ProtocolError, SettingError, did_you_mean
from referee.language.entity_types import TypesOf, TypeSurvey, annotated_types
from referee.language.strata import (
    SPANS_ALONE,
    WHERE_TYPES,
    SideMentions,
    Stratification,
    in_order,
    labels_of_sides,
)
from referee.matching.aligned import Aligned
from referee.matching.batch import ReadBatch
from referee.metrics.by_mention import CREDITS
from referee.metrics.catalogue import CATALOGUE
from referee.model import Chains, Corpus
from referee.scoring.engines import Engine
from referee.scoring.result import Result
from referee.scoring.task import Task

Counts = dict[str, FloatArray]  # metric → rows of counts
Strata = dict[str, Result]  # kind → its scores
Sides = tuple["_Side", "_Side"]  # key and response
MENTIONS = "mentions"  # is always counted: it says how many mentions a kind has


def stratify(
    task: Task,
    by: Stratification,
    texts: Corpus | None = None,
    types_of: TypesOf = annotated_types,
    metrics: Sequence[str] = (),
) -> list[Strata]:
    """Score each system on each kind of mention, document by document; all systems have the same kinds.

    `texts` is the key with the layers that the kinds need, if the key itself lacks them. A set of split
    antecedents is of no kind: the protocol of these scores leaves sets out.
    """
    task = task.of_links()
    if task.protocol.sets != "drop":
        task = task.under(replace(task.protocol, sets="drop"))
    names = stratified_metrics(metrics or by.metrics)
    counted = []
    for aligned in task.aligned():
        counting = _Counting(aligned, texts or aligned.key, by, types_of, names)
        counted.append(_stratified(counting, task.engine))
    kinds = in_order(by, _sizes(counted))
    return [
        {kind: replace(empty, counts=found.get(kind, empty.counts), system=system) for kind in kinds}
        for system, (found, empty) in zip(task.systems, counted, strict=True)
    ]


def stratified_metrics(metrics: Sequence[str]) -> tuple[str, ...]:
    """List the metrics that are counted; those that are no sum over mentions are refused."""
    if others := [name for name in metrics if name not in CREDITS]:
        label = CATALOGUE[others[0]].label if others[0] in CATALOGUE else others[0]
        near = did_you_mean(others[0], CREDITS)
        raise SettingError(
            f"{label} is not a sum over mentions, so no kind of mention has a share in it; metric= may be "
            f"{', '.join(CREDITS)}{near}"
        )
    return tuple(dict.fromkeys((MENTIONS, *metrics)))


def with_known_types(
    by: Stratification, key: Corpus, types_of: TypesOf
) -> tuple[Stratification, Sequence[str]]:
    """See whether the key has types, if the kinds need them; also say what should be known about them.

    Spans can do without, though long entities then look easier than they are.
    """
    if not by.typed:
        return by, ()
    survey = TypeSurvey.of(key, types_of)
    if survey.typed or not survey.entities:
        return by, survey.notices(key.name)
    if by.title != SPANS_ALONE.title:
        raise ProtocolError(f"{key.name}: no entity has a type; {WHERE_TYPES}")
    return SPANS_ALONE, [
        f"{key.name}: no entity has a type, so spans are not shown within types, and long entities look "
        f"easier because most are people; {WHERE_TYPES}"
    ]


def occupied(results: Sequence[Result]) -> list[Result]:
    """Leave out the units where neither the key nor a response has mentions of a kind."""
    some = np.any([rows.any(axis=1) for result in results for rows in result.counts.values()], axis=0)
    return [result.where(np.flatnonzero(some).tolist()) for result in results]


def _sizes(counted: Sequence[tuple[dict[str, Counts], Result]]) -> dict[str, int]:
    """Count the key's mentions of each kind; kinds that only a system has are there too."""
    first = counted[0][0]
    kinds = dict.fromkeys(kind for found, _ in counted for kind in found)
    return {kind: int(first[kind][MENTIONS][:, 1].sum()) if kind in first else 0 for kind in kinds}


def _stratified(counting: _Counting, engine: Engine) -> tuple[dict[str, Counts], Result]:
    """Count batch by batch; give each kind's counts, and a result without any."""
    aligned = counting.aligned
    units = len(aligned.units)
    found: dict[str, Counts] = {}
    done = 0
    for part in engine.map(counting, list(aligned.batches())):
        for number, kind in enumerate(part.kinds):
            whole = found.setdefault(kind, {name: np.zeros((units, 4)) for name in counting.metrics})
            for name, rows in part.counts.items():
                whole[name][done : done + part.units] = rows[number]
        done += part.units
    nothing = {name: np.zeros((units, 4)) for name in counting.metrics}
    return found, Result(aligned.response.name, aligned.labels, nothing, aligned.protocol)


class _Counted(NamedTuple):
    """What comes out of a batch."""

    kinds: Sequence[str]
    units: int
    counts: Counts  # metric → kinds × units × 4


@dataclass(frozen=True, slots=True)
class _Side:
    """One side's mentions in a batch, each once, document by document."""

    row: IntArray
    document: IntArray
    number: IntArray
    cluster: IntArray
    size: IntArray  # of its cluster

    @classmethod
    def of(cls, chains: Chains, numbers: IntArray) -> _Side:
        """Take the first occurrence of each mention."""
        _, row = np.unique(numbers, return_index=True)
        row = row[np.lexsort((numbers[row], chains.document[row]))]
        cluster = chains.cluster[row]
        return cls(row, chains.document[row], numbers[row], cluster, np.bincount(cluster)[cluster])

    def where(self, rows: IntArray) -> _Side:
        """Keep some mentions."""
        return _Side(
            self.row[rows], self.document[rows], self.number[rows], self.cluster[rows], self.size[rows]
        )

    def documents(self, count: int) -> list[slice]:
        """Say where each document's mentions are."""
        edges = np.searchsorted(self.document, np.arange(count + 1)).tolist()
        return [slice(*edge) for edge in pairwise(edges)]


@dataclass(frozen=True, slots=True)
class _Counting:
    """Counts what mentions add to metrics by their kind, for each document of a batch."""

    aligned: Aligned
    texts: Corpus
    by: Stratification
    types_of: TypesOf
    metrics: tuple[str, ...]

    def __call__(self, batch: range) -> _Counted:
        read = self.aligned.read(batch)
        sides = _Side.of(read.key, read.numbers[0]), _Side.of(read.response, read.numbers[1])
        labels = self._labels(read, sides)
        least = 2 if self.aligned.protocol.singletons == "drop" else 1
        rows = [np.flatnonzero(side.size >= least) for side in sides]
        kept = [[some[row] for row in left.tolist()] for some, left in zip(labels, rows, strict=True)]
        known = {kind: number for number, kind in enumerate(dict.fromkeys(chain(*kept)))}
        left = [side.where(some) for side, some in zip(sides, rows, strict=True)]
        groups = [
            np.array([known[label] for label in some], np.int64) * len(read.pairs) + side.document
            for some, side in zip(kept, left, strict=True)
        ]
        shape = len(known), len(read.pairs), 4
        return _Counted(
            list(known), len(read.pairs), _count(self.metrics, left, groups, shape, strict=self.by.strict)
        )

    def _labels(self, read: ReadBatch, sides: Sides) -> tuple[list[str], list[str]]:
        """Name the kind of each mention of key and response."""
        labels: tuple[list[str], list[str]] = [], []
        parts = read.key.parts.by_row(), read.response.parts.by_row()
        places = zip(*(side.documents(len(read.pairs)) for side in sides), strict=True)
        for (k, _), here in zip(read.pairs, places, strict=True):
            key, response = (
                SideMentions(
                    [chains.mention(row, several) for row in side.row[place].tolist()],
                    side.number[place].tolist(),
                    side.cluster[place].tolist(),
                )
                for chains, several, side, place in zip(
                    (read.key, read.response), parts, sides, here, strict=True
                )
            )
            found = labels_of_sides(self.by, self.texts.document(k), key, response, self.types_of)
            for listed, some in zip(labels, found, strict=True):
                listed += some
        return labels


def _count(
    metrics: Sequence[str],
    sides: Sequence[_Side],
    groups: Sequence[IntArray],
    shape: tuple[int, int, int],
    *,
    strict: bool,
) -> Counts:
    """Sum up by group what mentions add: recall's numerator and denominator, then precision's.

    If `strict`, a mention that both sides have adds nothing where they have it in different groups.
    """
    key, response = sides
    _, k, r = np.intersect1d(key.number, response.number, assume_unique=True, return_indices=True)
    cell, _ = distinct(key.cluster[k], response.cluster[r])
    n = np.bincount(cell)[cell]
    matched = (key, k, response.size[r]), (response, r, key.size[k])
    agreed = groups[0][k] == groups[1][r] if strict else 1
    counts: Counts = {}
    for name in metrics:
        credit, columns = CREDITS[name], []
        for (side, rows, other), group in zip(matched, groups, strict=True):
            found = np.zeros(side.size.size)
            found[rows] = credit.found(n, side.size[rows], other) * agreed
            columns += [
                totals(group, values, shape[0] * shape[1]) for values in (found, credit.possible(side.size))
            ]
        counts[name] = np.stack(columns, axis=-1).reshape(shape)
    return counts
