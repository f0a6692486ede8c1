"""Tables of many data sets: a row for each, and their mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.scoring.datasets import DataSets
from referee.tables.rendering import Output, Records
from referee.tables.scores import (
    NUMBERS,
    MetricRecord,
    Row,
    counted_records,
    joined_notices,
    metric_records,
    score_cell,
    shown_numbers,
    side_by_side,
)
from referee.tables.table import Cell, Table

DATA_SET, MEAN = "Data set", "mean"


def dataset_output(systems: Sequence[DataSets], *, macro: bool) -> Output:
    """Show a row for each data set and system, and with `macro` the mean over data sets."""
    return Output(
        lambda: [_table(systems, macro=macro)],
        lambda: _data(systems, macro=macro),
        lambda: _records(systems, macro=macro),
    )


def _table(systems: Sequence[DataSets], *, macro: bool) -> Table:
    rows = [
        Row(system.system, name, system.results[name]) for name in systems[0].results for system in systems
    ]
    table = side_by_side(rows, DATA_SET)
    if not macro:
        return table
    means = [_means(system) for system in systems]
    best = [max(round(value, 4) for value in column) for column in zip(*means, strict=True)]
    several = len(systems) > 1
    last = [
        [*map(Cell, [system.system] * several + [MEAN]), *(
            score_cell(value, best=several and round(value, 4) == most)
            for value, most in zip(values, best, strict=True)
        )]
        for system, values in zip(systems, means, strict=True)
    ]  # fmt: skip
    return Table(table.columns, [*table.rows, *last], table.caption, [*table.notes, *_notes(systems)])


def _means(system: DataSets) -> list[float]:
    first = next(iter(system.results.values()))
    means = [system.mean(metric, number) for metric in first.scores for number in shown_numbers(first)]
    return [*means, system.conll] if system.has_conll else means


def _notes(systems: Sequence[DataSets]) -> list[str]:
    return [
        f"macro-conll-f1 of {system.system} over {len(system.results)} data sets = {100 * system.conll:.2f}"
        for system in systems
        if system.has_conll
    ]


def _data(systems: Sequence[DataSets], *, macro: bool) -> dict[str, Any]:
    results = [
        {"data_set": name, **result.to_dict(), "system": system.system}
        for system in systems
        for name, result in system.results.items()
    ]
    notices = joined_notices([result for system in systems for result in system.results.values()])
    data: dict[str, Any] = {"notices": notices, "results": results}
    if macro:
        data["macro"] = {system.system: _mean_scores(system) for system in systems}
    return data


def _mean_scores(system: DataSets) -> dict[str, Any]:
    first = next(iter(system.results.values()))
    value: dict[str, Any] = {
        metric: {number: system.mean(metric, number) for number in NUMBERS} for metric in first.scores
    }
    return value | {"conll": system.conll} if system.has_conll else value


def _records(systems: Sequence[DataSets], *, macro: bool) -> Records:
    rows = [
        row
        for system in systems
        for name, result in system.results.items()
        for row in metric_records(system.system, name, result)
    ]
    for system in systems if macro else ():
        scores = _mean_scores(system)
        conll = scores.pop("conll", None)
        rows += [
            MetricRecord((system.system, MEAN, metric), [values[number] for number in NUMBERS], {})
            for metric, values in scores.items()
        ]
        rows += [MetricRecord((system.system, MEAN, "conll"), (None, None, conll), {})] * (conll is not None)
    return counted_records(["system", "data_set", "metric"], rows)
