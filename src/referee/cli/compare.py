"""referee compare: whether systems differ by more than chance, and where."""

from __future__ import annotations

from typing import Any

import click

from referee.cli.commands import RefereeCommand
from referee.cli.options import (
    anaphora_options,
    genres_option,
    jobs_option,
    layer_options,
    matching_options,
    metric_option,
    needs,
    output_options,
    protocol_options,
    repair_option,
    resampling_options,
    types_option,
    unit_options,
)
from referee.cli.outputs import OUTPUT_FOLDER
from referee.cli.terminal import mention_done, print_notices, progress_bar, show
from referee.comparing.verdicts import CORRECTIONS, TESTS
from referee.functions.compare import BREAKDOWNS, PLOT_FORMATS, compared
from referee.tables.comparison import comparison_output


@click.command("compare", cls=RefereeCommand)
@click.argument("files", nargs=-1, required=True, metavar="(KEY RESPONSE... | RESULT.json...)")
@protocol_options
@anaphora_options
@repair_option
@matching_options
@unit_options
@metric_option
@click.option(
    "--baseline", metavar="SYSTEM", help="The system that the others are compared with.  [default: the first]"
)
@click.option(
    "--test", type=click.Choice(list(TESTS)), default="permutation", show_default=True,
    help="permutation: approximate randomisation. bootstrap: paired bootstrap.",
)  # fmt: skip
@resampling_options
@click.option(
    "--correction", type=click.Choice(CORRECTIONS), default="holm", show_default=True,
    help="Correction for several comparisons, used with more than two systems.",
)  # fmt: skip
@click.option(
    "--by", multiple=True, type=click.Choice(BREAKDOWNS), help="Show where systems differ; may be repeated."
)
@genres_option
@types_option
@click.option(
    "--documents", type=click.IntRange(0), default=0, metavar="N",
    help="List the N documents with the largest gain, and the N with the largest loss.",
)  # fmt: skip
@layer_options
@click.option(
    "--plot", metavar="FOLDER", type=OUTPUT_FOLDER, callback=needs("matplotlib", "plot"),
    help="Draw figures into a folder (needs the extra 'plot').",
)  # fmt: skip
@click.option(
    "--plot-format", multiple=True, type=click.Choice(PLOT_FORMATS), default=["pdf"],
    show_default=True, help="May be repeated.",
)  # fmt: skip
@jobs_option
@output_options
def compare_command(files: tuple[str, ...], form: str, output: str | None, **options: Any) -> None:
    """Compare systems with a baseline, by default the first: scores, intervals, tests, ranks.

    Give a key and two or more responses, or results saved by `referee score --format json`.

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
    report = compared(files, **options, progress=progress_bar)
    print_notices(report.notices)
    show(comparison_output(report), form, output)
    if report.drawn:
        mention_done(f"drawn: {', '.join(map(str, report.drawn))}")
