"""What tuning a model tried and chose, as tables and a figure.

Across documents the table has a row for each λ and a column for each τ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from referee.exceptions import FormatError, MissingExtra
from referee.resolvers.across.threshold_search import Trial, best_trial
from referee.resolvers.neural.calibration import Reliability
from referee.resolvers.neural.tuning import Curves, Point, Tuned, curve_facts
from referee.resolvers.precision import PrecisionCurve
from referee.tables.figures import COLOURS, save_figure
from referee.tables.rendering import Output, Records
from referee.tables.scores import count_cell, percent, score_cell
from referee.tables.table import Cell, Column, Table


def trial_output(trials: Sequence[Trial], kind: str) -> Output:
    """Show what was tried, and what is best."""
    return Output(lambda: [trial_table(trials, kind)], lambda: [_plain(trial) for trial in trials])


def trial_table(trials: Sequence[Trial], kind: str) -> Table:
    """Lay the scores out as a grid."""
    best = best_trial(trials)
    thresholds = list(dict.fromkeys(trial.threshold for trial in trials))
    columns = [Column("λ", left=True), *(Column(f"{threshold:g}", "τ") for threshold in thresholds)]
    rows: dict[float | None, list[Cell]] = {}
    for trial in trials:
        row = rows.setdefault(trial.spans_per_word, [Cell(_share(trial.spans_per_word))])
        row.append(score_cell(trial.conll, best=trial == best))
    kept = "" if best.spans_per_word is None else f"λ {best.spans_per_word:g}, "
    note = f"best: {kept}τ {best.threshold:g}, CoNLL {100 * best.conll:.2f}"
    return Table(columns, list(rows.values()), f"{kind}: CoNLL F1 by topic, singletons left out", ("", note))


def _share(kept: float | None) -> str:
    return "all mentions" if kept is None else f"{kept:g}"


def _plain(trial: Trial) -> dict[str, Any]:
    return trial._asdict()


def plot_trials(trials: Sequence[Trial], path: str) -> None:
    """Draw a line for each λ: the score by τ."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("matplotlib", "plot") from error
    figure = Figure(figsize=(5.5, 3.4), layout="constrained")
    axes = figure.subplots()
    for number, kept in enumerate(dict.fromkeys(trial.spans_per_word for trial in trials)):
        chosen = [trial for trial in trials if trial.spans_per_word == kept]
        label = _share(kept) if kept is None else f"λ = {kept:g}"
        colour = COLOURS[number % len(COLOURS)]
        axes.plot(
            [t.threshold for t in chosen],
            [100 * t.conll for t in chosen],
            color=colour,
            marker=".",
            label=label,
        )
    best = best_trial(trials)
    axes.plot([best.threshold], [100 * best.conll], "k*", markersize=10)
    axes.set_xlabel("τ")
    axes.set_ylabel("CoNLL F1")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    try:
        save_figure(figure, Path(path))
    except (OSError, ValueError) as error:
        raise FormatError(f"{path}: {error}") from error


BLUE, GREY = "#0072B2", "#666666"


def tuning_output(tuned: Tuned) -> Output:
    """Show the curve, and how reliable scores are."""
    tables = [curve_table(tuned), precision_table(tuned.precision)]
    if tuned.reliabilities:
        tables.append(reliability_table(tuned.reliabilities))
    return Output(lambda: tables, lambda: tuning_data(tuned), lambda: curve_records(tuned))


def precision_output(curves: Curves) -> Output:
    """Show how precise links are by threshold."""
    return Output(
        lambda: [precision_table(curves)], lambda: curve_facts(curves), lambda: precision_records(curves)
    )


def precision_table(curves: Curves) -> Table:
    """Show a column for each guidelines and kind of mentions."""
    columns = [Column("A link must score")]
    columns += [Column(mentions, guidelines) for guidelines, mentions, _ in _each_curve(curves)]
    measured = [curve for _, _, curve in _each_curve(curves)]
    rows = [
        [Cell(f"{threshold:+.2f}"), *(score_cell(curve.precision[row] / 100) for curve in measured)]
        for row, threshold in enumerate(measured[0].threshold)
    ]
    return Table(columns, rows, "MUC precision of links on dev, by mentions", ("",))


def _each_curve(curves: Curves) -> list[tuple[str, str, PrecisionCurve]]:
    return [
        (guidelines, mentions, curve)
        for guidelines, by_mentions in curves.items()
        for mentions, curve in by_mentions.items()
    ]


