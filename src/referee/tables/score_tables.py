"""Tables of scores: one system in full, several side by side, and groups of documents."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from referee.metrics.catalogue import CATALOGUE
from referee.scoring.result import Result, Score
from referee.tables.table import Cell, Column, Table, comma_separated

NUMBERS = ("recall", "precision", "f1")
CSV_HEADS = ("system", "group", "metric", *NUMBERS, "counts")
HEADS = {"recall": "Recall", "precision": "Precision", "f1": "F1"}
WIDEST = 3  # metrics that are shown with recall and precision when systems stand side by side

Groups = Mapping[str, Result]  # label → that part of a result


def percent(value: float) -> str:
    """Show a score as papers do: a percentage, rounded to two decimals."""
    return f"{100 * value:.2f}"


def one_system(result: Result) -> Table:
    """Show each metric's recall, precision and F1, then the CoNLL average and the signature."""
    columns = [Column("", left=True), *(Column(HEADS[number]) for number in NUMBERS)]
    rows = [
        [Cell(CATALOGUE[name].label), *(Cell(percent(getattr(score, number))) for number in NUMBERS)]
        for name, score in result.scores.items()
    ]
    note = result.signature
    if result.has_conll:
        rows.append([Cell("CoNLL"), Cell(""), Cell(""), Cell(percent(result.conll))])
        note = f"conll-f1|{result.signature} = {percent(result.conll)}"
    units = f"{len(result.units)} {result.protocol.scope}{'s' * (len(result.units) != 1)}"
    return Table(columns, rows, f"{result.system}: {units}", ("", note))


class Row(NamedTuple):
    """A system's scores, on a group of documents if there are groups."""

    system: str
    group: str
    result: Result


def side_by_side(rows: Sequence[Row], grouped_by: str = "") -> Table:
    """Show a row for each system and group, and mark the best system of each group."""
    first = rows[0].result
    shown = NUMBERS if len(first.scores) <= WIDEST else ("f1",)
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
        _best_of_groups([row.group for row in rows], values)
        if several
        else [[False] * len(values[0])] * len(rows)
    )
    cells = [
        [*map(Cell, left), *map(Cell, map(percent, value), marks)]
        for left, value, marks in zip(words[1:], values, best, strict=True)
    ]
    return Table(columns, cells, "" if len(shown) > 1 else "F1", ("", first.signature))


def _values(result: Result, shown: Sequence[str]) -> list[float]:
    values = [getattr(score, number) for score in result.scores.values() for number in shown]
    return [*values, result.conll] if result.has_conll else values


def _best_of_groups(groups: Sequence[str], values: Sequence[Sequence[float]]) -> list[list[bool]]:
    """Mark what no other row of the same group beats, as far as the decimals shown can tell."""
    marks = []
    for group, value in zip(groups, values, strict=True):
        rivals = [other for label, other in zip(groups, values, strict=True) if label == group]
        best = [max(column) for column in zip(*rivals, strict=True)]
        marks.append([percent(v) == percent(b) for v, b in zip(value, best, strict=True)])
    return marks


def score_table(results: Sequence[Result], groups: Sequence[Groups] | None, grouped_by: str) -> Table:
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


def score_json(key: str, results: Sequence[Result], groups: Sequence[Groups] | None) -> str:
    """Write every numerator and denominator, of each unit too."""
    values = [result.to_dict() for result in results]
    for value, parts in zip(values, groups or (), strict=False):
        value["groups"] = {label: part.to_dict(units=False) for label, part in parts.items()}
    return json.dumps({"schema": 1, "key": key, "results": values}, indent=1, ensure_ascii=False)


def score_csv(results: Sequence[Result], groups: Sequence[Groups] | None, grouped_by: str = "group") -> str:
    """Write a row for each system, group and metric, with unrounded scores and all counts."""
    heads = ["system", grouped_by, *CSV_HEADS[2:]]
    return comma_separated(heads, score_rows(results, groups))


def score_rows(results: Sequence[Result], groups: Sequence[Groups] | None) -> list[list[object]]:
    """List the rows of that table."""
    rows: list[list[object]] = []
    for number, result in enumerate(results):
        for label, part in groups[number].items() if groups is not None else [("", result)]:
            rows += [metric_row(result.system, label, name, score) for name, score in part.scores.items()]
            if part.has_conll:
                rows.append([result.system, label, "conll", "", "", part.conll, ""])
    return rows


def metric_row(system: str, group: str, name: str, score: Score) -> list[object]:
    """Write one metric's scores and counts."""
    counts = " ".join(f"{column}={count}" for column, count in score.counts.items())
    return [system, group, name, *(getattr(score, number) for number in NUMBERS), counts]
