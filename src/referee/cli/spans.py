"""referee spans: the minimum span of each mention, and statistics over them."""

from __future__ import annotations

import click

from referee.cli.commands import RefereeCommand
from referee.cli.options import needs, output_options, parse_options
from referee.cli.outputs import OUTPUT_FILE
from referee.cli.terminal import mention_done, print_notices, show
from referee.display import number_of
from referee.exceptions import ProtocolError
from referee.functions.spans import spans
from referee.language.span_survey import MATCHINGS, MinimumSpan
from referee.tables.spans import minimum_spans_output, statistics_output


@click.command("spans", cls=RefereeCommand)
@click.argument("key")
@click.option(
    "--match", type=click.Choice(MATCHINGS), default="mina", show_default=True,
    help="Which minimum spans, as `referee score --match` compares them: mina and head are found in parse "
    "trees, min is annotated.",
)  # fmt: skip
@parse_options
@click.option("--stats", is_flag=True, help="Mean length, share longer than three, and a histogram.")
@click.option(
    "--plot", type=OUTPUT_FILE, metavar="FILE", callback=needs("matplotlib", "plot"),
    help="Draw the lengths (PNG, PDF, …); needs the extra 'plot'.",
)  # fmt: skip
@click.option("--against-min", is_flag=True, help="Share of minimum spans that contain the annotated MIN.")
@output_options
def spans_command(
    key: str,
    match: str,
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
      referee spans key.conll --match head --format csv -o heads.csv
      referee spans key/ --parses trees/ --stats --plot lengths.png
      referee spans muc-key.sgm --parses trees.ptb --against-min
    """
    if stats and against_min and form != "json":
        raise click.UsageError("give --stats or --against-min, or --format json for both")
    mentions = spans(key, match=match, parses=parses, on_bad_parse=on_bad_parse, plot=plot)
    print_notices(mentions.notices)
    if against_min:
        _check_annotated(mentions, key, match)
    if stats or against_min or plot:
        show(statistics_output(mentions.statistics(), against_min=against_min), form, output)
    else:
        show(minimum_spans_output(mentions), form, output)
    unread = sum(span.unread for span in mentions)
    if unread:
        mention_done(f"note: {number_of(unread, 'mention')} with the maximum span: bad parse")


def _check_annotated(mentions: list[MinimumSpan], key: str, match: str) -> None:
    if match == "min":
        raise click.UsageError("--against-min compares mina or head with the annotated MIN")
    if not any(span.mention.minimum for span in mentions):
        raise ProtocolError(f"{key}: has no annotated minimum spans; MUC's SGML and MMAX2 (ARRAU) have them")
