"""Options of `referee resolve` that change the text: names for pronouns, invented names for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from referee.cli.outputs import OUTPUT_FILE
from referee.cli.survival import Run
from referee.cli.terminal import mention_done, say_text
from referee.display import number_of
from referee.model import Document
from referee.resolvers.replacing.inventing import SEED
from referee.resolvers.replacing.pronouns import replace_pronouns, replaced_in_words
from referee.resolvers.replacing.pseudonyms import pseudonymise
from referee.resolvers.replacing.restoring import save_table

replace_option = click.option(
    "--replace", "replacing", is_flag=True,
    help="Print the text with names instead of pronouns, where that is certain; --record lists the others.",
)  # fmt: skip
pseudonyms_option = click.option(
    "--pseudonyms", type=OUTPUT_FILE, metavar="TABLE",
    help="Print the text with an invented name for every person, and write who is who to TABLE (.json or "
    ".csv): referee restore undoes it. A person that is not found keeps the name: read the text.",
)  # fmt: skip
seed_option = click.option(
    "--seed", type=int, default=SEED, show_default=True, metavar="N", help="Which invented names are drawn."
)


def one_text_for_pseudonyms(inputs: Sequence[str], output: str | None, table: str) -> None:
    """Refuse several texts, whose table would not say which is meant, and one file for text and table."""
    if len(inputs) > 1:
        raise click.UsageError("--pseudonyms takes one text: each has a table of its own")
    if output and Path(output).absolute() == Path(table).absolute():
        raise click.UsageError("--pseudonyms and --output name one file: the text and the table are two")


def print_replaced(documents: Iterable[Document], output: str | None, run: Run) -> None:
    """Print texts with names instead of pronouns, and say what was left; the record lists it."""
    made = [(document.id, replace_pronouns(document)) for document in documents]
    say_text("\n".join(each.text for _, each in made), output)
    run.note([replaced_in_words(each for _, each in made)])
    run.facts["replaced"] = [{"document": name, **each.to_dict()} for name, each in made]


def print_pseudonymised(
    documents: Iterable[Document], output: str | None, run: Run, table: str, seed: int
) -> None:
    """Print a text with invented names, write the table, and say what has a name in it and was left."""
    found = list(documents)
    if len(found) != 1:
        raise click.UsageError("--pseudonyms takes one text: each has a table of its own")
    made = pseudonymise(found[0], seed)
    save_table(made, table)
    say_text(made.text, output)
    run.note(f"{each.text}, at character {each.start}, was left: {each.reason}" for each in made.left)
    run.facts["pseudonyms"] = {"table": table, "changes": len(made.changes), "left": len(made.left)}
    mention_done(
        f"{number_of(len(made.people), 'invented name')} in {number_of(len(made.changes), 'place')}; "
        f"who is who is in {table}: keep it apart from the text"
    )
