"""referee report: scores, errors and texts in one HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from referee import formats
from referee.cli.score import score
from referee.cli.terminal import progress_bar, show, tell
from referee.formats.opening import STDIN
from referee.metrics import DEFAULT_METRICS
from referee.protocol import CHOICES, PRESETS, Protocol
from referee.report.page.data import report_data
from referee.report.page.render import render


@click.command("report")
@click.argument("key")
@click.argument("responses", nargs=-1, required=True, metavar="RESPONSE...")
@click.option(
    "-o", "--output", default="report.html", show_default=True, type=click.Path(dir_okay=False),
    help="The file to write.",
)  # fmt: skip
@click.option("--title", default="", help="The page's title; otherwise the names of the files.")
@click.option(
    "-p", "--protocol", default="conll", show_default=True, help=f"{', '.join(PRESETS)}, or a signature."
)
@click.option(
    "--singletons", type=click.Choice(CHOICES["singletons"]), help="Keep or drop clusters of one mention."
)
def report_command(
    key: str, responses: tuple[str, ...], output: str, title: str, protocol: str, singletons: str | None
) -> None:
    """Write one HTML file that shows how RESPONSE files (or folders) differ from KEY.

    It opens in any browser and needs no network: scores, errors by mention type, errors that systems share,
    and every document with its key and response mentions and an arc for each error. Press ? in it for help.

    \b
    Examples:
      referee report key.conll response.conll
      referee report key.conll a.conll b.conll -o report.html
      referee report key/ a/ b/ --title "Development set, June" -o dev.html
    """
    chosen = Protocol.parse(protocol)
    if singletons:
        chosen = replace(chosen, singletons=singletons)
    show(report(key, responses, chosen, title), output)
    size = Path(output).stat().st_size / 1e6
    click.echo(f"{output}: {size:.1f} MB; open it in a browser", err=True)


def report(key: str, responses: Sequence[str], protocol: Protocol, title: str = "") -> str:
    """Score the responses, gather what the page shows, and make it."""
    if STDIN in (key, *responses):
        raise click.UsageError("a report reads its files more than once: give files, not '-'")
    results = score(key, responses, protocol, DEFAULT_METRICS)
    tell([notice for result in results for notice in result.notices])
    corpora = [formats.read(path, role="response", strict=protocol.strict) for path in responses]
    key_corpus = formats.read(key, role="key", strict=protocol.strict)
    with progress_bar(len(key_corpus), "reading") as advance:
        return render(report_data(key_corpus, corpora, {"maximum spans": results}, title=title, progress=advance))
