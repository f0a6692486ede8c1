"""referee curate: several annotations of the same texts become one."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import click

from referee import formats
from referee.cli.commands import RefereeCommand
from referee.cli.names import completing
from referee.cli.options import FORMAT, notice_options, resampling_options
from referee.cli.outputs import OUTPUT, OUTPUT_FILE, check_format
from referee.cli.terminal import mention_done, print_notices, progress_bar, say, show
from referee.curation.curating import Curation
from referee.curation.merging import MAJORITY, RULES
from referee.formats.format import LAYERS
from referee.formats.io.opening import STDIN
from referee.functions.convert import convert
from referee.functions.curate import curate
from referee.functions.workbench import ENDING, workbench
from referee.matching.protocol import PRESETS
from referee.tables.curation import curation_output
from referee.tables.rendering import RENDERERS

SAID = ".annotators.csv"  # what is added to the merged file's name


@click.command("curate", cls=RefereeCommand)
@click.argument("annotators", nargs=-1, required=True, metavar="ANNOTATOR ANNOTATOR...")
@click.option(
    "-o", "--output", type=OUTPUT, metavar="FILE",
    help=f"Write the merged annotation, in the format of the ending, and to FILE{SAID} who said what.",
)  # fmt: skip
@click.option("--to", type=FORMAT, help="The format of the merged file, if its ending does not say.")
@click.option("--lossy", is_flag=True, help="Leave out what the format of the merged file cannot represent.")
@click.option(
    "--rule", type=click.Choice(RULES), default=MAJORITY, show_default=True,
    help="Keep what more than half of the annotators say, or what --trust says, or all that anybody marked.",
)  # fmt: skip
@click.option(
    "--trust", metavar="NAME",
    help="The annotator whom `--rule trusted` follows, or who decides what the majority leaves undecided.",
)  # fmt: skip
@click.option(
    "--cases", type=OUTPUT_FILE, metavar="FILE", help="Write the undecided cases, a table to fill in."
)
@click.option("--decided", metavar="FILE", help="Read a file that --cases wrote and a person filled in.")
@click.option(
    "--names", metavar="NAMES", help="What the annotators are called, with commas.  [default: their files]"
)
@click.option(
    "-p", "--protocol", metavar="NAME", shell_complete=completing(lambda: PRESETS),
    help="How agreement is counted: a preset or a signature, as for referee agree.  [default: conll]",
)  # fmt: skip
@click.option(
    "-f", "--format", "form", type=click.Choice(list(RENDERERS)), default="text", show_default=True,
    help="How to print agreement and cases.",
)  # fmt: skip
@click.option(
    "--open", "in_page", is_flag=True,
    help="Open the merged texts and the undecided cases in the browser. What you decide there is kept in "
    "FILE.journal at once, and is written to FILE when Ctrl-C ends it.",
)  # fmt: skip
@click.option(
    "--context", is_flag=True, help="Print each disagreement with what was merged, with the text around it."
)
@resampling_options
@notice_options
def curate_command(
    annotators: tuple[str, ...],
    output: str | None,
    to: str | None,
    cases: str | None,
    form: str,
    context: bool,
    in_page: bool,
    **options: Any,
) -> None:
    """Merge what annotators made of the same texts, given a file or folder for each, and show agreement.

    Annotators vote on each mention, its words, and which mentions belong together. What stays undecided is
    listed, and can be decided in a file: --cases writes it, --decided reads it. A document that some
    annotators lack is merged from those who have it.

    \b
    Examples:
      referee curate ann.conllu bob.conllu -o merged.conllu
      referee curate project/ -o curated --to webanno
      referee curate ann/ bob/ cy/ -o merged.jsonl --cases cases.csv
      referee curate ann/ bob/ cy/ -o merged.jsonl --decided cases.csv
      referee curate ann.jsonl bob.jsonl -o merged.jsonl --rule trusted --trust ann
    """
    check_format(output, to)
    if output and output != STDIN and Path(output).resolve() in {Path(each).resolve() for each in annotators}:
        raise click.UsageError(f"'{output}' is an annotator's own; write the merged annotation elsewhere")
    lossy = options.pop("lossy")
    made = curate(*annotators, **options, progress=progress_bar)
    print_notices(made.notices)
    write = partial(_write, output=output, to=to, lossy=lossy)
    write(made)
    if cases:
        made.write_cases(cases)
    if output != STDIN:
        show(curation_output(made, listed=context), form)
    if in_page:
        write(_corrected(made, str(output)))
    elif output and Path(_beside(output, ENDING)).is_dir():
        kept = _beside(output, ENDING)
        print_notices([f"{kept} has what was decided in the page, which {output} now lacks: add --open"])


def _write(made: Curation, output: str | None, to: str | None, *, lossy: bool) -> None:
    """Write the merged file, and who said what beside it."""
    if output:
        holds = formats.FORMATS[formats.form_for(output, to)].holds
        merged = made.attributed if LAYERS in holds else made.merged
        print_notices(convert(merged, output, to=to, lossy=lossy).notices)
    if output and output != STDIN:
        made.write_annotators(_beside(output, SAID))


def _beside(output: str, ending: str) -> str:
    return output.rstrip("/\\") + ending


def _corrected(made: Curation, output: str) -> Curation:
    """Open the page, and wait until somebody ends it."""
    with workbench(made, journal=_beside(output, ENDING), progress=progress_bar) as bench:
        print_notices(bench.bench.notices)
        say(bench.address)
        mention_done(f"Ctrl-C ends the workbench, and writes {output}")
        with suppress(KeyboardInterrupt, SystemExit):
            bench.wait()
        return made.corrected(bench.corrected)
