"""Tables of comparisons: systems against a baseline, rankings, breakdowns, and single documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from math import isnan
from pathlib import Path
from typing import Any

from referee.comparing.breakdowns import Breakdown, Change
from referee.comparing.verdicts import TESTS, Comparison, Interval, Verdict
from referee.display import Rows, number_of
from referee.metrics.catalogue import CATALOGUE
from referee.metrics.standard import CONLL
from referee.tables.rendering import Output, Records, data_of
from referee.tables.scores import count_cell, in_percent, joined_notices, percent, ranked_table, score_cell
from referee.tables.table import Cell, Column, Table

UNKNOWN = "–"
RECORD = (
    *("system", "metric", "f1", "low", "high", "gain", "gain_low", "gain_high"),
    *("p", "p_adjusted", "significant", "first"),
)

Comparisons = Mapping[str, Comparison]  # matching → comparison under it


@dataclass(frozen=True, slots=True, repr=False)
class ComparisonReport(Rows):
    """All that one comparison of systems has to say.

    Attributes:
        comparisons: A `Comparison` for each matching.
        breakdowns: Comparisons of groups, if `by` was given.
        changes: The documents of the largest gains and losses, if `documents` was given.
        cautions: What should be known about the test.
        drawn: The files of figures, if `plot` was given.

    Examples:
        >>> import referee
        >>> key, none = [[["a", "b"]], [["c", "d"]]], [[], []]
        >>> report = referee.compare(key, none, key, names=["old", "new"], documents=1, samples=100)
        >>> report.changes[0].system, report.changes[0].gain
        ('new', 1.0)
    """

    _output = "comparison:comparison_output"

    comparisons: Comparisons
    breakdowns: Sequence[Breakdown] = field(default_factory=tuple)
    changes: Sequence[Change] = field(default_factory=tuple)
    cautions: Sequence[str] = field(default_factory=tuple)  # besides the notices of the results
    drawn: Sequence[Path] = field(default_factory=tuple)  # files of figures

    @property
    def first(self) -> Comparison:
        """The comparison under the first matching."""
        return next(iter(self.comparisons.values()))

    @property
    def notices(self) -> list[str]:
        """What should be known about the input and the test, each once."""
        results = [result for each in self.comparisons.values() for result in each.results]
        return list(dict.fromkeys([*joined_notices(results), *self.cautions]))

    def to_dict(self) -> Any:
        """Make a plain value for JSON, as `referee compare --format json` prints it.

        Returns:
            Dictionaries, lists, strings and numbers.
        """
        return data_of(comparison_output(self))


def comparison_output(report: ComparisonReport) -> Output:
    """Show a comparison."""
    return Output(
        lambda: comparison_tables(report),
        lambda: comparison_data(report),
        lambda: comparison_records(report),
    )


def one_comparison(comparison: Comparison) -> Output:
    """Show a comparison under one matching; a row for each system and measure."""
    report = ComparisonReport({comparison.results[0].protocol.match: comparison})
    return replace(comparison_output(report), records=lambda: (RECORD, _rows(comparison)))


def comparison_tables(report: ComparisonReport) -> list[Table]:
    """Lay out all that was asked for."""
    made = []
    for name, comparison in report.comparisons.items():
        matching = name if len(report.comparisons) > 1 else ""
        made += [main_table(comparison, matching), headline_table(comparison, matching)]
    if len(report.comparisons) > 1:
        made.append(ranked_table([comparison.results for comparison in report.comparisons.values()]))
    made += [breakdown_table(breakdown) for breakdown in report.breakdowns]
    if report.changes:
        made.append(changes_table(report.changes, report.first))
    return made


def label(measure: str) -> str:
    """Name a measure as papers do."""
    return "CoNLL" if measure == CONLL else CATALOGUE[measure].label


def interval_words(interval: Interval) -> str:
    """Show from where to where, in percent; or that nothing is known."""
    if isnan(interval.low):
        return UNKNOWN
    return f"[{percent(interval.low)}, {percent(interval.high)}]"


def p_words(p: float | None) -> str:
    """Show a p-value to the digits that a resampling can give."""
    return "" if p is None else "< 0.0001" if p < 0.00005 else f"{p:.4f}"


def main_table(comparison: Comparison, matching: str = "") -> Table:
    """Show F1 in every measure, a row for each system, with marks for significant gains and losses."""
    measures = comparison.measures
    best = [max(verdict[name].f1 for verdict in comparison.verdicts) for name in measures]
    columns = [Column("System", left=True), *(Column(label(name)) for name in measures)]
    rows = [
        [Cell(system), *_score_cells([verdict[name] for name in measures], best)]
        for system, verdict in zip(comparison.systems, comparison.verdicts, strict=True)
    ]
    return Table(columns, rows, "F1" + _under(matching), ("", *explanation(comparison)))


def headline_table(comparison: Comparison, matching: str = "") -> Table:
    """Show how sure the headline measure is: intervals, gains, p-values, and how often a system is first."""
    top, ranked = comparison.headline, len(comparison.systems) > 2
    title = f"{100 * comparison.plan.level:g} % interval"
    columns = [Column("System", left=True), Column(label(top)), Column(title), Column("Δ"), Column(title)]
    columns += [Column("p"), *[Column("1st")] * ranked]
    rows = []
    for system, verdicts, ranks in zip(
        comparison.systems, comparison.verdicts, comparison.ranks.tolist(), strict=True
    ):
        verdict = verdicts[top]
        cells = [Cell(system), score_cell(verdict.f1), Cell(interval_words(verdict.interval))]
        cells += [Cell(_gain(verdict)), Cell(_gain_interval(verdict)), Cell(p_words(verdict.adjusted))]
        rows.append([*cells, *[Cell(f"{100 * ranks[0]:.1f} %")] * ranked])
    plan = comparison.plan
    notes = [
        f"Intervals: bootstrap, {plan.samples} samples, seed {plan.seed}, {_counted(comparison)} resampled."
    ]
    if ranked:
        notes.append(f"1st: how often a system comes first in {label(top)} over these samples.")
    return Table(columns, rows, f"{label(top)} F1{_under(matching)}", ("", *notes))


def _under(matching: str) -> str:
    return f" under the matching {matching}" if matching else ""


def _gain_interval(verdict: Verdict) -> str:
    interval = verdict.gain_interval
    if interval is None or isnan(interval.low):
        return "" if interval is None else UNKNOWN
    return f"[{signed(interval.low)}, {signed(interval.high)}]"


def _score_cells(verdicts: Sequence[Verdict], best: Sequence[float]) -> list[Cell]:
    """Show scores with their marks."""
    return [
        score_cell(verdict.f1, best=in_percent(verdict.f1) == in_percent(top), mark=verdict.mark)
        for verdict, top in zip(verdicts, best, strict=True)
    ]


def _gain(verdict: Verdict) -> str:
    return "" if verdict.p is None else signed(verdict.gain)


def signed(value: float) -> str:
    """Show a difference in percent, with its sign."""
    return f"{100 * value:+.2f}".replace("-", "−")


def _counted(comparison: Comparison) -> str:
    scope = comparison.results[0].protocol.scope
    return number_of(comparison.units, scope)


def explanation(comparison: Comparison) -> list[str]:
    """Say the null hypothesis, the test, the number of samples, the seed and the units, in words."""
    plan, base = comparison.plan, comparison.systems[0]
    scope = comparison.results[0].protocol.scope
    if plan.test == "permutation":
        null = f"a system and {base} are equally good: swapping their outputs on any {scope} changes nothing"
    else:
        null = f"the difference between a system and {base} would be 0 over all {scope}s of this kind"
    drawn = f"{plan.samples} samples, seed {plan.seed}"
    ways = f"all {2**comparison.units} ways to swap" if comparison.exact else drawn
    family = len(comparison.systems) - 1
    holm = f", Holm-corrected for {family} comparisons in each measure" if comparison.corrected else ""
    return [
        f"Null hypothesis: {null}.",
        f"↑ ↓ significantly better or worse than {base}: p < {plan.alpha:g}, two-sided{holm}.",
        f"Test: {TESTS[plan.test]}, {ways}, {_counted(comparison)} resampled.",
        comparison.results[0].signature,
    ]


def breakdown_table(breakdown: Breakdown) -> Table:
    """Show each system on each group, with marks for significant gains and losses."""
    some = next(iter(breakdown.comparisons.values()))
    columns = [Column(breakdown.title, left=True), Column(breakdown.counted), *map(Column, some.systems)]
    verdicts = {
        name: [verdict[comparison.headline] for verdict in comparison.verdicts]
        for name, comparison in breakdown.comparisons.items()
    }
    rows = []
    for name, row in verdicts.items():
        cells = _score_cells(row, [max(verdict.f1 for verdict in row)] * len(row))
        rows.append([Cell(name), count_cell(breakdown.sizes[name]), *cells])
    family = len(breakdown.comparisons) * (len(some.systems) - 1)
    holm = f", Holm-corrected for {family} comparisons" if some.plan.correction == "holm" else ""
    note = (
        f"↑ ↓ significantly better or worse than {some.systems[0]}: p < {some.plan.alpha:g}, two-sided{holm}"
    )
    title = f"{label(some.headline)} F1 by {breakdown.title.lower()}"
    return Table(columns, rows, title, ("", note))


def changes_table(changes: Sequence[Change], comparison: Comparison) -> Table:
    """Name the documents on which systems gain and lose most."""
    unit = comparison.results[0].protocol.scope.capitalize()
    columns = [Column("System", left=True), Column(unit, left=True)]
    columns += [Column(title, "F1") for title in ("Baseline", "System", "Δ")]
    rows = [
        [
            *(Cell(change.system), Cell(change.unit)),
            *(score_cell(change.baseline), score_cell(change.score)),
            Cell(signed(change.gain), value=change.gain),
        ]
        for change in changes
    ]
    return Table(columns, rows, f"Largest gains and losses in {label(comparison.headline)}")


def comparison_records(report: ComparisonReport) -> Records:
    """List a row for each matching, group, system and measure, with unrounded numbers."""
    heads = ["match", "by", "group", *RECORD]
    rows: list[list[object]] = []
    for match, comparison in report.comparisons.items():
        rows += [[match, "", "", *row] for row in _rows(comparison)]
    match = next(iter(report.comparisons))
    for breakdown in report.breakdowns:
        for name, comparison in breakdown.comparisons.items():
            rows += [[match, breakdown.title.lower(), name, *row] for row in _rows(comparison)]
    for change in report.changes:
        words = [match, "document", change.unit, change.system, report.first.headline, change.score]
        rows.append([*words, "", "", change.gain, *[""] * 6])
    return heads, rows


def _rows(comparison: Comparison) -> list[list[object]]:
    rows: list[list[object]] = []
    for system, verdict, ranks in zip(
        comparison.systems, comparison.verdicts, comparison.ranks.tolist(), strict=True
    ):
        for name, measured in verdict.items():
            row: list[object] = [system, name, measured.f1, measured.interval.low, measured.interval.high]
            if measured.gain_interval:
                row += [measured.gain, measured.gain_interval.low, measured.gain_interval.high]
                row += [measured.p, measured.adjusted, measured.significant]
            else:
                row += [""] * 6
            rows.append([*row, ranks[0] if name == comparison.headline else ""])
    return rows


def comparison_data(report: ComparisonReport) -> dict[str, Any]:
    """Give everything: every measure's interval, gain and p-values, ranks, breakdowns, and the plan."""
    value: dict[str, Any] = {
        "plan": asdict(report.first.plan),
        "notices": report.notices,
        "comparisons": {name: _plain(comparison) for name, comparison in report.comparisons.items()},
    }
    if report.breakdowns:
        value["breakdowns"] = {
            breakdown.title.lower(): {
                name: {"size": breakdown.sizes[name], **_plain(comparison)}
                for name, comparison in breakdown.comparisons.items()
            }
            for breakdown in report.breakdowns
        }
    if report.changes:
        value["documents"] = [{**asdict(change), "gain": change.gain} for change in report.changes]
    return value


def _plain(comparison: Comparison) -> dict[str, Any]:
    """What a comparison says of itself, without what is said once for all."""
    return {name: value for name, value in comparison.to_dict().items() if name not in ("schema", "plan")}
