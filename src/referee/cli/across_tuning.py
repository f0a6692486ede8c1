"""What `referee tune` does with a model across documents: λ and τ of each kind of mention."""

from __future__ import annotations

from pathlib import Path

import click

from referee import formats
from referee.cli.across import GOLD, PREDICTED, opened_scorer
from referee.cli.options import together
from referee.cli.terminal import mention_done, progress_bar, show, tell
from referee.exceptions import ProtocolError
from referee.resolve.across.corpus_resolver import MENTION_KINDS, AcrossResolver
from referee.resolve.across.threshold_search import Trial, best_trial, tried
from referee.resolve.neural.exporting import add_facts, facts_in
from referee.tables.threshold_tables import plot_trials, trial_output

ACROSS = "across"  # where a model's facts have λ and τ

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


def tune_across(
    model: str, dev: tuple[str, ...], kind: str, mentions: str, plot: str | None, dry_run: bool, form: str,
    output: str | None,
) -> None:  # fmt: skip
    """Try λ and τ on dev, show the scores, and write the best into the model's facts."""
    if len(dev) != 1:
        raise ProtocolError("a model across documents is tuned on one corpus, which has topics: one --dev")
    corpus = formats.read(dev[0])
    tell(corpus.notices)
    resolver = AcrossResolver(opened_scorer(model), kind)
    with progress_bar(len(corpus), "resolving") as advance:
        trials = tried(resolver, corpus, given=mentions == GOLD, progress=advance)
    if not dry_run:
        save_trial(Path(model), kind, best_trial(trials))
    if plot:
        plot_trials(trials, plot)
        mention_done(f"{plot}: scores by τ")
    show(trial_output(trials, kind), form, output)


def save_trial(folder: Path, kind: str, best: Trial) -> None:
    """Tell a model what was best for a kind; with given mentions, λ stays as it was."""
    known = dict(facts_in(folder).get(ACROSS, {}))
    chosen = {"threshold": best.threshold} | ({} if best.kept is None else {"kept": best.kept})
    add_facts(folder, {ACROSS: known | {kind: dict(known.get(kind, {})) | chosen}})
