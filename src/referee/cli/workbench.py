"""referee workbench: reads and corrects texts in the browser, while the score is shown."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import click

from referee.cli.commands import RefereeCommand
from referee.cli.names import completing
from referee.cli.options import notice_options
from referee.cli.resolver_options import given_settings, setting_options
from referee.cli.terminal import mention_done, print_notices, progress_bar, say
from referee.display import number_of
from referee.functions.workbench import NO_RESOLVER, workbench
from referee.matching.protocol import PRESETS
from referee.resolvers.base import resolvers_within

SYSTEMS = "--systems"
OWN = ("key", "resolver", "journal", "who", "port", "no_open", "protocol")


class _WorkbenchCommand(RefereeCommand):
    """A command of which one option takes all paths up to the next option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Give each of several systems its own option."""
        spread: list[str] = []
        taking = False
        for argument in args:
            if argument.startswith("-") and argument != "-":
                taking = argument == SYSTEMS
                spread += [] if taking else [argument]
            else:
                spread += [SYSTEMS, argument] if taking else [argument]
        if args[-1:] == [SYSTEMS]:
            spread.append(SYSTEMS)  # which click refuses, since no path follows
        return super().parse_args(ctx, spread)


@click.command("workbench", cls=_WorkbenchCommand)
@click.argument("source")
@click.option("--key", metavar="PATH", help="A file or folder to score against, while you correct.")
@click.option(
    SYSTEMS, multiple=True, metavar="PATH...",
    help="Files or folders of systems whose links are suggested; several follow each other.",
)  # fmt: skip
@click.option(
    "--resolver", metavar="NAME", shell_complete=completing(lambda: [*resolvers_within(), NO_RESOLVER]),
    help=f"{', '.join(resolvers_within())}, or {NO_RESOLVER}. It resolves texts without entities (otherwise "
    "neural where a model is installed, and camp where not), and suggests links where there are entities.",
)  # fmt: skip
@click.option(
    "--journal", metavar="FOLDER",
    help="Where corrections are kept.  [default: SOURCE.journal, beside the source]",
)  # fmt: skip
@click.option("--who", metavar="NAME", help="Who corrects, for the journal.  [default: the user's name]")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, metavar="N",
    help="The port of the page.  [default: a free one]",
)  # fmt: skip
@click.option("--no-open", is_flag=True, help="Print the address, and leave the browser alone.")
@click.option(
    "-p", "--protocol", metavar="NAME", shell_complete=completing(lambda: PRESETS),
    help="How the score is counted: a preset or a signature, as for referee score.  [default: the key's]",
)  # fmt: skip
@notice_options
@setting_options(*resolvers_within())
def workbench_command(source: str, systems: tuple[str, ...], **options: Any) -> None:
    """Open SOURCE, a text or a corpus, in the browser: read it, correct it, and export it in any format.

    A text is resolved first. Each edit is kept in a journal beside the source as soon as it is made, and is
    there again next time; the source is never changed. The page is served on this machine alone. Ctrl-C ends
    it.

    \b
    Examples:
      referee workbench story.txt
      referee workbench dev.conll --key key.conll
      referee workbench corpus/ --key key/ --systems a/ b/
      referee workbench story.txt --resolver camp --no-open
    """
    settings = given_settings()
    chosen = {name: options[name] for name in OWN}
    with workbench(source, systems=systems, progress=progress_bar, **chosen, **settings) as bench:
        print_notices(bench.bench.notices)
        say(bench.address)
        mention_done("Ctrl-C ends the workbench; whoever has this address may read and correct")
        with suppress(KeyboardInterrupt, SystemExit):
            bench.wait()
        edits = number_of(bench.bench.edits, "edit")
        kept = f"; {bench.folder} has {edits}" if bench.bench.was_changed else "; nothing was changed"
    mention_done(f"the workbench has ended{kept}")
