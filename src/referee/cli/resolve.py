"""referee resolve: coreference of texts, by rules or by a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from referee import formats
from referee.cli.across import across_choices, across_options, model_options, resolve_across
from referee.cli.camp_options import camp_options, given_settings
from referee.cli.options import notice_options
from referee.cli.terminal import progress_bar, save_words, say, tell, terminal_look
from referee.exceptions import ProtocolError
from referee.formats import WRITABLE
from referee.model import Corpus, Document, Text
from referee.page.resolved_page import resolved_page
from referee.resolve.camp.camp import Camp
from referee.resolve.raw_texts import texts_of
from referee.resolve.replacing import replaced_text
from referee.resolve.resolved import in_running_text
from referee.resolve.resolver import Resolver, resolver_named, resolvers
from referee.tables.resolved_views import link_explanation, resolved_view

PAGE = ".html"
JSON_LINES = "jsonlines"


@click.command("resolve")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("-o", "--output", help="The file to write: .html, or any format; `-` is standard output.")
@click.option("--to", type=click.Choice(WRITABLE), help="Its format, if the ending does not tell.")
@click.option(
    "--resolver", default="camp", show_default=True, metavar="NAME", help=f"{' or '.join(resolvers())}."
)
@click.option("--replace", "replacing", is_flag=True, help="Print the text with names instead of pronouns.")
@click.option("--explain", is_flag=True, help="Print every link with its rule and reason, and near misses.")
@camp_options
@across_options
@model_options
@notice_options
def resolve_command(
    inputs: tuple[str, ...],
    output: str | None,
    to: str | None,
    resolver: str,
    replacing: bool,
    explain: bool,
    **settings: Any,
) -> None:
    """Find what refers to the same thing in INPUT: texts (.txt), folders of them, corpora, or `-`.

    A corpus keeps its words and sentences. Texts that are written to .jsonl count characters.

    \b
    Examples:
      referee resolve story.txt
      referee resolve story.txt -o story.html
      referee resolve story.txt --replace
      referee resolve key.conll -o response.conll
      referee resolve story.txt --only names,quotes
      referee resolve news/*.txt --across -o entities.html
    """
    if across := across_choices():
        resolve_across(inputs, output, to, across)
        return
    texts = texts_of(inputs)
    if isinstance(texts, Corpus):
        tell(texts.notices)
    chosen = resolver_named(resolver, **given_settings(settings))
    with progress_bar(len(texts), "resolving") as advance:
        if explain:
            explain_all(chosen, _plain(texts), output)
            return
        documents = _counted(chosen.resolve(_plain(texts)), advance)
        if replacing:
            say("\n".join(map(replaced_text, documents)), output)
        elif output:
            _write(documents, output, to, raw=not isinstance(texts, Corpus))
        else:
            for document in documents:
                say(resolved_view(document, terminal_look()))


def _plain(texts: list[Text] | Corpus) -> Iterator[Text]:
    return (document.text for document in texts) if isinstance(texts, Corpus) else iter(texts)


def _counted(documents: Iterable[Document], advance: Any) -> Iterator[Document]:
    for document in documents:
        yield document
        advance(1)


def _write(documents: Iterable[Document], output: str, to: str | None, *, raw: bool) -> None:
    if output.endswith(PAGE) and not to:
        save_words(resolved_page(documents, Path(output).stem), output)
        return
    form = to or formats.form_for(output)
    formats.write(map(in_running_text, documents) if raw and form == JSON_LINES else documents, output, form)


def explain_all(chosen: Resolver, texts: Iterable[Text], output: str | None) -> None:
    """Print why each text was resolved as it was."""
    if not isinstance(chosen, Camp):
        raise ProtocolError("only the resolver camp has rules to explain; --resolver camp")
    shown = [link_explanation(document.id, discourse) for document, discourse in chosen.explained(texts)]
    say("\n\n".join(shown), output)
