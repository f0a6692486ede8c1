"""Documents to learn from, as arrays; and batches of several, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from referee.arrays import IntArray
from referee.language.languages import ENGLISH
from referee.model.mentions import Cluster, Span
from referee.model.text import Document
from referee.resolvers.neural.cutting import cut_sentences, sentence_numbers, speakers_of, words_of
from referee.resolvers.neural.features import MAX_SPAN_WIDTH, WordFeatures, describe_words
from referee.resolvers.neural.subwords import subword_kinds, windows
from referee.training.networks.resolver import Inputs

ENTITY_KINDS = (
    "", "abstract", "animal", "event", "object", "organization", "person", "place", "plant", "substance",
    "time",
)  # fmt: skip


class Vocabulary(NamedTuple):
    """The subwords that an encoder knows, in order, and those that begin a window, end it and pad it."""

    subwords: IntArray
    special_tokens: tuple[int, int, int] = (101, 102, 0)  # BERT's [CLS], [SEP] and [PAD]


@dataclass(slots=True)
class Example:
    """A document with what is known of its mentions: first and last word, cluster, linked, entity, type."""

    id: str
    columns: tuple[WordFeatures, ...]  # with the document's sentences, and with those that are cut by rule
    subwords: IntArray
    ends: IntArray  # word → its first and its last subword
    mentions: IntArray
    roles: IntArray  # in GAP: 1 right name, 2 wrong name, 3 the pronoun of a right name, 4 of none
    gap: tuple[int, ...] = ()
    whole: Example | None = None  # what it was cut out of, and its first word there
    begin: int = 0
    renamed: bool = False
    labelled: bool = True  # whether its clusters are known

    @property
    def guideline(self) -> int:
        """The number of the guidelines that it follows."""
        return int(self.columns[0].guideline[0])

    @property
    def length(self) -> int:
        """The number of words."""
        return len(self.ends)

    @property
    def key(self) -> list[list[tuple[int, int]]]:
        """The clusters of two mentions and more."""
        clusters: dict[int, list[tuple[int, int]]] = {}
        for first, last, cluster, linked, *_ in self.mentions.tolist():
            if linked:
                clusters.setdefault(cluster, []).append((first, last))
        return list(clusters.values())


def example_of(
    document: Document,
    subwords: IntArray,
    ends: IntArray,
    *,
    guideline: int = 0,
    entities: Document | None = None,
    language: str = ENGLISH,
) -> Example:
    """Make an example of an annotated document whose words were cut into subwords.

    `entities` is the same document with all entities, also those that are mentioned once, and their types.
    """
    words, sentences = words_of(document.text), sentence_numbers(document.text, language)
    speakers = speakers_of(document.text)
    cut = describe_words(words, cut_sentences(words, language=language), speakers, guideline, language)
    columns = (describe_words(words, sentences, speakers, guideline, language), cut)
    roles = np.zeros(len(words), np.int64)
    known = known_mentions(document, entities)
    return Example(document.id, columns, subwords, ends, known, roles)


def known_mentions(document: Document, entities: Document | None = None) -> IntArray:
    """List the mentions that can be learnt: those of one span of written words, each in its first cluster."""
    known: dict[Span, list[int]] = {}
    for number, cluster in enumerate(document.clusters, 1):
        spans = [span for span in _learnable(document, cluster) if span not in known]
        known |= {span: [number, int(len(spans) > 1), 1, 0] for span in spans}
    for cluster in entities.clusters if entities else ():
        kind = ENTITY_KINDS.index(cluster.type) if cluster.type in ENTITY_KINDS else 0
        for span in _learnable(document, cluster):
            known.setdefault(span, [0, 0, 1, 0])[3] = kind
    rows = [(start, end - 1, *facts) for (start, end), facts in sorted(known.items())]
    return np.array(rows, np.int64).reshape(-1, 6)


def _learnable(document: Document, cluster: Cluster) -> list[Span]:
    written = [m.spans[0] for m in cluster.mentions if len(m.spans) == 1 and m.end <= document.text.length]
    return list(dict.fromkeys(written))


def crop(example: Example, first: int, stop: int) -> Example:
    """Cut whole sentences out of a document; a mention whose cluster is left behind is no longer linked."""
    sentence = example.columns[0].sentence
    begin = int(np.searchsorted(sentence, sentence[first]))
    end = int(np.searchsorted(sentence, sentence[stop - 1], side="right"))
    columns = tuple(_cropped(words, begin, end) for words in example.columns)
    start, last = example.ends[begin, 0], example.ends[end - 1, 1]
    inside = (example.mentions[:, 0] >= begin) & (example.mentions[:, 1] < end)
    mentions = example.mentions[inside] - np.array([begin, begin, 0, 0, 0, 0])
    sizes = np.bincount(mentions[:, 2], minlength=1)
    mentions[:, 3] &= sizes[mentions[:, 2]] > 1
    return replace(
        example,
        columns=columns,
        subwords=example.subwords[start : last + 1],
        ends=example.ends[begin:end] - start,
        mentions=mentions,
        roles=example.roles[begin:end],
        whole=example.whole or example,
        begin=example.begin + begin,
    )


def _cropped(words: WordFeatures, begin: int, end: int) -> WordFeatures:
    cut = WordFeatures(*(column[begin:end] for column in words))
    return cut._replace(until=np.minimum(cut.until, end) - begin)


class Batch(NamedTuple):
    """Documents one after the other, as the network wants them, with what is to be learnt."""

    inputs: Inputs
    mentions: Tensor  # index of the span (word × MAX_SPAN_WIDTH + width), cluster, linked, entity, type
    roles: Tensor
    labelled: Tensor  # word → whether its document has clusters
    offsets: list[int]


class View(NamedTuple):
    """How a document is shown this time: by which sentences, with speakers or not, under which guideline."""

    variant: int = 0
    speakers: bool = True
    guideline: int | None = None


def collate(examples: Sequence[Example], views: Sequence[View], vocabulary: Vocabulary, device: str) -> Batch:
    """Make a batch."""
    rows, kinds, used, ends, words, mentions, offsets = [], [], [], [], [], [], []
    word = row = cluster = 0
    cuts = [windows(example.subwords, vocabulary.special_tokens) for example in examples]
    wide = max(cut.rows.shape[1] for cut in cuts)
    for number, (example, cut, view) in enumerate(zip(examples, cuts, views, strict=True)):
        described = _shifted(example, view, word, number)
        columns = cut.rows.shape[1]
        padding = ((0, 0), (0, wide - columns))
        rows.append(np.pad(cut.rows, padding, constant_values=vocabulary.special_tokens[2]))
        kinds.append(np.pad(subword_kinds(described, example.ends, cut), padding))
        used.append(np.arange(wide)[None] < cut.lengths[:, None])
        line, column = np.divmod(cut.read, columns)
        ends.append(((line + row) * wide + column)[example.ends])
        words.append(described)
        mentions.append(_numbered_spans(example, word, cluster))
        offsets.append(word)
        word, row = word + example.length, row + len(cut.rows)
        cluster += example.mentions[:, 2].max(initial=0)
    joined = [np.concatenate(column) for column in zip(*words, strict=True)]
    labelled = np.repeat(
        [example.labelled and view.guideline is None for example, view in zip(examples, views, strict=True)],
        [example.length for example in examples],
    )
    roles = np.concatenate([example.roles for example in examples])
    packed = [
        np.searchsorted(vocabulary.subwords, np.concatenate(rows)),
        *(np.concatenate(part) for part in (kinds, used, ends, mentions)),
    ]
    packed += [roles, labelled, *joined]
    sent = [torch.from_numpy(np.ascontiguousarray(array)).to(device, non_blocking=True) for array in packed]
    inputs = Inputs(sent[0], sent[1], sent[2], WordFeatures(*sent[7:]), sent[3])
    return Batch(inputs, sent[4], sent[5], sent[6], offsets)


def _numbered_spans(example: Example, word: int, cluster: int) -> IntArray:
    """Number a document's mentions among all spans of its batch, and its clusters among all clusters."""
    first, last, clusters, *rest = example.mentions.T
    shifted = np.where(clusters > 0, clusters + cluster, 0)
    numbered = np.stack([(first + word) * MAX_SPAN_WIDTH + last - first, shifted, *rest], 1)
    return numbered[last - first < MAX_SPAN_WIDTH]


def _shifted(example: Example, view: View, word: int, number: int) -> WordFeatures:
    words = example.columns[view.variant]
    changes = {"until": words.until + word, "document": words.document + number}
    if not view.speakers:
        changes["speaker"] = words.speaker * 0
    if view.guideline is not None:
        changes["guideline"] = words.guideline * 0 + view.guideline
    return words._replace(**changes)


def groups(examples: Sequence[Example], order: Sequence[int], words: int) -> Iterator[list[Example]]:
    """Take examples in an order until a batch has enough words."""
    batch: list[Example] = []
    for index in order:
        if batch and sum(example.length for example in batch) + examples[index].length > words:
            yield batch
            batch = []
        batch.append(examples[index])
    if batch:
        yield batch
