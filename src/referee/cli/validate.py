"""referee validate: all that is wrong with some files."""

from __future__ import annotations

import sys

import click

from referee.cli.commands import RefereeCommand
from referee.cli.options import output_options
from referee.cli.terminal import mention_done, show
from referee.display import number_of
from referee.functions.validate import validated
from referee.tables.problems import problem_output


@click.command("validate", cls=RefereeCommand)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--key", help="Compare documents and tokens with this file or folder.")
@output_options
def validate_command(files: tuple[str, ...], key: str | None, form: str, output: str | None) -> None:
    """List every problem of FILEs (or folders), one a line, with file and line.

    Unbalanced and crossing brackets, repeated mentions, mentions that run over the end of a sentence,
    documents that stand twice, what would be skipped, implausible annotation, empty files; with --key also
    missing documents and tokens that differ. All files of a folder are looked at. Of a model's copy of a text
    (marked text) it lists every mention that is lost, and how much of the text was kept. The exit status is 1
    if there is any problem.

    \b
    Examples:
      referee validate response.conll
      referee validate response/ --key key/
      referee validate answers/*.txt --key key.conll
      referee validate response.conll --format json
    """
    found = []
    for name, documents, problems in validated(files, key):
        found += problems
        if not problems:
            mention_done(f"{name}: {number_of(documents, 'document')}, no problem found")
    if found or output or form != "text":
        show(problem_output(found), form, output)
    if found:
        mention_done(f"{number_of(len(found), 'problem')} found")
        sys.exit(1)
