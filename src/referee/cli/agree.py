"""referee agree: agreement between annotators."""

from __future__ import annotations

from typing import Any

import click

from referee.cli.commands import RefereeCommand
from referee.cli.options import output_options, protocol_options
from referee.cli.terminal import print_notices, progress_bar, show
from referee.functions.agree import agree
from referee.tables.agreement import agreement_output


@click.command("agree", cls=RefereeCommand)
@click.argument("files", nargs=-1, required=True, metavar="ANNOTATOR ANNOTATOR...")
@protocol_options
@output_options
def agree_command(
    files: tuple[str, ...],
    form: str,
    output: str | None,
    **options: Any,
) -> None:
    """Measure agreement between annotators, given a file or folder for each.

    The table has the F1 of every pair in MUC, B³, CEAF and LEA and their mean, agreement on mentions, and
    Krippendorff's alpha over coreference chains. Documents that some annotators lack are left out.

    \b
    Examples:
      referee agree annotator1.conll annotator2.conll
      referee agree ann1/ ann2/ ann3/ --format markdown
    """
    measured = agree(*files, **options, progress=progress_bar)
    print_notices(measured.notices)
    show(agreement_output(measured), form, output)
