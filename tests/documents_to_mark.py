"""Random documents to mark, and ways to harm what was marked."""

from __future__ import annotations

import random
from dataclasses import replace
from io import StringIO
from itertools import pairwise

from referee import Cluster, Document, Mention
from referee.formats import FORMATS

INLINE = ("markdown", "tags", "brackets")
NOTATIONS = ("crac-text", *INLINE, "json-answer")
WORDS = (
    "the", "of", "a", ",", ".", "Anna", "dog", "she", "don", "'", "n't", "«", "[", "]", "[1]", "|", "a|b",
    "<m>", "&amp;", "&", "(#1)", "x:1", "\\", "#", "café", "東京", "U.S.", "-LRB-", "--", "_", "1", "I",
    "who", "saw",
)  # fmt: skip


def made_document(chance: random.Random, *, crossing: bool = False, length: int = 40) -> Document:
    """Make a document of odd words, with nested mentions and maybe crossing ones."""
    size = chance.randint(1, length)
    words = [chance.choice(WORDS) for _ in range(size)]
    edges = sorted({0, size, *(chance.randrange(size) for _ in range(3))})
    spans: set[tuple[int, int]] = set()
    for _ in range(chance.randint(1, 12)):
        start = chance.randrange(size)
        span = start, min(size, start + chance.randint(1, 6))
        if crossing or not any(_cross(span, other) for other in spans):
            spans.add(span)
    clusters: dict[int, list[Mention]] = {}
    for span in sorted(spans):
        clusters.setdefault(chance.randrange(4), []).append(Mention.at(*span))
    some = [Cluster(str(id_ + 1), tuple(own)) for id_, own in clusters.items()]
    return Document.of("d", words, list(pairwise(edges)), some)


def _cross(one: tuple[int, int], two: tuple[int, int]) -> bool:
    first, second = sorted([one, two])
    return first[0] < second[0] < first[1] < second[1]


def written(document: Document, notation: str) -> str:
    """Write a document in a notation."""
    write = FORMATS[notation].write
    assert write is not None
    file = StringIO()
    write([document], file)
    return file.getvalue()


def spans_of(document: Document) -> dict[str, list[tuple[tuple[int, int], ...]]]:
    """List each cluster's mentions."""
    return {c.id: sorted(mention.spans for mention in c.mentions) for c in document.clusters}


def with_words(document: Document, words: list[str]) -> Document:
    """Replace words, one by one."""
    return replace(document, text=replace(document.text, words=tuple(words)))
