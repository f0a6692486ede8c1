"""Tables of scores: one system in full, several side by side, and groups of documents."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from referee.metrics import METRICS
from referee.report.table import Cell, Column, Table, comma_separated
from referee.result import Result

NUMBERS = ("recall", "precision", "f1")
HEADS = {"recall": "Recall", "precision": "Precision", "f1": "F1"}
WIDEST = 3  # metrics that are shown with recall and precision when systems stand side by side

Groups = Mapping[str, Result]  # label → that part of a result
Row = tuple[list[str], Result]  # words on the left, and the scores beside them


def percent(value: float) -> str:
    """Show a score as papers do: a percentage, rounded to two decimals."""
    return f"{100 * value:.2f}"


def one_system(result: Result) -> Table:
    """Show each metric's recall, precision and F1, then the CoNLL average and the signature."""
    columns = [Column("", left=True), *(Column(HEADS[number]) for number in NUMBERS)]
    rows = [
        [Cell(METRICS[name].label), *(Cell(percent(getattr(score, number))) for number in NUMBERS)]
        for name, score in result.scores.items()
    ]
    note = result.signature
    if result.has_conll:
        rows.append([Cell("CoNLL"), Cell(""), Cell(""), Cell(percent(result.conll), best=False)])
        note = f"conll-f1|{result.signature} = {percent(result.conll)}"
    units = f"{len(result.units)} {result.protocol.scope}{'s' * (len(result.units) != 1)}"
    return Table(columns, rows, f"{result.system}: {units}", ("", note))


def side_by_side(heads: Sequence[str], rows: Sequence[Row]) -> Table:
    """Show a row for each system or group, and mark the best of each column."""
    first = rows[0][1]
    shown = NUMBERS if len(first.scores) <= WIDEST else ("f1",)
    columns = [Column(head, left=True) for head in heads]
    for name in first.scores:
        label = METRICS[name].label
        columns += [Column(HEADS[n], label) for n in shown] if len(shown) > 1 else [Column(label)]
    values = [[getattr(score, n) for score in result.scores.values() for n in shown] for _, result in rows]
    if first.has_conll:
        columns.append(Column("CoNLL"))
        for value, (_, result) in zip(values, rows, strict=True):
            value.append(result.conll)
    best = [max(column) for column in zip(*values, strict=True)] if len(rows) > 1 else [2.0] * len(values[0])
    cells = [
        [
            *map(Cell, words),
            *(Cell(percent(v), percent(v) == percent(b)) for v, b in zip(value, best, strict=True)),
        ]
        for (words, _), value in zip(rows, values, strict=True)
    ]
    of = "" if len(shown) > 1 else "F1"
    return Table(columns, cells, of, ("", first.signature))


def score_table(results: Sequence[Result], groups: Sequence[Groups] | None, grouped_by: str) -> Table:
    """Choose the table that fits: in full for one system, a row each for several or for groups."""
    if groups is not None:
        rows = [
            ([result.system, label] if len(results) > 1 else [label], part)
            for result, parts in zip(results, groups, strict=True)
            for label, part in parts.items()
        ]
        return side_by_side(["System", grouped_by] if len(results) > 1 else [grouped_by], rows)
    if len(results) == 1:
        return one_system(results[0])
    return side_by_side(["System"], [([result.system], result) for result in results])


def score_json(key: str, results: Sequence[Result], groups: Sequence[Groups] | None) -> str:
    """Write every numerator and denominator, of each unit too."""
    values = [result.to_dict() for result in results]
    for value, parts in zip(values, groups or (), strict=False):
        value["groups"] = {label: part.to_dict(units=False) for label, part in parts.items()}
    return json.dumps({"schema": 1, "key": key, "results": values}, indent=1, ensure_ascii=False)


def score_csv(results: Sequence[Result], groups: Sequence[Groups] | None) -> str:
    """Write a row for each system, group and metric, with unrounded scores and all counts."""
    heads = ["system", "group", "metric", *NUMBERS, "counts"]
    rows: list[list[object]] = []
    for number, result in enumerate(results):
        for label, part in groups[number].items() if groups is not None else [("", result)]:
            for name, score in part.scores.items():
                counts = " ".join(f"{column}={count}" for column, count in score.counts.items())
                rows.append([result.system, label, name, *(getattr(score, n) for n in NUMBERS), counts])
            if part.has_conll:
                rows.append([result.system, label, "conll", "", "", part.conll, ""])
    return comma_separated(heads, rows)
