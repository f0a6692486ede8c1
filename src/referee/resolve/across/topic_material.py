"""What a head across documents learns from: topics of annotated documents, read by the encoder once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from referee.arrays import Grouped, IntArray
from referee.exceptions import ProtocolError
from referee.matching.units import unit_labels
from referee.model import Corpus, Document, Text
from referee.resolve.across.across_head import LINKED_KINDS, Floats, unit_states
from referee.resolve.across.likeness import Likeness
from referee.resolve.across.mention_table import every_word
from referee.resolve.across.neighbours import RowPairs, all_pairs
from referee.resolve.across.pair_features import Located, describe_mentions
from referee.resolve.across.span_words import SpanWords, all_spans, span_words, spans_together

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


class TopicMaterial(NamedTuple):
    """A topic: states of all its words and a row of zeros, all spans and what each is, mentions by kind."""

    name: str
    states: Floats
    spans: SpanWords
    label: IntArray  # 0, or 1 for an event, or 2 for an entity
    document: IntArray
    kinds: list[KindMaterial]


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
        self.kinds = [list(corpus.only(kind)) for kind in LINKED_KINDS]
        self.texts = [document.text for document in self.kinds[0]]
        self.likeness = Likeness.of(every_word(corpus))
        self.encode = encode

    def topic(self, name: str, rows: Sequence[int]) -> TopicMaterial:
        """Read the documents of a topic."""
        states = [self.encode(self.texts[row]) for row in rows]
        before = np.cumsum([0, *map(len, states)])[:-1].tolist()
        joined = np.concatenate([*states, np.zeros((1, states[0].shape[1]), np.float32)])
        every = [all_spans(self.texts[row]) for row in rows]
        label = [
            _labels(spans, [kind[row] for kind in self.kinds]) for spans, row in zip(every, rows, strict=True)
        ]
        spans = spans_together([part.shifted(by) for part, by in zip(every, before, strict=True)])
        document = np.repeat(np.array(rows, np.int64), [part.size for part in every])
        first = dict(zip(rows, before, strict=True))
        kinds = [self.mentions(kind, first, joined) for kind in range(len(LINKED_KINDS))]
        return TopicMaterial(name, joined, spans, np.concatenate(label), document, kinds)

    def mentions(self, kind: int, first: Mapping[int, int], states: Floats) -> KindMaterial:
        """Describe the mentions of a kind in documents whose words begin at `first` of the states."""
        parts, located, clusters = list[SpanWords](), list[tuple[int, int, int]](), list[str]()
        for row, before in first.items():
            text = self.texts[row]
            own = [(m, cluster.id) for cluster in self.kinds[kind][row].clusters for m in cluster.mentions]
            ends = np.array([(m.start, m.end - 1) for m, _ in own], np.int64).reshape(-1, 2)
            parts.append(span_words(text, ends[:, 0], ends[:, 1]).shifted(before))
            located += [(row, m.start, m.end) for m, _ in own]
            clusters += [id_ for _, id_ in own]
        spans, pairs = spans_together(parts), all_pairs(len(clusters))
        columns = np.array(located, np.int64).reshape(-1, 3).T
        described = describe_mentions(self.texts, self.likeness, Located(columns[0], columns[1], columns[2]))
        number = np.unique(np.array(clusters), return_inverse=True)[1]
        cosines = [
            np.einsum("ij,ij->i", unit[pairs.first], unit[pairs.second])
            for unit in unit_states(states, spans)
        ]
        return KindMaterial(
            kind, spans, columns[0], pairs, (number[pairs.first] == number[pairs.second]).astype(np.float32),
            np.stack(cosines, 1), described.features(pairs).astype(np.float16),
        )  # fmt: skip


def _labels(spans: SpanWords, kinds: Sequence[Document]) -> IntArray:
    """Say of each span of a document whether it is an event or an entity; a gap in a mention is filled."""
    known: dict[tuple[int, int], int] = {}
    for number, document in enumerate(kinds, start=1):
        for mention in document.mentions:
            known.setdefault((mention.start, mention.end - 1), number)
    ends = zip(spans.first.tolist(), spans.last.tolist(), strict=True)
    return np.array([known.get(span, 0) for span in ends], np.int64)
