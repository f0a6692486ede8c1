"""Shows what each component of CAMP does: alone, and with all before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.resolvers.camp.component_study import ComponentRow
from referee.scoring.metric_scores import Score
from referee.scoring.result import Result
from referee.tables.rendering import Output, Records
from referee.tables.table import Cell, Column, Table

METRICS = ("muc", "b_cubed")
KINDS = ("name", "noun phrase", "pronoun", "demonstrative")


def component_output(rows: Sequence[ComponentRow], caption: str, notices: Sequence[str] = ()) -> Output:
    """Lay out the paper's table."""
    return Output(
        tables=lambda: [_scores(rows, caption), _links(rows)],
        data=lambda: {"notices": list(notices), "components": _data(rows)},
        records=lambda: _records(rows),
    )


def _scores(rows: Sequence[ComponentRow], caption: str) -> Table:
    columns = [Column("Component", left=True)]
    for when in ("alone", "with earlier"):
        for metric in ("MUC", "B³"):
            columns += [Column("R", f"{metric} {when}"), Column("P", f"{metric} {when}")]
    cells = [[Cell(row.name), *(Cell(f"{100 * part:.1f}") for part in _parts(row))] for row in rows]
    return Table(columns, cells, caption)


def _parts(row: ComponentRow) -> list[float]:
    """Recall and precision in both metrics, alone and with what comes before."""
    scores = [score for result in row.scores for score in _both(result)]
    return [part for score in scores for part in (score.recall, score.precision)]


def _both(result: Result) -> tuple[Score, Score]:
    return result.muc, result.b_cubed


def _links(rows: Sequence[ComponentRow]) -> Table:
    heads = ("Links", "Right %", *(f"Wrong: {kind}" for kind in KINDS))
    cells = []
    for row in rows:
        wrong = row.wrong.total()
        right = f"{100 * (row.links - wrong) / row.links:.1f}" if row.links else "–"
        counts = [Cell(str(row.wrong[kind]), value=row.wrong[kind]) for kind in KINDS]
        cells.append([Cell(row.name), Cell(str(row.links), value=row.links), Cell(right), *counts])
    return Table([Column("Component", left=True), *map(Column, heads)], cells, "Links that each adds")


def _records(rows: Sequence[ComponentRow]) -> Records:
    """List a row for each component: its scores, its links, and how many of each kind are wrong."""
    heads = ["component"]
    for when in ("alone", "with_earlier"):
        heads += [f"{name}_{when}_{part}" for name in METRICS for part in ("recall", "precision")]
    heads += ["links", *(f"wrong_{kind.replace(' ', '_')}" for kind in KINDS)]
    return heads, [[row.name, *_parts(row), row.links, *(row.wrong[kind] for kind in KINDS)] for row in rows]


def _data(rows: Sequence[ComponentRow]) -> list[dict[str, Any]]:
    listed = []
    for row in rows:
        scores = {
            when: {
                metric: {"recall": score.recall, "precision": score.precision, "f1": score.f1}
                for metric, score in zip(METRICS, _both(result), strict=True)
            }
            for when, result in zip(("alone", "with_earlier"), row.scores, strict=True)
        }
        listed.append({"name": row.name, **scores, "links": row.links, "wrong": dict(row.wrong)})
    return listed
