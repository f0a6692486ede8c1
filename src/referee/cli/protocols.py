"""The options that make a protocol: --protocol, --singletons, --scope, --mentions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from referee.cli.terminal import Command
from referee.matching.protocol import CHOICES, PRESETS, Protocol
from referee.matching.units import SCOPES, Groups, read_groups


def protocol_options(command: Command) -> Command:
    """Add --protocol and --singletons."""
    command = click.option(
        "--singletons", type=click.Choice(CHOICES["singletons"]), help="Keep or drop clusters of one mention."
    )(command)
    return click.option(
        "-p", "--protocol", default="conll", show_default=True, help=f"{', '.join(PRESETS)}, or a signature."
    )(command)


def unit_options(command: Command) -> Command:
    """Add --scope and --mentions."""
    command = click.option(
        "--mentions", type=click.Choice(CHOICES["mentions"]),
        help="Take events or entities only, where a corpus tells them apart.",
    )(command)  # fmt: skip
    return click.option(
        "--scope", metavar="|".join(SCOPES[:-1]) + "|FILE",
        help="What is one unit: for cross-document coreference more than a document. FILE maps documents to "
        "groups: JSON {document: group}, or lines of document, tab, group.",
    )(command)  # fmt: skip


def chosen_protocol(
    name: str, *, scope: str | None = None, **choices: str | None
) -> tuple[Protocol, Groups | None]:
    """Put the choices of the command line over those of a protocol; a scope may be a file of groups."""
    chosen = replace(Protocol.parse(name), **{field: value for field, value in choices.items() if value})
    if scope is None:
        return chosen, None
    if scope in SCOPES[:-1]:
        return replace(chosen, scope=scope), None
    if not Path(scope).is_file():
        raise click.BadParameter(
            f"'{scope}' is neither {', '.join(SCOPES[:-1])} nor a file of groups", param_hint="--scope"
        )
    return replace(chosen, scope=SCOPES[-1]), read_groups(scope)
