"""What `referee score --ci` shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.cli.terminal import show, show_tables, tell
from referee.comparing.significance import Plan, cautions, intervals
from referee.scoring.result import Result
from referee.tables.interval_tables import Estimate, in_full, intervals_csv, of_groups, with_intervals
from referee.tables.score_tables import score_json


def show_intervals(
    key: str,
    results: Sequence[Result],
    groups: Sequence[Mapping[str, Result]] | None,
    grouped_by: str,
    plan: Plan,
    form: str,
    output: str | None,
) -> None:
    """Resample each result, or each of its groups, and print the scores with their intervals."""
    tell(cautions(len(results[0].units), plan, results[0].protocol.scope))
    parts = [
        (result, group, part)
        for result, found in zip(results, groups or [{"": result} for result in results], strict=True)
        for group, part in found.items()
    ]
    estimates = [Estimate(result.system, group, part, intervals(part, plan)) for result, group, part in parts]
    if form == "json":
        show(with_intervals(score_json(key, results, groups), estimates, plan), output)
    elif form == "csv":
        show(intervals_csv(estimates), output)
    elif groups is not None:
        show_tables([of_groups(estimates, grouped_by, plan)], form, output)
    else:
        show_tables([in_full(estimate, plan) for estimate in estimates], form, output)
