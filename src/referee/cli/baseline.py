"""referee baseline: responses that need no training."""

from __future__ import annotations

import click

from referee import formats
from referee.cli.commands import RefereeCommand
from referee.cli.options import FORMAT, ids_option, notice_options
from referee.cli.outputs import OUTPUT, check_format
from referee.cli.terminal import Command, print_notices, progress_bar
from referee.crossdoc.link_scopes import LINK_SCOPES
from referee.formats.failures import Failures
from referee.formats.fitting import Fitting
from referee.formats.writing import left_out, write_fitted
from referee.functions.baseline import baseline as link_by
from referee.matching.protocol import CHOICES
from referee.resolvers.baselines import BASELINES


def _with_baselines(command: Command) -> Command:
    """List the baselines in a command's help."""
    width = max(map(len, BASELINES)) + 2
    lines = [f"{name:<{width}}{baseline.meaning}" for name, baseline in BASELINES.items()]
    command.__doc__ = (command.__doc__ or "").replace("{baselines}", "\n    ".join(lines))
    return command


@click.command("baseline", cls=RefereeCommand)
@click.argument("baseline", type=click.Choice(list(BASELINES)))
@click.argument("key")
@click.option(
    "-o",
    "--output",
    required=True,
    type=OUTPUT,
    metavar="PATH",
    help="The file to write; `-` is standard output.",
)
@click.option("--to", type=FORMAT, help="Its format, if the ending does not say; `--to list` lists all.")
@click.option(
    "--kind", type=click.Choice(CHOICES["kind"]), default="all", show_default=True,
    help="Link only events or only entities, if KEY distinguishes them.",
)  # fmt: skip
@click.option(
    "--scope", metavar="|".join(LINK_SCOPES) + "|FILE",
    help="Which documents may share clusters; predicted topics unless the baseline's name says otherwise.",
)  # fmt: skip
@ids_option
@notice_options
@_with_baselines
def baseline_command(
    baseline: str,
    key: str,
    output: str,
    to: str | None,
    kind: str,
    scope: str | None,
    ids: str | None,
) -> None:
    """Link the mentions of KEY by a simple rule and write the response.

    \b
    {baselines}

    Head lemmas come from KEY's columns lemma and head, or from spaCy. In a corpus whose clusters hold within
    a document, all of them link within documents.

    \b
    Examples:
      referee baseline head-lemma ecbplus/dev -o response.conll --kind events
      referee baseline same-string ecbplus/dev -o response.conll --scope topic
    """
    check_format(output, to)
    read = formats.opened(key, ids=ids or "document")
    response = link_by(baseline, read, kind=kind, scope=scope, ids=ids, progress=progress_bar)
    form = formats.FORMATS[formats.form_for(output, to, cross_document=read.cross_document)]
    lost = write_fitted(response, output, Fitting(form, Failures(strict=True)))
    print_notices([*read.notices, *([left_out(output, form, lost)] if lost else ())])
