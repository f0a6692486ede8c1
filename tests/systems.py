"""Systems made up for tests: documents with clusters, responses of a chosen quality, and counts by chance."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from referee.arrays import FloatArray
from referee.matching.protocol import Protocol
from referee.model import Cluster, Document, Mention
from referee.scoring.result import Result


def documents(count: int, seed: int = 0) -> list[Document]:
    """Documents of 60 words or more, with five entities of two mentions or more."""
    chance = random.Random(seed)
    found = []
    for number in range(count):
        length = chance.randint(60, 200)
        starts = chance.sample(range(length - 1), 25)
        mentions = [Mention.at(start, start + 1) for start in starts]
        cuts = [0, 2, 5, 9, 15, 25]
        clusters = tuple(
            Cluster(str(i), tuple(sorted(mentions[a:b]))) for i, (a, b) in enumerate(pairwise(cuts))
        )
        words = tuple(f"w{i}" for i in range(length))
        genre = "news" if number % 2 else "bio"
        found.append(Document.of(f"GUM_{genre}_{number:02}", words, ((0, length),), clusters))
    return found


def spoiled(key: Sequence[Document], rate: float, seed: int) -> list[Document]:
    """Miss mentions, and put some into a wrong cluster, each at a rate."""
    chance = random.Random(seed)
    found = []
    for document in key:
        clusters: list[list[Mention]] = [[] for _ in document.clusters]
        for own, cluster in enumerate(document.clusters):
            for mention in cluster.mentions:
                if chance.random() >= rate:
                    wrong = chance.random() < rate
                    clusters[chance.randrange(len(clusters)) if wrong else own].append(mention)
        kept = tuple(Cluster(str(i), tuple(sorted(c))) for i, c in enumerate(clusters) if c)
        found.append(replace(document, clusters=kept))
    return found


EXTRA = 0.25  # mentions that a made-up system invents for each of the key
QUALITY = (6.0, 3.0)  # a document's recall is drawn from this beta distribution
TRUE_RECALL = QUALITY[0] / sum(QUALITY)
TRUE_PRECISION = TRUE_RECALL / (TRUE_RECALL + EXTRA)
TRUE_F1 = 2 * TRUE_RECALL * TRUE_PRECISION / (TRUE_RECALL + TRUE_PRECISION)


def drawn_results(units: int, systems: int, chance: np.random.Generator) -> list[Result]:
    """Results of equally good systems on one key, whose true recall, precision and F1 are known.

    Documents differ in length and in how hard they are; a hard one is hard for every system.
    """
    sizes = 5 + chance.gamma(1.5, 20.0, units).astype(np.int64)
    ease = chance.beta(*QUALITY, units)
    names = [str(unit) for unit in range(units)]
    results = []
    for system in range(systems):
        found = chance.binomial(sizes, ease)
        given = found + chance.poisson(EXTRA * sizes)
        results.append(
            Result(
                f"s{system}",
                names,
                {"muc": counts(found.tolist(), sizes.tolist(), given.tolist())},
                Protocol(),
            )
        )
    return results


def counts(found: Sequence[float], key: Sequence[float], given: Sequence[float]) -> FloatArray:
    """Put counts of recall and precision side by side."""
    return np.column_stack([found, key, found, given]).astype(np.float64)
