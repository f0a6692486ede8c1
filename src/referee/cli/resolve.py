"""referee resolve: coreference of texts, by rules or by a model."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from referee import formats
from referee.cli.changing import (
    one_text_for_pseudonyms,
    print_pseudonymised,
    print_replaced,
    pseudonyms_option,
    replace_option,
    seed_option,
)
from referee.cli.commands import RefereeCommand
from referee.cli.names import completing
from referee.cli.options import FORMAT, jobs_option, notice_options
from referee.cli.outputs import OUTPUT, check_format
from referee.cli.resolver_options import given_settings, setting_options
from referee.cli.survival import Run, record_option, strict_option, surviving
from referee.cli.terminal import mention_done, progress_bar, save_words, say, show, terminal_look
from referee.display import number_of
from referee.exceptions import ProtocolError
from referee.formats.failures import Failures, refuse_if_none_is_left, unless_all_failed
from referee.formats.io.saving import remove_abandoned
from referee.formats.writing import left_out
from referee.model import Corpus, Document, Text
from referee.page.resolved import PAGE, resolved_page
from referee.resolvers.base import Resolver, default_resolver, resolver_within, resolvers, resolvers_within
from referee.resolvers.camp.camp import Camp
from referee.resolvers.characters import characters_of
from referee.resolvers.neural import EVERYTHING
from referee.resolvers.neural.models import INSTALL, models_to_choose
from referee.resolvers.notices import Choice, choices_in_words
from referee.resolvers.part_files import PartRecipe, planned_parts, recipe_for, resolve_parts
from referee.resolvers.raw_texts import texts_of
from referee.resolvers.resolved import plain_texts, save_resolved, without_scores
from referee.resolvers.resolving import resolve_all
from referee.scoring.engines import Engine, Processes
from referee.tables.characters import all_characters_output
from referee.tables.rendering import RENDERERS
from referee.tables.resolved import link_explanation, resolved_view

FOLDER_RECORD = ".run.record"  # where a run into a folder is recorded, unless a file is named


@click.command("resolve", cls=RefereeCommand)
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option(
    "-o", "--output", type=OUTPUT, metavar="PATH",
    help="The file to write: .html, or any format; `-` is standard output. A folder gets a file for each "
    "input; those that are finished are not done again.",
)  # fmt: skip
@click.option("--to", type=FORMAT, help="Its format, if the ending does not say; `--to list` lists all.")
@click.option(
    "--resolver", metavar="NAME", shell_complete=completing(resolvers_within),
    help=f"{', '.join(resolvers_within())}; otherwise neural where a model is installed, and camp where not.",
)  # fmt: skip
@replace_option
@pseudonyms_option
@seed_option
@click.option(
    "--characters", is_flag=True,
    help="List the people: names, pronouns, mentions, what they say. -o FILE writes the list.",
)  # fmt: skip
@click.option(
    "-f", "--format", "form", type=click.Choice(list(RENDERERS)), default="text", show_default=True,
    help="The format of --characters; JSON has all quotations with their speakers.",
)  # fmt: skip
@click.option("--explain", is_flag=True, help="Print every link with its rule and reason, and near misses.")
@click.option("--scores", is_flag=True, help="Say how sure the resolver is of mentions and links.")
@jobs_option
@strict_option
@record_option
@notice_options
@setting_options(*resolvers_within())
def resolve_command(
    inputs: tuple[str, ...],
    output: str | None,
    to: str | None,
    resolver: str | None,
    replacing: bool,
    pseudonyms: str | None,
    seed: int,
    characters: bool,
    form: str,
    explain: bool,
    scores: bool,
    jobs: Engine,
    strict: bool,
    record: str | None,
    **_settings: Any,
) -> None:
    """Find what refers to the same thing in INPUT: texts (.txt), folders of them, corpora, or `-`.

    Each document is resolved alone; `referee link` finds who and what occurs in several. A corpus keeps its
    words and sentences. Texts that are written to .jsonl count characters. A document that fails is listed at
    the end, and the others are resolved.

    \b
    Examples:
      referee resolve story.txt
      referee resolve story.txt -o story.html
      referee resolve story.txt --replace
      referee resolve story.txt --pseudonyms names.json -o changed.txt
      referee resolve novel.txt --find people -o people.html
      referee resolve novel.txt --characters
      referee resolve key.conll -o response.conll
      referee resolve story.txt --only names,quotes
      referee resolve notes/*.txt -o notes.jsonl --resolver neural --scores --singletons keep --jobs 2
      referee resolve key.conll -o linked.conll --resolver neural --mentions gold
      referee resolve crawl/*.txt.gz -o resolved/ --engine dask
    """
    given = given_settings()
    if pseudonyms:
        one_text_for_pseudonyms(inputs, output, pseudonyms)
    name = resolver or ("camp" if explain else default_resolver(given))
    which = (
        [] if resolver else [_chosen(name, given)]
    )  # said when the settings and inputs are known to be good
    if pseudonyms and name == "neural" and not {"find", "singletons"} & given.keys():
        given["find"] = EVERYTHING  # also who is mentioned once; names of things tell them from people
    if isinstance(jobs, Processes) and name == "neural":  # so that processes do not wait for each other
        given.setdefault("threads", max((os.cpu_count() or 1) // jobs.jobs, 1))
    chosen = resolver_within(name, **given)
    which += chosen.notices
    if output and _is_part_folder(output, to):
        _refuse_with_folder("replacing", "pseudonyms", "characters", "explain")
        record = record or str(Path(output) / FOLDER_RECORD)
        with surviving(inputs, output, strict=strict, record=record) as run:
            run.note(which)
            _resolve_into_folder(inputs, to, partial(recipe_for, name, given, scores=scores), jobs, run)
        return
    changing: Change | None = partial(print_characters, form=form) if characters else None
    changing = changing or _changing(replacing=replacing, pseudonyms=pseudonyms, seed=seed)
    if not (explain or changing):
        check_format(output, to, page=PAGE)
    with surviving(inputs, output, strict=strict, record=record) as run:
        texts = texts_of(inputs, run.failures)
        run.note(which)
        run.watch(texts)
        refuse_if_none_is_left(len(texts), run.failures.found)
        with progress_bar(len(texts), "resolving") as advance:
            if explain:
                explain_all(chosen, plain_texts(texts), output, run.failures)
                return
            documents = _counted(resolve_all(chosen, texts, jobs, run.failures), advance, run)
            documents = _noting_choices(documents, chosen, texts, run)
            if changing:
                changing(unless_all_failed(documents, run.failures), output, run)
                return
            documents = documents if scores else map(without_scores, documents)
            _show_or_write(documents, output, to, run, raw=not isinstance(texts, Corpus))


Change = Callable[[Iterable[Document], str | None, Run], None]  # prints changed texts, or their people


def print_characters(documents: Iterable[Document], output: str | None, _run: Run, *, form: str) -> None:
    """Print the people of texts, or write them."""
    show(all_characters_output([characters_of(document) for document in documents]), form, output)


def _changing(*, replacing: bool, pseudonyms: str | None, seed: int) -> Change | None:
    """Say how texts are changed, if they are."""
    if pseudonyms:
        return partial(print_pseudonymised, table=pseudonyms, seed=seed)
    return print_replaced if replacing else None


def _noting_choices(
    documents: Iterable[Document], chosen: Resolver, texts: Sequence[Text] | Corpus, run: Run
) -> Iterator[Document]:
    """Say at the end what the resolver chose by itself for each text, and why; the record lists it."""
    raw = {} if isinstance(texts, Corpus) else {text.id: chosen.choice_for(text) for text in texts}
    choices: dict[str, Choice] = {}
    for document in documents:
        if choice := raw.get(document.id) or chosen.choice_for(document.text):
            choices[document.id] = choice
        yield document
    run.note(choices_in_words(choices))
    if choices:
        run.facts["choices"] = [{"document": name, **each.facts()} for name, each in choices.items()]


def _chosen(name: str, given: Mapping[str, Any]) -> str:
    """Say which resolver was chosen, and why if it is not the best."""
    if name == "neural":
        models = [
            f"{model.name} {model.version}".rstrip() for model, _ in models_to_choose(given.get("model"))
        ]
        named = (
            f"model {models[0]}" if len(models) == 1 else f"a model for each language: {', '.join(models)}"
        )
        return f"resolved by neural, {named}"
    if resolvers()["neural"].is_ready():
        return "resolved by camp, because the options belong to it"
    return f"resolved by camp, by rules; the network (neural) finds more: {INSTALL}"


def _refuse_with_folder(*options: str) -> None:
    """Refuse options that print one text, where an output is a folder of files."""
    context = click.get_current_context()
    for parameter in context.command.params:
        given = context.get_parameter_source(parameter.name or "") is not ParameterSource.DEFAULT
        if parameter.name in options and given:
            raise click.UsageError(
                f"{parameter.opts[-1]} does not go with a folder, which gets a file for each input"
            )


def _is_part_folder(output: str | None, to: str | None) -> bool:
    """Whether an output is a folder to be filled file by file, not one that a format makes."""
    if output is None or (to and formats.FORMATS[to].contents):
        return False
    return output.endswith(("/", os.sep)) or Path(output).is_dir()


def _resolve_into_folder(
    inputs: Sequence[str], to: str | None, recipe: Callable[[str], PartRecipe], engine: Engine, run: Run
) -> None:
    """Resolve file by file, and say what was done, done again and finished before."""
    folder = run.output or ""
    parts, form = planned_parts(inputs, folder, to)
    written = finished = 0
    said: list[str] = []
    try:
        with progress_bar(len(parts), "resolving") as advance:
            for part in resolve_parts(parts, recipe(form), engine, strict=run.failures.strict):
                said += [f"{part.target}: done again: {part.redone}"] if part.redone else []
                said += part.notices
                finished += part.finished_before
                written += part.is_written and not part.finished_before
                run.failures.found += part.failures
                advance(1)
    except BaseException:
        engine.close()  # so that no worker writes any more
        for place in {Path(part.target).parent for part in parts}:
            remove_abandoned(place)
        raise
    finally:
        run.facts = {"format": form, "files": len(parts), "written": written, "finished before": finished}
    run.note(said)
    mention_done(
        f"{folder}: {written} of {number_of(len(parts), 'file')} written"
        + f", {finished} finished before" * (finished > 0)
    )


def _counted(documents: Iterable[Document], advance: Any, run: Run) -> Iterator[Document]:
    for count, document in enumerate(documents, start=1):
        run.facts["resolved"] = count
        yield document
        advance(1)


def _show_or_write(
    documents: Iterable[Document], output: str | None, to: str | None, run: Run, *, raw: bool
) -> None:
    """Print documents, or write them to a file; a run in which every document has failed writes none."""
    some = unless_all_failed(documents, run.failures)
    if output is None:
        for document in some:
            say(resolved_view(document, terminal_look()))
    elif output.endswith(PAGE) and not to:
        save_words(resolved_page(some, Path(output).stem), output)
    else:
        form = to or formats.form_for(output)
        lost = save_resolved(some, output, form, run.failures, raw=raw)
        run.note([left_out(output, formats.FORMATS[form], lost)] if lost else [])
        run.facts |= {"format": form, "left out": lost}


def explain_all(chosen: Resolver, texts: Iterable[Text], output: str | None, failures: Failures) -> None:
    """Print why each text was resolved as it was."""
    if not isinstance(chosen, Camp):
        raise ProtocolError("only the resolver camp has rules to explain; --resolver camp")
    shown = []
    for text in texts:
        try:
            explained = list(chosen.explained([text]))
        except Exception as error:
            failures.add(text.id, error)
            continue
        shown += [link_explanation(document.id, discourse) for document, discourse in explained]
    refuse_if_none_is_left(len(shown), failures.found)
    say("\n\n".join(shown), output)
