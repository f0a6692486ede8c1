"""referee export: a trained neural model as a folder that runs without torch."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.commands import RefereeCommand
from referee.cli.options import notice_options
from referee.cli.outputs import OUTPUT_FOLDER
from referee.cli.terminal import print_notices, say, terminal_look
from referee.exceptions import need_package
from referee.tables.layout import text_table


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
    need_package("onnx", "train")
    from referee.resolvers.neural.guided_corpora import FIRST, guided_corpus
    from referee.resolvers.neural.models import facts_in
    from referee.resolvers.neural.tuning import DevText, Tuner
    from referee.tables.models import export_table, folder_size
    from referee.training.export.model import export_model

    source, target = Path(model), Path(output)
    names = list(facts_in(source).get("guidelines", [FIRST]))
    read = [guided_corpus(path, names, notify=print_notices) for path in dev]
    network = export_model(source, target, int8=int8)
    texts = [DevText(document, number) for documents, number in read for document in documents]
    rows = []
    for folder in (source, target):
        tuner = Tuner(folder, texts) if texts else None
        rows.append((str(folder), folder_size(folder), tuner.point(tuner.knobs).conll if tuner else None))
    say(text_table(export_table(rows, network.parameters), terminal_look()))
