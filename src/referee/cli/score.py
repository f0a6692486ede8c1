"""referee score: recall, precision and F1 of one or more responses, in every metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import click

from referee.cli.options import (
    chosen_protocol,
    genres_option,
    jobs_option,
    matched_protocols,
    matching_options,
    metric_option,
    output_options,
    protocol_options,
    refuse_rereading,
    resampling_options,
    scope_is_chosen,
    unit_options,
)
from referee.cli.terminal import progress_bar, show, tell
from referee.comparing.significance import cautions, intervals
from referee.comparing.verdicts import Plan
from referee.crossdoc.levels import LEVELS, score_levels
from referee.matching.protocol import Protocol
from referee.scoring.datasets import group_labels, read_genres, score_datasets
from referee.scoring.engines import Engine
from referee.scoring.result import Result
from referee.scoring.systems import metric_names, score_files
from referee.tables.crossdoc import level_output
from referee.tables.datasets import dataset_output
from referee.tables.intervals import Estimate, interval_output
from referee.tables.ranks import ranked_output
from referee.tables.rendering import Output
from referee.tables.scores import Parts, score_output


@click.command("score")
@click.argument("key")
@click.argument("responses", nargs=-1, metavar="RESPONSE...")
@click.option(
    "--response", "folders", multiple=True, metavar="DIR",
    help="Take all arguments for keys, and the response to each by its name from this folder, a system's; "
    "may be repeated.",
)  # fmt: skip
@click.option("--macro", is_flag=True, help="With --response: the mean over data sets, each of equal weight.")
@protocol_options
@matching_options
@metric_option
@unit_options
@click.option("--by", type=click.Choice(["document", "genre", "unit"]), help="Break the scores down.")
@genres_option
@click.option("--ci", is_flag=True, help="Put an interval beside each score.")
@resampling_options
@jobs_option
@output_options
def score_command(
    key: str,
    responses: tuple[str, ...],
    folders: tuple[str, ...],
    macro: bool,
    protocol: str | None,
    singletons: str | None,
    match: str | None,
    parses: str | None,
    on_bad_parse: str | None,
    scope: str | None,
    mentions: str | None,
    ids: str | None,
    gaps: str | None,
    metrics: tuple[str, ...],
    by: str | None,
    genres: str | None,
    ci: bool,
    samples: int,
    seed: int,
    level: float,
    form: str,
    output: str | None,
    jobs: Engine,
) -> None:
    """Score RESPONSE files (or folders) against KEY. `-` is standard input.

    \b
    Examples:
      referee score key.conll response.conll
      referee score key.conll a.conll b.conll --format latex
      referee score key/ response/ --by document --metric muc,lea
      referee score key.conll a.conll b.conll --ci
      referee score key.conll a.conll b.conll --match exact,mina,head
      referee score key/ response/ --match mina --parses trees/
      gunzip -c response.gz | referee score key.conll -
      referee score ecbplus/dev response.conll --protocol crossdoc --mentions events
      referee score key.conllu system.conllu --protocol crac --match partial --singletons keep
      referee score dev/*.conllu --response runs/ --macro
    """
    _check_arguments(responses, folders, macro=macro)
    chosen, groups_of = chosen_protocol(
        protocol, key, singletons=singletons, scope=scope, mentions=mentions, match=match, ids=ids, gaps=gaps
    )
    matchings = matched_protocols(chosen, match, on_bad_parse)
    refuse_rereading([key, *responses], matchings=len(matchings))
    if folders:
        _refuse_with_folders(matchings, by=by, ci=ci)
        names = metric_names(metrics, matchings[0])
        show(_datasets([key, *responses], folders, matchings[0], names, parses, jobs, macro), form, output)
        return
    _refuse_several(matchings, "--by" if by else "--ci" if ci else None)
    names = metric_names(metrics, chosen)
    if chosen.scope != "document" and not by and not ci:
        scopes = LEVELS if protocol == "crossdoc" and not scope else (chosen.scope,)
        protocols = [replace(each, scope=scope) for each in matchings for scope in scopes]
        levels = score_levels(
            key, responses, protocols, names, groups=groups_of, parses=parses, jobs=jobs, bar=progress_bar
        )
        tell([notice for scored in levels for notice in scored.result.notices])
        show(level_output(key, levels), form, output)
        return
    matched = [
        score_files(
            key, responses, each, names, groups=groups_of, parses=parses, jobs=jobs, bar=progress_bar,
            scope_is_chosen=scope_is_chosen(protocol, scope),
        )
        for each in matchings
    ]  # fmt: skip
    tell([notice for results in matched for result in results for notice in result.notices])
    if len(matched) > 1:
        show(ranked_output(key, matched), form, output)
        return
    known = read_genres(genres) if genres else None
    groups = [result.by(group_labels(result, by, known)) for result in matched[0]] if by else None
    grouped_by = (by or "").capitalize()
    plan = Plan(samples=samples, seed=seed, level=level)
    estimated = _estimated(key, matched[0], groups, grouped_by, plan) if ci else None
    show(estimated or score_output(key, matched[0], groups, grouped_by), form, output)


def _check_arguments(responses: Sequence[str], folders: Sequence[str], *, macro: bool) -> None:
    if not responses and not folders:
        raise click.UsageError("give a key and one or more responses, or keys and --response DIR")
    if macro and not folders:
        raise click.UsageError("--macro goes with --response DIR, which has a response for each key")


def _refuse_with_folders(matchings: Sequence[Protocol], *, by: str | None, ci: bool) -> None:
    if by or ci or len(matchings) > 1 or matchings[0].scope != "document":
        raise click.UsageError("--response goes with one --match, and without --by, --ci and --scope")


def _datasets(
    keys: Sequence[str],
    folders: Sequence[str],
    protocol: Protocol,
    metrics: Sequence[str],
    parses: str | None,
    jobs: Engine,
    macro: bool,
) -> Output:
    scored = score_datasets(keys, folders, protocol, metrics, parses=parses, jobs=jobs, bar=progress_bar)
    tell([notice for own in scored for result in own.results.values() for notice in result.notices])
    return dataset_output(scored, macro=macro)


def _refuse_several(matchings: Sequence[Protocol], option: str | None) -> None:
    if len(matchings) > 1 and option:
        raise click.UsageError(f"{option} goes with one --match")
    if len(matchings) > 1 and matchings[0].scope != "document":
        raise click.UsageError("across documents give one --match at a time")


def _estimated(
    key: str, results: Sequence[Result], groups: Sequence[Parts] | None, grouped_by: str, plan: Plan
) -> Output:
    """Resample each result, or each of its groups."""
    tell(cautions(len(results[0].units), plan, results[0].protocol.scope))
    parts = [
        (result.system, group, part)
        for result, own in zip(results, groups or [{"": result} for result in results], strict=True)
        for group, part in own.items()
    ]
    with progress_bar(len(parts), "resampling") as advance:
        estimates = []
        for system, group, part in parts:
            estimates.append(Estimate(system, group, part, intervals(part, plan)))
            advance(1)
    return interval_output(key, results, groups, grouped_by, estimates, plan)
