"""referee tune: a neural model's thresholds and calibration, chosen on dev."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import click

from referee.cli.across_tuning import across_tuning_options, tune_model_across
from referee.cli.guided_corpora import FIRST, guided_corpus
from referee.cli.options import output_options
from referee.cli.terminal import mention_done, progress_bar, show
from referee.exceptions import need_package

CURVE = "curve.svg"


@click.command("tune")
@click.argument("model", type=click.Path(file_okay=False))
@click.option("--dev", multiple=True, required=True, metavar="CORPUS", help="With a key; may be repeated.")
@click.option("--plot", type=click.Path(dir_okay=False), help=f"The curve's file.  [default: MODEL/{CURVE}]")
@click.option("--threads", type=click.IntRange(1), help="Threads for one text.  [default: all cores]")
@click.option("--dry-run", is_flag=True, help="Show what would be chosen, and change nothing.")
@across_tuning_options
@output_options
def tune_command(
    model: str, dev: tuple[str, ...], plot: str | None, threads: int | None, dry_run: bool, form: str,
    output: str | None, across: bool, kind: str, mentions: str,
) -> None:  # fmt: skip
    """Choose on dev what a link must score and which spans are candidates, and calibrate scores.

    The best CoNLL is chosen, and written into MODEL/model.json with the calibration, a slope and an intercept
    that make probabilities of scores. CORPUS may be NAME=PATH, with the name of the guidelines it follows.

    \b
    Examples:
      referee tune my-model/ --dev corpus/dev
      referee tune my-model/ --dev ontogum/dev --dev litbank=books --plot curve.pdf
      referee tune my-model/ --across --dev ecbplus/dev --kind events --plot tau.svg
    """
    if across:
        tune_model_across(model, dev, kind, mentions, plot, dry_run, form, output)
        return
    need_package("onnxruntime", "resolve")
    from referee.resolve.neural.exporting import facts_in
    from referee.resolve.neural.tuning import TRIALS, DevText, Tuner
    from referee.tables.tuning_tables import plot_tuning, tuning_output

    folder = Path(model)
    names = list(facts_in(folder).get("guidelines", [FIRST]))
    read = [guided_corpus(path, names) for path in dev]
    texts = [DevText(document, number) for documents, number in read for document in documents]
    tuner = Tuner(folder, texts, threads or 0)
    with progress_bar(TRIALS, "tuning") as advance:
        tuned = tuner.tune(advance)
    if not dry_run:
        tuner.save(tuned)
    if plot or (find_spec("matplotlib") and not dry_run):
        target = Path(plot or folder / CURVE)
        plot_tuning(tuned, target)
        mention_done(f"{target}: precision and recall")
    show(tuning_output(tuned), form, output)
