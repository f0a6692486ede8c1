"""referee topics: predicted topics, scored against the gold ones."""

from __future__ import annotations

import click

from referee.cli.commands import RefereeCommand
from referee.cli.options import notice_options
from referee.cli.outputs import OUTPUT_FILE
from referee.cli.terminal import is_verbose, print_notices, save_words, show
from referee.crossdoc.predicted_topics import SIMILARITY
from referee.functions.topics import topics
from referee.tables.crossdoc import topic_output
from referee.tables.rendering import RENDERERS, json_text


@click.command("topics", cls=RefereeCommand)
@click.argument("corpus")
@click.option(
    "-o", "--output", type=OUTPUT_FILE, metavar="FILE",
    help="Write the topics to a JSON file {document: topic}, for --scope.",
)  # fmt: skip
@click.option(
    "--similarity", type=click.FloatRange(0, 1), default=SIMILARITY, show_default=True,
    help="Stop merging when no two groups are at least this similar.",
)  # fmt: skip
@click.option(
    "-f", "--format", "form", type=click.Choice(list(RENDERERS)), default="text", show_default=True,
    help="Format of the agreement with the gold topics.",
)  # fmt: skip
@notice_options
def topics_command(corpus: str, output: str | None, similarity: float, form: str) -> None:
    """Group the documents of CORPUS by their words: TF-IDF of 1- to 3-grams, average-link, cosine.

    If the corpus has gold topics, V-measure and B³ show how well they were found; --verbose also shows the
    most frequent gold topic of each group. This needs scikit-learn.

    \b
    Examples:
      referee topics ecbplus/dev -o topics.json
      referee score ecbplus/dev response.conll --scope topics.json
    """
    predicted = topics(corpus, similarity=similarity)
    print_notices(predicted.notices)
    if output:
        save_words(json_text(predicted), output)
    shown = topic_output(predicted, predicted.fits, predicted.notices, mapping=is_verbose())
    show(shown, form)
