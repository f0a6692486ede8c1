"""Tables of the steps from response to key (Kummerfeld & Klein 2013), and what correcting them is worth."""

from __future__ import annotations

from collections.abc import Sequence

from referee.analysis.sheets.sheet import SYSTEM, Gain, Sheet, Value
from referee.analysis.study import Study, SystemErrors
from referee.analysis.transformation_rules import REFEREE
from referee.analysis.transformations import CLASSES, count_transformations, gains
from referee.metrics.catalogue import CATALOGUE
from referee.metrics.standard import CONLL_METRICS, DEFAULT_METRICS


def transformation_counts(study: Study) -> Sheet:
    """Count the steps that turn each response into the key, by class."""
    rows: list[list[Value]] = []
    for system in study.systems:
        counts = count_transformations(study, system)
        rows.append([system.name, *counts.values(), sum(counts.values())])
    by = "" if study.rules == REFEREE else f", by the rules '{study.rules.name}'"
    caption = f"Steps that turn the response into the key{by}."
    return Sheet("transformations", caption, [SYSTEM, *CLASSES, "all"], rows)


def transformation_gains(
    study: Study, system: SystemErrors, metrics: Sequence[str] = DEFAULT_METRICS
) -> Sheet:
    """What each metric's F1 would gain if one class of errors were corrected, and no other."""
    results = gains(study, system, metrics)
    plain = results.pop("")
    conll = set(CONLL_METRICS) <= set(metrics)
    rows: list[list[Value]] = []
    for kind, result in results.items():
        row: list[Value] = [
            system.name,
            kind,
            *(Gain(result.scores[m].f1 - plain.scores[m].f1) for m in metrics),
        ]
        rows.append([*row, *([Gain(result.conll - plain.conll)] if conll else [])])
    heads = [SYSTEM, "Corrected", *(CATALOGUE[metric].label for metric in metrics), *(["CoNLL"] * conll)]
    return Sheet(
        f"gains {system.name}",
        f"F1 points that {system.name} would gain from correcting one class.",
        heads,
        rows,
        words=2,
        grouped=True,
    )
