"""referee validate: all that is wrong with some files."""

from __future__ import annotations

import sys

import click

from referee import formats
from referee.exceptions import FormatError
from referee.formats.validation import problems


@click.command("validate")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--key", help="Compare documents and tokens with this file or folder.")
def validate_command(files: tuple[str, ...], key: str | None) -> None:
    """List every problem of FILEs (or folders), one a line, with file and line.

    Unbalanced and crossing brackets, repeated mentions, mentions that run over the end of a sentence,
    documents that stand twice; with --key also missing documents and tokens that differ. The exit status is 1
    if there is any problem.

    \b
    Examples:
      referee validate response.conll
      referee validate response/ --key key/
    """
    key_corpus = formats.read(key) if key else None
    found = 0
    for path in files:
        try:
            corpus = formats.read(path, role="response")
        except FormatError as error:
            click.echo(error)
            found += 1
            continue
        before = found
        for problem in problems(corpus, key_corpus):
            click.echo(problem)
            found += 1
        if found == before:
            click.echo(
                f"{path}: {len(corpus)} document{'s' * (len(corpus) != 1)}, no problem found", err=True
            )
    if found:
        click.echo(f"{found} problem{'s' * (found != 1)} found", err=True)
        sys.exit(1)
