"""referee report: scores, errors and texts in one HTML file."""

from __future__ import annotations

from typing import Any

import click

from referee.cli.options import (
    chosen_protocol,
    jobs_option,
    notice_options,
    protocol_options,
    scope_is_chosen,
    unit_options,
)
from referee.cli.study_options import StudyOptions, own_choices, study_options
from referee.cli.terminal import mention_done, progress_bar, tell
from referee.page.gather import report
from referee.scoring.engines import Engine
from referee.scoring.systems import gathered, system_names


@click.command("report")
@click.argument("key")
@click.argument("responses", nargs=-1, required=True, metavar="RESPONSE...")
@click.option(
    "-o", "--output", default="report.html", show_default=True, type=click.Path(dir_okay=False),
    help="The file to write.",
)  # fmt: skip
@click.option("--title", default="", help="The page's title; otherwise the names of the files.")
@protocol_options
@unit_options
@study_options
@click.option(
    "--parses", type=click.Path(exists=True), metavar="FILE|DIR",
    help="Penn trees of the key, to score by minimum and head spans too; else its parse column is taken.",
)  # fmt: skip
@jobs_option
@notice_options
def report_command(
    key: str,
    responses: tuple[str, ...],
    output: str,
    title: str,
    protocol: str | None,
    singletons: str | None,
    scope: str | None,
    mentions: str | None,
    ids: str | None,
    gaps: str | None,
    parses: str | None,
    jobs: Engine,
    **options: Any,
) -> None:
    """Write one HTML file that shows how RESPONSE files (or folders) differ from KEY.

    It opens in any browser and needs no network: scores with intervals and tests, errors by mention type,
    errors that systems share, and every document with its key and response mentions and an arc for each
    error. Press ? in it for help.

    \b
    Examples:
      referee report key.conll response.conll
      referee report key.conll a.conll b.conll -o report.html
      referee report key/ a/ b/ --layers conllu/ --title "Development set, June" -o dev.html
      referee report ecbplus/dev a.conll --scope topic --mentions events
    """
    chosen, groups = chosen_protocol(
        protocol, key, singletons=singletons, scope=scope, mentions=mentions, ids=ids, gaps=gaps
    )
    how, systems = StudyOptions(**options), gathered(key, responses)
    names = system_names(systems)
    made = report(
        key, systems, names=names, protocol=chosen, groups=groups, layers=how.layers, nlp=how.nlp,
        parses=parses, **own_choices(how, names), title=title, jobs=jobs, progress=progress_bar,
        scope_is_chosen=scope_is_chosen(protocol, scope),
    )  # fmt: skip
    size = made.save(output) / 1e6
    tell(made.notices)
    mention_done(f"{output}: {size:.1f} MB; open it in a browser")
