"""The options of the neural resolver."""

from __future__ import annotations

import click

from referee.cli.options import together

neural_options = together(
    click.option("--model", metavar="NAME|FOLDER", help="The neural model; otherwise the one installed."),
    click.option(
        "--least", type=float, metavar="NUMBER",
        help="What a link must score, in log odds: above 0 fewer and surer links, below 0 more (neural).",
    ),
    click.option("--singletons", is_flag=True, help="Keep mentions that are linked to nothing (neural)."),
    click.option(
        "--mentions", type=click.Choice(["predicted", "gold"]),
        help="Link the mentions that a corpus has, and look for no others (neural).",
    ),
    click.option("--threads", type=click.IntRange(1), help="Threads for one text (neural)."),
)  # fmt: skip
