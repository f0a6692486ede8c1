"""referee agree: agreement between annotators."""

from __future__ import annotations

from typing import Any

import click

from referee import formats
from referee.cli.commands import RefereeCommand
from referee.cli.options import output_options, protocol_options
from referee.cli.task_options import TaskOptions, refuse_rereading
from referee.cli.terminal import print_notices, progress_bar, show
from referee.comparing.annotators import agreement
from referee.scoring.task import system_names
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
    if len(files) < 2:
        raise click.UsageError("give two or more annotators")
    if len(set(files)) < len(files):
        raise click.UsageError("a file is given twice")
    refuse_rereading(files)
    chosen = TaskOptions(**options).named_protocol()
    corpora = [formats.read(path, role="key", strict=chosen.strict, ids=chosen.ids) for path in files]
    pairs = len(files) * (len(files) - 1) // 2
    with progress_bar(pairs * len(corpora[0]), "comparing") as advance:
        measured = agreement(corpora, system_names(files), chosen, progress=advance)
    print_notices(measured.notices)
    show(agreement_output(measured), form, output)
