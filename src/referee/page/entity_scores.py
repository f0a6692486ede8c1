"""Scores by the type and the span of entities, for the report's heat map.

columns   what is counted, and of which entities: "mentions", "links", "links, up to 50 words", …
rows      types, the most frequent first, and all; each with the number of the key's mentions
notices   what should be known about the types
values    per system, row and column: [mentions of the key, recall, precision, F1, low, high], the edges
          of the F1's interval, null where there are too few documents; or null where the key has none
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import Any

import numpy as np

from referee.comparing.significance import intervals_of
from referee.comparing.stratified_scores import Strata, occupied, stratify
from referee.comparing.verdicts import Plan
from referee.language.entity_types import TypesOf, TypeSurvey
from referee.language.strata import LENGTHS, STRATIFICATIONS, WITHIN
from referee.scoring.result import Result
from referee.scoring.task import Task

MENTIONS, LINKS = "mentions", "links"
ALL = ""  # which is no type
WHOLE = ((MENTIONS, ""), (LINKS, ""))  # a metric and a span; of all spans first
MOST_TYPES = 40  # rows: each cell is resampled, and a list of names is no table
COLUMNS = (*WHOLE, *((LINKS, span) for span in LENGTHS))


def entity_scores(task: Task, types_of: TypesOf, plan: Plan) -> dict[str, Any] | None:
    """Score each type of entity, and each span within it; nothing if the key has no types."""
    if task.protocol.scope != "document" or not (survey := TypeSurvey.of(task.key, types_of)).typed:
        return None
    by_type, by_span = (
        stratify(task, STRATIFICATIONS[name], task.key, types_of) for name in ("entity-type", "entity-span")
    )
    known = [kind for kind, result in by_type[0].items() if _size(result)]
    kinds, rare = known[:MOST_TYPES], known[MOST_TYPES:]
    left_out = [f"{task.key.name}: scores by type leave out {len(rare)} of {len(known)} types, the rarest"]
    tables = [{**types, **spans, **_of_all(spans)} for types, spans in zip(by_type, by_span, strict=True)]
    return {
        "columns": [f"{metric}, {span}" if span else metric for metric, span in COLUMNS],
        "notices": [*survey.notices(task.key.name), *left_out * bool(rare)],
        "rows": [[kind or "all", _size(tables[0][kind])] for kind in (*kinds, ALL)],
        "values": [
            [[_value(strata, kind, *column, plan) for column in COLUMNS] for kind in (*kinds, ALL)]
            for strata in tables
        ],
    }


def _of_all(strata: Strata) -> Strata:
    """Add up the types of each span, and all."""
    groups: dict[str, list[Result]] = {}
    for kind, result in strata.items():
        span = kind.rpartition(WITHIN)[2]
        for name in (ALL, f"{ALL}{WITHIN}{span}"):
            groups.setdefault(name, []).append(result)
    return {name: _added(results) for name, results in groups.items()}


def _added(results: Sequence[Result]) -> Result:
    counts = {name: np.sum([result.counts[name] for result in results], axis=0) for name in results[0].counts}
    return replace(results[0], counts=counts)


def _value(strata: Mapping[str, Result], kind: str, metric: str, span: str, plan: Plan) -> list[Any] | None:
    result = strata.get(f"{kind}{WITHIN}{span}" if span else kind)
    if result is None or not result[metric].counts["recall_denominator"]:
        return None
    score = result[metric]
    interval = intervals_of(occupied([result])[0], plan)[metric][2]
    edges = [round(edge, 6) if isfinite(edge) else None for edge in (interval.low, interval.high)]
    return [_size(result), *(round(n, 6) for n in (score.recall, score.precision, score.f1)), *edges]


def _size(result: Result) -> int:
    return int(result[MENTIONS].counts["recall_denominator"])
