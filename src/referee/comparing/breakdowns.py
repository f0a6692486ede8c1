"""Where systems differ: by groups of documents, by kinds of mentions, and on single documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from referee.comparing.resampling import F1, Stack
from referee.comparing.significance import alike, compare_results, holm
from referee.comparing.stratified_scores import occupied
from referee.comparing.verdicts import Comparison, Plan, headline
from referee.exceptions import ProtocolError
from referee.metrics.standard import CONLL_METRICS
from referee.scoring.genres import genre
from referee.scoring.result import Result

LENGTH_GROUPS = 4


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A comparison for each group; `sizes` says how many things of a kind each group has."""

    title: str
    counted: str
    sizes: Mapping[str, int]
    comparisons: Mapping[str, Comparison]


@dataclass(frozen=True, slots=True)
class Change:
    """A unit on which a system gains or loses against the baseline."""

    system: str
    unit: str
    baseline: float
    score: float

    @property
    def gain(self) -> float:
        """How much better the system is."""
        return self.score - self.baseline


def group_labels(result: Result, by: str, genres: Mapping[str, str] | None = None) -> Sequence[str]:
    """Name the group of each unit: "unit", "document" or "genre"; `genres` if names do not contain it."""
    if by == "unit":
        return result.units
    if result.protocol.scope != "document":
        raise ProtocolError(f"the units are {result.protocol.scope}s, not documents: break down by=unit")
    if by == "document":
        return result.units
    labels = [(genres or {}).get(unit) or genre(unit) for unit in result.units]
    unknown = [unit for unit, label in zip(result.units, labels, strict=True) if not label]
    if unknown:
        raise ProtocolError(
            f"the name of {unknown[0]} does not say its genre; give genres=FILE with a line "
            "'document<tab>genre' for each document"
        )
    return labels


def by_label(
    results: Sequence[Result], labels: Sequence[str], title: str, plan: Plan, order: Sequence[str] = ()
) -> Breakdown:
    """Compare groups of units, given a label for each; groups come in the order given, or by their names."""
    results = alike(results)
    metrics = _headline_metrics(results[0])
    groups: dict[str, list[int]] = {}
    for row, label in enumerate(labels):
        groups.setdefault(label, []).append(row)
    shown = [label for label in order or sorted(groups) if label in groups]
    comparisons = {
        label: compare_results([_only(result.where(groups[label]), metrics) for result in results], plan)
        for label in shown
    }
    counted = f"{results[0].protocol.scope}s".capitalize()
    return Breakdown(title, counted, {label: len(groups[label]) for label in shown}, _fair(comparisons))


def by_length(results: Sequence[Result], plan: Plan) -> Breakdown:
    """Compare units of like length: four groups of as equal a number as can be."""
    lengths = results[0].lengths
    if not lengths:
        raise ProtocolError("the results do not say how long their documents are; score them again")
    edges = np.unique(np.quantile(lengths, np.arange(1, LENGTH_GROUPS) / LENGTH_GROUPS, method="lower"))
    names = _ranges(edges.tolist())
    labels = [names[group] for group in np.searchsorted(edges, lengths).tolist()]
    return by_label(results, labels, "Length", plan, order=names)


def _ranges(edges: Sequence[int]) -> list[str]:
    """Name what lies between edges, which belong to the group below them."""
    middle = [f"{low + 1}–{high}" for low, high in pairwise(edges)]
    return [f"up to {edges[0]}", *middle, f"over {edges[-1]}"]


def by_stratum(strata: Sequence[Mapping[str, Result]], title: str, plan: Plan) -> Breakdown:
    """Compare kinds of mentions, given each system's results by kind (`stratified_scores.stratify`).

    Kinds that the key has no mentions of are left out, for their F1 is always 0. Documents without mentions
    of a kind are not resampled with it: they say nothing about it.
    """
    sizes = {label: int(result.mentions.counts["recall_denominator"]) for label, result in strata[0].items()}
    comparisons = {
        label: compare_results(occupied([system[label] for system in strata]), plan)
        for label, size in sizes.items()
        if size
    }
    if not comparisons:
        raise ProtocolError("the key has no mentions, so there are no kinds of them to compare")
    return Breakdown(title, "Mentions", {label: sizes[label] for label in comparisons}, _fair(comparisons))


def _headline_metrics(result: Result) -> Sequence[str]:
    return CONLL_METRICS if result.has_conll else [headline(list(result.counts))]


def _only(result: Result, names: Sequence[str]) -> Result:
    return replace(result, counts={name: result.counts[name] for name in names})


def _fair(comparisons: Mapping[str, Comparison]) -> dict[str, Comparison]:
    """Correct for every test of a breakdown together: many groups make chance findings more likely."""
    if any(comparison.plan.correction == "none" for comparison in comparisons.values()):
        return dict(comparisons)
    tested = [
        (label, system, verdict[comparison.headline])
        for label, comparison in comparisons.items()
        for system, verdict in enumerate(comparison.verdicts)
        if system
    ]
    adjusted = holm(np.array([[verdict.p or 0.0] for _, _, verdict in tested]))[:, 0].tolist()
    verdicts = {label: [dict(v) for v in comparison.verdicts] for label, comparison in comparisons.items()}
    for (label, system, verdict), p in zip(tested, adjusted, strict=True):
        sure = verdict.significant and p < comparisons[label].plan.alpha
        measure = comparisons[label].headline
        verdicts[label][system][measure] = replace(verdict, adjusted=p, significant=sure)
    return {label: replace(comparison, verdicts=verdicts[label]) for label, comparison in comparisons.items()}


def unit_scores(results: Sequence[Result]) -> tuple[str, list[list[float]]]:
    """The headline measure, and each system's F1 in it on each unit alone."""
    stack = Stack.of(results)
    measure = headline(stack.measures)
    return measure, stack.scores(stack.columns.T)[:, stack.measures.index(measure), F1].tolist()


def extremes(results: Sequence[Result], count: int) -> list[Change]:
    """The units on which each system gains and loses most against the first, the largest gain first."""
    results = alike(results)
    _, scores = unit_scores(results)
    found: list[Change] = []
    for result, of_system in zip(results[1:], scores[1:], strict=True):
        changes = [
            Change(result.system, unit, *pair)
            for unit, *pair in zip(result.units, scores[0], of_system, strict=True)
        ]
        changes.sort(key=lambda change: (-change.gain, change.unit))
        gains = [change for change in changes[:count] if change.gain > 0]
        losses = [change for change in changes[-count:] if change.gain < 0] if count else []
        found += gains + losses
    return found
