"""What `referee tune` does with a model across documents: λ and τ of each kind of mention."""

from __future__ import annotations

import json
from pathlib import Path

import click

from referee import formats
from referee.cli.across import GOLD, PREDICTED, opened_scorer
from referee.cli.options import together
from referee.cli.terminal import mention_done, progress_bar, show, tell
from referee.exceptions import FormatError, ProtocolError
from referee.formats.saving import save_bytes
from referee.resolve.across.corpus_resolver import MENTION_KINDS, AcrossResolver
from referee.resolve.across.second_look import MOST
from referee.resolve.across.threshold_search import ROWS, Trial, best_rows, best_trial, has_reader, tried
from referee.tables.threshold_tables import plot_trials, trial_output

SETTINGS = "across.json"  # where a model has λ and τ of each kind

across_tuning_options = together(
    click.option("--across", is_flag=True, help="Tune a model across documents: λ and τ."),
    click.option(
        "--kind", type=click.Choice(MENTION_KINDS), default="all", show_default=True,
        help="What is linked (with --across).",
    ),
    click.option(
        "--mentions", type=click.Choice((PREDICTED, GOLD)), default=PREDICTED, show_default=True,
        help="Tune for mentions that are found, or for given ones (with --across).",
    ),
)  # fmt: skip


def tune_model_across(
    model: str, dev: tuple[str, ...], kind: str, mentions: str, plot: str | None, dry_run: bool, form: str,
    output: str | None,
) -> None:  # fmt: skip
    """Try λ and τ on dev, show the scores, and write the best into the model's settings."""
    if len(dev) != 1:
        raise ProtocolError("a model across documents is tuned on one corpus, which has topics: one --dev")
    corpus = formats.read(dev[0])
    tell(corpus.notices)
    resolver = AcrossResolver(opened_scorer(model), kind)
    rows = None
    given = mentions == GOLD
    if kind == "all" and has_reader(resolver.scorer):  # the length of its rows is one for all kinds
        with progress_bar(len(ROWS) * len(corpus), "resolving") as advance:
            rows, trials = best_rows(resolver, corpus, given=given, progress=advance)
        mention_done(f"reader: rows of {rows} pieces")
    else:
        with progress_bar(len(corpus), "resolving") as advance:
            trials = tried(resolver, corpus, given=given, progress=advance)
    if not dry_run:
        save_trial(Path(model), kind, best_trial(trials), rows)
    if plot:
        plot_trials(trials, plot)
        mention_done(f"{plot}: scores by τ")
    show(trial_output(trials, kind), form, output)


def save_trial(folder: Path, kind: str, best: Trial, rows: int | None = None) -> None:
    """Tell a model what was best for a kind; with given mentions, λ stays as it was."""
    path = folder / SETTINGS
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FormatError(f"{path}: cannot be read: {error}; a model across documents has it") from error
    chosen = {"threshold": best.threshold} | ({} if best.kept is None else {"kept": best.kept})
    known[kind] = {**known.get(kind, {}), **chosen}
    if rows is not None:
        known["reader"] = {**known.get("reader", {}), MOST: rows}
    save_bytes(path, (json.dumps(known, indent=1) + "\n").encode())
