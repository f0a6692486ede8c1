"""referee errors: which links are wrong, what kinds they are of, and what systems share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from referee.cli.options import (
    chosen_protocol,
    jobs_option,
    matched_protocols,
    matching_options,
    output_options,
    protocol_options,
    unit_options,
)
from referee.cli.study import Files, StudyOptions, study, study_options
from referee.cli.terminal import show, tell
from referee.errors.filters import FIELDS, parse_filter
from referee.errors.link_errors import LinkError
from referee.errors.sheets import NEED_TYPES, OF_ALL_SYSTEMS, OF_EACH_SYSTEM, TABLES, Sheet
from referee.errors.study import Study
from referee.exceptions import did_you_mean
from referee.formats.opening import STDIN
from referee.tables.error_tables import (
    error_table,
    errors_data,
    errors_in_context,
    sheet_table,
    sheets_records,
)
from referee.tables.rendering import Output


@click.command("errors")
@click.argument("key")
@click.argument("responses", nargs=-1, required=True, metavar="RESPONSE...")
@click.option("--common", is_flag=True, help="Show what systems share, and what one recovers for another.")
@click.option(
    "-t", "--table", "tables", multiple=True, metavar="NAME",
    help=f"Tables to show, one or several with commas, or all: {', '.join(TABLES)}.",
)  # fmt: skip
@click.option(
    "--filter", "condition", metavar="CONDITION",
    help=f"Keep some errors only. Fields: {', '.join(FIELDS)}; signs: = != ~; and, or, not, brackets.",
)  # fmt: skip
@click.option("--list", "listed", is_flag=True, help="List the errors instead of counting them.")
@click.option("--context", "in_context", is_flag=True, help="List the errors with the words around them.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="List the first N errors only.")
@study_options
@protocol_options
@matching_options
@unit_options
@jobs_option
@output_options
def errors_command(
    key: str,
    responses: tuple[str, ...],
    common: bool,
    tables: tuple[str, ...],
    condition: str | None,
    listed: bool,
    in_context: bool,
    limit: int | None,
    protocol: str,
    singletons: str | None,
    match: str | None,
    parses: str | None,
    on_bad_parse: str | None,
    scope: str | None,
    mentions: str | None,
    form: str,
    output: str | None,
    jobs: int,
    **options: Any,
) -> None:
    """Show which links RESPONSE files (or folders) get wrong, by the types of their mentions.

    Recall errors are links that a response lacks, precision errors links that it should not have; the tables
    set them against the most errors that are possible.

    \b
    Examples:
      referee errors key.conll response.conll
      referee errors key.conll a.conll b.conll c.conll --common
      referee errors key.conll a.conll --filter "anaphor=noun and antecedent=name" --list --context
      referee errors key/ response/ --layers conllu/ --table recall,gains --format latex
      referee errors key.conll response.jsonl --nlp spacy --tree distance
    """
    if common and len(responses) < 2:
        raise click.UsageError("--common compares systems: give two responses or more")
    if [key, *responses].count(STDIN) > 1:
        raise click.UsageError("standard input can be read once: give '-' once only")
    names = _table_names(tables, common)
    wanted = parse_filter(condition) if condition else None
    chosen, groups = chosen_protocol(protocol, singletons=singletons, scope=scope, mentions=mentions)
    matchings = matched_protocols(chosen, match, on_bad_parse)
    if len(matchings) > 1:
        raise click.UsageError("errors are analysed under one --match at a time")
    how = StudyOptions(**options)
    files = Files.read(key, responses, matchings[0], how)
    found = study(files, matchings[0], how, parses=parses, groups=groups, jobs=jobs)
    if wanted:
        found = found.where(wanted)
    errors = [error for system in found.systems for error in (*system.recall, *system.precision)][:limit]
    if listed or in_context:
        shown = _listing(errors, found, key, in_context=in_context)
    else:
        shown = _sheets(found, names, key)
    tell(found.notices)
    show(shown, form, output)


def _table_names(words: Sequence[str], common: bool) -> list[str]:
    names = [name for word in words for name in word.lower().split(",") if name]
    unknown = [name for name in names if name not in TABLES and name != "all"]
    if unknown:
        raise click.UsageError(
            f"no table '{unknown[0]}'; choose from {', '.join(TABLES)}, all{did_you_mean(unknown[0], TABLES)}"
        )
    if "all" in names:
        return list(TABLES)
    return names or list(OF_ALL_SYSTEMS if common else OF_EACH_SYSTEM)


def _sheets(study: Study, names: Sequence[str], key: str) -> Output:
    made: list[Sheet] = []
    for name in names:
        if study.typed or name not in NEED_TYPES:
            made += TABLES[name](study)
    return Output(
        lambda: [sheet_table(sheet) for sheet in made],
        lambda: errors_data(study, made, None, key),
        lambda: sheets_records(made),
    )


def _listing(errors: Sequence[LinkError], study: Study, key: str, *, in_context: bool) -> Output:
    return Output(
        lambda: [error_table(errors, in_context=in_context)],
        lambda: errors_data(study, [], errors, key),
        words=(lambda: errors_in_context(errors)) if in_context else None,
    )
