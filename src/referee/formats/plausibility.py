"""Doubts about what was read: annotation that no corpus has is more likely a file that was misread.

A sample of the documents is looked at, and if it is odd all of them. The limits were chosen so that no
corpus of `bench/real_files.py` raises a doubt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from referee.display import number_of
from referee.exceptions import RefereeError
from referee.model import Corpus

SAMPLE = 2**17  # bytes of documents
DOCUMENTS = 8  # at most
LARGE = 2**20  # bytes of a document whose names of clusters are not looked at
ENOUGH = 50  # mentions that a share says something about
LONG = 10  # mentions of a document that has more than one entity
NEARLY_ALL, MOST = 0.9, 0.5  # of the mentions in one cluster: of each document, of all that share clusters
PLACEHOLDERS = frozenset({"unk", "unknown", "none", "null", "nan", "nil", "n/a", "na", "-1", "?", "_", ""})


def implausible(corpus: Corpus) -> list[str]:
    """Say what is odd about the annotation of a corpus; a file that cannot be read is not judged here."""
    try:
        sample = list(_sample(corpus))
        doubts = list(_Census.of(corpus, sample).doubts())
        if doubts and len(sample) < len(corpus):
            doubts = list(_Census.of(corpus, range(len(corpus))).doubts())
    except RefereeError:
        return []
    return doubts


def _sample(corpus: Corpus) -> Iterator[int]:
    """Choose documents, spread evenly over the corpus; all of one whose clusters span documents."""
    step = 1 if corpus.cross_document else max(len(corpus) // DOCUMENTS, 1)
    left = SAMPLE
    for number in range(0, len(corpus), step):
        if left > 0 or corpus.cross_document:
            yield number
        left -= corpus.weight(number)


@dataclass(slots=True)
class _Census:
    """Counts of the mentions of some documents."""

    name: str
    sizes: list[list[int]] = field(default_factory=list)  # document → mentions of each cluster
    entities: Counter[str] = field(default_factory=Counter)  # that span documents → mentions
    placeholders: Counter[str] = field(default_factory=Counter)  # name of a cluster → mentions

    @classmethod
    def of(cls, corpus: Corpus, numbers: Iterable[int]) -> _Census:
        """Count the mentions of some documents."""
        census = cls(corpus.name)
        for number in numbers:
            clusters = _clusters(corpus, number)
            census.sizes.append([size for _, size in clusters])
            for name, size in clusters:
                if corpus.cross_document:
                    census.entities[name] += size
                if size > 1 and name.casefold() in PLACEHOLDERS:
                    census.placeholders[name] += size
        return census

    def doubts(self) -> Iterator[str]:
        """Say what is odd."""
        mentions = sum(map(sum, self.sizes))
        if not self.sizes:
            yield f"{self.name}: NO DOCUMENT WAS READ"
        elif not mentions:
            yield (
                f"{self.name}: NO MENTION WAS READ ({number_of(len(self.sizes), 'document')}); if there "
                "should be some, the annotation is in another column, layer or file"
            )
        elif mentions >= ENOUGH and self._all_alone():
            yield (
                f"{self.name}: EVERY MENTION IS ALONE ({number_of(mentions, 'mention')}, and no cluster of "
                "two); if there should be links between them, they were not read"
            )
        elif share := self._joined_share():
            yield (
                f"{self.name}: ONE CLUSTER HAS {share:.0%} OF THE MENTIONS; a name that stands for no entity "
                "may have been read as one"
            )
        for name, size in self.placeholders.items():
            yield (
                f"{self.name}: THE CLUSTER '{name}' HAS {size:,} MENTIONS, but its name looks like a "
                "placeholder for mentions without a cluster"
            )

    def _all_alone(self) -> bool:
        alone = all(size == 1 for sizes in self.sizes for size in sizes)
        return alone and max(self.entities.values(), default=1) == 1

    def _joined_share(self) -> float:
        """Say which share of the mentions is in one cluster, if it is too large."""
        if self.entities:
            total = self.entities.total()
            share = max(self.entities.values()) / total
            return share if len(self.sizes) > 1 and total >= ENOUGH and share > MOST else 0
        long = [sizes for sizes in self.sizes if sum(sizes) >= LONG]
        total = sum(map(sum, long))
        share = sum(map(max, long)) / max(total, 1)
        return share if total >= ENOUGH and share > NEARLY_ALL else 0


def _clusters(corpus: Corpus, number: int) -> list[tuple[str, int]]:
    """List the clusters of a document, by name and size; of a large one without names, which is cheaper."""
    if corpus.weight(number) <= LARGE:
        return [(cluster.id, len(cluster.mentions)) for cluster in corpus.document(number).clusters]
    chains = corpus.chains([number])
    corpus.note(chains.notices)  # which some corpora say only once
    entity = chains.cluster if chains.entity is None else chains.entity[chains.cluster]
    return [(f"cluster {cluster}", size) for cluster, size in Counter(entity.tolist()).items()]
