"""referee restore: real names in place of invented ones."""

from __future__ import annotations

import click

from referee.cli.commands import RefereeCommand
from referee.cli.options import notice_options
from referee.cli.outputs import OUTPUT_FILE
from referee.cli.terminal import mention_done, print_notices, say_text
from referee.display import number_of
from referee.encoding import lenient
from referee.exceptions import FormatError
from referee.formats.io.opening import SeekableFile
from referee.functions.restore import restore
from referee.resolvers.raw_texts import LARGEST_TEXT


@click.command("restore", cls=RefereeCommand)
@click.argument("text")
@click.argument("table")
@click.option(
    "-o", "--output", type=OUTPUT_FILE, metavar="FILE", help="The file to write; otherwise standard output."
)
@notice_options
def restore_command(text: str, table: str, output: str | None) -> None:
    """Put real names back into TEXT, which `referee resolve --pseudonyms TABLE` has made.

    The text comes back to the byte. If it was worked on since, as an answer that quotes its names, each
    invented name becomes the real one wherever it stands as a word, and a note says so. `-` is standard
    input.

    \b
    Examples:
      referee resolve story.txt --pseudonyms names.json -o changed.txt
      referee restore changed.txt names.json -o story.txt
    """
    file = SeekableFile(text)
    data = file.read(0, LARGEST_TEXT + 1)
    file.close()
    if len(data) > LARGEST_TEXT:
        raise FormatError(f"{text}: more than {LARGEST_TEXT >> 20} MiB; split it into several files")
    made = restore(lenient(data), table)
    say_text(made.text, output)
    print_notices(made.notices)
    mention_done(f"{number_of(made.replaced, 'name')} restored" + ", to the byte" * made.exact)
