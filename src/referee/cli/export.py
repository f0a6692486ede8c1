"""referee export: a trained neural model as a folder that runs without torch."""

from __future__ import annotations

import click

from referee.cli.commands import RefereeCommand
from referee.cli.options import notice_options
from referee.cli.outputs import OUTPUT_FOLDER
from referee.cli.terminal import print_notices, say, terminal_look
from referee.functions.export import export
from referee.tables.rendering import as_text


@click.command("export", cls=RefereeCommand)
@click.argument("model", type=click.Path(file_okay=False))
@click.option("-o", "--output", required=True, type=OUTPUT_FOLDER, metavar="FOLDER", help="What to write.")
@click.option(
    "--int8", "int8", is_flag=True, help="Use eight-bit weights: a quarter of the size, and faster."
)
@click.option(
    "--dev", multiple=True, metavar="CORPUS", help="Score MODEL and the export on it; may be repeated."
)
@notice_options
def export_command(model: str, output: str, int8: bool, dev: tuple[str, ...]) -> None:
    """Write a trained MODEL as encoder.onnx, head.safetensors, tokenizer.json and model.json.

    With --dev it shows the effect on the scores. CORPUS may be NAME=PATH, as in `referee train`.

    \b
    Examples:
      referee export my-model/ -o my-model-int8/ --int8
      referee export my-model/ -o my-model-int8/ --int8 --dev corpus/dev
    """
    made = export(model, output, int8=int8, dev=dev, notify=print_notices)
    say(as_text(made.output, terminal_look()))
