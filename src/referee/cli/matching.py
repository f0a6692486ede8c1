"""The options of commands that match mentions: --match, --parses, --on-bad-parse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import click

from referee.cli.terminal import Command
from referee.matching.matchings import FROM_TREES
from referee.matching.protocol import CHOICES, Protocol


def matching_options(command: Command) -> Command:
    """Add the options."""
    command = parse_options(command)
    return click.option(
        "--match", metavar="NAME",
        help=f"When two mentions are the same: {', '.join(CHOICES['match'])}; several with commas, in one "
        "table with ranks. exact: the same span. mina, head: the same minimum span or head word in the key's "
        "parse. min: within the annotated minimum and maximum.  [default: exact]",
    )(command)  # fmt: skip


def parse_options(command: Command) -> Command:
    """Add the options that say where parse trees are, and what to do with bad ones."""
    command = click.option(
        "--on-bad-parse", type=click.Choice(CHOICES["bad_parses"]),
        help="Trees that cannot be read: refuse them, or skip and take maximum spans.  [default: refuse]",
    )(command)  # fmt: skip
    return click.option(
        "--parses", type=click.Path(exists=True), metavar="FILE|DIR",
        help="Penn-bracketed trees of the key, a file per document or one for all (for heads also a folder "
        "of CoNLL-U); else the key's parse column is taken.",
    )(command)  # fmt: skip


def matched_protocols(protocol: Protocol, match: str | None, on_bad_parse: str | None) -> Sequence[Protocol]:
    """Vary a protocol's matching as the options say."""
    names = [name for name in (match or protocol.match).split(",") if name]
    if len(set(names)) < len(names):
        raise click.UsageError(f"--match {match}: names one twice")
    if on_bad_parse == "skip" and not set(names) & set(FROM_TREES):
        raise click.UsageError(f"--on-bad-parse goes with --match {' or '.join(FROM_TREES)}")
    return [
        replace(protocol, match=name, bad_parses=on_bad_parse or protocol.bad_parses)
        if name in FROM_TREES
        else replace(protocol, match=name, bad_parses="refuse")
        for name in names
    ]
