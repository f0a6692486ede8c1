"""Tables of scores: one system in full, several side by side; groups of documents, matchings, data sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from referee.display import number_of
from referee.metrics.catalogue import CATALOGUE
from referee.scoring.datasets import ZEROS, DataSets
from referee.scoring.metric_scores import Score
from referee.scoring.result import Result
from referee.tables.rendering import Output, Records
from referee.tables.table import Cell, Column, Table

NUMBERS = ("recall", "precision", "f1")
HEADS = {"recall": "Recall", "precision": "Precision", "f1": "F1"}
DATA_SET, MEAN = "Data set", "mean"
RISEN, FALLEN = "↑", "↓"  # a rank compared with that under the first matching
WIDEST = 3  # metrics that are shown with recall and precision when systems are side by side

Parts = Mapping[str, Result]  # label of a group → that part of a result


def in_percent(value: float) -> float:
    """Round a score as papers do: a percentage with two decimals.

    >>> in_percent(57 / 79)
    72.15
    """
    return round(100 * value, 2)


def percent(value: float) -> str:
    """Show a score as papers do."""
    return f"{in_percent(value):.2f}"


def score_cell(value: float, *, best: bool = False, mark: str = "") -> Cell:
    """Show a score, and keep its value."""
    return Cell(percent(value), best, value, mark)


def count_cell(count: int) -> Cell:
    """Show a count."""
    return Cell(str(count), value=count)


def scored_units(result: Result) -> str:
    """Say how many units a result has: "2 documents"."""
    return number_of(len(result.units), result.protocol.scope)


def one_system(result: Result) -> Table:
    """Show each metric's recall, precision and F1, then the CoNLL average and the signature."""
    columns = [Column("", left=True), *(Column(HEADS[number]) for number in NUMBERS)]
    rows = [
        [Cell(CATALOGUE[name].label), *(score_cell(getattr(score, number)) for number in NUMBERS)]
        for name, score in result.scores.items()
    ]
    note = result.signature
    if result.has_conll:
        rows.append([Cell("CoNLL"), Cell(""), Cell(""), score_cell(result.conll)])
        note = f"conll-f1|{result.signature} = {percent(result.conll)}"
    return Table(columns, rows, f"{result.system}: {scored_units(result)}", ("", note))


class Row(NamedTuple):
    """A system's scores, on a group of documents if there are groups."""

    system: str
    group: str
    result: Result


def side_by_side(rows: Sequence[Row], grouped_by: str = "") -> Table:
    """Show a row for each system and group, and mark the best system of each group."""
    first = rows[0].result
    shown = shown_numbers(first)
    several = len({row.system for row in rows}) > 1
    words = [["System"] * several + [grouped_by] * bool(grouped_by)]
    words += [[row.system] * several + [row.group] * bool(grouped_by) for row in rows]
    columns = [Column(head, left=True) for head in words[0]]
    for name in first.scores:
        label = CATALOGUE[name].label
        columns += [Column(HEADS[n], label) for n in shown] if len(shown) > 1 else [Column(label)]
    columns += [Column("CoNLL")] * first.has_conll
    values = [_values(row.result, shown) for row in rows]
    best = (
        best_of_groups([row.group for row in rows], values)
        if several
        else [[False] * len(values[0])] * len(rows)
    )
    cells = [
        [*map(Cell, left), *(score_cell(v, best=b) for v, b in zip(value, marks, strict=True))]
        for left, value, marks in zip(words[1:], values, best, strict=True)
    ]
    return Table(columns, cells, "" if len(shown) > 1 else "F1", ("", first.signature))


def shown_numbers(result: Result) -> Sequence[str]:
    """Say which numbers of each metric have a column when systems are side by side."""
    return NUMBERS if len(result.scores) <= WIDEST else ("f1",)


def _values(result: Result, shown: Sequence[str]) -> list[float]:
    values = [getattr(score, number) for score in result.scores.values() for number in shown]
    return [*values, result.conll] if result.has_conll else values


def best_of_groups(groups: Sequence[str], values: Sequence[Sequence[float]]) -> list[list[bool]]:
    """Mark what no other row of the same group beats, judged by the decimals shown."""
    marks = []
    for group, value in zip(groups, values, strict=True):
        rivals = [other for label, other in zip(groups, values, strict=True) if label == group]
        best = [max(column) for column in zip(*rivals, strict=True)]
        marks.append([in_percent(v) == in_percent(b) for v, b in zip(value, best, strict=True)])
    return marks


