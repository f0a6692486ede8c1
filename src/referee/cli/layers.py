"""Options that bring layers (parts of speech, heads, entities) to a key that lacks them."""

from __future__ import annotations

import click

from referee.cli.terminal import Command


def _check_nlp(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """See that the name is known, before anything is read."""
    if value and value.partition(":")[0] != "spacy":
        raise click.UsageError(f"--nlp must be spacy or spacy:MODEL, not '{value}'")
    return value


def layer_options(command: Command) -> Command:
    """Add --layers and --nlp."""
    command = click.option(
        "--nlp", metavar="spacy[:MODEL]", callback=_check_nlp,
        help="Fill in parts of speech, heads and entities with spaCy.",
    )(command)  # fmt: skip
    return click.option(
        "--layers", metavar="PATH", help="CoNLL-U file or folder with parts of speech and heads for the key."
    )(command)
