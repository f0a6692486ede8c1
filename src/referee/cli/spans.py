"""referee spans: the minimum span of each mention, and statistics over them."""

from __future__ import annotations

import click

from referee import formats
from referee.cli.matching import parse_options
from referee.cli.terminal import output_options, show, show_table
from referee.exceptions import ProtocolError
from referee.language.span_survey import KINDS, MinimumSpan, minimum_spans, span_statistics
from referee.tables.span_figure import plot_lengths
from referee.tables.span_tables import (
    compatibility_table,
    length_table,
    span_json,
    span_table,
    statistics_json,
)


@click.command("spans")
@click.argument("key")
@click.option(
    "--min", "kind", type=click.Choice(KINDS), default="mina", show_default=True,
    help="mina and head: found in parse trees; min: as annotated.",
)  # fmt: skip
@parse_options
@click.option("--stats", is_flag=True, help="Mean length, share longer than three, and a histogram.")
@click.option(
    "--plot", type=click.Path(dir_okay=False), metavar="FILE", help="Draw the lengths (PNG, PDF, …)."
)
@click.option("--against-min", is_flag=True, help="Share of minimum spans that contain the annotated MIN.")
@output_options("text", "json", "csv", "latex", "markdown")
def spans_command(
    key: str,
    kind: str,
    parses: str | None,
    on_bad_parse: str | None,
    stats: bool,
    plot: str | None,
    against_min: bool,
    form: str,
    output: str | None,
) -> None:
    """Show the maximum and the minimum span of each mention of KEY, and why it is that.

    \b
    Examples:
      referee spans key.conll
      referee spans key.conll --min head --format csv -o heads.csv
      referee spans key/ --parses trees/ --stats --plot lengths.png
      referee spans muc-key.sgm --parses trees.ptb --against-min
    """
    corpus = formats.read(key)
    found = list(minimum_spans(corpus, kind, parses, skip_bad=on_bad_parse == "skip"))
    if against_min:
        _check_annotated(found, key, kind)
    if stats or against_min or plot:
        _show_statistics(found, kind, stats=stats, against_min=against_min, form=form, output=output)
        if plot:
            plot_lengths(span_statistics(found, kind), plot)
    elif form == "json":
        show(span_json(found, kind), output)
    else:
        show_table(span_table(found, kind), form, output)
    unread = sum("cannot be read" in span.reason for span in found)
    if unread:
        click.echo(f"note: {unread} mentions keep their maximum span: bad parse", err=True)


def _check_annotated(found: list[MinimumSpan], key: str, kind: str) -> None:
    if kind == "min":
        raise click.UsageError("--against-min compares mina or head with the annotated MIN")
    if not any(span.mention.minimum for span in found):
        raise ProtocolError(f"{key}: has no annotated minimum spans; MUC's SGML and MMAX2 (ARRAU) have them")


def _show_statistics(
    found: list[MinimumSpan], kind: str, *, stats: bool, against_min: bool, form: str, output: str | None
) -> None:
    counted = span_statistics(found, kind)
    if form == "json":
        show(statistics_json(counted), output)
    elif stats and against_min:
        raise click.UsageError("give --stats or --against-min, or --format json for both")
    else:
        show_table(compatibility_table(counted) if against_min else length_table(counted), form, output)
