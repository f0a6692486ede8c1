"""referee convert: from one file format to another."""

from __future__ import annotations

from collections.abc import Iterator

import click

from referee import formats
from referee.cli.options import ids_option, notice_options
from referee.cli.terminal import progress_bar, tell
from referee.formats import WRITABLE
from referee.formats.format import lost
from referee.matching.protocol import CHOICES
from referee.model import Corpus, Document


@click.command("convert")
@click.argument("source")
@click.argument("target")
@click.option("--to", type=click.Choice(WRITABLE), help="The new format, if TARGET's ending does not tell.")
@click.option(
    "--mentions", type=click.Choice(CHOICES["mentions"]), default="all", show_default=True,
    help="Keep events or entities, where a corpus tells them apart.",
)  # fmt: skip
@click.option("--predicted", is_flag=True, help="Take predicted_clusters where a JSON line has them.")
@ids_option
@notice_options
def convert_command(
    source: str, target: str, to: str | None, mentions: str, predicted: bool, ids: str | None
) -> None:
    """Convert SOURCE (a file or a folder) to the file TARGET. `-` is standard input or output.

    Words, sentences, clusters and the columns that both formats know are kept; CoNLL to CoNLL keeps all
    columns. What the new format cannot hold is refused, not dropped.

    \b
    Examples:
      referee convert response.jsonl response.conll
      referee convert ontogum/dev/conll dev.jsonl
      referee convert key.conll.gz - --to jsonlines
      referee convert ecbplus/dev dev_events.conll --mentions events
    """
    role = "response" if predicted else "key"
    corpus = formats.read(source, role=role, ids=ids or "document").only(mentions)
    tell(corpus.notices)
    left_out: set[str] = set()
    form = formats.FORMATS[formats.form_for(target, to, cross_document=corpus.cross_document)]
    with progress_bar(len(corpus), "converting") as advance:

        def documents(corpus: Corpus) -> Iterator[Document]:
            for document in corpus:
                left_out.update(lost(document, form.holds))
                yield document
                advance(1)

        formats.write(documents(corpus), target, to, cross_document=corpus.cross_document)
    if left_out:
        what = ", ".join(sorted(left_out))
        tell([f"{target}: {what} are left out, {form.label} cannot hold them; JSON lines can"])
