"""referee compare: whether systems differ by more than chance, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import click

from referee import formats
from referee.cli.options import (
    genres_option,
    jobs_option,
    layer_options,
    matching_options,
    metric_option,
    needs,
    output_options,
    protocol_options,
    resampling_options,
    unit_options,
)
from referee.cli.task_options import TaskOptions
from referee.cli.terminal import mention_done, print_notices, progress_bar, show
from referee.comparing.breakdowns import (
    Breakdown,
    by_label,
    by_length,
    by_stratum,
    extremes,
    group_labels,
    read_genres,
)
from referee.comparing.significance import cautions, compare
from referee.comparing.strata import STRATIFICATIONS, stratify
from referee.comparing.verdicts import CORRECTIONS, TESTS, Comparison, Plan
from referee.exceptions import FormatError, SettingError, did_you_mean
from referee.formats.io.opening import STDIN
from referee.matching.protocol import Protocol
from referee.model import DocumentCorpus
from referee.scoring.evaluate import evaluate, metric_names
from referee.scoring.result import Result
from referee.scoring.saved import looks_saved, read_results
from referee.scoring.task import Task
from referee.tables.comparison import ComparisonReport, comparison_output

BREAKDOWNS = ("genre", "length", *STRATIFICATIONS)
PLOT_FORMATS = ("pdf", "png", "svg")


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
    "--plot", metavar="FOLDER", callback=needs("matplotlib", "plot"),
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
    plot: str | None,
    plot_formats: tuple[str, ...],
    form: str,
    output: str | None,
    **options: Any,
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
      referee compare key.conll baseline.conll a.conll b.conll --plot figures
      referee compare runs/*.json
    """
    plan = Plan(test=test, samples=samples, seed=seed, level=level, correction=correction)
    how = TaskOptions.taken(options)
    saved = [file for file in files if looks_saved(file)]
    if len(saved) == len(files):
        if how.match or how.protocol or how.singletons or how.kind:
            raise click.UsageError(
                "saved results have their protocol: no --protocol, --match, --singletons or --kind"
            )
        source = _saved(files, metric_names(metrics, Protocol()) if metrics else (), how.scope, baseline)
    else:
        _check_files(files, saved)
        source = _scored(files, how, metrics, baseline)
    first = next(iter(source.results.values()))
    everything = [result for results in source.results.values() for result in results]
    print_notices([notice for result in everything for notice in result.notices])
    warnings = cautions(len(first[0].units), plan, first[0].protocol.scope)
    print_notices(warnings)
    comparisons = _compare(source, plan)
    texts = _Texts(layers, nlp)
    breakdowns = [_break_down(name, source, plan, genres, texts) for name in by]
    report = ComparisonReport(comparisons, breakdowns, extremes(first, documents), warnings)
    show(comparison_output(report), form, output)
    if plot:
        from referee.tables.figures import save_plots

        drawn = save_plots(report.first, plot, [f".{ending}" for ending in plot_formats])
        mention_done(f"drawn: {', '.join(map(str, drawn))}")


@dataclass(frozen=True, slots=True)
class _Source:
    """Results under each matching, and the task that they come from, unless they were saved."""

    results: dict[str, list[Result]]
    task: Task | None = None


def _order(names: Sequence[str], baseline: str | None) -> list[int]:
    """Put the baseline before the others, if one is named."""
    if baseline is not None and baseline not in names:
        near = did_you_mean(baseline, names)
        raise SettingError(f"no system '{baseline}' for a baseline; there are {', '.join(names)}{near}")
    numbers = range(len(names))
    return sorted(numbers, key=lambda number: baseline is not None and names[number] != baseline)


def _saved(files: Sequence[str], metrics: Sequence[str], scope: str | None, baseline: str | None) -> _Source:
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
    return _Source(
        {
            match: [results[i] for i in _order([result.system for result in results], baseline)]
            for match, results in saved.items()
        }
    )


def _check_files(files: Sequence[str], saved: Sequence[str]) -> None:
    missing = [file for file in files if file != STDIN and not formats.is_there(file)]
    if missing:
        raise FormatError(f"{missing[0]}: no such file or folder")
    if saved:
        raise click.UsageError(f"{saved[0]} is a saved result, other files are not: give one kind")


def _scored(files: Sequence[str], how: TaskOptions, metrics: Sequence[str], baseline: str | None) -> _Source:
    if len(files) < 3 or len((task := how.task(files[0], files[1:])).systems) < 2:
        raise click.UsageError("give a key and two or more responses; for one, see referee score --ci")
    order = _order(task.systems, baseline)
    systems, responses = [task.systems[i] for i in order], [task.responses[i] for i in order]
    task = replace(task, systems=systems, responses=responses)
    protocols = how.protocols(task)
    names = metric_names(metrics, replace(task.protocol, scope=how.asked_scope))
    with progress_bar(len(task.key) * len(systems) * len(protocols), "scoring") as advance:
        results = {each.match: evaluate(task.under(each), names, progress=advance) for each in protocols}
    return _Source(results, task.under(protocols[0]))


def _compare(source: _Source, plan: Plan) -> dict[str, Comparison]:
    draws = plan.samples * (2 if plan.test == "permutation" else 1) * len(source.results)
    with progress_bar(draws, "resampling") as advance:
        return {name: compare(results, plan, progress=advance) for name, results in source.results.items()}


def _break_down(name: str, source: _Source, plan: Plan, genres: str | None, texts: _Texts) -> Breakdown:
    results = next(iter(source.results.values()))
    if name == "length":
        return by_length(results, plan)
    if results[0].protocol.scope != "document":
        raise click.UsageError(f"--by {name} needs documents as units, not {results[0].protocol.scope}s")
    if name == "genre":
        known = read_genres(genres) if genres else None
        return by_label(results, group_labels(results[0], name, known), "Genre", plan)
    if source.task is None:
        raise click.UsageError(f"--by {name} looks at mentions: give the key and the responses as files")
    by = STRATIFICATIONS[name]
    return by_stratum(stratify(source.task, by, texts.of(source.task)), by.title, plan)


@dataclass(slots=True)
class _Texts:
    """The key with its layers, read once for all systems and all kinds of mentions."""

    layers: str | None
    nlp: str | None
    read: DocumentCorpus | None = None

    def of(self, task: Task) -> DocumentCorpus:
        """Read the key, unless that was done."""
        if self.read is None:
            self.read = DocumentCorpus(task.with_layers(self.layers, self.nlp).key, task.key.name)
        return self.read
