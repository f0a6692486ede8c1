"""referee report: scores, errors and texts in one HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from referee.cli.protocols import chosen_protocol, protocol_options
from referee.cli.study import Files, StudyOptions, study, study_options
from referee.cli.terminal import progress_bar, show, tell
from referee.exceptions import ProtocolError
from referee.formats.opening import STDIN, stem
from referee.matching.matchings import FROM_TREES
from referee.matching.protocol import Protocol
from referee.page.data import report_data
from referee.page.render import render
from referee.scoring.evaluate import evaluate
from referee.scoring.result import Result

LABELS = {"exact": "maximum spans", "mina": "minimum spans (MINA)", "head": "head spans"}


@click.command("report")
@click.argument("key")
@click.argument("responses", nargs=-1, required=True, metavar="RESPONSE...")
@click.option(
    "-o", "--output", default="report.html", show_default=True, type=click.Path(dir_okay=False),
    help="The file to write.",
)  # fmt: skip
@click.option("--title", default="", help="The page's title; otherwise the names of the files.")
@protocol_options
@study_options
@click.option(
    "--parses", type=click.Path(exists=True), metavar="FILE|DIR",
    help="Penn trees of the key, to score by minimum and head spans too; else its parse column is taken.",
)  # fmt: skip
@click.option("-v", "--verbose", is_flag=True, help="Show every notice.")
def report_command(
    key: str,
    responses: tuple[str, ...],
    output: str,
    title: str,
    protocol: str,
    singletons: str | None,
    parses: str | None,
    verbose: bool,
    **options: Any,
) -> None:
    """Write one HTML file that shows how RESPONSE files (or folders) differ from KEY.

    It opens in any browser and needs no network: scores, errors by mention type, errors that systems share,
    and every document with its key and response mentions and an arc for each error. Press ? in it for help.

    \b
    Examples:
      referee report key.conll response.conll
      referee report key.conll a.conll b.conll -o report.html
      referee report key/ a/ b/ --layers conllu/ --title "Development set, June" -o dev.html
    """
    chosen, _ = chosen_protocol(protocol, singletons=singletons)
    data = gather(key, responses, chosen, StudyOptions(**options), parses=parses, title=title)
    show(render(data), output)
    tell(data["notices"], verbose=verbose)
    size = Path(output).stat().st_size / 1e6
    click.echo(f"{output}: {size:.1f} MB; open it in a browser", err=True)


def gather(
    key: str,
    responses: Sequence[str],
    protocol: Protocol,
    options: StudyOptions,
    *,
    parses: str | None = None,
    title: str = "",
) -> dict[str, Any]:
    """Score the responses and find their errors: all that the page shows."""
    if STDIN in (key, *responses):
        raise click.UsageError("a report reads its files more than once: give files, not '-'")
    if protocol.scope != "document":
        raise ProtocolError(
            f"a report shows documents one by one: scope must be document, not {protocol.scope}"
        )
    files = Files.read(key, responses, protocol, options)
    found = study(files, protocol, options, parses=parses)
    has_trees = parses or all("parse" in document.layers for document in found.documents)
    has_trees = has_trees and not any(corpus.cut for corpus in (files.key, *files.responses))
    scores = score_every_way(files, [protocol, *(_other_ways(protocol) if has_trees else ())], parses)
    return report_data(found, scores, key=stem(key), title=title)


def _other_ways(protocol: Protocol) -> list[Protocol]:
    """Vary the way of matching; a tree that cannot be read is passed over, and the signature says so."""
    return [
        replace(protocol, match=match, bad_parses="skip" if match in FROM_TREES else "refuse")
        for match in LABELS
        if match != protocol.match
    ]


def score_every_way(
    files: Files, protocols: Sequence[Protocol], parses: str | None = None
) -> dict[str, list[Result]]:
    """Score the systems under each protocol."""
    scores = {}
    with progress_bar(len(files.key) * len(files.responses) * len(protocols), "scoring") as advance:
        for each in protocols:
            results = [
                evaluate(files.key, response, each, parses=parses, progress=advance)
                for response in files.responses
            ]
            named = zip(results, files.names, strict=True)
            scores[LABELS.get(each.match, each.match)] = [replace(result, system=n) for result, n in named]
    return scores
