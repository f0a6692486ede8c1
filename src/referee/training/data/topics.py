"""What a head across documents learns from: topics of annotated documents, read by the encoder once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from referee.arrays import Grouped, IntArray
from referee.exceptions import ProtocolError
from referee.matching.units import unit_labels
from referee.model import Corpus, Text
from referee.resolvers.across.head import LINKED_KINDS, Floats, unit_states
from referee.resolvers.across.mention_table import every_word
from referee.resolvers.across.neighbours import RowPairs, all_pairs
from referee.resolvers.across.pair_features import Located, describe_mentions
from referee.resolvers.across.similarity import CorpusSimilarity
from referee.resolvers.across.span_words import SpanWords, all_spans, span_words, spans_together

Encode = Callable[[Text], Floats]


class KindMaterial(NamedTuple):
    """The mentions of one kind of a topic, and all pairs of them."""

    kind: int
    spans: SpanWords
    document: IntArray
    pairs: RowPairs
    same: npt.NDArray[np.float32]
    cosines: Floats
    features: npt.NDArray[np.float16]


class TopicPart(NamedTuple):
    """Some documents of a topic: rows of its spans, states of their words and a row of zeros, those spans.

    `local` says which of these each word of the topic is; those of other documents are the zeros.
    """

    rows: IntArray
    states: Floats
    spans: SpanWords
    local: IntArray


class TopicMaterial(NamedTuple):
    """A topic: states of all its words and a row of zeros, all spans and what each is, mentions by kind."""

    name: str
    states: Floats
    home: IntArray  # the number of each word's document
    spans: SpanWords
    label: IntArray  # 0, or 1 for an event, or 2 for an entity
    cluster: IntArray  # the number of its cluster, or −1
    located: Located
    kinds: list[KindMaterial]
    paired: Callable[[int, Located, IntArray], KindMaterial]

    @property
    def document(self) -> IntArray:
        """The number of each span's document."""
        return self.located.document

    def part(self, documents: IntArray) -> TopicPart:
        """Take the spans and the words of some documents."""
        rows = np.flatnonzero(np.isin(self.document, documents))
        words = np.append(np.flatnonzero(np.isin(self.home, documents)), self.home.size)
        index = np.full(len(self.states), words.size - 1)
        index[words] = np.arange(words.size)
        return TopicPart(rows, self.states[words], self.spans.chosen(rows).moved(index), index)

    def as_mentions(self, kind: int, rows: IntArray) -> KindMaterial:
        """Take some of all spans for mentions of a kind; those that are none are in no cluster."""
        cluster = np.where(self.label[rows] == kind + 1, self.cluster[rows], -1)
        return self.paired(kind, Located(*(column[rows] for column in self.located)), cluster)


def topic_materials(corpus: Corpus, encode: Encode) -> list[TopicMaterial]:
    """Read a corpus with topics, with events and entities."""
    reader = _Reader(corpus, encode)
    names, number = np.unique(unit_labels(corpus, "topic"), return_inverse=True)
    topics = Grouped.of(number.astype(np.int64))
    return [reader.topic(name, topics[row].tolist()) for row, name in enumerate(names.tolist())]


def no_shared_topics(train: Corpus, dev: Corpus) -> None:
    """Refuse parts that share a topic: a model would be measured on what it has learned."""
    both = {*unit_labels(train, "topic")} & {*unit_labels(dev, "topic")}
    if both:
        raise ProtocolError(
            f"topics of both train and dev: {', '.join(sorted(both)[:5])}; divide them by topic"
        )


class _Reader:
    """A corpus by kinds, and how alike its documents are."""

    def __init__(self, corpus: Corpus, encode: Encode) -> None:
        self.kinds = [list(corpus.of_kind(kind)) for kind in LINKED_KINDS]
        self.texts = [document.text for document in self.kinds[0]]
        self.similarity = CorpusSimilarity.of(every_word(corpus))
        self.encode = encode

    def topic(self, name: str, rows: Sequence[int]) -> TopicMaterial:
        """Read the documents of a topic."""
        states = [self.encode(self.texts[row]) for row in rows]
        first = dict(zip(rows, np.cumsum([0, *map(len, states)]).tolist(), strict=False))
        joined = np.concatenate([*states, np.zeros((1, states[0].shape[1]), np.float32)])
        every = [all_spans(self.texts[row]) for row in rows]
        spans = spans_together([part.shifted(first[row]) for part, row in zip(every, rows, strict=True)])
        alone = spans_together(every)
        document = np.repeat(np.array(rows, np.int64), [part.size for part in every])
        located = Located(document, alone.first, alone.last + 1)
        mentions = [self.mentions(kind, rows) for kind in range(len(LINKED_KINDS))]
        label, cluster = _labels(located, mentions)
        home = np.repeat(np.array(rows, np.int64), [len(of_text) for of_text in states])
        paired = partial(self.paired, first=first, states=joined)
        kinds = [paired(kind, *of_kind) for kind, of_kind in enumerate(mentions)]
        return TopicMaterial(name, joined, home, spans, label, cluster, located, kinds, paired)

    def mentions(self, kind: int, rows: Sequence[int]) -> tuple[Located, IntArray]:
        """List the mentions of a kind in some documents, and the number of each one's cluster."""
        annotated = [
            (row, mention.start, mention.end, cluster.id)
            for row in rows
            for cluster in self.kinds[kind][row].clusters
            for mention in cluster.mentions
        ]
        columns = np.array([each[:3] for each in annotated], np.int64).reshape(-1, 3).T
        numbers = np.unique(np.array([each[3] for each in annotated]), return_inverse=True)[1]
        return Located(columns[0], columns[1], columns[2]), numbers.astype(np.int64)

    def paired(
        self, kind: int, located: Located, cluster: IntArray, *, first: Mapping[int, int], states: Floats
    ) -> KindMaterial:
        """Compare all pairs of mentions of documents whose words begin at `first` of the states."""
        parts = []
        for row, before in first.items():
            inside = located.document == row
            ends = located.start[inside], located.end[inside] - 1
            parts.append(span_words(self.texts[row], *ends).shifted(before))
        spans, pairs = spans_together(parts), all_pairs(cluster.size)
        described = describe_mentions(self.texts, self.similarity, located)
        one, other = cluster[pairs.first], cluster[pairs.second]
        cosines = [
            np.einsum("ij,ij->i", unit[pairs.first], unit[pairs.second])
            for unit in unit_states(states, spans)
        ]
        return KindMaterial(
            kind, spans, located.document, pairs, ((one == other) & (one >= 0)).astype(np.float32),
            np.stack(cosines, 1), described.features(pairs).astype(np.float16),
        )  # fmt: skip


def _labels(located: Located, kinds: Sequence[tuple[Located, IntArray]]) -> IntArray:
    """Label each span as an event, an entity or neither, with its cluster; gaps are filled."""
    known: dict[tuple[int, ...], tuple[int, int]] = {}
    for label, (mentions, clusters) in enumerate(kinds, start=1):
        for *span, cluster in zip(*(column.tolist() for column in (*mentions, clusters)), strict=True):
            known.setdefault(tuple(span), (label, cluster))
    spans = zip(*(column.tolist() for column in located), strict=True)
    return np.array([known.get(span, (0, -1)) for span in spans], np.int64).reshape(-1, 2).T
