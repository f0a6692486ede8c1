"""referee.stats: what a corpus holds."""

from __future__ import annotations

from typing import Any

from referee import formats
from referee.crossdoc.corpus_statistics import CorpusCounts, CorpusStatistics, corpus_statistics
from referee.formats.corpora.ecbplus import EcbPlusCorpus, part_of
from referee.scoring.evaluate import Bar, no_bar

PART_NAMES = {"train": "Train", "dev": "Validation", "test": "Test", "": "Other"}


def stats(
    corpus: Any, *, kind: str | None = None, ids: str | None = None, progress: Bar = no_bar
) -> CorpusCounts:
    """Count the topics, documents, sentences, mentions, singletons and clusters of a corpus.

    ECB+ is counted by part (train, validation, test) and by kind.

    Args:
        corpus: A path, a corpus, documents, or what else `read` takes.
        kind: Count `all` mentions, `events` or `entities`; otherwise each kind that the corpus has.
        ids: Where a cluster's id means the same, if the format cannot say so: in its `document`, or in the
            whole `corpus`.
        progress: What makes a progress bar, given a number of steps and a label.

    Returns:
        A list of `CorpusStatistics`, one for each part and kind.

    Raises:
        FormatError: If a file cannot be read.

    Examples:
        >>> import referee
        >>> words = ["Ann", "said", "she", "slept", "."]
        >>> ann = referee.Cluster("1", (referee.Mention.at(0, 1), referee.Mention.at(2, 3)))
        >>> key = referee.Document.of("d", words, [(0, 5)], [ann])
        >>> (counts,) = referee.stats(key)
        >>> counts.mentions, counts.clusters
        (2, 1)
    """
    read = formats.opened(corpus, ids=ids or "document")
    kinds = [kind] if kind else read.kinds
    parts: dict[str, list[int]] = {}
    for number in range(len(read)):
        known = isinstance(read, EcbPlusCorpus)
        name = PART_NAMES[part_of(read.topic_of(number).topic) or ""] if known else ""
        parts.setdefault(name, []).append(number)
    ordered = sorted(parts, key=lambda part: [*PART_NAMES.values(), part].index(part))
    counted: list[CorpusStatistics] = []
    with progress(len(parts) * len(kinds), "counting") as advance:
        for part in ordered:
            for each in kinds:
                counted.append(corpus_statistics(read, part, each, parts[part]))
                advance(1)
    return CorpusCounts(counted, read.name, read.notices)