def score_output(
    key: str, results: Sequence[Result], groups: Sequence[Parts] | None = None, grouped_by: str = ""
) -> Output:
    """Show scores, of groups of units if there are any."""
    return Output(
        lambda: [score_table(results, groups, grouped_by)],
        lambda: score_data(key, results, groups),
        lambda: score_records(results, groups),
    )


def result_output(result: Result) -> Output:
    """Show one result; its rows are its metrics."""
    return Output(
        lambda: [one_system(result)],
        lambda: score_data("", [result]),
        lambda: counted_records(["system", "metric"], metric_records((result.system,), result)),
    )


def unit_records(result: Result) -> tuple[list[str], list[list[object]]]:
    """List a row for each unit and metric of a result."""
    rows = [
        record
        for number, unit in enumerate(result.units)
        for record in metric_records((result.system, unit), result.where([number]))
    ]
    heads, cells = counted_records(["system", result.protocol.scope, "metric"], rows)
    return list(heads), [list(row) for row in cells]


def score_table(results: Sequence[Result], groups: Sequence[Parts] | None, grouped_by: str) -> Table:
    """Choose the table that fits: in full for one system, a row each for several or for groups."""
    if groups is not None:
        rows = [
            Row(result.system, label, parts[label])
            for label in groups[0]
            for result, parts in zip(results, groups, strict=True)
        ]
        return side_by_side(rows, grouped_by)
    if len(results) == 1:
        return one_system(results[0])
    return side_by_side([Row(result.system, "", result) for result in results])


def score_data(key: str, results: Sequence[Result], groups: Sequence[Parts] | None = None) -> dict[str, Any]:
    """Give every numerator and denominator, of each unit too."""
    values = [result.to_dict() for result in results]
    for value, parts in zip(values, groups or (), strict=False):
        value["groups"] = {label: part.to_dict(units=False) for label, part in parts.items()}
    return {"key": key, "notices": joined_notices(results), "results": values}


def joined_notices(results: Sequence[Result]) -> list[str]:
    """List what is to be known about the input, each once."""
    return list(dict.fromkeys(notice for result in results for notice in result.notices))


def score_records(
    results: Sequence[Result], groups: Sequence[Parts] | None, grouped_by: str = "group"
) -> Records:
    """List a row for each system, group and metric, with unrounded scores and a column for each count."""
    rows = [
        row
        for number, result in enumerate(results)
        for label, part in (groups[number].items() if groups is not None else [("", result)])
        for row in metric_records((result.system, label), part)
    ]
    return counted_records(["system", grouped_by, "metric"], rows)


class MetricRecord(NamedTuple):
    """Scores and counts of one metric, and whose they are."""

    words: Sequence[str]
    scores: Sequence[float | None]
    counts: Mapping[str, float]


def metric_records(words: Sequence[str], result: Result) -> list[MetricRecord]:
    """List a result's metrics, and the CoNLL average, which has an F1 alone; `words` say whose they are."""
    rows = [metric_record((*words, name), score) for name, score in result.scores.items()]
    if result.has_conll:
        rows.append(MetricRecord((*words, "conll"), (None, None, result.conll), {}))
    return rows


def metric_record(words: Sequence[str], score: Score) -> MetricRecord:
    """Take a metric's scores and counts."""
    return MetricRecord(words, [getattr(score, number) for number in NUMBERS], score.counts)


def counted_records(words: Sequence[str], rows: Sequence[MetricRecord]) -> Records:
    """Give each count a column of its own; a metric without it leaves it empty."""
    counts = list(dict.fromkeys(name for row in rows for name in row.counts))
    return [*words, *NUMBERS, *counts], [
        [*row.words, *row.scores, *(row.counts.get(name) for name in counts)] for row in rows
    ]


def ranked_output(key: str, matched: Sequence[Sequence[Result]]) -> Output:
    """Show the scores of several matchings together, given the results of all systems for each."""
    groups = [{result.protocol.match: result for result in system} for system in zip(*matched, strict=True)]
    return Output(
        lambda: [ranked_table(matched)],
        lambda: score_data(key, [result for results in matched for result in results]),
        lambda: score_records(matched[0], groups, "match"),
    )


