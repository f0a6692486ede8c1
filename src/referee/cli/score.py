"""referee score: recall, precision and F1 of one or more responses, in every metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import click

from referee.cli.options import (
    genres_option,
    jobs_option,
    matching_options,
    metric_option,
    output_options,
    protocol_options,
    resampling_options,
    unit_options,
)
from referee.cli.task_options import TaskOptions
from referee.cli.terminal import print_notices, progress_bar, show
from referee.matching.protocol import Protocol
from referee.scoring.datasets import score_datasets
from referee.scoring.evaluate import evaluate, metric_names
from referee.scoring.result import Result
from referee.scoring.task import Task
from referee.tables.rendering import Output
from referee.tables.scores import Parts, dataset_output, ranked_output, score_output

CROSSDOC = "crossdoc"  # the protocol that has two levels


@click.command("score")
@click.argument("key")
@click.argument("responses", nargs=-1, metavar="RESPONSE...")
@click.option(
    "--response", "folders", multiple=True, metavar="FOLDER",
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
    metrics: tuple[str, ...],
    by: str | None,
    genres: str | None,
    ci: bool,
    samples: int,
    seed: int,
    level: float,
    form: str,
    output: str | None,
    **options: Any,
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
      referee score ecbplus/dev response.conll --protocol crossdoc --kind events
      referee score key.conllu system.conllu --protocol crac --match partial --singletons keep
      referee score dev/*.conllu --response runs/ --macro
    """
    _check_arguments(responses, folders, macro=macro)
    how = TaskOptions.taken(options)
    _refuse_several(how, "--by" if by else "--ci" if ci else None)
    if folders:
        _refuse_with_folders(how, by=by, ci=ci)
        show(_datasets([key, *responses], folders, how, metrics, macro=macro), form, output)
        return
    task = how.task(key, responses)
    protocols = how.protocols(task)
    names = metric_names(metrics, replace(task.protocol, scope=how.asked_scope))
    if how.asked_scope != "document" and not by and not ci:
        show(_levels(key, task, protocols, names, how), form, output)
        return
    with progress_bar(len(task.key) * len(task.responses) * len(protocols), "scoring") as advance:
        matched = [evaluate(task.under(each), names, progress=advance) for each in protocols]
    print_notices([notice for results in matched for result in results for notice in result.notices])
    if len(matched) > 1:
        show(ranked_output(key, matched), form, output)
        return
    groups = _grouped(matched[0], by, genres) if by else None
    grouped_by = (by or "").capitalize()
    resampling = {"samples": samples, "seed": seed, "level": level}
    estimated = _estimated(key, matched[0], groups, grouped_by, resampling) if ci else None
    show(estimated or score_output(key, matched[0], groups, grouped_by), form, output)


def _check_arguments(responses: Sequence[str], folders: Sequence[str], *, macro: bool) -> None:
    if not responses and not folders:
        raise click.UsageError("give a key and one or more responses, or keys and --response FOLDER")
    if macro and not folders:
        raise click.UsageError("--macro goes with --response FOLDER, which has a response for each key")


def _refuse_several(how: TaskOptions, option: str | None) -> None:
    if len(how.matchings) > 1 and option:
        raise click.UsageError(f"{option} goes with one --match")
    if len(how.matchings) > 1 and how.asked_scope != "document":
        raise click.UsageError("across documents give one --match at a time")


def _refuse_with_folders(how: TaskOptions, *, by: str | None, ci: bool) -> None:
    if by or ci or len(how.matchings) > 1 or how.asked_scope != "document":
        raise click.UsageError("--response goes with one --match, and without --by, --ci and --scope")


def _datasets(
    keys: Sequence[str], folders: Sequence[str], how: TaskOptions, metrics: Sequence[str], *, macro: bool
) -> Output:
    def opened(key: str, responses: Sequence[str]) -> Task:
        task = how.task(key, responses)
        return task.under(how.protocols(task)[0])

    scored = score_datasets(keys, folders, opened, metrics, bar=progress_bar)
    print_notices(
        [notice for system in scored for result in system.results.values() for notice in result.notices]
    )
    return dataset_output(scored, macro=macro)


def _levels(
    key: str, task: Task, protocols: Sequence[Protocol], metrics: Sequence[str], how: TaskOptions
) -> Output:
    """Score across documents, at both levels of the paper if its protocol is named and no scope."""
    from referee.crossdoc.levels import LEVELS, score_levels
    from referee.tables.crossdoc import level_output

    scopes = LEVELS if how.protocol == CROSSDOC and not how.scope else (how.asked_scope,)
    leveled = [replace(each, scope=scope) for each in protocols for scope in scopes]
    with progress_bar(len(task.key) * len(task.responses) * len(leveled), "scoring") as advance:
        levels = score_levels(task, metrics, protocols=leveled, progress=advance)
    print_notices([notice for level in levels for notice in level.result.notices])
    return level_output(key, levels)


def _grouped(results: Sequence[Result], by: str, genres: str | None) -> list[Parts]:
    from referee.comparing.breakdowns import group_labels, read_genres

    known = read_genres(genres) if genres else None
    return [result.by(group_labels(result, by, known)) for result in results]


def _estimated(
    key: str,
    results: Sequence[Result],
    groups: Sequence[Parts] | None,
    grouped_by: str,
    resampling: Mapping[str, Any],
) -> Output:
    """Resample each result, or each of its groups."""
    from referee.comparing.significance import cautions, intervals  # when needed, as in the other functions
    from referee.comparing.verdicts import Plan
    from referee.tables.intervals import Estimate, interval_output

    plan = Plan(**resampling)
    print_notices(cautions(len(results[0].units), plan, results[0].protocol.scope))
    parts = [
        (result.system, group, part)
        for result, parts in zip(results, groups or [{"": result} for result in results], strict=True)
        for group, part in parts.items()
    ]
    with progress_bar(len(parts), "resampling") as advance:
        estimates = []
        for system, group, part in parts:
            estimates.append(Estimate(system, group, part, intervals(part, plan)))
            advance(1)
    return interval_output(key, results, groups, grouped_by, estimates, plan)
