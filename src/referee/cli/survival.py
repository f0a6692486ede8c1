"""How commands report documents that fail: a table at the end, a record of the run, exit status 1."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from referee import __version__
from referee.cli.outputs import OUTPUT_FILE
from referee.cli.terminal import in_options, is_verbose, print_notices, save_words
from referee.display import number_of
from referee.exceptions import RefereeError
from referee.formats.failures import AllFailedError, Failure, Failures
from referee.tables.layout import cells_of

if TYPE_CHECKING:
    from referee.model import Corpus
    from referee.resolvers.raw_texts import RawTexts

SHOWN = 20  # failures in the table, unless all are wanted
WIDEST = 40  # cells of the column of documents

strict_option = click.option(
    "--strict", is_flag=True,
    help="Stop at the first document that fails. Otherwise the others are done, a table at the end lists the "
    "failures, and the exit status is 1.",
)  # fmt: skip
record_option = click.option(
    "--record",
    type=OUTPUT_FILE,
    metavar="FILE",
    help="Write a record of the run in JSON: what was written and left out, the notices, and each failure "
    "with its reason.",
)  # fmt: skip


@dataclass
class Run:
    """What a command has done so far."""

    failures: Failures
    output: str | None = None
    facts: dict[str, Any] = field(default_factory=dict)  # for the record
    notices: list[str] = field(default_factory=list)  # that were shown
    _read: list[Corpus | RawTexts] = field(default_factory=list)

    def note(self, notices: Iterable[str]) -> None:
        """Show those notices that were not shown before, and keep them for the record."""
        new = [notice for notice in dict.fromkeys(notices) if notice not in self.notices]
        self.notices += new
        print_notices(new)

    def watch(self, texts: Corpus | RawTexts) -> None:
        """Show the notices of texts now, and at the end those that reading their documents has added."""
        self._read.append(texts)
        self.note(texts.notices)

    def end(self) -> None:
        """Show what reading has added."""
        self.note(notice for texts in self._read for notice in texts.notices)


@contextmanager
def surviving(
    inputs: Sequence[str], output: str | None, *, strict: bool, record: str | None
) -> Iterator[Run]:
    """Do the work of a command, write its record, list its failures, and exit with 1 if there are any."""
    run = Run(Failures(strict), output)
    error = ""
    try:
        yield run
    except AllFailedError as none_left:
        run.failures.found[:] = none_left.failures
        if len(none_left.failures) == 1:
            error = str(none_left)
            raise
    except RefereeError as fault:
        error = in_options(str(fault))
        raise
    finally:
        run.end()
        _save_record(record, inputs, run, error)
    show_failures(run.failures.found)


def _save_record(path: str | None, inputs: Sequence[str], run: Run, error: str) -> None:
    if path is None:
        return
    facts: Mapping[str, Any] = {
        "command": click.get_current_context().info_name,
        "version": __version__,
        "inputs": list(inputs),
        "output": run.output,
        **run.facts,
        "notices": run.notices,
        "failures": [failure._asdict() for failure in run.failures.found],
        **({"error": error} if error else {}),
    }
    save_words(json.dumps(facts, indent=1), path)


def show_failures(failures: Sequence[Failure], noun: str = "document") -> None:
    """List what failed on standard error, however quiet the user wants it, and exit with 1."""
    if not failures:
        return
    click.echo(f"{number_of(len(failures), noun)} failed:", err=True)
    shown = failures if is_verbose() else failures[:SHOWN]
    width = min(max(cells_of(failure.document) for failure in shown), WIDEST)
    for document, reason in shown:
        gap = " " * max(width - cells_of(document), 0)
        click.echo(f"  {document}{gap}  {in_options(reason)}", err=True)
    if len(shown) < len(failures):
        click.echo(f"  and {len(failures) - len(shown)} more; --verbose shows all", err=True)
    click.get_current_context().exit(1)
