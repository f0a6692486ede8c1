"""referee convert: from one file format to another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import click

from referee import formats
from referee.cli.commands import RefereeCommand
from referee.cli.options import FORMAT, ids_option, notice_options
from referee.cli.outputs import OUTPUT, check_format
from referee.cli.terminal import print_notices, progress_bar
from referee.exceptions import FormatError
from referee.formats.format import ACROSS, Format
from referee.formats.losses import REFUSED, counted, holds_all, losses, reduced
from referee.matching.protocol import CHOICES
from referee.model import Document


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
    "--lossy", is_flag=True, help="Leave out what the new format cannot represent, and report how much."
)
@ids_option
@notice_options
def convert_command(
    source: str, target: str, to: str | None, kind: str, role: str, lossy: bool, ids: str | None
) -> None:
    """Convert SOURCE (a file or a folder) to the file TARGET. `-` is standard input or output.

    Annotation that the new format cannot represent (mentions of several spans, heads, types, relations and so
    on) is refused, unless --lossy allows leaving it out. If other data are left out (layers, topics, the
    running text), a notice says so. CoNLL to CoNLL keeps all columns.

    \b
    Examples:
      referee convert response.jsonl response.conll
      referee convert ontogum/dev/conll dev.jsonl
      referee convert key.conll.gz - --to jsonlines
      referee convert ecbplus/dev dev_events.conll --kind events --lossy
      referee convert arrau/Basedata arrau.conll --lossy
      referee convert story.txt+ann story.jsonl
      referee convert ontogum/dev/conll folder --to brat
    """
    check_format(target, to)
    corpus = formats.read(source, role=role, ids=ids or "document").of_kind(kind)
    print_notices(corpus.notices)
    named = formats.FORMATS[formats.form_for(target, to)]
    across = corpus.cross_document and (named.across or bool(named.counterpart and not to))
    form = formats.FORMATS[formats.form_for(target, to, cross_document=across)]
    lost = losses(corpus, form)
    if refused := {what: lost[what] for what in REFUSED if lost[what]}:
        _refuse(refused, form, target, lossy=lossy, across=across)
    with progress_bar(len(corpus), "converting") as advance:

        def documents() -> Iterator[Document]:
            for document in corpus:
                yield reduced(document, form)
                advance(1)

        formats.write(documents(), target, to, cross_document=across)
    if lost:
        print_notices([f"{target}: left out, since {form.label} cannot hold it: {counted(lost)}"])


def _refuse(refused: Mapping[str, int], form: Format, target: str, *, lossy: bool, across: bool) -> None:
    """Refuse to lose annotation, unless loss is allowed, and name formats that hold it."""
    if lossy:
        return
    needed = [*refused, ACROSS] if across else [*refused]
    able = [name for name in formats.writable() if holds_all(needed, formats.FORMATS[name])]
    instead = f"write {' or '.join(able)} (--to), or " if able else ""
    raise FormatError(
        f"{target}: {form.label} cannot hold {counted(refused)}; {instead}give --lossy to leave it out"
    )
