"""referee score: recall, precision and F1 of one or more responses, in every metric."""

from __future__ import annotations

from typing import Any

import click

from referee.cli.commands import RefereeCommand
from referee.cli.options import (
    anaphora_options,
    genres_option,
    jobs_option,
    layer_options,
    matching_options,
    metric_option,
    output_options,
    protocol_options,
    repair_option,
    resampling_options,
    types_option,
    unit_options,
)
from referee.cli.survival import show_failures, strict_option
from referee.cli.terminal import print_notices, progress_bar, show
from referee.functions.score import BREAKDOWNS, scored


@click.command("score", cls=RefereeCommand)
@click.argument("key")
@click.argument("responses", nargs=-1, metavar="RESPONSE...")
@click.option(
    "--response", multiple=True, metavar="FOLDER",
    help="Treat all arguments as keys, and find the response to each by its name in this folder, which is "
    "one system; may be repeated.",
)  # fmt: skip
@click.option(
    "--macro", is_flag=True, help="With --response: also the mean over data sets, with equal weights."
)
@protocol_options
@anaphora_options
@repair_option
@matching_options
@metric_option
@unit_options
@click.option(
    "--by", type=click.Choice(BREAKDOWNS),
    help="Show the scores of each part: groups of documents; or kinds of mentions and entities, by default "
    "in mentions, and links or B³.",
)  # fmt: skip
@genres_option
@types_option
@layer_options
@click.option("--ci", is_flag=True, help="Add an interval to each score.")
@resampling_options
@jobs_option
@strict_option
@output_options
def score_command(
    key: str, responses: tuple[str, ...], form: str, output: str | None, **options: Any
) -> None:
    """Score RESPONSE files (or folders) against KEY. `-` is standard input.

    A document that cannot be read is listed at the end: a response's is scored as empty, a key's is not
    scored, and the exit status is 1.

    \b
    Examples:
      referee score key.conll response.conll
      referee score key.conll a.conll b.conll --format latex
      referee score key/ response/ --by document --metric muc,lea
      referee score key.conll a.conll b.conll --ci
      referee score gum/dev a.conllu --by entity-type --ci
      referee score key.conll a.conll --by entity-span --types gum/dev
      referee score key.conll a.conll b.conll --match exact,mina,head
      referee score key/ response/ --match mina --parses trees/
      gunzip -c response.gz | referee score key.conll -
      referee score ecbplus/dev response.conll --protocol crossdoc --kind events
      referee score key.conllu system.conllu --protocol crac --match partial --singletons keep
      referee score dev/*.conllu --response runs/ --macro
    """
    made = scored(key, responses, **options, progress=progress_bar)
    print_notices(made.notices)
    show(made.output, form, output)
    show_failures(made.failures)
