"""referee compare: whether systems differ by more than chance, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from os import fspath
from typing import TypeVar

import click

from referee import formats
from referee.cli.options import (
    chosen_protocol,
    genres_option,
    jobs_option,
    layer_options,
    matched_protocols,
    matching_options,
    metric_option,
    needs,
    output_options,
    protocol_options,
    refuse_rereading,
    resampling_options,
    scope_is_chosen,
    unit_options,
)
from referee.cli.terminal import mention_done, progress_bar, show, tell
from referee.comparing.breakdowns import Breakdown, by_label, by_length, by_stratum, extremes
from referee.comparing.significance import cautions, compare
from referee.comparing.strata import STRATIFICATIONS, stratify
from referee.comparing.verdicts import CORRECTIONS, TESTS, Comparison, Plan
from referee.exceptions import FormatError, ProtocolError, did_you_mean
from referee.formats.io.opening import STDIN
from referee.language.added_layers import layered
from referee.matching.protocol import Protocol
from referee.matching.units import Groups
from referee.model import Corpus, DocumentCorpus
from referee.scoring.datasets import group_labels, read_genres
from referee.scoring.engines import Engine, Jobs
from referee.scoring.result import Result
from referee.scoring.saved import looks_saved, read_results
from referee.scoring.systems import PathName, gathered, metric_names, score_files, system_names
from referee.tables.comparison import ComparisonReport, comparison_output

BREAKDOWNS = ("genre", "length", *STRATIFICATIONS)
PLOT_FORMATS = ("pdf", "png", "svg")
T = TypeVar("T")


@click.command("compare")
@click.argument("files", nargs=-1, required=True, metavar="(KEY RESPONSE... | RESULT.json...)")
@protocol_options
@matching_options
@unit_options
@metric_option
@click.option(
    "--baseline", metavar="SYSTEM", help="The system that the others are compared with; otherwise the first."
)
@click.option(
    "--test", type=click.Choice(list(TESTS)), default="permutation", show_default=True,
    help="permutation: approximate randomisation. bootstrap: paired bootstrap.",
)  # fmt: skip
@resampling_options
@click.option(
    "--correction", type=click.Choice(CORRECTIONS), default="holm", show_default=True,
    help="For many comparisons; used with more than two systems.",
)  # fmt: skip
@click.option(
    "--by", multiple=True, type=click.Choice(BREAKDOWNS), help="Where systems differ; may be repeated."
)
@genres_option
@click.option(
    "--documents", type=click.IntRange(0), default=0, metavar="N",
    help="Name the N documents with the largest gain, and the N with the largest loss.",
)  # fmt: skip
@layer_options
@click.option(
    "--plots", metavar="FOLDER", callback=needs("matplotlib", "plot"),
    help="Draw figures into a folder (needs the extra 'plot').",
)  # fmt: skip
@click.option(
    "--plot-format", "plot_formats", multiple=True, type=click.Choice(PLOT_FORMATS), default=["pdf"],
    show_default=True, help="May be repeated.",
)  # fmt: skip
@jobs_option
@output_options
def compare_command(
    files: tuple[str, ...],
    protocol: str | None,
    match: str | None,
    parses: str | None,
    on_bad_parse: str | None,
    singletons: str | None,
    scope: str | None,
    mentions: str | None,
    ids: str | None,
    gaps: str | None,
    metrics: tuple[str, ...],
    baseline: str | None,
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
    jobs: Engine,
) -> None:
    """Compare systems with the baseline, the first unless you name another: scores, intervals, tests, ranks.

    Give a key and two or more responses, or results that `referee score --format json` has saved.

    \b
    Examples:
      referee compare key.conll baseline.conll a.conll b.conll
      referee compare key.conll baseline.conll a.conll --test bootstrap --seed 7
      referee compare runs/*.json --baseline baseline
      referee compare key.conll baseline.conll a.conll --format latex -o table.tex
      referee compare key.conll baseline.conll a.conll --by genre --by length --documents 3
      referee compare key.conll baseline.conll a.conll --by mention-type --layers conllu/
      referee compare key.conll a.conll b.conll c.conll --match exact,mina,head --parses trees/
      referee compare key.conll baseline.conll a.conll b.conll --plots figures
      referee compare runs/*.json
    """
    plan = Plan(test=test, samples=samples, seed=seed, level=level, correction=correction)
    if all(map(looks_saved, files)):
        if match or protocol or singletons or mentions:
            raise click.UsageError(
                "saved results have their protocol: no --protocol, --match, --singletons or --mentions"
            )
        source = _saved(files, metric_names(metrics, Protocol()) if metrics else (), scope)
        source = source.starting_with(baseline)
    else:
        chosen, groups = chosen_protocol(
            protocol,
            files[0],
            singletons=singletons,
            scope=scope,
            mentions=mentions,
            match=match,
            ids=ids,
            gaps=gaps,
        )
        is_chosen = scope_is_chosen(protocol, scope)
        source = _Source({}, files[0], gathered(files[0], files[1:]), parses, layers, nlp, jobs, is_chosen)
        source = source.starting_with(baseline)
        protocols = matched_protocols(chosen, match, on_bad_parse)
        source = _scored(source, protocols, metric_names(metrics, chosen), groups)
    first = next(iter(source.results.values()))
    everything = [result for results in source.results.values() for result in results]
    tell([notice for result in everything for notice in result.notices])
    warnings = cautions(len(first[0].units), plan, first[0].protocol.scope)
    tell(warnings)
    comparisons = _compare(source, plan)
    breakdowns = [_break_down(name, source, plan, genres) for name in by]
    report = ComparisonReport(comparisons, breakdowns, extremes(first, documents), warnings)
    show(comparison_output(report), form, output)
    if plots:
        from referee.tables.figures import save_plots

        drawn = save_plots(report.first, plots, [f".{ending}" for ending in plot_formats])
        mention_done(f"drawn: {', '.join(map(str, drawn))}")


@dataclass(frozen=True, slots=True)
class _Source:
    """Results under each matching, and the files that they come from, if they are known."""

    results: dict[str, list[Result]]
    key: str = ""
    responses: Sequence[PathName | Corpus] = ()
    parses: str | None = None
    layers: str | None = None
    nlp: str | None = None
    jobs: Jobs = 1
    scope_is_chosen: bool = True

    def starting_with(self, baseline: str | None) -> _Source:
        """Put the baseline before the others."""
        if baseline is None:
            return self
        results = {
            match: _starting_with(baseline, [result.system for result in own], own)
            for match, own in self.results.items()
        }
        if not self.responses:
            return replace(self, results=results)
        ordered = _starting_with(baseline, system_names(self.responses), self.responses)
        return replace(self, results=results, responses=ordered)


def _starting_with(baseline: str, names: Sequence[str], systems: Sequence[T]) -> list[T]:
    if baseline not in names:
        near = did_you_mean(baseline, names)
        raise ProtocolError(f"no system '{baseline}' for a baseline; there are {', '.join(names)}{near}")
    order = sorted(range(len(names)), key=lambda number: names[number] != baseline)
    return [systems[number] for number in order]


def _saved(files: Sequence[str], metrics: Sequence[str], scope: str | None) -> _Source:
    saved = read_results(files, scope)
    some = next(iter(saved.values()))
    if len(some) < 2:
        raise click.UsageError("one system only: give another one, or see referee score --ci")
    missing = [name for name in metrics if any(name not in result.counts for result in some)]
    if missing:
        raise click.UsageError(f"not every saved result has {', '.join(missing)}")
    if metrics:
        saved = {
            match: [replace(r, counts={name: r.counts[name] for name in metrics}) for r in results]
            for match, results in saved.items()
        }
    return _Source(saved)


def _scored(
    source: _Source,
    protocols: Sequence[Protocol],
    metrics: Sequence[str],
    groups: Groups | None,
) -> _Source:
    systems = [source.key, *source.responses]
    files = [fspath(each) for each in systems if not isinstance(each, Corpus)]
    missing = [file for file in files if file != STDIN and not formats.is_there(file)]
    if missing:
        raise FormatError(f"{missing[0]}: no such file or folder")
    saved = [file for file in files if looks_saved(file)]
    if saved:
        raise click.UsageError(f"{saved[0]} is a saved result, other files are not: give one kind")
    if len(systems) < 3:
        raise click.UsageError("give a key and two or more responses; for one, see referee score --ci")
    refuse_rereading(files, matchings=len(protocols))
    results = {
        each.match: score_files(
            source.key, source.responses, each, metrics, groups=groups, parses=source.parses,
            jobs=source.jobs, bar=progress_bar, scope_is_chosen=source.scope_is_chosen,
        )
        for each in protocols
    }  # fmt: skip
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
        known = read_genres(genres) if genres else None
        return by_label(results, group_labels(results[0], name, known), "Genre", plan)
    if not source.key or STDIN in (source.key, *source.responses):
        raise click.UsageError(f"--by {name} looks at mentions: give the key and the responses as files")
    protocol, by = results[0].protocol, STRATIFICATIONS[name]
    key = formats.read(source.key, role="key", strict=protocol.strict, ids=protocol.ids)
    texts = _in_memory(source.key, protocol, source.layers, source.nlp)
    strata = [
        stratify(
            key, formats.opened(path, role="response", strict=protocol.strict, ids=protocol.ids),
            protocol, by, system, texts=texts, parses=source.parses, jobs=source.jobs,
        )
        for path, system in zip(source.responses, system_names(source.responses), strict=True)
    ]  # fmt: skip
    return by_stratum(strata, by.title, plan)


@lru_cache(maxsize=1)
def _in_memory(path: str, protocol: Protocol, layers: str | None, nlp: str | None) -> DocumentCorpus:
    """Read a key once for all systems and all kinds of mentions."""
    key = formats.read(path, role="key", strict=protocol.strict, ids=protocol.ids)
    return DocumentCorpus(layered(key, layers, nlp), path)
