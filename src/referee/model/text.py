"""Texts, and documents: a text with one annotation of it. One text may have many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from referee.model.mentions import Cluster, Mention, Relation, Span


@dataclass(frozen=True, slots=True)
class Zero:
    """Where a word that is not written belongs: a dropped pronoun, an empty node.

    The three numbers are its identity: a key and a response that have the same zero may number their words
    otherwise, because one of them has more zeros than the other.
    """

    before: int  # how many written words of the document come before it
    ordinal: int = 1  # which of several zeros there: CoNLL-U's number after the point
    sentence: int = 0  # at a border: whether it is the last of a sentence or the first of the next
    governors: tuple[tuple[int, str], ...] = ()  # words that it depends on, and how; NO_WORD for the root


NO_WORD = -1  # what the root of a sentence depends on


@dataclass(frozen=True, slots=True)
class Text:
    """Words and sentences, with layers beside them.

    Zeros are the last of `words`, after all written ones and in the order of the text, so that they never
    shift the number of one that is written; sentences are spans of written words. Where the text is known as
    it was written, `running` has it and `characters` says which of its characters each word is; where the
    format has no words, they were `cut` by us, and texts are compared by their characters.
    """

    id: str
    words: tuple[str, ...]
    sentences: tuple[Span, ...]
    layers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    running: str | None = None
    characters: tuple[Span, ...] = ()
    cut: bool = False
    zeros: tuple[Zero, ...] = ()
    topic: str | None = None  # where the text belongs in a cross-document corpus
    subtopic: str | None = None

    @property
    def length(self) -> int:
        """The number of written words."""
        return len(self.words) - len(self.zeros)

    def reading_order(self) -> list[int]:
        """List the numbers of all words in the order of the text, zeros among the written ones."""
        order = list(range(self.length))
        if self.zeros:
            unwritten = [(zero.before, 0, zero.sentence, zero.ordinal) for zero in self.zeros]
            keys = [*((word, 1, 0, 0) for word in order), *unwritten]
            order = sorted(range(len(self.words)), key=keys.__getitem__)
        return order

    @property
    def stretches(self) -> tuple[Span, ...]:
        """Spans that cover all written words: the sentences, and the words between them that are in none.

        >>> Text("d", ("a", "b", "c"), ((1, 2),)).stretches
        ((0, 1), (1, 2), (2, 3))
        """
        edges = {edge for span in self.sentences for edge in span} | {0, self.length}
        return tuple(pairwise(sorted(edges)))

    def spelled(self, spans: Iterable[Span]) -> str:
        """Write out some spans as people read them: as in the running text, or with blanks between words."""
        if self.running is None:
            return " ".join(word for start, end in spans for word in self.words[start:end])
        pieces: list[str] = []
        for start, end in spans:
            written = self.characters[start:end]
            pieces += [self.running[written[0][0] : written[-1][1]]] if written else []
            pieces += self.words[max(start, self.length) : end]
        return " ".join(pieces)


@dataclass(frozen=True, slots=True)
class Document:
    """A text with clusters over it: a key, a system's response, what a resolver found.

    `layout` is how a file wrote the annotation, so that writing it again gives the same bytes: what comes
    before the first row, then for each word its cell and all up to the next row. Only the format that made
    it reads it, and only as far as it still says the same as the clusters.
    """

    text: Text
    clusters: tuple[Cluster, ...]
    relations: tuple[Relation, ...] = ()
    layout: tuple[str, ...] = field(default=(), compare=False, repr=False)

    @classmethod
    def of(
        cls,
        id: str,
        words: Iterable[str],
        sentences: Iterable[Span],
        clusters: Iterable[Cluster],
        layers: Mapping[str, tuple[str, ...]] | None = None,
        *,
        topic: str | None = None,
        subtopic: str | None = None,
    ) -> Document:
        """Make a document of its parts."""
        text = Text(id, tuple(words), tuple(sentences), layers or {}, topic=topic, subtopic=subtopic)
        return cls(text, tuple(clusters))

    def with_text(self, **changes: Any) -> Document:
        """Change fields of the text, and keep the annotation."""
        return replace(self, text=replace(self.text, **changes))

    @property
    def id(self) -> str:
        """The text's name."""
        return self.text.id

    @property
    def words(self) -> tuple[str, ...]:
        """The text's words."""
        return self.text.words

    @property
    def sentences(self) -> tuple[Span, ...]:
        """The text's sentences."""
        return self.text.sentences

    @property
    def layers(self) -> Mapping[str, tuple[str, ...]]:
        """The columns beside the words."""
        return self.text.layers

    @property
    def mentions(self) -> list[Mention]:
        """The mentions in order, each once; of a repeated one, the first that has a minimum span."""
        known: dict[Mention, Mention] = {}
        for cluster in self.clusters:
            for mention in cluster.mentions:
                if known.setdefault(mention, mention).minimum is None:
                    known[mention] = mention
        return [known[mention] for mention in sorted(known)]
