"""The options of camp that commands share."""

from __future__ import annotations

from typing import Any

import click

from referee.cli.options import together
from referee.resolvers.camp.given_layers import LAYER_NAMES


def _split(_context: click.Context, _parameter: click.Parameter, value: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if value else ()


def _layers(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> tuple[str, ...] | str | None:
    """Tell names of layers from a path."""
    names = _split(context, parameter, value)
    return names if set(names) <= set(LAYER_NAMES) else value


camp_options = together(
    click.option("--only", callback=_split, metavar="NAMES", help="Run these components alone."),
    click.option("--until", metavar="NAME", help="Run the components up to this one."),
    click.option("--skip", callback=_split, metavar="NAMES", help="Leave these components out."),
    click.option(
        "--precision", type=click.FloatRange(0, 100), help="How often links should be right.  [default: 80]"
    ),
    click.option("--recall", is_flag=True, help="Link whatever any rule would link."),
    click.option("--guidelines", help="What is a mention: ontonotes, gum or litbank.  [default: ontonotes]"),
    click.option("--nlp", metavar="NAME", help="The spaCy pipeline; otherwise the best that is installed."),
    click.option(
        "--layers", callback=_layers, metavar="PATH|NAMES",
        help="CoNLL-U file or folder whose tags, trees, names and speakers are used instead of spaCy's; "
        f"or names of layers of the corpus itself: {', '.join(LAYER_NAMES)}.",
    ),
    click.option(
        "--rules", type=click.Path(exists=True, dir_okay=False), metavar="FILE",
        help="More words and other weights, in TOML.",
    ),
)  # fmt: skip


def given_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Keep what was given; the rest has its default."""
    return {name: value for name, value in settings.items() if value not in (None, ()) and value is not False}
