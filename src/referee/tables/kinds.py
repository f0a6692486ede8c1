"""Tables of scores by kinds of mentions: how many mentions a kind has, and what is right of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from referee.comparing.verdicts import Plan
from referee.scoring.result import Result
from referee.tables.comparison import UNKNOWN, interval_words, label
from referee.tables.intervals import Estimate, interval_data, interval_records
from referee.tables.rendering import Output
from referee.tables.scores import (
    Parts,
    Row,
    count_cell,
    score_cell,
    score_data,
    score_records,
    shown_numbers,
    side_by_side,
)
from referee.tables.table import Cell, Column, Table

ALL = "all"
COUNTED = Column("n")
EXPLAINED = (
    "n: mentions of the key; –: there are none.",
    "Recall is over the key's entities of a kind, precision over the response's.",
)
ADDED = "Counts of all kinds add up to those of all; scores do not."
STRICT = "What key and response have in different kinds is right in all alone."


def kinds_output(
    key: str,
    results: Sequence[Result],
    groups: Sequence[Parts],
    title: str,
    estimates: Sequence[Estimate] = (),
    plan: Plan | None = None,
) -> Output:
    """Show the scores of each kind and of all mentions, with intervals if there are any."""
    if plan is None:
        return Output(
            lambda: [kinds_table(results, groups, title)],
            lambda: score_data(key, results, groups),
            lambda: score_records(results, groups),
        )
    return Output(
        lambda: [estimated_table(estimates, title, plan, _sums(results, groups))],
        lambda: interval_data(score_data(key, results, groups), estimates, plan),
        lambda: interval_records(estimates),
    )


def kinds_table(results: Sequence[Result], groups: Sequence[Parts], title: str) -> Table:
    """Show a row for each kind and system."""
    rows = [
        Row(result.system, kind, parts[kind])
        for kind in groups[0]
        for result, parts in zip(results, groups, strict=True)
    ]
    rows += [Row(result.system, ALL, result) for result in results]
    table = side_by_side(rows, title)
    words = sum(column.left for column in table.columns)
    return replace(
        table,
        columns=[*table.columns[:words], COUNTED, *table.columns[words:]],
        rows=[
            [*cells[:words], _size(row.result), *_known(cells[words:], row.result)]
            for cells, row in zip(table.rows, rows, strict=True)
        ],
        notes=("", *EXPLAINED, _sums(results, groups), *table.notes[1:]),
    )


def _sums(results: Sequence[Result], groups: Sequence[Parts]) -> str:
    """Say whether the kinds add up to the whole."""
    added = all(
        np.allclose(sum(part.counts[name].sum(axis=0) for part in parts.values()), rows.sum(axis=0))
        for result, parts in zip(results, groups, strict=True)
        for name, rows in result.counts.items()
    )
    return ADDED if added else STRICT


def estimated_table(estimates: Sequence[Estimate], title: str, plan: Plan, sums: str) -> Table:
    """Show each metric's F1 of each kind and system with its interval."""
    several = len({estimate.system for estimate in estimates}) > 1
    interval = f"{100 * plan.level:g} % interval"
    columns = [Column("System", left=True)] * several + [
        Column(title, left=True),
        COUNTED,
        Column("Documents"),
    ]
    for measure in estimates[0].intervals:
        columns += [Column("F1", label(measure)), Column(interval, label(measure))]
    rows = []
    for estimate in estimates:
        row = [Cell(estimate.system)] * several + [Cell(estimate.group or ALL), _size(estimate.result)]
        row.append(count_cell(len(estimate.result.units)))
        for measure, (_, _, f1) in estimate.intervals.items():
            some = estimate.result.scores[measure].counts["recall_denominator"]
            row += [score_cell(estimate.value(measure, "f1") or 0.0) if some else Cell(UNKNOWN)]
            row.append(Cell(interval_words(f1)) if some else Cell(UNKNOWN))
        rows.append(row)
    result = estimates[0].result
    drawn = (
        f"Intervals: bootstrap over the documents with the kind, {plan.samples} samples, seed {plan.seed};",
        "– where these are too few.",
    )
    return Table(columns, rows, "", ("", *EXPLAINED, sums, *drawn, result.signature))


def _known(cells: Sequence[Cell], result: Result) -> list[Cell]:
    """Leave out scores of what there is nothing of: F1 says nothing of a kind that the key does not have."""
    shown = shown_numbers(result)
    numbers = [(score, number) for score in result.scores.values() for number in shown]
    return [
        cell
        if score.counts[f"{'precision' if number == 'precision' else 'recall'}_denominator"]
        else Cell(UNKNOWN)
        for cell, (score, number) in zip(cells, numbers, strict=True)
    ]


def _size(result: Result) -> Cell:
    return count_cell(int(result.mentions.counts["recall_denominator"]))
