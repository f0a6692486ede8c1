"""referee stats: counts of a corpus's documents, mentions and clusters."""

from __future__ import annotations

from collections.abc import Sequence

import click

from referee import formats
from referee.cli.commands import RefereeCommand
from referee.cli.options import ids_option, output_options
from referee.cli.terminal import print_notices, progress_bar, show
from referee.crossdoc.corpus_statistics import CorpusCounts, CorpusStatistics, corpus_statistics
from referee.formats.corpora.ecbplus import EcbPlusCorpus, part_of
from referee.matching.protocol import CHOICES
from referee.model import Corpus
from referee.tables.crossdoc import statistics_of_corpus

PART_NAMES = {"train": "Train", "dev": "Validation", "test": "Test", "": "Other"}


@click.command("stats", cls=RefereeCommand)
@click.argument("corpus")
@click.option(
    "--kind",
    type=click.Choice(CHOICES["kind"]),
    help="Count only events, only entities, or all, instead of each.",
)
@ids_option
@output_options
def stats_command(corpus: str, kind: str | None, ids: str | None, form: str, output: str | None) -> None:
    """Count the topics, documents, sentences, mentions, singletons and clusters of CORPUS.

    ECB+ is counted by part (train, validation, test) and by kind, as in Table 7 of Cattan et al. (2021).

    \b
    Examples:
      referee stats ecbplus/dev
      referee stats ecbplus --format latex
      referee stats key.conll
    """
    read = formats.read(corpus, ids=ids or "document")
    print_notices(read.notices)
    counted = _count(read, [kind] if kind else read.kinds)
    show(statistics_of_corpus(counted, corpus), form, output)


def _count(corpus: Corpus, kinds: Sequence[str]) -> CorpusCounts:
    """Count each part and kind, with a progress bar."""
    parts: dict[str, list[int]] = {}
    for number in range(len(corpus)):
        known = isinstance(corpus, EcbPlusCorpus)
        name = PART_NAMES[part_of(corpus.topic_of(number).topic) or ""] if known else ""
        parts.setdefault(name, []).append(number)
    ordered = sorted(parts, key=lambda part: [*PART_NAMES.values(), part].index(part))
    counted: list[CorpusStatistics] = []
    with progress_bar(len(parts) * len(kinds), "counting") as advance:
        for part in ordered:
            for kind in kinds:
                counted.append(corpus_statistics(corpus, part, kind, parts[part]))
                advance(1)
    return CorpusCounts(counted, corpus.name)
