"""referee tune: a neural model's thresholds and calibration, chosen on dev."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import click

from referee import formats
from referee.cli.commands import RefereeCommand
from referee.cli.guided_corpora import FIRST, guided_corpus
from referee.cli.options import output_options, together
from referee.cli.outputs import OUTPUT_FILE
from referee.cli.terminal import mention_done, print_notices, progress_bar, show
from referee.exceptions import ProtocolError, need_package
from referee.resolvers.across import MENTION_KINDS
from referee.resolvers.across.across import opened_scorer
from referee.resolvers.across.resolver import AcrossResolver
from referee.resolvers.across.threshold_search import (
    ROWS,
    best_rows,
    has_reader,
    save_precision,
    save_trials,
    tried,
)
from referee.resolvers.neural import FOUND, GOLD
from referee.resolvers.neural.models import facts_in
from referee.resolvers.neural.tuning import TRIALS, DevText, Tuner, curve_facts
from referee.tables.tuning import plot_trials, plot_tuning, precision_output, trial_output, tuning_output

across_tuning_options = together(
    click.option("--across", is_flag=True, help="Tune a model across documents: λ and τ."),
    click.option(
        "--kind", type=click.Choice(MENTION_KINDS), default="all", show_default=True,
        help="What is linked (with --across).",
    ),
    click.option(
        "--mentions", type=click.Choice((FOUND, GOLD)), default=FOUND, show_default=True,
        help="Tune for mentions that are found, or for given ones (with --across).",
    ),
)  # fmt: skip


def tune_model_across(
    model: str, dev: tuple[str, ...], kind: str, mentions: str, plot: str | None, keep: bool, dry_run: bool,
    form: str, output: str | None,
) -> None:  # fmt: skip
    """Try λ and τ on dev, show the scores, and write the best into the model's settings.

    With `keep` only the precision of links by τ is written.
    """
    if len(dev) != 1:
        raise ProtocolError("a model across documents is tuned on one corpus, which has topics: one --dev")
    corpus = formats.read(dev[0])
    print_notices(corpus.notices)
    resolver = AcrossResolver(opened_scorer(model), kind)
    rows = None
    given = mentions == GOLD
    if keep:
        with progress_bar(len(corpus), "resolving") as advance:
            trials = tried(resolver, corpus, given=given, spans_per_word=(None,), progress=advance)
    elif kind == "all" and has_reader(resolver.scorer):  # the length of its rows is one for all kinds
        with progress_bar(len(ROWS) * len(corpus), "resolving") as advance:
            rows, trials = best_rows(resolver, corpus, given=given, progress=advance)
        mention_done(f"reader: rows of {rows} pieces")
    else:
        with progress_bar(len(corpus), "resolving") as advance:
            trials = tried(resolver, corpus, given=given, progress=advance)
    if keep and not dry_run:
        save_precision(Path(model), kind, mentions, trials)
    elif not dry_run:
        save_trials(Path(model), kind, mentions, trials, rows)
    if plot:
        plot_trials(trials, plot)
        mention_done(f"{plot}: scores by τ")
    show(trial_output(trials, kind), form, output)


CURVE = "curve.svg"


@click.command("tune", cls=RefereeCommand)
@click.argument("model", type=click.Path(file_okay=False))
@click.option("--dev", multiple=True, required=True, metavar="CORPUS", help="With a key; may be repeated.")
@click.option("--plot", type=OUTPUT_FILE, metavar="FILE", help=f"The curve's file.  [default: MODEL/{CURVE}]")
@click.option("--threads", type=click.IntRange(1), help="Threads for one text.  [default: all cores]")
@click.option(
    "--keep-thresholds", "keep", is_flag=True,
    help="Only measure how precise links are by threshold, for --precision of `referee resolve`, and leave "
    "the model's thresholds and calibration as they are.",
)  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Show what would be chosen, and change nothing.")
@across_tuning_options
@output_options
def tune_command(
    model: str, dev: tuple[str, ...], plot: str | None, threads: int | None, keep: bool, dry_run: bool,
    form: str, output: str | None, across: bool, kind: str, mentions: str,
) -> None:  # fmt: skip
    """Choose on dev what a link must score and which spans are candidates, and calibrate scores.

    The best CoNLL is chosen, and written into MODEL/model.json with the calibration, a slope and an intercept
    that make probabilities of scores; so is how precise links are by threshold, by which `referee resolve
    --precision` chooses one. CORPUS may be NAME=PATH, with the name of the guidelines it follows.

    \b
    Examples:
      referee tune my-model/ --dev corpus/dev
      referee tune my-model/ --dev ontogum/dev --dev litbank=books --plot curve.pdf
      referee tune my-model/ --across --dev ecbplus/dev --kind events --plot tau.svg
    """
    if across:
        tune_model_across(model, dev, kind, mentions, plot, keep, dry_run, form, output)
        return
    need_package("onnxruntime", "resolve")
    folder = Path(model)
    names = list(facts_in(folder).get("guidelines", [FIRST]))
    read = [guided_corpus(path, names) for path in dev]
    texts = [DevText(document, number) for documents, number in read for document in documents]
    tuner = Tuner(folder, texts, threads or 0)
    if keep:
        _measure_precision(tuner, plot, dry_run, form, output)
        return
    with progress_bar(TRIALS, "tuning") as advance:
        tuned = tuner.tune(advance)
    if not dry_run:
        tuner.save(tuned.facts())
    if plot or (find_spec("matplotlib") and not dry_run):
        target = Path(plot or folder / CURVE)
        plot_tuning(tuned, target)
        mention_done(f"{target}: precision and recall")
    show(tuning_output(tuned), form, output)


def _measure_precision(tuner: Tuner, plot: str | None, dry_run: bool, form: str, output: str | None) -> None:
    """Measure how precise links are by threshold, and leave everything else as it is."""
    if plot:
        raise click.UsageError("--plot draws what tuning tried; --keep-thresholds tries nothing")
    curves = tuner.precision_curves(tuner.knobs)
    if not dry_run:
        tuner.save(curve_facts(curves))
    show(precision_output(curves), form, output)
