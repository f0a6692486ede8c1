"""Scoring from Python: clusters, documents, corpora or paths in, a result out."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import TypeAlias, cast

import numpy as np

from referee import formats
from referee.exceptions import ProtocolError, RefereeError
from referee.matching.aligned import Repeats
from referee.matching.protocol import Protocol
from referee.matching.units import Groups
from referee.metrics.contingency import Membership
from referee.metrics.standard import DEFAULT_METRICS
from referee.model import Corpus, Document, DocumentCorpus
from referee.scoring.evaluate import Counts, check_metrics, evaluate, tally
from referee.scoring.result import Result

Clusters: TypeAlias = Collection[Iterable[Hashable]]
Scorable: TypeAlias = str | PathLike[str] | Corpus | Document | Iterable[Document] | Clusters


def score(
    key: Scorable,
    response: Scorable,
    *,
    protocol: Protocol | str = "conll",
    metrics: Sequence[str] = DEFAULT_METRICS,
    parses: str | PathLike[str] | None = None,
    jobs: int = 1,
    groups: Groups | None = None,
) -> Result:
    """Score a response against a key.

    Both are of one kind: paths of files or folders, corpora, documents, or clusters as lists of lists of
    hashable mentions. `parses` is a file or folder of Penn trees for the key, as `match="mina"` needs them
    where the key has no parse column; `groups` maps documents to what is scored as one, for the scope
    "group".

    >>> key = [["a", "b", "c"], ["d", "e", "f", "g"]]
    >>> result = score(key, [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]])
    >>> round(result.muc.f1, 2), round(result.conll, 4)
    (0.4, 0.4582)
    """
    protocol = Protocol.parse(protocol) if isinstance(protocol, str) else protocol
    corpora = [_as_corpus(side, role, protocol) for side, role in ((key, "key"), (response, "response"))]
    if corpora[0] is not None and corpora[1] is not None:
        return evaluate(corpora[0], corpora[1], protocol, metrics, parses=parses, jobs=jobs, groups=groups)
    if corpora[0] is not None or corpora[1] is not None:
        raise RefereeError("key and response must be of one kind: both clusters, or both documents or paths")
    scorer = Scorer(protocol=protocol, metrics=metrics)
    scorer.update(cast(Clusters, key), cast(Clusters, response))
    return scorer.result()


def _as_corpus(side: Scorable, role: str, protocol: Protocol) -> Corpus | None:
    """Make a corpus of what is not bare clusters."""
    if isinstance(side, str | PathLike):
        return formats.read(side, role=role, strict=protocol.strict)
    if isinstance(side, Corpus):
        return side
    if isinstance(side, Document):
        return DocumentCorpus([side], role)
    if isinstance(side, Sequence) and side and isinstance(side[0], Document):
        return DocumentCorpus(cast(Iterable[Document], side), role)
    return None


class Scorer:
    """Scores document by document, as in training: `update` with clusters, then `result`.

    >>> scorer = Scorer()
    >>> scorer.update([[(0, 1), (4, 5)]], [[(0, 1), (4, 5)]])
    >>> scorer.update([[(2, 3), (7, 9)]], [])
    >>> scorer.result().b_cubed.recall
    0.5
    """

    def __init__(
        self,
        *,
        protocol: Protocol | str = "conll",
        metrics: Sequence[str] = DEFAULT_METRICS,
        name: str = "response",
    ) -> None:
        """Start with no documents."""
        check_metrics(metrics)
        self._protocol = Protocol.parse(protocol) if isinstance(protocol, str) else protocol
        if self._protocol.match != "exact":
            raise ProtocolError(
                f"match {self._protocol.match} needs the documents: bare clusters can only be matched exactly"
            )
        self._metrics = tuple(metrics)
        self._name = name
        self.reset()

    def reset(self) -> None:
        """Forget all documents."""
        self._units: list[str] = []
        self._waiting = (_Stack(), _Stack())  # documents not tallied yet: a stack is tallied at one go
        self._mentions = 0
        self._counts: list[Counts] = []
        self._notices: list[str] = []

    def update(self, key: Clusters, response: Clusters, *, name: str | None = None) -> None:
        """Add a document's clusters; mentions are any hashable values, equal if they are the same mention."""
        unit = name if name is not None else str(len(self._units) + 1)
        sides = [[list(cluster) for cluster in _checked(clusters)] for clusters in (key, response)]
        repeats = Repeats(*(_repeated(side) for side in sides))
        said = repeats.notices(f"key of {unit}", f"response of {unit}")
        if said and self._protocol.strict:
            raise RefereeError(f"{said[0]}; the strict protocol refuses that")
        self._notices += said
        self._units.append(unit)
        numbers: dict[Hashable, int] = {}
        for stack, clusters in zip(self._waiting, sides, strict=True):
            stack.add(clusters, numbers, self._mentions)
        self._mentions += len(numbers)

    def result(self) -> Result:
        """Add up what has been seen so far."""
        if not self._units:
            raise RefereeError("nothing to score: call update(key, response) first")
        if self._waiting[0].units:
            key, response = (stack.membership() for stack in self._waiting)
            self._counts.append(tally(key, response, self._protocol, self._metrics)[0])
            self._waiting, self._mentions = (_Stack(), _Stack()), 0
        counts = {name: np.concatenate([part[name] for part in self._counts]) for name in self._metrics}
        return Result(self._name, list(self._units), counts, self._protocol, list(self._notices))


@dataclass(slots=True)
class _Stack:
    """One side's documents, as they come."""

    mention: list[int] = field(default_factory=list)
    cluster: list[int] = field(default_factory=list)
    unit_of_cluster: list[int] = field(default_factory=list)
    units: int = 0

    def add(self, clusters: list[list[Hashable]], numbers: dict[Hashable, int], offset: int) -> None:
        """Put a document on top; `numbers` are those of its mentions, shared with the other side."""
        for cluster in filter(None, clusters):
            self.mention += [offset + numbers.setdefault(mention, len(numbers)) for mention in cluster]
            self.cluster += [len(self.unit_of_cluster)] * len(cluster)
            self.unit_of_cluster.append(self.units)
        self.units += 1

    def membership(self) -> Membership:
        """Give the stack its integer form."""
        columns = (self.mention, self.cluster, self.unit_of_cluster)
        mention, cluster, unit = (np.array(column, np.int64) for column in columns)
        return Membership(mention, cluster, unit, self.units)


def _checked(clusters: Clusters) -> Clusters:
    if isinstance(clusters, str) or any(isinstance(cluster, str) for cluster in clusters):
        raise RefereeError("clusters must be a list of lists of mentions, not a string or a list of strings")
    return clusters


def _repeated(clusters: list[list[Hashable]]) -> int:
    return sum(map(len, clusters)) - len(set().union(*clusters))
