"""Carries mentions between token offsets and character offsets.

A tokenised text and a running text are compared by their characters that are not white space: these are
the same in both, wherever the tokeniser cut.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from referee.model import Chains, Cluster, Corpus, Document, Mention, Place, Span

WORD = re.compile(r"\w+|[^\w\s]")


def in_characters(document: Document) -> Document:
    """Count a document's spans in characters that are not white space."""
    if document.text is None:
        before = [0, *accumulate(len("".join(token.split())) for token in document.tokens)]
        text = "".join("".join(token.split()) for token in document.tokens)
    else:
        before = [0, *accumulate(not character.isspace() for character in document.text)]
        text = "".join(document.text.split())
    return replace(_moved(document, before), text=text, tokens=(), sentences=(), layers={})


def in_tokens(document: Document) -> Document:
    """Cut a running text into tokens, at white space, punctuation, and wherever a mention begins or ends."""
    text = document.text
    if text is None:
        return document
    mentions = [mention for cluster in document.clusters for mention in cluster.mentions]
    cuts = {offset for mention in mentions for span in mention.spans for offset in span}
    starts = sorted(
        {match.start() for match in WORD.finditer(text)} | {c for c in cuts if text[c : c + 1].strip()}
    )
    tokens = [text[start:end].split()[0] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    started = set(starts)
    before = [0, *accumulate(offset in started for offset in range(len(text)))]
    moved = _moved(document, before)
    return replace(moved, text=None, tokens=tuple(tokens), sentences=((0, len(tokens)),) if tokens else ())


def _moved(document: Document, before: Sequence[int]) -> Document:
    """Replace every offset by the number of new units before it; a span is never shorter than one unit."""

    def move(mention: Mention) -> Mention:
        minimum = None if mention.minimum is None else _moved_spans(mention.minimum, before)
        return Mention(_moved_spans(mention.spans, before), minimum)

    clusters = tuple(
        Cluster(cluster.id, tuple(move(mention) for mention in cluster.mentions))
        for cluster in document.clusters
    )
    return replace(document, clusters=clusters)


def _moved_spans(old: Sequence[Span], before: Sequence[int]) -> tuple[Span, ...]:
    spans: list[Span] = []
    for start, end in old:
        first, last = before[start], before[end]
        if spans and spans[-1][1] >= first:
            first = spans.pop()[0]
        spans.append((first, max(last, first + 1)))
    return tuple(spans)


class InCharacters(Corpus):
    """Another corpus, counted in characters."""

    offsets = "characters"

    def __init__(self, corpus: Corpus) -> None:
        """Look at a corpus through characters."""
        self._corpus = corpus
        self.name, self.ids, self.named, self.notices = corpus.name, corpus.ids, corpus.named, corpus.notices
        self.cross_document = corpus.cross_document

    def document(self, number: int) -> Document:
        """Read a document and recount it."""
        return in_characters(self._corpus.document(number))

    def chains(self, numbers: Sequence[int | None]) -> Chains:
        """Read and recount some documents."""
        return Chains.of(
            (None if number is None else self.document(number) for number in numbers),
            cross_document=self.cross_document,
        )

    def place(self, number: int) -> Place:
        """Ask the corpus itself."""
        return self._corpus.place(number)

    def weight(self, number: int) -> int:
        """Weigh as the corpus itself does."""
        return self._corpus.weight(number)
