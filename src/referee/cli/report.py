"""referee report: scores, errors and texts in one HTML file."""

from __future__ import annotations

from typing import Any

import click

from referee.cli.commands import RefereeCommand
from referee.cli.options import (
    anaphora_options,
    jobs_option,
    notice_options,
    protocol_options,
    repair_option,
    types_option,
    unit_options,
)
from referee.cli.outputs import OUTPUT_FILE
from referee.cli.study_options import study_options
from referee.cli.terminal import mention_done, print_notices, progress_bar
from referee.functions.report import report


@click.command("report", cls=RefereeCommand)
@click.argument("key")
@click.argument("responses", nargs=-1, required=True, metavar="RESPONSE...")
@click.option(
    "-o", "--output", default="report.html", show_default=True, type=OUTPUT_FILE, metavar="FILE",
    help="The file to write.",
)  # fmt: skip
@click.option("--title", default="", help="The page's title.  [default: the names of the files]")
@protocol_options
@anaphora_options
@repair_option
@unit_options
@types_option
@study_options
@click.option(
    "--parses", type=click.Path(exists=True, allow_dash=True), metavar="PATH",
    help="Penn trees of the key, for scores by minimum and head spans; by default the key's parse column.",
)  # fmt: skip
@jobs_option
@notice_options
def report_command(
    key: str,
    responses: tuple[str, ...],
    output: str,
    title: str,
    **options: Any,
) -> None:
    """Write one HTML file that shows how RESPONSE files (or folders) differ from KEY.

    It opens in any browser and needs no network. It shows scores with intervals and tests, scores by type and
    span of entities where types are known, errors by mention type, errors that systems share, and every
    document with its key and response mentions and an arc for each error. Press ? in it for help.

    \b
    Examples:
      referee report key.conll response.conll
      referee report key.conll a.conll b.conll -o report.html
      referee report key.conll a.conll b.conll --types gum/dev
      referee report key/ a/ b/ --layers conllu/ --title "Development set, June" -o dev.html
      referee report ecbplus/dev a.conll --scope topic --kind events
    """
    made = report(key, *responses, title=title, **options, progress=progress_bar)
    size = made.save(output) / 1e6
    print_notices(made.notices)
    mention_done(f"{output}: {size:.1f} MB; open it in a browser")
