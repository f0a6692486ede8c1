"""Counts the contents of a corpus, as in Table 7 of Cattan et al. (2021), and how far its clusters reach."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from referee.display import Rows
from referee.model import Corpus


@dataclass(frozen=True, slots=True)
class CorpusStatistics:
    """Counts of one part of a corpus and one kind of mention."""

    part: str
    kind: str
    topics: int
    subtopics: int
    documents: int
    sentences: int
    tokens: int
    mentions: int
    singletons: int
    clusters: int  # of two mentions or more
    across: int  # of these, the ones with mentions in two documents or more


class CorpusCounts(Rows, list[CorpusStatistics]):
    """What a corpus holds: a list of `CorpusStatistics`, one for each part and kind of mention.

    Its rows, in `to_frame` and `to_polars`, are these.
    """

    _output = "crossdoc:corpus_counts_output"

    def __init__(self, counted: Iterable[CorpusStatistics], name: str, notices: Sequence[str] = ()) -> None:
        """Keep the counts, the corpus's name, and what should be known about how it was read."""
        super().__init__(counted)
        self.name, self.notices = name, list(notices)


def corpus_statistics(
    corpus: Corpus, part: str, kind: str, numbers: Sequence[int] | None = None
) -> CorpusStatistics:
    """Count some documents of a corpus, or all; a singleton is alone in all of them together."""
    chosen = range(len(corpus)) if numbers is None else numbers
    corpus = corpus.of_kind(kind)
    sizes: Counter[str] = Counter()
    homes: defaultdict[str, set[int]] = defaultdict(set)
    sentences = tokens = 0
    for number in chosen:
        document = corpus.document(number)
        sentences += len(document.sentences)
        tokens += document.text.length
        for i, cluster in enumerate(document.clusters):
            id_ = cluster.id if corpus.cross_document else f"{number} {i}"
            sizes[id_] += len(set(cluster.mentions))
            homes[id_].add(number)
    topics = [corpus.topic_of(number) for number in chosen]
    linked = [id_ for id_, size in sizes.items() if size > 1]
    return CorpusStatistics(
        part, kind,
        topics=len({topic for topic, _ in topics} - {None}),
        subtopics=len({topic for topic in topics if topic.subtopic is not None}),
        documents=len(chosen), sentences=sentences, tokens=tokens,
        mentions=sizes.total(),
        singletons=len(sizes) - len(linked),
        clusters=len(linked),
        across=sum(len(homes[id_]) > 1 for id_ in linked),
    )  # fmt: skip
