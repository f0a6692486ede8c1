"""Scores with their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

from referee.comparing.verdicts import Interval, Plan, headline
from referee.metrics.standard import CONLL
from referee.scoring.result import Result
from referee.tables.comparison import interval_words, label
from referee.tables.rendering import Output, Records
from referee.tables.scores import HEADS, NUMBERS, Parts, in_percent, score_cell, score_data, scored_units
from referee.tables.table import Cell, Column, Table

Intervals = Mapping[str, tuple[Interval, Interval, Interval]]  # measure → of recall, precision and F1


@dataclass(frozen=True, slots=True)
class Estimate:
    """A system's result, on a group of units if there are groups, and the interval of each score."""

    system: str
    group: str
    result: Result
    intervals: Intervals

    def value(self, measure: str, number: str) -> float | None:
        """One score; the CoNLL average has F1 only."""
        if measure == CONLL:
            return self.result.conll if number == "f1" else None
        return float(getattr(self.result.scores[measure], number))


def interval_output(
    key: str,
    results: Sequence[Result],
    groups: Sequence[Parts] | None,
    grouped_by: str,
    estimates: Sequence[Estimate],
    plan: Plan,
) -> Output:
    """Show scores with their intervals: one system in full, several in one table, or groups."""

    def table() -> Table:
        if groups is not None:
            return of_groups(estimates, grouped_by, plan)
        return in_full(estimates[0], plan) if len(estimates) == 1 else of_systems(estimates, plan)

    return Output(
        lambda: [table()],
        lambda: interval_data(score_data(key, results, groups), estimates, plan),
        lambda: interval_records(estimates),
    )


def _interval_title(plan: Plan) -> str:
    return f"{100 * plan.level:g} % interval"


def _number_columns(plan: Plan) -> list[Column]:
    return [column for number in NUMBERS for column in (Column(HEADS[number]), Column(_interval_title(plan)))]


def in_full(estimate: Estimate, plan: Plan) -> Table:
    """Show recall, precision and F1 of one system, each with its interval."""
    rows = [[Cell(label(measure)), *_cells(estimate, measure)] for measure in estimate.intervals]
    caption = f"{estimate.system}: {scored_units(estimate.result)}"
    columns = [Column("", left=True), *_number_columns(plan)]
    return Table(columns, rows, caption, ("", *_notes(estimate.result, plan)))


def of_systems(estimates: Sequence[Estimate], plan: Plan) -> Table:
    """Show all systems measure by measure, each score with its interval; the best F1 is marked."""
    rows = []
    for measure in estimates[0].intervals:
        best = max(in_percent(estimate.value(measure, "f1") or 0.0) for estimate in estimates)
        for number, estimate in enumerate(estimates):
            name = Cell("" if number else label(measure))
            rows.append([name, Cell(estimate.system), *_cells(estimate, measure, best)])
    columns = [Column("", left=True), Column("System", left=True), *_number_columns(plan)]
    return Table(columns, rows, scored_units(estimates[0].result), ("", *_notes(estimates[0].result, plan)))


def _cells(estimate: Estimate, measure: str, best: float | None = None) -> list[Cell]:
    """Show the scores of one measure; `best` is the F1 to mark."""
    cells = []
    for number, interval in zip(NUMBERS, estimate.intervals[measure], strict=True):
        value = estimate.value(measure, number)
        if value is None:
            cells += [Cell(""), Cell("")]
        else:
            marked = number == "f1" and in_percent(value) == best
            cells += [score_cell(value, best=marked), Cell(interval_words(interval))]
    return cells


def of_groups(estimates: Sequence[Estimate], grouped_by: str, plan: Plan) -> Table:
    """Show the headline measure of each system and group, with its interval."""
    measure = headline(list(estimates[0].intervals))
    columns = [Column("System", left=True), Column(grouped_by, left=True)]
    columns += [Column(f"{label(measure)} F1"), Column(_interval_title(plan))]
    rows = [
        [
            *(Cell(estimate.system), Cell(estimate.group)),
            score_cell(estimate.value(measure, "f1") or 0.0),
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


def interval_records(estimates: Sequence[Estimate]) -> Records:
    """List a row for each system, group and measure, with unrounded numbers."""
    heads = ["system", "group", "metric"]
    heads += [f"{number}{end}" for number in NUMBERS for end in ("", "_low", "_high")]
    rows: list[list[object]] = []
    for estimate in estimates:
        for measure, measured in estimate.intervals.items():
            row: list[object] = [estimate.system, estimate.group, measure]
            for number, interval in zip(NUMBERS, measured, strict=True):
                value = estimate.value(measure, number)
                row += ["", "", ""] if value is None else [value, *_edges(interval)]
            rows.append(row)
    return heads, rows


def interval_data(data: dict[str, Any], estimates: Sequence[Estimate], plan: Plan) -> dict[str, Any]:
    """Add intervals to the data of scores, for each result and each of its groups."""
    intervals = {(estimate.system, estimate.group): _plain(estimate) for estimate in estimates}
    resampling = {"samples": plan.samples, "seed": plan.seed, "level": plan.level}

    def with_intervals(result: Mapping[str, Any]) -> dict[str, Any]:
        system, value = result["system"], {**result, "resampling": resampling}
        if (system, "") in intervals:
            value["intervals"] = intervals[system, ""]
        if "groups" in result:
            value["groups"] = {
                group: {**part, "intervals": intervals[system, group]}
                for group, part in result["groups"].items()
            }
        return value

    return {**data, "results": [with_intervals(result) for result in data["results"]]}


def _plain(estimate: Estimate) -> dict[str, dict[str, list[float | None]]]:
    return {
        measure: {
            number: _edges(interval)
            for number, interval in zip(NUMBERS, measured, strict=True)
            if estimate.value(measure, number) is not None
        }
        for measure, measured in estimate.intervals.items()
    }


def _edges(interval: Interval) -> list[float | None]:
    return [None if isnan(edge) else edge for edge in (interval.low, interval.high)]
