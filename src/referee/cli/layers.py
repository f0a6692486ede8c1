"""Options that bring layers (parts of speech, heads, entities) to a key that lacks them."""

from __future__ import annotations

import click

from referee.cli.terminal import Command
from referee.language import layers as library
from referee.model import Corpus


def layer_options(command: Command) -> Command:
    """Add --layers and --nlp."""
    command = click.option(
        "--nlp", metavar="spacy[:MODEL]", help="Fill in parts of speech, heads and entities with spaCy."
    )(command)
    return click.option(
        "--layers", metavar="PATH", help="CoNLL-U file or folder with parts of speech and heads for the key."
    )(command)


def layered(corpus: Corpus, layers: str | None, nlp: str | None) -> Corpus:
    """Fill in a key's layers as the options say."""
    if nlp and nlp.partition(":")[0] != "spacy":
        raise click.UsageError(f"--nlp must be spacy or spacy:MODEL, not '{nlp}'")
    return library.layered(corpus, layers, nlp)
