"""What the commands that look at errors share: their options, and how these become a study."""

from __future__ import annotations

import click

from referee.analysis.link_errors import TREES
from referee.cli.names import completing
from referee.cli.options import layer_options
from referee.cli.terminal import Command

OPTIONS = (
    click.option(
        "--spanning-tree", metavar="NAME", default="accessibility", show_default=True,
        shell_complete=completing(lambda: TREES),
        help=f"How links are chosen: {', '.join(TREES)}, or FILE.py:FUNCTION.",
    ),
    click.option(
        "--mention-type", metavar="FILE.py:FUNCTION", help="A function that returns the type of a mention."
    ),
    click.option(
        "--antecedents", multiple=True, metavar="FILE",
        help="Antecedents that a system chose, for precision errors; SYSTEM=FILE if there are several "
        "systems.",
    ),
)  # fmt: skip


def study_options(command: Command) -> Command:
    """Add the options that say how errors are found; the command gets them as keywords."""
    command = layer_options(command)
    for option in reversed(OPTIONS):
        command = option(command)
    return command
