"""referee link: coreference across texts, for who and what occurs in several of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from referee import formats
from referee.cli.commands import RefereeCommand
from referee.cli.names import Names
from referee.cli.options import described_format, jobs_option, notice_options
from referee.cli.outputs import OUTPUT, OUTPUT_FOLDER, check_format
from referee.cli.resolver_options import given_settings, setting_options
from referee.cli.survival import Run, record_option, strict_option, surviving
from referee.cli.terminal import progress_bar, save_words, say, show, terminal_look
from referee.exceptions import SettingError
from referee.formats.failures import refuse_if_none_is_left
from referee.formats.fitting import Fitting
from referee.formats.writing import left_out, write_fitted
from referee.model import Corpus, DocumentCorpus
from referee.page.recurring import recurring_page
from referee.page.resolved import PAGE
from referee.resolvers.across.graph.graph import LinkGraph
from referee.resolvers.across.graph.writing import GRAPH_FORMATS, check_graph_output, graph_form
from referee.resolvers.across.store.store import open_store
from referee.resolvers.base import LINKER, linking_resolver, resolvers_that_link
from referee.resolvers.neural import DROP, KEEP
from referee.resolvers.raw_texts import texts_of
from referee.resolvers.resolving import LocatedTexts, link_all
from referee.scoring.engines import Engine
from referee.tables.documents import linked_output
from referee.tables.rendering import RENDERERS
from referee.tables.resolved import recurring_view
from referee.tables.store import addition_output, joins_output

STEPS = 3  # of each document: its mentions are found, linked, and joined with those of others
LINKED_FORMAT = Names(
    "format that can be written", lambda: [*formats.writable(), *GRAPH_FORMATS], several=False,
    about=lambda name: (
        f"{GRAPH_FORMATS[name].label} ({GRAPH_FORMATS[name].suffix})"
        if name in GRAPH_FORMATS
        else described_format(name)
    ),
)  # fmt: skip


@click.command("link", cls=RefereeCommand)
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option(
    "-o", "--output", type=OUTPUT, metavar="PATH",
    help="The file to write: .html; a graph (.graphml, .csv, .jsonld, .entities.jsonl); or any format that "
    "holds clusters across documents. `-` is standard output.",
)  # fmt: skip
@click.option(
    "--to", type=LINKED_FORMAT, help="Its format, if the ending does not say; `--to list` lists all."
)
@click.option(
    "--resolver", metavar="NAME", default=LINKER, show_default=True,
    help=f"Which resolver links documents: {', '.join(resolvers_that_link())}.",
)  # fmt: skip
@click.option(
    "--into", type=OUTPUT_FOLDER, metavar="STORE",
    help="Add the documents to a store, a folder that keeps who and what was found, or make one.",
)  # fmt: skip
@click.option("--update", is_flag=True, help="Let documents replace those of the same name in the store.")
@click.option("--explain", is_flag=True, help="List what was joined to what, how likely it is, and why.")
@click.option(
    "-f", "--format", "form", type=click.Choice(list(RENDERERS)), default="text", show_default=True,
    help="How to print who and what several documents mention, or what was added and joined.",
)  # fmt: skip
@jobs_option
@strict_option
@record_option
@notice_options
@setting_options(*resolvers_that_link())
def link_command(
    inputs: tuple[str, ...],
    output: str | None,
    to: str | None,
    resolver: str,
    into: str | None,
    update: bool,
    explain: bool,
    form: str,
    jobs: Engine,
    strict: bool,
    record: str | None,
    **_settings: Any,
) -> None:
    """Link mentions of the same thing across all documents of INPUT: texts (.txt), folders, corpora, or `-`.

    Without --output it lists what several documents mention, or with --explain what was joined. A corpus
    keeps its words and sentences. A document that fails is listed at the end, and the others are linked. With
    --into they are added to a store, and --output writes all of it. Any number of --jobs gives the same.

    \b
    Examples:
      referee link news/*.txt
      referee link news/*.txt -o entities.html
      referee link news/*.txt -o graph.graphml
      referee link news/*.txt --explain --format json
      referee link news/*.txt --into store/ --explain
      referee link news/*.txt -o entities.html --jobs 4
      referee link ecbplus/dev --kind events -o response.conll
      referee link ecbplus/dev --mentions gold --scope topic -o response.conll
    """
    check_linked_output(output, to)
    settings = given_settings()
    if into:
        kept = settings.pop("singletons", DROP) == KEEP
        store = open_store(into, **settings)
        with surviving(inputs, output, strict=strict, record=record) as run:
            corpus = _read(inputs, run)
            with progress_bar(STEPS * len(corpus), "linking") as advance:
                addition = store.add(corpus, update=update, strict=strict, progress=advance)
            run.failures.found += addition.failures
            run.note(addition.notices)
            run.facts |= {"store": into, "texts in the store": len(store.texts)} | addition.to_dict()
            show(addition_output(addition, explain=explain), form)
            if output:
                write_linked(store.documents(singletons=kept), output, to, run, store.contents.names)
        return
    if form != "text" and output and not explain:
        raise click.UsageError("--format does nothing with --output, unless with --explain or --into")
    chosen = linking_resolver(resolver, **settings)
    if explain and not chosen.tells_joins:
        raise SettingError(f"resolver='{resolver}' does not say what it joined, so explain= does nothing")
    with surviving(inputs, output, strict=strict, record=record) as run:
        run.note(chosen.notices)
        corpus = _read(inputs, run)
        size = len(corpus)
        with progress_bar(STEPS * size, "linking", {STEPS * size - size: "joining"}) as advance:
            response = link_all(chosen, corpus, run.failures, advance, jobs)
        run.facts["linked"] = len(response)
        if explain:
            show(joins_output(getattr(response, "joins")), form)  # noqa: B009 as the resolver says
        elif output is None:
            _list(response, form)
        if output:
            write_linked(response, output, to, run)


def _list(response: DocumentCorpus, form: str) -> None:
    """Print who and what several documents mention."""
    if form == "text":
        say(recurring_view(response.documents, terminal_look()))
    else:
        show(linked_output(response.documents), form)


def _read(inputs: Sequence[str], run: Run) -> Corpus:
    """Read texts or a corpus; notices of its reading are shown as they come."""
    texts = texts_of(inputs, run.failures)
    refuse_if_none_is_left(len(texts), run.failures.found)
    run.watch(texts)
    return texts if isinstance(texts, Corpus) else LocatedTexts.of_files(texts, inputs[0])


def check_linked_output(output: str | None, to: str | None) -> None:
    """Refuse an output that could not be written, before any work."""
    graph = graph_form(output, to) if output else None
    if output and graph:
        check_graph_output(output, graph)
    else:
        check_format(output, to, page=PAGE, across=True)


def write_linked(
    response: DocumentCorpus, output: str, to: str | None, run: Run, names: Mapping[str, str] = {}
) -> None:
    """Write a page, a graph, or texts with their clusters; `names` are those that people gave to entities."""
    if form := graph_form(output, to):
        graph = LinkGraph.of(response.documents, names)
        run.note(graph.notices)
        run.facts["written"] = graph.write(output, form)
    elif output.endswith(PAGE) and not to:
        save_words(recurring_page(response.documents, Path(output).stem, names), output)
    else:
        chosen = formats.FORMATS[formats.form_for(output, to, cross_document=True)]
        lost = write_fitted(response, output, Fitting(chosen, run.failures))
        run.note([left_out(output, chosen, lost)] if lost else [])
        run.facts["left out"] = lost
