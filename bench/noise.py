"""Makes an imperfect response out of a key: the same noise for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace

from referee.model import Cluster, Document, Mention

MISSED, MOVED, SPLIT, MERGED, INVENTED = 0.12, 0.08, 0.10, 0.06, 0.10


def noisy(documents: Iterable[Document], seed: int = 1) -> Iterator[Document]:
    """Miss, move and invent mentions, split and merge clusters, at rates like a fair system's."""
    for document in documents:
        yield _noisy(document, random.Random(f"{seed} {document.id}"))


def _noisy(document: Document, chance: random.Random) -> Document:
    length = document.text.length
    clusters: list[set[Mention]] = []
    used: set[Mention] = set()
    for cluster in document.clusters:
        mentions = set()
        for mention in cluster.mentions:
            if chance.random() < MISSED:
                continue
            if chance.random() < MOVED and mention.end <= length:  # a zero stays where it is
                mention = _moved(mention, length, chance)
            if mention not in used:
                used.add(mention)
                mentions.add(mention)
        if len(mentions) > 2 and chance.random() < SPLIT:
            part = set(chance.sample(sorted(mentions), len(mentions) // 2))
            clusters.append(part)
            mentions -= part
        if clusters and chance.random() < MERGED:
            clusters[chance.randrange(len(clusters))].update(mentions)
        elif mentions:
            clusters.append(mentions)
    for _ in range(round(INVENTED * len(used))):
        mention = Mention.at(start := chance.randrange(length), min(start + chance.randint(1, 4), length))
        if mention not in used:
            used.add(mention)
            chance.choice(clusters).add(mention) if clusters and chance.random() < 0.5 else clusters.append(
                {mention}
            )
    kept = [_writable(cluster) for cluster in clusters if cluster]
    return replace(document, clusters=tuple(Cluster(str(i), mentions) for i, mentions in enumerate(kept)))


def _moved(mention: Mention, length: int, chance: random.Random) -> Mention:
    start = max(mention.start - chance.randint(0, 1), 0)
    end = min(mention.end + chance.randint(0, 3), length)
    return Mention.at(start, end)


def _writable(cluster: set[Mention]) -> tuple[Mention, ...]:
    """Leave out mentions that cross another of their cluster: a CoNLL file cannot hold both."""
    kept: list[Mention] = []
    for mention in sorted(cluster):
        if not any(other.start < mention.start < other.end < mention.end for other in kept):
            kept.append(mention)
    return tuple(kept)
