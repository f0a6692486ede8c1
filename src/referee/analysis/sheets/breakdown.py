"""A table of errors by groups of links, such as their distance or the genre of their document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from referee.analysis.link_errors import LinkError
from referee.analysis.sheets.sheet import SYSTEM, Head, Sheet, Value, share
from referee.analysis.study import Study

Group = Callable[[LinkError], str]


def errors_by(study: Study, name: str, group: Group, order: Sequence[str] = ()) -> Sheet:
    """Count recall and precision errors of each system by group; groups in this order, others by name."""
    possible = Counter(map(group, study.maximum))
    counts = [
        (system.name, Counter(map(group, system.recall)), Counter(map(group, system.precision)))
        for system in study.systems
    ]
    there = {label for _, recall, precision in counts for label in (*recall, *precision)} | possible.keys()
    labels = [label for label in order if label in there] + sorted(there - {*order})
    rows: list[list[Value]] = []
    for system, recall, precision in counts:
        for label in labels:
            missed, most = recall[label], possible[label]
            rows.append([system, label, missed, most, share(missed, most), precision[label]])
    recall_heads = [("Recall", title) for title in ("errors", "possible", "%")]
    heads: list[Head] = [SYSTEM, name.capitalize(), *recall_heads, ("Precision", "errors")]
    return Sheet(f"by {name}", f"Errors by {name}.", heads, rows, words=2, grouped=True)