def precision_records(curves: Curves) -> Records:
    """List the curves, unrounded."""
    heads = ["guidelines", "mentions", "threshold", "precision"]
    return heads, [
        [guidelines, mentions, *point]
        for guidelines, mentions, curve in _each_curve(curves)
        for point in zip(*curve, strict=True)
    ]


def curve_table(tuned: Tuned) -> Table:
    """Show recall, precision and CoNLL for each threshold of links; what was chosen is marked."""
    columns = [Column("A link must score"), Column("R"), Column("P"), Column("CoNLL")]
    rows = [
        [
            Cell(f"{point.knobs.threshold:+.2f}"),
            *map(score_cell, (point.recall, point.precision)),
            score_cell(point.conll, best=point == tuned.chosen),
        ]
        for point in tuned.curve
    ]
    chosen, before = (
        f"threshold {p.knobs.threshold:g}, mention_threshold {p.knobs.mention_threshold:g}, "
        f"spans_per_word {p.knobs.spans_per_word:g}: "
        f"CoNLL {percent(p.conll)}"
        for p in (tuned.chosen, tuned.before)
    )
    notes = ["", f"Chosen: {chosen}.", f"Before: {before}.", "R and P are means over MUC, B³ and CEAF-e."]
    if tuned.thresholds:
        each = ", ".join(f"{name} {threshold:g}" for name, threshold in tuned.thresholds.items())
        notes.append(f"By guidelines, where the texts of each score best: {each}.")
    return Table(columns, rows, "Links on dev", tuple(notes))


def reliability_table(kinds: Mapping[str, Reliability]) -> Table:
    """Show each bin of probabilities: what it promises, and what is true."""
    columns = [Column("Score", left=True), Column("Scores"), Column("Promised"), Column("True")]
    rows = [
        [Cell(kind), count_cell(each.scores), score_cell(each.promised), score_cell(each.true)]
        for kind, known in kinds.items()
        for each in known.bins
    ]
    notes = [""]
    for kind, known in kinds.items():
        notes.append(
            f"{kind}: expected calibration error {percent(known.before)} before and {percent(known.after)} "
            f"after, over {known.count} scores (slope {known.scaling.slope:.3f}, intercept "
            f"{known.scaling.intercept:+.3f})."
        )
    return Table(columns, rows, "Reliability on dev, each half of the documents by the other", tuple(notes))


def curve_records(tuned: Tuned) -> Records:
    """List the curve, unrounded."""
    heads = ["threshold", "mention_threshold", "spans_per_word", "recall", "precision", "conll"]
    return heads, [[*point.knobs, point.recall, point.precision, point.conll] for point in tuned.curve]


def tuning_data(tuned: Tuned) -> dict[str, Any]:
    """Give everything."""
    return {
        "before": _point_data(tuned.before),
        "chosen": _point_data(tuned.chosen),
        "curve": [_point_data(point) for point in tuned.curve],
        "thresholds": dict(tuned.thresholds),
        **curve_facts(tuned.precision),
        "reliability": {
            kind: {
                **known.scaling._asdict(),
                "scores": known.count, "before": known.before, "after": known.after,
                "bins": [each._asdict() for each in known.bins],
            }
            for kind, known in tuned.reliabilities.items()
        },
    }  # fmt: skip


def _point_data(point: Point) -> dict[str, float]:
    scores = {"recall": point.recall, "precision": point.precision, "conll": point.conll}
    return point.knobs._asdict() | scores


def plot_tuning(tuned: Tuned, path: Path) -> None:
    """Draw precision against recall; each dot is a threshold, and the chosen one is named."""
    try:
        from matplotlib.figure import Figure
    except ImportError as missing:
        raise MissingExtra("matplotlib", "plot") from missing
    figure = Figure(figsize=(5.5, 3.6), layout="constrained")
    axes = figure.subplots()
    recall, precision = (
        [100 * getattr(point, name) for point in tuned.curve] for name in ("recall", "precision")
    )
    axes.plot(recall, precision, marker="o", markersize=4, color=BLUE)
    for point, words in (
        (tuned.chosen, "chosen"),
        (tuned.curve[0], "more links"),
        (tuned.curve[-1], "fewer"),
    ):
        spot = (100 * point.recall, 100 * point.precision)
        label = f"{words}: {point.knobs.threshold:+g}"
        axes.annotate(label, spot, xytext=(6, 6), textcoords="offset points", color=GREY)
    axes.set_xlabel("recall on dev, mean of MUC, B³ and CEAF-e")
    axes.set_ylabel("precision")
    try:
        save_figure(figure, path)
    except (OSError, ValueError) as error:
        raise FormatError(f"{path}: {error}") from error
