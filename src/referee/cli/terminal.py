"""What commands share: where output goes, notices, and a progress bar."""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from referee.tables.table import FACES, Table, text

SHOWN_NOTICES = 5
# What the library calls its parameters, and what the command line calls them.
OPTIONS = {
    "bad_parses": "--on-bad-parse", "form": "--to", "groups": "--scope FILE", "kind": "--min",
    "layers": "--layers", "match": "--match", "mentions": "--mentions", "metrics": "--metric", "nlp": "--nlp",
    "parses": "--parses", "protocol": "--protocol", "rules": "--rules", "scope": "--scope",
    "singletons": "--singletons", "tree": "--tree",
}  # fmt: skip
PARAMETER = re.compile(rf"\b({'|'.join(OPTIONS)})=(?:'([^']*)'|([\w:]+|…))?")
PATIENCE = 0.7  # seconds before a progress bar shows

Command = Callable[..., None]


def in_options(message: str) -> str:
    """Name options where the library names parameters.

    >>> in_options("match='min' needs trees; give parses=…")
    '--match min needs trees; give --parses …'
    """

    def option(named: re.Match[str]) -> str:
        return f"{OPTIONS[named[1]]} {named[2] or named[3] or ''}".rstrip()

    return PARAMETER.sub(option, message)


def output_options(*formats: str) -> Callable[[Command], Command]:
    """Add --format and --output."""

    def decorate(command: Command) -> Command:
        command = click.option(
            "-o", "--output", type=click.Path(dir_okay=False), help="Write to a file instead of the terminal."
        )(command)
        return click.option(
            "-f", "--format", "form", type=click.Choice(formats), default=formats[0], show_default=True,
            help="How to print the result.",
        )(command)  # fmt: skip

    return decorate


def show(words: str, output: str | None = None) -> None:
    """Print a result, or write it to a file."""
    if output:
        try:
            Path(output).write_text(words + "\n", encoding="utf-8")
        except OSError as error:
            raise click.ClickException(f"{output}: {error.strerror or error}") from error
    else:
        click.echo(words)


def show_table(table: Table, form: str, output: str | None = None) -> None:
    """Print a table in one of its faces; on a terminal the best values are bold."""
    show_tables([table], form, output)


def show_tables(tables: Sequence[Table], form: str, output: str | None = None) -> None:
    """Print tables one under the other."""
    if form == "text" and not output and sys.stdout.isatty():
        show("\n\n".join(text(table, colour=True) for table in tables))
    else:
        show("\n\n".join(FACES[form](table) for table in tables), output)


def tell(notices: Sequence[str], *, verbose: bool = False) -> None:
    """Print notices on standard error, the first few of many."""
    distinct = list(Counter(notices))
    shown = distinct if verbose else distinct[:SHOWN_NOTICES]
    for notice in shown:
        click.echo(f"note: {in_options(notice)}", err=True)
    if len(shown) < len(distinct):
        click.echo(f"note: and {len(distinct) - len(shown)} more; --verbose shows all", err=True)


@contextmanager
def progress_bar(total: int, label: str) -> Iterator[Callable[[int], None]]:
    """Show how far long work has come, on a terminal, once it has lasted a moment."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total, visible=False)
        started = time.monotonic()

        def advance(steps: int) -> None:
            bar.update(task, advance=steps, visible=time.monotonic() - started > PATIENCE)

        yield advance
