"""What tuning a model across documents tried: a row for each λ, a column for each τ; and a figure of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from referee.exceptions import FormatError, MissingExtra
from referee.resolve.across.threshold_search import Trial, best_trial
from referee.tables.figures import COLOURS, save_figure
from referee.tables.rendering import Output
from referee.tables.score_tables import score_cell
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
        row = rows.setdefault(trial.kept, [Cell(_share(trial.kept))])
        row.append(score_cell(trial.conll, best=trial == best))
    kept = "" if best.kept is None else f"λ {best.kept:g}, "
    note = f"best: {kept}τ {best.threshold:g}, CoNLL {100 * best.conll:.2f}"
    return Table(columns, list(rows.values()), f"{kind}: CoNLL F1 by topic, singletons left out", ("", note))


def _share(kept: float | None) -> str:
    return "given mentions" if kept is None else f"{kept:g}"


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
    for number, kept in enumerate(dict.fromkeys(trial.kept for trial in trials)):
        own = [trial for trial in trials if trial.kept == kept]
        label = _share(kept) if kept is None else f"λ = {kept:g}"
        colour = COLOURS[number % len(COLOURS)]
        axes.plot(
            [t.threshold for t in own], [100 * t.conll for t in own], color=colour, marker=".", label=label
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
