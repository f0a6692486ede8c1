"""referee compare: whether systems differ by more than chance, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import click

from referee import formats
from referee.cli.layers import layer_options
from referee.cli.matching import matched_protocols, matching_options
from referee.cli.protocols import chosen_protocol, protocol_options, unit_options
from referee.cli.score import group_labels, metric_names, score, system_names
from referee.cli.terminal import output_options, progress_bar, show, show_tables, tell
from referee.comparing.breakdowns import Breakdown, by_label, by_length, by_stratum, extremes
from referee.comparing.significance import CORRECTIONS, TESTS, Comparison, Plan, cautions, compare
from referee.comparing.strata import STRATIFICATIONS, stratify
from referee.exceptions import FormatError
from referee.formats.opening import STDIN
from referee.language.layers import layered
from referee.matching.protocol import Protocol
from referee.matching.units import Groups
from referee.model import DocumentCorpus
from referee.scoring.result import Result
from referee.scoring.saved import looks_saved, read_results
from referee.tables.comparison_tables import ComparisonReport, compare_csv, compare_json, tables

BREAKDOWNS = ("genre", "length", *STRATIFICATIONS)
PLOT_FORMATS = ("pdf", "png", "svg")


@click.command("compare")
@click.argument("files", nargs=-1, required=True, metavar="(KEY RESPONSE... | RESULT.json...)")
@protocol_options
@matching_options
@unit_options
@click.option("-m", "--metric", "metrics", multiple=True, metavar="NAME", help="Metrics, as in score.")
@click.option(
    "--test", type=click.Choice(list(TESTS)), default="permutation", show_default=True,
    help="permutation: approximate randomisation. bootstrap: paired bootstrap.",
)  # fmt: skip
@click.option("--samples", type=click.IntRange(100), default=10_000, show_default=True, help="Resamples.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Same seed, same numbers.")
@click.option(
    "--level", type=click.FloatRange(0.5, 0.999), default=0.95, show_default=True,
    help="Of intervals; p below 1 − level is significant.",
)  # fmt: skip
@click.option(
    "--correction", type=click.Choice(CORRECTIONS), default="holm", show_default=True,
    help="For many comparisons; used with more than two systems.",
)  # fmt: skip
@click.option(
    "--by", multiple=True, type=click.Choice(BREAKDOWNS), help="Where systems differ; may be repeated."
)
@click.option(
    "--genres", type=click.Path(exists=True, dir_okay=False), metavar="FILE",
    help="Lines of document, tab, genre, where the documents' names do not tell.",
)  # fmt: skip
@click.option(
    "--documents", type=click.IntRange(0), default=0, metavar="N",
    help="Name the N documents with the largest gain, and the N with the largest loss.",
)  # fmt: skip
@layer_options
@click.option("--plots", metavar="FOLDER", help="Draw figures into a folder (needs the extra 'plot').")
@click.option(
    "--plot-format", "plot_formats", multiple=True, type=click.Choice(PLOT_FORMATS), default=["pdf"],
    show_default=True, help="May be repeated.",
)  # fmt: skip
@output_options("text", "json", "csv", "latex", "markdown")
@click.option("-j", "--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes to use.")
@click.option("-v", "--verbose", is_flag=True, help="Show every notice.")
def compare_command(
    files: tuple[str, ...],
    protocol: str,
    match: str | None,
    parses: str | None,
    on_bad_parse: str | None,
    singletons: str | None,
    scope: str | None,
    mentions: str | None,
    metrics: tuple[str, ...],
    test: str,
    samples: int,
    seed: int,
    level: float,
    correction: str,
    by: tuple[str, ...],
    genres: str | None,
    documents: int,
    layers: str | None,
    nlp: str | None,
    plots: str | None,
    plot_formats: tuple[str, ...],
    form: str,
    output: str | None,
    jobs: int,
    verbose: bool,
) -> None:
    """Compare systems with the first one, the baseline: scores, intervals, tests and ranks.

    Give a key and two or more responses, or results that `referee score --format json` has saved.

    \b
    Examples:
      referee compare key.conll baseline.conll a.conll b.conll
      referee compare key.conll baseline.conll a.conll --test bootstrap --seed 7
      referee compare key.conll baseline.conll a.conll --format latex -o table.tex
      referee compare key.conll baseline.conll a.conll --by genre --by length --documents 3
      referee compare key.conll baseline.conll a.conll --by mention-type --layers conllu/
      referee compare key.conll a.conll b.conll c.conll --match exact,mina,head --parses trees/
      referee compare key.conll baseline.conll a.conll b.conll --plots figures
      referee compare runs/*.json
    """
    plan = Plan(test=test, samples=samples, seed=seed, level=level, correction=correction)
    if all(map(looks_saved, files)):
        if match or protocol != "conll" or singletons or mentions:
            raise click.UsageError(
                "saved results have their protocol: no --protocol, --match, --singletons or --mentions"
            )
        source = _saved(files, metric_names(metrics, Protocol()) if metrics else (), scope)
    else:
        chosen, groups = chosen_protocol(protocol, singletons=singletons, scope=scope, mentions=mentions)
        source = _Source({}, files[0], files[1:], parses, layers, nlp)
        protocols = matched_protocols(chosen, match, on_bad_parse)
        source = _scored(source, protocols, metric_names(metrics, chosen), groups, jobs)
    found = next(iter(source.results.values()))
    everything = [result for results in source.results.values() for result in results]
    tell([notice for result in everything for notice in result.notices], verbose=verbose)
    tell(cautions(len(found[0].units), plan, found[0].protocol.scope))
    comparisons = _compare(source, plan)
    breakdowns = [_break_down(name, source, plan, genres) for name in by]
    report = ComparisonReport(comparisons, breakdowns, extremes(found, documents))
    _show(report, form, output)
    if plots:
        from referee.tables.figures import save_plots

        drawn = save_plots(report.first, plots, [f".{ending}" for ending in plot_formats])
        click.echo(f"drawn: {', '.join(map(str, drawn))}", err=True)


@dataclass(frozen=True, slots=True)
class _Source:
    """Results under each matching, and the files that they come from, if they are known."""

    results: dict[str, list[Result]]
    key: str = ""
    responses: Sequence[str] = ()
    parses: str | None = None
    layers: str | None = None
    nlp: str | None = None


def _saved(files: Sequence[str], metrics: Sequence[str], scope: str | None) -> _Source:
    found = read_results(files, scope)
    some = next(iter(found.values()))
    if len(some) < 2:
        raise click.UsageError("one system only: give another one, or see referee score --ci")
    missing = [name for name in metrics if any(name not in result.counts for result in some)]
    if missing:
        raise click.UsageError(f"not every saved result has {', '.join(missing)}")
    if metrics:
        found = {
            match: [replace(r, counts={name: r.counts[name] for name in metrics}) for r in results]
            for match, results in found.items()
        }
    return _Source(found)


def _scored(
    source: _Source,
    protocols: Sequence[Protocol],
    metrics: Sequence[str],
    groups: Groups | None,
    jobs: int,
) -> _Source:
    files = [source.key, *source.responses]
    missing = [file for file in files if file != STDIN and not Path(file).exists()]
    if missing:
        raise FormatError(f"{missing[0]}: no such file or folder")
    saved = [file for file in files if looks_saved(file)]
    if saved:
        raise click.UsageError(f"{saved[0]} is a saved result, other files are not: give one kind")
    if len(files) < 3:
        raise click.UsageError("give a key and two or more responses; for one, see referee score --ci")
    if len(protocols) > 1 and STDIN in files:
        raise click.UsageError("standard input can be read once: give one --match with '-'")
    results = {
        each.match: score(
            source.key, source.responses, each, metrics, groups=groups, parses=source.parses, jobs=jobs
        )
        for each in protocols
    }
    return replace(source, results=results)


def _compare(source: _Source, plan: Plan) -> dict[str, Comparison]:
    draws = plan.samples * (2 if plan.test == "permutation" else 1) * len(source.results)
    with progress_bar(draws, "resampling") as advance:
        return {name: compare(results, plan, progress=advance) for name, results in source.results.items()}


def _break_down(name: str, source: _Source, plan: Plan, genres: str | None) -> Breakdown:
    results = next(iter(source.results.values()))
    if name == "length":
        return by_length(results, plan)
    if results[0].protocol.scope != "document":
        raise click.UsageError(f"--by {name} needs documents as units, not {results[0].protocol.scope}s")
    if name == "genre":
        return by_label(results, group_labels(results[0], name, genres), "Genre", plan)
    if not source.key or STDIN in (source.key, *source.responses):
        raise click.UsageError(f"--by {name} looks at mentions: give the key and the responses as files")
    protocol, by = results[0].protocol, STRATIFICATIONS[name]
    key = formats.read(source.key, role="key", strict=protocol.strict)
    texts = _in_memory(source.key, protocol.strict, source.layers, source.nlp)
    strata = [
        stratify(
            key, formats.read(path, role="response", strict=protocol.strict), protocol, by, system,
            texts=texts, parses=source.parses,
        )
        for path, system in zip(source.responses, system_names(source.responses), strict=True)
    ]  # fmt: skip
    return by_stratum(strata, by.title, plan)


@lru_cache(maxsize=1)
def _in_memory(path: str, strict: bool, layers: str | None, nlp: str | None) -> DocumentCorpus:
    """Read a key once for all systems and all kinds of mentions."""
    return DocumentCorpus(layered(formats.read(path, role="key", strict=strict), layers, nlp), path)


def _show(report: ComparisonReport, form: str, output: str | None) -> None:
    if form == "json":
        show(compare_json(report), output)
    elif form == "csv":
        show(compare_csv(report), output)
    else:
        show_tables(tables(report), form, output)
