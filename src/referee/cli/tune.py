"""referee tune: a model's thresholds and calibration, chosen on dev."""

from __future__ import annotations

from typing import Any

import click

from referee.cli.commands import RefereeCommand
from referee.cli.options import output_options
from referee.cli.outputs import OUTPUT_FILE
from referee.cli.resolver_options import given_settings, options_of
from referee.cli.terminal import mention_done, print_notices, progress_bar, show
from referee.functions.tune import CURVE, tune
from referee.resolvers.tuned import TUNED


@click.command("tune", cls=RefereeCommand)
@click.argument("model", type=click.Path(file_okay=False, exists=True))
@click.option("--dev", multiple=True, required=True, metavar="CORPUS", help="With a key; may be repeated.")
@click.option(
    "--resolver", type=click.Choice(list(TUNED)),
    help=f"What to tune: {', '.join(f'{name}, {entry.label}' for name, entry in TUNED.items())}.  [default: "
    "what MODEL is for; where it does both, what CORPUS has]",
)  # fmt: skip
@click.option(
    "--plot", type=OUTPUT_FILE, metavar="FILE",
    help=f"The file of a figure.  [default: MODEL/{CURVE} for neural, none for across]",
)  # fmt: skip
@click.option(
    "--keep-thresholds", is_flag=True,
    help="Only measure how precise links are by threshold, for --precision of `referee resolve` and `referee "
    "link`, and leave the model's thresholds and calibration as they are.",
)  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Show what would be chosen, and change nothing.")
@options_of({name: entry.settings for name, entry in TUNED.items()})
@output_options
def tune_command(
    model: str,
    dev: tuple[str, ...],
    resolver: str | None,
    plot: str | None,
    keep_thresholds: bool,
    dry_run: bool,
    form: str,
    output: str | None,
    **_settings: Any,
) -> None:
    """Choose on dev what a link must score and which spans are candidates, and calibrate scores.

    The best CoNLL is chosen, and written into MODEL: for links within documents into model.json, with the
    calibration, a slope and an intercept that make probabilities of scores; for links across documents into
    across.json. So is how precise links are by threshold, by which --precision of `referee resolve` and
    `referee link` chooses one. Within documents CORPUS may be NAME=PATH, with the name of the guidelines it
    follows; across documents it is one corpus with topics.

    \b
    Examples:
      referee tune my-model/ --dev corpus/dev
      referee tune my-model/ --dev ontogum/dev --dev litbank=books --plot curve.pdf
      referee tune my-model/ --dev ecbplus/dev --kind events --plot tau.svg
    """
    tuned = tune(
        model, dev=dev, resolver=resolver, plot=plot, keep_thresholds=keep_thresholds, dry_run=dry_run,
        report=mention_done, notify=print_notices, progress=progress_bar, **given_settings(),
    )  # fmt: skip
    show(tuned.output, form, output)
