"""referee errors: which links are wrong, of what types, and which errors systems share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import click

from referee.analysis.link_errors import LinkError
from referee.analysis.listing import SORTS, list_errors
from referee.analysis.sheets.breakdown import BREAKDOWNS
from referee.analysis.sheets.catalogue import TABLES, all_tables, make_sheets, usual_tables
from referee.analysis.sheets.sheet import Sheet
from referee.analysis.study import Study
from referee.analysis.transformation_rules import CLASSES, REFEREE
from referee.cli.commands import RefereeCommand
from referee.cli.names import Names
from referee.cli.options import (
    anaphora_options,
    genres_option,
    jobs_option,
    matching_options,
    output_options,
    protocol_options,
    repair_option,
    types_option,
    unit_options,
)
from referee.cli.study_options import study_options
from referee.cli.terminal import print_notices, progress_bar, show
from referee.functions.errors import errors
from referee.tables.errors import (
    error_records,
    error_table,
    errors_data,
    errors_in_context,
    sheet_table,
    sheets_records,
)
from referee.tables.rendering import Output

ALL = "all"  # what stands for every table
TABLE = Names("table", lambda: [*TABLES, ALL], str.lower)
SORT = Names("order", lambda: SORTS, str.lower)


@click.command("errors", cls=RefereeCommand)
@click.argument("key")
@click.argument("responses", nargs=-1, required=True, metavar="RESPONSE...")
@click.option(
    "--common",
    is_flag=True,
    help="Show errors that systems share, and errors of one system that another recovers.",
)
@click.option(
    "-t", "--table", "tables", multiple=True, metavar="NAME", type=TABLE,
    help="Tables to show, separated by commas, or 'all'; `--table list` lists them.",
)  # fmt: skip
@click.option(
    "--filter", metavar="CONDITION",
    help="Keep only errors that meet a condition, such as 'anaphor=noun and not antecedent=name'. An unknown "
    "field lists all fields; operators: = != ~, and, or, not, brackets.",
)  # fmt: skip
@click.option(
    "--made-by", multiple=True, metavar="SYSTEM",
    help="Keep the errors that this system makes and, without --not-made-by, no other makes; with several, "
    "errors that all of them make.",
)  # fmt: skip
@click.option(
    "--not-made-by", multiple=True, metavar="SYSTEM", help="Keep the errors that this system does not make."
)
@click.option(
    "--classes", type=click.Choice(list(CLASSES)), default=REFEREE.name, show_default=True,
    help="How the table 'transformations' sorts steps into classes.",
)  # fmt: skip
@click.option(
    "--by", multiple=True, type=click.Choice(BREAKDOWNS),
    help="Count errors by the distance of their links, genre, label of bridging, or type and span of their "
    "entities; may be repeated.",
)  # fmt: skip
@genres_option
@types_option
@click.option("--list", "listed", is_flag=True, help="List the errors instead of counting them.")
@click.option("--context", "in_context", is_flag=True, help="List the errors with the surrounding words.")
@click.option(
    "--sort",
    metavar="NAME",
    type=SORT,
    help=f"Sort the list by one or several of these, separated by commas: {', '.join(SORTS)}.",
)
@click.option("--draw", type=click.IntRange(1), metavar="N", help="List N errors, drawn at random.")
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Random seed; the same seed draws the same sample.",
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="List only the first N errors.")
@study_options
@protocol_options
@anaphora_options
@repair_option
@matching_options
@unit_options
@jobs_option
@output_options
def errors_command(
    key: str,
    responses: tuple[str, ...],
    common: bool,
    tables: tuple[str, ...],
    by: tuple[str, ...],
    genres: str | None,
    types: str | None,
    listed: bool,
    in_context: bool,
    sort: str | None,
    draw: int | None,
    seed: int,
    limit: int | None,
    form: str,
    output: str | None,
    **options: Any,
) -> None:
    """Show which links RESPONSE files (or folders) get wrong, by the types of their mentions.

    Recall errors are links that a response lacks, precision errors links that it should not have. The tables
    compare their number with the possible maximum.

    \b
    Examples:
      referee errors key.conll response.conll
      referee errors key.conll a.conll b.conll c.conll --common
      referee errors key.conll a.conll --filter "anaphor=noun and antecedent=name" --list --context
      referee errors key.conll a.conll b.conll --made-by a --not-made-by b --draw 50 --seed 1 --format csv
      referee errors key/ response/ --layers conllu/ --table recall,gains --format latex
      referee errors key.conll a.conll b.conll --by distance --by genre
      referee errors key.conll response.jsonl --nlp spacy --spanning-tree distance
    """
    if common and len(responses) < 2:
        raise click.UsageError("--common compares systems: give two or more responses")
    names, order = _table_names(tables), _sort_names(sort)
    selected = errors(key, *responses, **options, progress=progress_bar)
    if listed or in_context or sort or draw or limit:
        found = list_errors(selected, sort=order, draw=draw, seed=seed, limit=limit)
        drawn = (draw, seed) if draw else None
        shown = _listing(found, selected, key, in_context=in_context, drawn=drawn)
    else:
        usual = () if by and not common else usual_tables(selected, common=common)
        sheets, left_out = make_sheets(selected, all_tables(selected) if names == [ALL] else names or usual)
        sheets += [selected.breakdown(name, genres=genres, types=types) for name in by]
        selected = replace(selected, notices=[*selected.notices, *left_out])
        shown = _sheets(selected, sheets, key)
    print_notices(selected.notices)
    show(shown, form, output)


def _table_names(words: Sequence[str]) -> list[str]:
    names = [name for word in words for name in word.lower().split(",") if name]
    return [ALL] if ALL in names else names


def _sort_names(words: str | None) -> list[str]:
    names = [name for name in (words or "").lower().split(",") if name]
    return names


def _sheets(study: Study, sheets: Sequence[Sheet], key: str) -> Output:
    return Output(
        lambda: [sheet_table(sheet) for sheet in sheets],
        lambda: errors_data(study, sheets, None, key),
        lambda: sheets_records(sheets),
    )


def _listing(
    errors: Sequence[LinkError], study: Study, key: str, *, in_context: bool, drawn: tuple[int, int] | None
) -> Output:
    said = study.selection.words + (f" Drawn at random, seed {drawn[1]}." if drawn else "")
    return Output(
        lambda: [error_table(errors, in_context=in_context, said=said.strip())],
        lambda: errors_data(study, [], errors, key, drawn),
        lambda: error_records(errors, in_context=in_context),
        words=(lambda: errors_in_context(errors, said.strip())) if in_context else None,
    )
