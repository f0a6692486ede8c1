"""referee gap: GAP's score of pronouns and names, with gender bias."""

from __future__ import annotations

import click

from referee.cli.commands import RefereeCommand
from referee.cli.options import output_options
from referee.cli.outputs import OUTPUT_FILE
from referee.cli.terminal import print_notices, save_words, show
from referee.functions.gap import gap
from referee.tables.gap import decision_lines, gap_output


@click.command("gap", cls=RefereeCommand)
@click.argument("key")
@click.argument("responses", nargs=-1, required=True, metavar="RESPONSE...")
@click.option(
    "--decisions", type=OUTPUT_FILE, metavar="FILE",
    help="Write the decisions of one response to a file that GAP's own script can read.",
)  # fmt: skip
@output_options
def gap_command(
    key: str, responses: tuple[str, ...], decisions: str | None, form: str, output: str | None
) -> None:
    """Score decisions about the names in GAP's texts. KEY is a published file gap-*.tsv.

    A RESPONSE is a system's output in GAP's form (ID, TRUE or FALSE for A, for B), or coreference of the same
    texts in any format: a name is what the pronoun refers to if the pronoun's cluster has a mention that
    contains the name or is contained in it. Documents are paired by name (GAP's ID), or by order if unnamed.

    \b
    Examples:
      referee gap gap-test.tsv output.tsv
      referee gap gap-test.tsv a.jsonl b.jsonl --format latex
      referee gap gap-test.tsv a.jsonl --decisions a.tsv
    """
    if decisions and len(responses) > 1:
        raise click.UsageError("--decisions takes one response")
    made = gap(key, *responses)
    scores = made if isinstance(made, list) else [made]
    print_notices([notice for score in scores for notice in score.notices])
    if decisions:
        save_words(decision_lines(scores[0]), decisions)
    show(gap_output(scores), form, output)
