"""Scores with intervals beside them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

from referee.comparing.resampling import CONLL
from referee.comparing.significance import Interval, Plan, headline
from referee.scoring.result import Result
from referee.tables.comparison_tables import interval_words, label
from referee.tables.score_tables import HEADS, NUMBERS, percent
from referee.tables.table import Cell, Column, Table, comma_separated

Intervals = Mapping[str, tuple[Interval, Interval, Interval]]  # measure → of recall, precision and F1


@dataclass(frozen=True, slots=True)
class Estimate:
    """A system's result, on a group of units if there are groups, and how sure each score is."""

    system: str
    group: str
    result: Result
    intervals: Intervals

    def value(self, measure: str, number: str) -> float | None:
        """One score; the CoNLL average has F1 only."""
        if measure == CONLL:
            return self.result.conll if number == "f1" else None
        return float(getattr(self.result.scores[measure], number))


def in_full(estimate: Estimate, plan: Plan) -> Table:
    """Show recall, precision and F1 of one system, each with its interval."""
    title = f"{100 * plan.level:g} % interval"
    columns = [Column("", left=True)]
    for number in NUMBERS:
        columns += [Column(HEADS[number]), Column(title)]
    rows = []
    for measure, found in estimate.intervals.items():
        cells = [Cell(label(measure))]
        for number, interval in zip(NUMBERS, found, strict=True):
            value = estimate.value(measure, number)
            cells += [Cell("" if value is None else percent(value))]
            cells += [Cell("" if value is None else interval_words(interval))]
        rows.append(cells)
    result = estimate.result
    units = f"{len(result.units)} {result.protocol.scope}{'s' * (len(result.units) != 1)}"
    return Table(columns, rows, f"{estimate.system}: {units}", ("", *_notes(result, plan)))


def of_groups(estimates: Sequence[Estimate], grouped_by: str, plan: Plan) -> Table:
    """Show the headline measure of each system and group, with its interval."""
    measure = headline(list(estimates[0].intervals))
    columns = [Column("System", left=True), Column(grouped_by, left=True)]
    columns += [Column(f"{label(measure)} F1"), Column(f"{100 * plan.level:g} % interval")]
    rows = [
        [
            *(Cell(estimate.system), Cell(estimate.group)),
            Cell(percent(estimate.value(measure, "f1") or 0.0)),
            Cell(interval_words(estimate.intervals[measure][2])),
        ]
        for estimate in estimates
    ]
    return Table(columns, rows, "", ("", *_notes(estimates[0].result, plan)))


def _notes(result: Result, plan: Plan) -> list[str]:
    scope = result.protocol.scope
    return [
        f"Intervals: bootstrap over {scope}s, {plan.samples} samples, seed {plan.seed}.",
        result.signature,
    ]


def intervals_csv(estimates: Sequence[Estimate]) -> str:
    """Write a row for each system, group and measure, with unrounded numbers."""
    heads = ["system", "group", "metric"]
    heads += [f"{number}{end}" for number in NUMBERS for end in ("", "_low", "_high")]
    rows: list[list[object]] = []
    for estimate in estimates:
        for measure, found in estimate.intervals.items():
            row: list[object] = [estimate.system, estimate.group, measure]
            for number, interval in zip(NUMBERS, found, strict=True):
                value = estimate.value(measure, number)
                row += ["", "", ""] if value is None else [value, *_edges(interval)]
            rows.append(row)
    return comma_separated(heads, rows)


def with_intervals(words: str, estimates: Sequence[Estimate], plan: Plan) -> str:
    """Add intervals to what `score --format json` writes, for each result and each of its groups."""
    value: dict[str, Any] = json.loads(words)
    found = {(estimate.system, estimate.group): _plain(estimate) for estimate in estimates}
    for result in value["results"]:
        result["resampling"] = {"samples": plan.samples, "seed": plan.seed, "level": plan.level}
        if (result["system"], "") in found:
            result["intervals"] = found[result["system"], ""]
        for group, part in result.get("groups", {}).items():
            part["intervals"] = found[result["system"], group]
    return json.dumps(value, indent=1, ensure_ascii=False)


def _plain(estimate: Estimate) -> dict[str, dict[str, list[float | None]]]:
    return {
        measure: {
            number: _edges(interval)
            for number, interval in zip(NUMBERS, found, strict=True)
            if estimate.value(measure, number) is not None
        }
        for measure, found in estimate.intervals.items()
    }


def _edges(interval: Interval) -> list[float | None]:
    return [None if isnan(edge) else edge for edge in (interval.low, interval.high)]
