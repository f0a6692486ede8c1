"""Zeros, words that are not written, among the written ones, where a network reads them.

A dropped pronoun is a word of its text that comes after all written words. For the network each stands where
it belongs, spelled ZERO; what is found is then given in the numbers of the text. So zeros that are given, as
in CorefUD, are resolved; none are guessed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.language.word_classes import ZERO
from referee.model import Cluster, Document, Mention, Span, Text
from referee.model.mentions import joined_spans


def zeros_placed(document: Document) -> Document:
    """Put the zeros of a document among its written words; clusters count words as they stand then.

    A mention of written words has the zeros between them.

    >>> from referee.model import Text
    >>> from referee.model.text import Zero
    >>> text = Text("d", ("Jött", "és", "látott", "DROP"), ((0, 3),), zeros=(Zero(2),))
    >>> placed = zeros_placed(Document(text, (Cluster("1", (Mention.at(1, 3), Mention.at(3, 4))),)))
    >>> placed.words, [mention.spans for mention in placed.mentions]
    (('Jött', 'és', '_', 'látott'), [((1, 4),), ((2, 3),)])
    """
    text = document.text
    if not text.zeros:
        return document
    order = text.reading_order()
    position = {word: place for place, word in enumerate(order)}
    words = tuple(text.words[word] if word < text.length else ZERO for word in order)
    layers = {
        name: tuple(column[word] for word in order)
        for name, column in text.layers.items()
        if len(column) == len(order)
    }
    placed = replace(
        text, words=words, sentences=_sentences(text, order, position), layers=layers, running=None,
        characters=(), zeros=(),
    )  # fmt: skip
    clusters = tuple(
        replace(
            cluster,
            mentions=tuple(
                _moved(each, [(position[a], position[b - 1] + 1) for a, b in each.spans])
                for each in cluster.mentions
            ),
        )
        for cluster in document.clusters
    )
    return Document(placed, clusters)


def _sentences(text: Text, order: Sequence[int], position: Mapping[int, int]) -> tuple[Span, ...]:
    """Let sentences have their zeros; at a border a zero knows which of the two sentences it is in."""

    def sentence_of(place: int) -> int | None:
        """Give the sentence that a zero names; nothing for a written word."""
        zero = order[place] - text.length if 0 <= place < len(order) else -1
        return text.zeros[zero].sentence if zero >= 0 else None

    sentences = []
    for number, (start, end) in enumerate(text.sentences):
        first, after = position[start], position[end - 1] + 1
        while (named := sentence_of(first - 1)) is not None and named >= number:
            first -= 1
        while (named := sentence_of(after)) is not None and named <= number:
            after += 1
        sentences.append((first, after))
    return tuple(sentences)


def zeros_put_back(clusters: Sequence[Cluster], document: Document) -> tuple[Cluster, ...]:
    """Count words as the document does again, of clusters that were found where its zeros were placed."""
    text = document.text
    if not text.zeros:
        return tuple(clusters)
    order = text.reading_order()
    return tuple(
        replace(
            cluster,
            mentions=tuple(
                _moved(each, _in_text(order[each.start : each.end], text.length)) for each in cluster.mentions
            ),
        )
        for cluster in clusters
    )


def _in_text(words: Sequence[int], length: int) -> list[Span]:
    """Give the written words of a stretch, or its zeros if it has none."""
    written = [word for word in words if word < length]
    return [(written[0], written[-1] + 1)] if written else [(word, word + 1) for word in words]


def _moved(mention: Mention, spans: Sequence[Span]) -> Mention:
    return replace(mention, spans=joined_spans(list(spans)), minimum=None, head=None)
