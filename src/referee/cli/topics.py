"""referee topics: predicted topics, scored against the gold ones."""

from __future__ import annotations

import json

import click

from referee import formats
from referee.cli.terminal import show, show_table, tell
from referee.crossdoc.predicted_topics import SIMILARITY, predict_topics, topic_fit
from referee.exceptions import ProtocolError
from referee.model import Corpus
from referee.tables.crossdoc_tables import mapping_table, topic_count, topic_table
from referee.tables.table import FACES


@click.command("topics")
@click.argument("corpus")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False),
    help="Write the topics to a JSON file {document: topic}, for --scope and --within.",
)  # fmt: skip
@click.option(
    "--similarity", type=click.FloatRange(0, 1), default=SIMILARITY, show_default=True,
    help="Stop merging when no two groups are as alike as this.",
)  # fmt: skip
@click.option(
    "-f", "--format", "form", type=click.Choice(list(FACES)), default="text", show_default=True,
    help="How to print the agreement with the gold topics.",
)  # fmt: skip
@click.option("-v", "--verbose", is_flag=True, help="Show the gold subtopic of each topic, and every notice.")
def topics_command(corpus: str, output: str | None, similarity: float, form: str, verbose: bool) -> None:
    """Group the documents of CORPUS by their words: TF-IDF of 1- to 3-grams, average-link, cosine.

    Where the corpus knows its topics, says how well they were found: V-measure and B³. Needs scikit-learn.

    \b
    Examples:
      referee topics ecbplus/dev -o topics.json
      referee score ecbplus/dev response.conll --scope topics.json
    """
    read = formats.read(corpus)
    tell(read.notices, verbose=verbose)
    found = predict_topics(read, similarity)
    if output:
        show(json.dumps(found, indent=1, ensure_ascii=False), output)
    agreements = [topic_fit(read, found, level) for level in _levels(read)]
    if not agreements:
        show(f"{topic_count(found)}; the corpus does not say its own")
        return
    show_table(topic_table(found, agreements), form)
    if verbose:
        show_table(mapping_table(found, agreements[-1]), form)


def _levels(corpus: Corpus) -> list[str]:
    """Name the gold groupings that a corpus has."""
    places = [corpus.topic_of(number) for number in range(len(corpus))]
    if not places:
        raise ProtocolError(f"{corpus.name}: has no documents")
    levels = ["topic"] * all(place.topic is not None for place in places)
    return levels + ["subtopic"] * all(place.subtopic is not None for place in places)
