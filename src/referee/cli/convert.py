"""referee convert: from one file format to another."""

from __future__ import annotations

import click

from referee.cli.commands import RefereeCommand
from referee.cli.options import FORMAT, ids_option, notice_options
from referee.cli.outputs import OUTPUT, check_format
from referee.cli.survival import record_option, strict_option, surviving
from referee.cli.terminal import progress_bar
from referee.functions.convert import convert
from referee.matching.protocol import CHOICES


@click.command("convert", cls=RefereeCommand)
@click.argument("source")
@click.argument("target", type=OUTPUT)
@click.option(
    "--to", type=FORMAT, help="The new format, if TARGET's ending does not say; `--to list` lists all."
)
@click.option(
    "--kind", type=click.Choice(CHOICES["kind"]), default="all", show_default=True,
    help="Keep only events or only entities, if the corpus distinguishes them.",
)  # fmt: skip
@click.option(
    "--role", type=click.Choice(("key", "response")), default="key", show_default=True,
    help="Which clusters to take where a file has both: the key's, or those of a response "
    "(`predicted_clusters` in JSON lines).",
)  # fmt: skip
@click.option(
    "--lossy",
    is_flag=True,
    help="Leave out what the new format cannot represent, change names and words that it cannot write, and "
    "report how much. Nothing is refused then.",
)
@strict_option
@record_option
@ids_option
@click.option(
    "--identity", metavar="NAMES",
    help="Names of relations that mean coreference in files of annotation tools (brat and others), with "
    "commas, beside usual names such as Coreference.",
)  # fmt: skip
@notice_options
def convert_command(
    source: str,
    target: str,
    to: str | None,
    kind: str,
    role: str,
    lossy: bool,
    strict: bool,
    record: str | None,
    ids: str | None,
    identity: str | None,
) -> None:
    """Convert SOURCE (a file or a folder) to the file TARGET. `-` is standard input or output.

    Annotation that the new format cannot represent (mentions of several spans, heads, types, relations and so
    on) is refused, unless --lossy allows leaving it out. If other data are left out (layers, topics, the
    running text, mentions that cross others where brackets cannot hold them), a notice says so. CoNLL to
    CoNLL keeps all columns. A document that cannot be read or written is listed at the end, and the others
    are converted.

    \b
    Examples:
      referee convert response.jsonl response.conll
      referee convert ontogum/dev/conll dev.jsonl
      referee convert key.conll.gz - --to jsonlines
      referee convert ecbplus/dev dev_events.conll --kind events --lossy
      referee convert arrau/Basedata arrau.conll --lossy
      referee convert story.txt+ann story.jsonl --identity SameEntity
      referee convert ontogum/dev/conll folder --to brat
    """
    check_format(target, to)
    names = [name.strip() for name in (identity or "").split(",") if name.strip()]
    with surviving([source], target, strict=strict, record=record) as run:
        made = convert(
            source, target, to=to, kind=kind, role=role, lossy=lossy, ids=ids, identity=names,
            strict=strict, progress=progress_bar,
        )  # fmt: skip
        run.failures.found += made.failures
        run.facts = {"format": made.form, "documents": made.documents, "left out": made.left_out}
        run.note(made.notices)
