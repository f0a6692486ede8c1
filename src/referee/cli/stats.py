"""referee stats: counts of a corpus's documents, mentions and clusters."""

from __future__ import annotations

import click

from referee.cli.commands import RefereeCommand
from referee.cli.options import ids_option, output_options
from referee.cli.terminal import print_notices, progress_bar, show
from referee.functions.stats import stats
from referee.matching.protocol import CHOICES
from referee.tables.crossdoc import corpus_counts_output


@click.command("stats", cls=RefereeCommand)
@click.argument("corpus")
@click.option(
    "--kind",
    type=click.Choice(CHOICES["kind"]),
    help="Count only events, only entities, or all, instead of each.",
)
@ids_option
@output_options
def stats_command(corpus: str, kind: str | None, ids: str | None, form: str, output: str | None) -> None:
    """Count the topics, documents, sentences, mentions, singletons and clusters of CORPUS.

    ECB+ is counted by part (train, validation, test) and by kind, as in Table 7 of Cattan et al. (2021).

    \b
    Examples:
      referee stats ecbplus/dev
      referee stats ecbplus --format latex
      referee stats key.conll
    """
    counted = stats(corpus, kind=kind, ids=ids, progress=progress_bar)
    print_notices(counted.notices)
    show(corpus_counts_output(counted), form, output)
