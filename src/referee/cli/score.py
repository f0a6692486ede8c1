"""referee score: recall, precision and F1 of one or more responses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import click

from referee import formats
from referee.cli.matching import matched_protocols, matching_options
from referee.cli.protocols import chosen_protocol, protocol_options, unit_options
from referee.cli.terminal import output_options, progress_bar, show, show_table, tell
from referee.crossdoc.levels import LEVELS, Level, score_level
from referee.exceptions import ProtocolError
from referee.formats.opening import STDIN, read_text, stem
from referee.matching.protocol import Protocol
from referee.matching.units import Groups
from referee.metrics.standard import CROSSDOC_METRICS, DEFAULT_METRICS, METRICS
from referee.metrics.twinless import TWINLESS
from referee.scoring.evaluate import evaluate
from referee.scoring.result import Result
from referee.tables.crossdoc_tables import level_csv, level_json, level_table
from referee.tables.rank_tables import ranked_table
from referee.tables.score_tables import score_csv, score_json, score_table

SHORT_NAMES = {"b3": "b_cubed", "bcub": "b_cubed", "ceafm": "ceaf_m", "ceafe": "ceaf_e"}


@click.command("score")
@click.argument("key")
@click.argument("responses", nargs=-1, required=True, metavar="RESPONSE...")
@protocol_options
@matching_options
@click.option(
    "-m", "--metric", "metrics", multiple=True, metavar="NAME",
    help=f"Metrics to show, one or several with commas: {', '.join(METRICS)}; for old papers also "
    f"{', '.join(TWINLESS)}. Default: {', '.join(DEFAULT_METRICS)}.",
)  # fmt: skip
@unit_options
@click.option("--by", type=click.Choice(["document", "genre", "unit"]), help="Break the scores down.")
@click.option(
    "--genres", type=click.Path(exists=True, dir_okay=False), metavar="FILE",
    help="Lines of document, tab, genre, where the documents' names do not tell.",
)  # fmt: skip
@click.option("--ci", is_flag=True, help="Put a 95 % interval beside each score.")
@click.option(
    "--samples", type=click.IntRange(100), default=10_000, show_default=True, help="Resamples for --ci."
)
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="Same seed, same intervals."
)
@output_options("text", "json", "csv", "latex", "markdown")
@click.option("-j", "--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes to use.")
@click.option("-v", "--verbose", is_flag=True, help="Show every notice.")
def score_command(
    key: str,
    responses: tuple[str, ...],
    protocol: str,
    singletons: str | None,
    match: str | None,
    parses: str | None,
    on_bad_parse: str | None,
    scope: str | None,
    mentions: str | None,
    metrics: tuple[str, ...],
    by: str | None,
    genres: str | None,
    ci: bool,
    samples: int,
    seed: int,
    form: str,
    output: str | None,
    jobs: int,
    verbose: bool,
) -> None:
    """Score RESPONSE files (or folders) against KEY. `-` is standard input.

    \b
    Examples:
      referee score key.conll response.conll
      referee score key.conll a.conll b.conll --format latex
      referee score key/ response/ --by document --metric muc,lea
      referee score key.conll response.conll --ci
      referee score key.conll a.conll b.conll --match exact,mina,head
      referee score key/ response/ --match mina --parses trees/
      gunzip -c response.gz | referee score key.conll -
      referee score ecbplus/dev response.conll --protocol crossdoc --mentions events
    """
    chosen, groups_of = chosen_protocol(protocol, singletons=singletons, scope=scope, mentions=mentions)
    matchings = matched_protocols(chosen, match, on_bad_parse)
    _refuse_rereading(matchings, "--by" if by else "--ci" if ci else None, (key, *responses))
    names = metric_names(metrics, chosen)
    if chosen.scope != "document" and not by and not ci:
        scopes = LEVELS if protocol == "crossdoc" and not scope else (chosen.scope,)
        protocols = [replace(each, scope=level) for each in matchings for level in scopes]
        levels = score_across(key, responses, protocols, names, groups=groups_of, parses=parses, jobs=jobs)
        tell([notice for level in levels for notice in level.result.notices], verbose=verbose)
        _show_levels(key, levels, form, output)
        return
    matched = [
        score(key, responses, each, names, groups=groups_of, parses=parses, jobs=jobs) for each in matchings
    ]
    tell([notice for results in matched for result in results for notice in result.notices], verbose=verbose)
    if len(matched) > 1:
        _show_matchings(key, matched, form, output)
        return
    results = matched[0]
    groups = [result.by(group_labels(result, by, genres)) for result in results] if by else None
    if ci:
        from referee.cli.intervals import show_intervals
        from referee.comparing.significance import Plan

        show_intervals(
            key, results, groups, (by or "").capitalize(), Plan(samples=samples, seed=seed), form, output
        )
    elif form == "json":
        show(score_json(key, results, groups), output)
    elif form == "csv":
        show(score_csv(results, groups), output)
    else:
        show_table(score_table(results, groups, (by or "").capitalize()), form, output)


def _refuse_rereading(matchings: Sequence[Protocol], option: str | None, paths: Sequence[str]) -> None:
    if len(matchings) > 1 and option:
        raise click.UsageError(f"{option} goes with one --match")
    if len(matchings) > 1 and matchings[0].scope != "document":
        raise click.UsageError("across documents give one --match at a time")
    if len(matchings) > 1 and STDIN in paths:
        raise click.UsageError("standard input can be read once: give one --match with '-'")


def _show_matchings(key: str, matched: Sequence[Sequence[Result]], form: str, output: str | None) -> None:
    """Show the scores of several matchings together."""
    if form == "json":
        show(score_json(key, [result for results in matched for result in results], None), output)
    elif form == "csv":
        groups = [
            {result.protocol.match: result for result in system} for system in zip(*matched, strict=True)
        ]
        show(score_csv(matched[0], groups, "match"), output)
    else:
        show_table(ranked_table(matched), form, output)


def _show_levels(key: str, levels: Sequence[Level], form: str, output: str | None) -> None:
    if form == "json":
        show(level_json(key, levels), output)
    elif form == "csv":
        show(level_csv(levels), output)
    else:
        show_table(level_table(levels), form, output)


def score_across(
    key: str,
    responses: Sequence[str],
    protocols: Sequence[Protocol],
    metrics: Sequence[str],
    *,
    groups: Groups | None = None,
    parses: str | None = None,
    jobs: int = 1,
) -> list[Level]:
    """Score each response across documents, at each level."""
    _refuse_two_stdins(key, responses)
    key_corpus = formats.read(key, role="key", strict=protocols[0].strict)
    levels = []
    with progress_bar(len(key_corpus) * len(responses) * len(protocols), "scoring") as advance:
        for path, name in zip(responses, system_names(responses), strict=True):
            response = formats.read(path, role="response", strict=protocols[0].strict)
            for protocol in protocols:
                level = score_level(
                    key_corpus,
                    response,
                    protocol,
                    metrics,
                    groups=groups,
                    parses=parses,
                    jobs=jobs,
                    progress=advance,
                )
                levels.append(replace(level, result=replace(level.result, system=name)))
    return levels


def _refuse_two_stdins(key: str, responses: Sequence[str]) -> None:
    if [key, *responses].count(STDIN) > 1:
        raise click.UsageError("standard input can be read once: give '-' once only")


def score(
    key: str,
    responses: Sequence[str],
    protocol: Protocol,
    metrics: Sequence[str],
    *,
    groups: Groups | None = None,
    parses: str | None = None,
    jobs: int = 1,
) -> list[Result]:
    """Score each response, with a progress bar for long work."""
    _refuse_two_stdins(key, responses)
    key_corpus = formats.read(key, role="key", strict=protocol.strict)
    results = []
    with progress_bar(len(key_corpus) * len(responses), "scoring") as advance:
        for path, name in zip(responses, system_names(responses), strict=True):
            response = formats.read(path, role="response", strict=protocol.strict)
            result = evaluate(
                key_corpus,
                response,
                protocol,
                metrics,
                parses=parses,
                jobs=jobs,
                progress=advance,
                groups=groups,
            )
            results.append(replace(result, system=name))
    return results


def system_names(paths: Sequence[str]) -> list[str]:
    """Call systems after their files, in full where that is not enough."""
    short = [stem(path) if path != STDIN else "stdin" for path in paths]
    return short if len(set(short)) == len(short) else list(paths)


def metric_names(words: Sequence[str], protocol: Protocol) -> Sequence[str]:
    """Read metrics from the command line, under short names too; without any, what the protocol calls for."""
    default = DEFAULT_METRICS if protocol.scope == "document" else CROSSDOC_METRICS
    names = [name for word in words for name in word.lower().replace("-", "_").split(",") if name]
    return [SHORT_NAMES.get(name, name) for name in names] or default


def group_labels(result: Result, by: str, genres: str | None = None) -> Sequence[str]:
    """Say which group each unit belongs to."""
    if by == "unit":
        return result.units
    if result.protocol.scope != "document":
        raise ProtocolError(f"the units are {result.protocol.scope}s, not documents: break down --by unit")
    if by == "document":
        return result.units
    given = _read_genres(genres) if genres else {}
    labels = [given.get(unit) or genre(unit) for unit in result.units]
    unknown = [unit for unit, label in zip(result.units, labels, strict=True) if not label]
    if unknown:
        raise ProtocolError(
            f"cannot tell the genre of {unknown[0]} from its name; give --genres FILE with a line "
            "'document<tab>genre' for each document"
        )
    return labels


def genre(document: str) -> str:
    """Tell the genre from a name: `(nw/wsj/…); part 000` in OntoNotes, `GUM_news_…` in GUM; else nothing."""
    found = re.match(r"\(?(?:GUM|AMALGUM)_([^_/]+)_", document) or re.match(r"\(?([^/()\s]+)/", document)
    return found[1] if found else ""


def _read_genres(path: str) -> dict[str, str]:
    lines = read_text(path).splitlines()
    return dict(line.rstrip().split("\t", 1) for line in lines if "\t" in line)
