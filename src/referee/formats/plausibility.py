"""Doubts about what was read: annotation that no corpus has is more likely a file that was misread.

A sample of the documents is looked at, and if it is odd all of them. The limits were chosen so that no
corpus of `bench/real_files.py` raises a doubt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.display import number_of
from referee.exceptions import RefereeError
from referee.model import Corpus, DocumentCorpus

SAMPLE = 2**17  # bytes of documents
DOCUMENTS = 8  # at most
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
    sizes: list[list[int]]  # document → mentions of each cluster
    entities: Counter[int]  # that span documents → mentions
    placeholders: Counter[str]  # name of a cluster → mentions

    @classmethod
    def of(cls, corpus: Corpus, numbers: Sequence[int]) -> _Census:
        """Count the mentions of some documents."""
        chains = corpus.chains(numbers)
        corpus.note(chains.notices)  # which some corpora say only once
        sizes: list[list[int]] = [[] for _ in numbers]
        mentions = Counter(chains.cluster.tolist())
        for cluster, size in mentions.items():
            sizes[int(chains.cluster_document[cluster])].append(size)
        entities: Counter[int] = Counter()
        if chains.entity is not None:
            entities.update(chains.entity[chains.cluster].tolist())
        return cls(corpus.name, sizes, entities, _placeholders(corpus, numbers))

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


def _placeholders(corpus: Corpus, numbers: Sequence[int]) -> Counter[str]:
    """Count the mentions that placeholders join; of a corpus that is not in memory, in one document."""
    if isinstance(corpus, DocumentCorpus):
        documents = [corpus.documents[number] for number in numbers]
    else:
        documents = [corpus.document(number) for number in numbers[:1] if corpus.weight(number) <= SAMPLE]
    found: Counter[str] = Counter()
    for cluster in (cluster for document in documents for cluster in document.clusters):
        if len(cluster.mentions) > 1 and cluster.id.casefold() in PLACEHOLDERS:
            found[cluster.id] += len(cluster.mentions)
    return found
