"""referee score: recall, precision and F1 of one or more responses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from referee import formats
from referee.cli.terminal import output_options, progress_bar, show, show_table, tell
from referee.errors import ProtocolError
from referee.evaluate import evaluate
from referee.formats.opening import STDIN, stem
from referee.metrics import DEFAULT_METRICS, METRICS
from referee.protocol import CHOICES, PRESETS, Protocol
from referee.report.scores import score_csv, score_json, score_table
from referee.result import Result
from referee.twinless import TWINLESS

SHORT_NAMES = {"b3": "b_cubed", "bcub": "b_cubed", "ceafm": "ceaf_m", "ceafe": "ceaf_e"}


@click.command("score")
@click.argument("key")
@click.argument("responses", nargs=-1, required=True, metavar="RESPONSE...")
@click.option(
    "-p", "--protocol", default="conll", show_default=True, help=f"{', '.join(PRESETS)}, or a signature."
)
@click.option(
    "--singletons", type=click.Choice(CHOICES["singletons"]), help="Keep or drop clusters of one mention."
)
@click.option(
    "-m", "--metric", "metrics", multiple=True, metavar="NAME",
    help=f"Metrics to show, one or several with commas: {', '.join(METRICS)}; for old papers also "
    f"{', '.join(TWINLESS)}. Default: {', '.join(DEFAULT_METRICS)}.",
)  # fmt: skip
@click.option("--by", type=click.Choice(["document", "genre"]), help="Break the scores down.")
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
      gunzip -c response.gz | referee score key.conll -
    """
    chosen = Protocol.parse(protocol)
    if singletons:
        chosen = replace(chosen, singletons=singletons)
    results = score(key, responses, chosen, metric_names(metrics), jobs=jobs)
    tell([notice for result in results for notice in result.notices], verbose=verbose)
    groups = [result.by(unit_labels(result, by, genres)) for result in results] if by else None
    if ci:
        from referee.cli.intervals import show_intervals
        from referee.significance import Plan

        show_intervals(
            key, results, groups, (by or "").capitalize(), Plan(samples=samples, seed=seed), form, output
        )
    elif form == "json":
        show(score_json(key, results, groups), output)
    elif form == "csv":
        show(score_csv(results, groups), output)
    else:
        show_table(score_table(results, groups, (by or "").capitalize()), form, output)


def score(
    key: str, responses: Sequence[str], protocol: Protocol, metrics: Sequence[str], *, jobs: int = 1
) -> list[Result]:
    """Score each response, with a progress bar for long work."""
    if [key, *responses].count(STDIN) > 1:
        raise click.UsageError("standard input can be read once: give '-' once only")
    key_corpus = formats.read(key, role="key", strict=protocol.strict)
    results = []
    with progress_bar(len(key_corpus) * len(responses), "scoring") as advance:
        for path, name in zip(responses, system_names(responses), strict=True):
            response = formats.read(path, role="response", strict=protocol.strict)
            result = evaluate(key_corpus, response, protocol, metrics, jobs=jobs, progress=advance)
            results.append(replace(result, system=name))
    return results


def system_names(paths: Sequence[str]) -> list[str]:
    """Call systems after their files, in full where that is not enough."""
    short = [stem(path) if path != STDIN else "stdin" for path in paths]
    return short if len(set(short)) == len(short) else list(paths)


def metric_names(words: Sequence[str]) -> Sequence[str]:
    """Read metrics from the command line, under short names too."""
    names = [name for word in words for name in word.lower().replace("-", "_").split(",") if name]
    return [SHORT_NAMES.get(name, name) for name in names] or DEFAULT_METRICS


def unit_labels(result: Result, by: str, genres: str | None = None) -> Sequence[str]:
    """Say which group each unit belongs to."""
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
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    return dict(line.rstrip().split("\t", 1) for line in lines if "\t" in line)
