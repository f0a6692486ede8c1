"""Texts, and documents: a text with one annotation of it. One text may have many.

Words and characters: running texts are cut into words, and spans of words are given in characters.

Two texts that were cut differently are compared by their characters that are not white space: these are the
same in both, wherever the words begin.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np

from referee.arrays import IntArray
from referee.display import Rows, number_of, shortened
from referee.exceptions import FormatError
from referee.model.mentions import Cluster, ClusterLayer, Mention, Relation, Span, joined_spans


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


@dataclass(frozen=True, slots=True, repr=False)
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

    def __repr__(self) -> str:
        """Show its name, its size and its beginning."""
        beginning = shortened(" ".join(self.words[:20]), 60)
        return f"<Text {shortened(self.id, 50)!r}: {number_of(len(self.words), 'word')}, {beginning!r}>"

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


@dataclass(frozen=True, slots=True, repr=False)
class Document(Rows):
    """A text with clusters over it: a key, a system's response, what a resolver found.

    Its rows, in `to_frame` and `to_polars`, are its mentions.

    `non_referring` are expressions that refer to nothing, as in "it rains": they look like mentions, and are
    in no cluster, but have an entity's name each. `cluster_layers` are other annotations of the text, as
    discourse deixis.

    `layout` is how a file wrote the annotation, so that writing it again gives the same bytes: what comes
    before the first row, then for each word its cell and all up to the next row. Only the format that made
    it reads it, and only as far as it still says the same as the clusters.

    Examples:
        >>> import referee
        >>> document = referee.Document.of("d", ["Ann", "slept"], [(0, 2)], [])
        >>> document.id, document.words
        ('d', ('Ann', 'slept'))
    """

    _output = "documents:document_output"

    text: Text
    clusters: tuple[Cluster, ...]
    relations: tuple[Relation, ...] = ()
    layout: tuple[str, ...] = field(default=(), compare=False)
    non_referring: tuple[Cluster, ...] = ()
    cluster_layers: tuple[ClusterLayer, ...] = ()

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

    def of_layer(self, name: str) -> Document:
        """Take another annotation for the clusters; without any there are none."""
        layer = next((each for each in self.cluster_layers if each.name == name), ClusterLayer(name, ()))
        return Document(self.text, layer.clusters, layer.relations, (), layer.non_referring)

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


WORD = re.compile(r"\w+|[^\w\s]")


def cut_text(id: str, running: str, clusters: Iterable[Cluster] = (), where: str = "") -> Document:
    """Cut a running text, whose mentions count characters, into words: at white space and punctuation, and
    wherever a mention or its minimum span begins or ends. Errors name `where`.

    >>> document = cut_text("d", "Ann's cat", [Cluster("1", (Mention.at(0, 3), Mention.at(0, 9)))])
    >>> document.words, [mention.spans for mention in document.mentions]
    (('Ann', "'", 's', 'cat'), [((0, 1),), ((0, 4),)])
    """
    given = tuple(clusters)
    edges = {
        offset
        for cluster in given
        for mention in cluster.mentions
        for span in (*mention.spans, *(mention.minimum or ()))
        for offset in span
    }
    starts = {match.start() for match in WORD.finditer(running)}
    ordered = sorted(starts | {edge for edge in edges if running[edge : edge + 1].strip()})
    characters = tuple(
        (start, start + len(running[start:end].rstrip())) for start, end in pairwise([*ordered, len(running)])
    )
    words = tuple(running[start:end] for start, end in characters)
    sentences = ((0, len(words)),) if words else ()
    text = Text(id, words, sentences, running=running, characters=characters, cut=True)
    return Document(text, tuple(_in_words(cluster, ordered, where or id) for cluster in given))


def _in_words(cluster: Cluster, starts: Sequence[int], where: str) -> Cluster:
    """Give a cluster's spans in words, given the character that each word starts at."""

    def moved(spans: Iterable[Span]) -> tuple[Span, ...]:
        in_words = [(bisect_left(starts, start), bisect_left(starts, end)) for start, end in spans]
        if any(first == last for first, last in in_words):
            raise FormatError(f"{where}: the mention at characters {list(spans)} is white space alone")
        return joined_spans(in_words)

    def mention_in_words(mention: Mention) -> Mention:
        minimum = None if mention.minimum is None else moved(mention.minimum)
        return replace(mention, spans=moved(mention.spans), minimum=minimum, head=None)

    return replace(cluster, mentions=tuple(map(mention_in_words, cluster.mentions)))


def in_characters(text: Text, spans: Iterable[Span]) -> list[Span]:
    """Give spans of words in characters of the running text."""
    return [(text.characters[start][0], text.characters[end - 1][1]) for start, end in spans]


def word_edges(text: Text) -> IntArray:
    """Count the characters that are not white space before each word, and in all words.

    >>> word_edges(Text("d", ("a", "b c", ""), ((0, 3),))).tolist()
    [0, 1, 3, 3]
    """
    return np.cumsum([0, *(len("".join(word.split())) for word in text.words)])
