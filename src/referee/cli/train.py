"""referee train: trains a resolver from a corpus and an encoder."""

from __future__ import annotations

from typing import Any

import click

from referee.cli.commands import RefereeCommand
from referee.cli.options import notice_options
from referee.cli.outputs import OUTPUT_FOLDER
from referee.cli.resolver_options import given_settings, options_of
from referee.cli.terminal import in_options, mention_done, print_notices
from referee.functions.train import train
from referee.training.settings import CORRECTED, TRAINED


@click.command("train", cls=RefereeCommand)
@click.argument("corpora", nargs=-1, metavar="[CORPUS...]")
@click.option("--dev", multiple=True, metavar="CORPUS", help="Measures the training; may be repeated.")
@click.option(
    "--corrections", "--from", type=click.Path(exists=True), metavar="FOLDER",
    help="A journal of the workbench, instead of CORPUS and --dev: a trained model goes on learning from "
    "what was corrected.",
)  # fmt: skip
@click.option(
    "-o", "--output", required=True, type=OUTPUT_FOLDER, metavar="FOLDER", help="The model's folder."
)
@click.option(
    "--resolver", type=click.Choice(list(TRAINED)), default="neural", show_default=True,
    help="; ".join(f"{name}: {entry.label}" for name, entry in TRAINED.items()) + ".",
)  # fmt: skip
@options_of({name: entry.settings for name, entry in {**TRAINED, "corrections": CORRECTED}.items()})
@notice_options
def train_command(
    corpora: tuple[str, ...],
    dev: tuple[str, ...],
    corrections: str | None,
    output: str,
    resolver: str,
    **_settings: Any,
) -> None:
    """Train a resolver on CORPUS: files or folders in any format, into a model's folder.

    For neural, CORPUS may be litbank=PATH where a corpus follows other guidelines than the rest: one model
    learns both, and resolves by either. The best model on dev is saved. Ctrl-C stops after a step and leaves
    a checkpoint. For across, CORPUS and --dev are one corpus with topics each. With --from a model goes on
    learning from documents that were corrected in the workbench, and is measured on those held out.

    \b
    Examples:
      referee train corpus/train --dev corpus/dev -o my-model/ --encoder e5-small/
      referee train corpus/train --dev corpus/dev -o my-model/ --encoder e5-small/ --resume
      referee train ontogum/train litbank=books --dev ontogum/dev -o my-model/ --encoder e5-small/ --int8
      referee train ecbplus/train --dev ecbplus/dev --resolver across --kind events -o my-model/
      referee train --from story.txt.journal/ -o my-model/
    """
    train(
        *corpora, dev=dev, output=output, resolver=resolver, corrections=corrections,
        report=lambda line: mention_done(in_options(line)), notify=print_notices, **given_settings(),
    )  # fmt: skip