def ranked_table(matched: Sequence[Sequence[Result]]) -> Table:
    """Show a row for each matching and system, given the results of all systems for each matching.

    A rank that differs from the one under the first matching has an arrow (Moosavi et al., 2019, Table 4).
    """
    rows = [Row(result.system, result.protocol.match, result) for results in matched for result in results]
    table = side_by_side(rows, "Match")
    signatures = [results[0].signature for results in matched]
    systems = len(matched[0])
    if systems == 1:
        return replace(table, notes=("", *signatures))
    words = sum(column.left for column in table.columns)
    columns = [_ranked(column, systems) for column in list(zip(*table.rows, strict=True))[words:]]
    cells = [
        [*row[:words], *ranked]
        for row, ranked in zip(table.rows, zip(*columns, strict=True), strict=True)
    ]  # fmt: skip
    note = f"(n): rank among the systems; {RISEN} {FALLEN}: higher or lower than under {rows[0].group}"
    return replace(table, rows=cells, notes=("", note, *signatures))


def _ranked(column: Sequence[Cell], systems: int) -> list[Cell]:
    """Add ranks to scores, matching by matching, with an arrow where they differ from the first's."""
    blocks = [column[start : start + systems] for start in range(0, len(column), systems)]
    first = ranks([cell.value or 0.0 for cell in blocks[0]])
    cells = []
    for block in blocks:
        for cell, rank, old in zip(block, ranks([cell.value or 0.0 for cell in block]), first, strict=True):
            arrow = RISEN if rank < old else FALLEN if rank > old else ""
            cells.append(replace(cell, mark=f" ({rank}{arrow})"))
    return cells


def ranks(scores: Sequence[float]) -> list[int]:
    """Rank scores as they are shown, the highest first; equal ones share a rank.

    >>> ranks([0.5, 0.75, 0.500001])
    [2, 1, 2]
    """
    shown = [in_percent(score) for score in scores]
    return [1 + sum(other > each for other in shown) for each in shown]


def dataset_output(systems: Sequence[DataSets], *, macro: bool) -> Output:
    """Show a row for each data set and system, and with `macro` the mean over data sets."""
    return Output(
        lambda: [_dataset_table(systems, macro=macro)],
        lambda: _dataset_data(systems, macro=macro),
        lambda: _dataset_records(systems, macro=macro),
    )


def _dataset_table(systems: Sequence[DataSets], *, macro: bool) -> Table:
    rows = [
        Row(system.system, name, system.results[name]) for name in systems[0].results for system in systems
    ]
    table = side_by_side(rows, DATA_SET)
    if not macro:
        return table
    means = [_mean_values(system) for system in systems]
    best = [max(round(value, 4) for value in column) for column in zip(*means, strict=True)]
    several = len(systems) > 1
    last = [
        [*map(Cell, [system.system] * several + [MEAN]), *(
            score_cell(value, best=several and round(value, 4) == most)
            for value, most in zip(values, best, strict=True)
        )]
        for system, values in zip(systems, means, strict=True)
    ]  # fmt: skip
    return Table(table.columns, [*table.rows, *last], table.caption, [*table.notes, *_mean_notes(systems)])


def _mean_values(system: DataSets) -> list[float]:
    first = next(iter(system.results.values()))
    means = [system.mean(metric, number) for metric in first.scores for number in shown_numbers(first)]
    return [*means, system.conll] if system.has_conll else means


def _mean_notes(systems: Sequence[DataSets]) -> list[str]:
    first = next(iter(systems[0].results.values()))
    notes = []
    for system in systems:
        count = len(system.results)
        if system.has_conll:
            notes.append(
                f"macro-conll-f1 of {system.system} over {count} data sets = {100 * system.conll:.2f}"
            )
        if ZEROS in first.scores and 0 < (some := len(system.with_zeros)) < count:
            notes.append(f"the mean of zeros is over {number_of(some, 'data set')}; the others have none")
    return list(dict.fromkeys(notes))


def _dataset_data(systems: Sequence[DataSets], *, macro: bool) -> dict[str, Any]:
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


def _dataset_records(systems: Sequence[DataSets], *, macro: bool) -> Records:
    rows = [
        row
        for system in systems
        for name, result in system.results.items()
        for row in metric_records((system.system, name), result)
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
