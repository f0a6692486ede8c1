"""Words and characters: running texts are cut into words, and spans of words told in characters.

Two texts that were cut differently are compared by their characters that are not white space: these are the
same in both, wherever the words begin.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from referee.arrays import IntArray
from referee.exceptions import FormatError
from referee.model.mentions import Cluster, Mention, Span, joined_spans
from referee.model.text import Document, Text

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
    """Tell a cluster's spans in words, given the character that each word starts at."""

    def moved(spans: Iterable[Span]) -> tuple[Span, ...]:
        told = [(bisect_left(starts, start), bisect_left(starts, end)) for start, end in spans]
        if any(first == last for first, last in told):
            raise FormatError(f"{where}: the mention at characters {list(spans)} is white space alone")
        return joined_spans(told)

    def mention_in_words(mention: Mention) -> Mention:
        minimum = None if mention.minimum is None else moved(mention.minimum)
        return replace(mention, spans=moved(mention.spans), minimum=minimum, head=None)

    return replace(cluster, mentions=tuple(map(mention_in_words, cluster.mentions)))


def in_characters(text: Text, spans: Iterable[Span]) -> list[Span]:
    """Tell spans of words in characters of the running text."""
    return [(text.characters[start][0], text.characters[end - 1][1]) for start, end in spans]


def word_edges(text: Text) -> IntArray:
    """Count the characters, white space apart, before each word, and in all words.

    >>> word_edges(Text("d", ("a", "b c", ""), ((0, 3),))).tolist()
    [0, 1, 3, 3]
    """
    return np.cumsum([0, *(len("".join(word.split())) for word in text.words)])
