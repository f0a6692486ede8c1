"""A toy encoder, and a story of our own with its clusters, for tests that train."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from referee.arrays import IntArray
from referee.model import Cluster, Document, Mention

TEXT = (
    "Ada Byron lived in Bath . She had a dog . The dog liked her garden . "
    'One day the old man came to Bath . He saw the dog and said , " It likes me ! " Ada laughed at him .'
)
STORY = TEXT.split()
CLUSTERS = {
    "ada": ((0, 2), (6, 7), (13, 14), (39, 40)),
    "bath": ((4, 5), (23, 24)),
    "dog": ((8, 10), (11, 13), (27, 29), (33, 34)),
    "man": ((18, 21), (25, 26), (35, 36), (42, 43)),
}


def story() -> Document:
    """Make the document."""
    ends = [0, *(index + 1 for index, word in enumerate(STORY) if word in ".!")]
    clusters = [
        Cluster(name, tuple(Mention.at(*span) for span in sorted(spans))) for name, spans in CLUSTERS.items()
    ]
    return Document.of("story", STORY, list(pairwise(ends)), clusters)


def pieces(document: Document) -> tuple[IntArray, IntArray]:
    """Cut each word into one piece, or into two if it has many letters."""
    ids: list[int] = []
    ends = []
    for word in document.words:
        own = [200 + sum(map(ord, word)) % 97] + [300 + len(word)] * (len(word) > 4)
        ends.append((len(ids), len(ids) + len(own) - 1))
        ids += own
    return np.array(ids), np.array(ends)


KEPT = np.array([0, 100, 101, 102, *range(200, 330)])
