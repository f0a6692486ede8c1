"""How commands speak: results, notices, a progress bar, and messages in the words of the command line."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import IO

import click

from referee.cli.commands import SECTIONS
from referee.encoding import encoded
from referee.formats.io.opening import STDIN
from referee.formats.io.saving import save, save_bytes
from referee.tables.layout import Look
from referee.tables.rendering import RENDERERS, Output, as_text

SHOWN_NOTICES = 5
VERBOSE, QUIET = "verbose", "quiet"
# Parameters of the library whose options have other names; all others have the same, with hyphens.
RENAMED = {"corrections": "--from", "bad_parses": "--on-bad-parse", "form": "--to", "groups": "--scope FILE"}
SETTING_OPTIONS = "referee.setting_options"  # where a command says what it calls the settings of resolvers
PIPED = 120  # columns of a table that goes to a pipe or a file
PATIENCE = 0.7  # seconds before a progress bar shows

Command = Callable[..., None]


def in_options(message: str) -> str:
    """Name options and commands where the library names parameters and functions.

    >>> in_options("match='min' needs trees; give parses=…")
    '--match min needs trees; give --parses …'
    >>> in_options("resolver='across' links mentions across documents: call referee.link()")
    '--resolver across links mentions across documents: use referee link'
    """
    context = click.get_current_context(silent=True)
    listed = {option[2:].replace("-", "_"): option for options in SECTIONS.values() for option in options}
    options = listed | RENAMED | (context.meta.get(SETTING_OPTIONS, {}) if context else {})

    def option(named: re.Match[str]) -> str:
        value = named[2] or named[3] or ""
        return f"{options[named[1]]} {value if value != 'True' else ''}".rstrip()

    message = re.sub(r"call referee\.(\w+)\(\)", r"use referee \1", message)
    return re.sub(rf"\b({'|'.join(options)})=(?:'([^']*)'|([\w:]+|…))?", option, message)


def show(output: Output, form: str, target: str | None = None) -> None:
    """Print a result in one of its forms, or write it to a file; on a terminal the best values are bold."""
    if form == "text":
        say(as_text(output, Look(PIPED) if target else terminal_look()), target)
    else:
        say(RENDERERS[form](output), target)


def terminal_look() -> Look:
    """Say how wide standard output is, and whether it shows bold; NO_COLOR and FORCE_COLOR have their way."""
    forced = bool(os.environ.get("FORCE_COLOR"))
    if not (forced or sys.stdout.isatty()):
        return Look(PIPED)
    plain = os.environ.get("NO_COLOR") or (os.environ.get("TERM") == "dumb" and not forced)
    return Look(shutil.get_terminal_size().columns, not plain)


def say(words: str, target: str | None = None) -> None:
    """Print words, or write them to a file."""
    if target:
        save_words(words, target)
    else:
        click.echo(words, color=True)  # whether there are colours was decided before


def say_text(text: str, target: str | None = None) -> None:
    """Print a text as it is, or write it to a file, to the byte; a line end is added on a terminal alone."""
    missing = not target and sys.stdout.isatty() and not text.endswith("\n")
    save_bytes(target or STDIN, encoded(text) + b"\n" * missing)


def save_words(words: str, target: str) -> None:
    """Write words and a line end to a file, or leave the old one as it was if that fails."""

    def write(file: IO[str]) -> None:
        file.write(f"{words}\n")

    save(target, write)


def is_quiet() -> bool:
    """Whether the user wants results and errors only."""
    return _is_set(QUIET)


def is_verbose() -> bool:
    """Whether the user wants to see everything."""
    return _is_set(VERBOSE)


def _is_set(option: str) -> bool:
    context = click.get_current_context(silent=True)
    return bool(context and context.meta.get(f"referee.{option}"))


def print_notices(notices: Sequence[str]) -> None:
    """Print notices on standard error: the first few, all with --verbose, none with --quiet."""
    distinct = [] if is_quiet() else list(Counter(notices))
    shown = distinct if is_verbose() else distinct[:SHOWN_NOTICES]
    for notice in shown:
        click.echo(f"note: {in_options(notice)}", err=True)
    if len(shown) < len(distinct):
        click.echo(f"note: and {len(distinct) - len(shown)} more; --verbose shows all", err=True)


def mention_done(words: str) -> None:
    """Say on standard error what was made, unless the user wants quiet."""
    if not is_quiet():
        click.echo(words, err=True)


@contextmanager
def progress_bar(total: int, label: str, later: Mapping[int, str] = {}) -> Iterator[Callable[[int], None]]:
    """Show how far long work has come, on a terminal, once it has lasted a moment.

    `later` says what it is called from so many steps on.
    """
    if not sys.stderr.isatty() or is_quiet():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total, visible=False)
        started = time.monotonic()

        def advance(steps: int) -> None:
            bar.update(task, advance=steps, visible=time.monotonic() - started > PATIENCE)
            reached = [at for at in later if at <= bar.tasks[0].completed]
            if reached:
                bar.update(task, description=later[max(reached)])

        yield advance
