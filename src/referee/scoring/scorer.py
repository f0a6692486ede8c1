"""Scores bare clusters document by document, as in training."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import NamedTuple, TypeAlias

import numpy as np

from referee.exceptions import ProtocolError, RefereeError
from referee.matching.batch import Repeats
from referee.matching.protocol import Protocol
from referee.metrics.contingency import Membership
from referee.metrics.standard import DEFAULT_METRICS
from referee.model import Corpus, Document
from referee.scoring.evaluate import (
    Counts,
    check_metrics,
    metric_names,
    nothing_in_common,
    tally,
)
from referee.scoring.fingerprints import OF_CLUSTERS, name_of_key, print_of_clusters
from referee.scoring.given import Clusters, clusters_of
from referee.scoring.result import Result

Scorable: TypeAlias = (
    str | PathLike[str] | Corpus | Document | Iterable[Document] | Clusters | Iterable[Clusters]
)


class _Seen(NamedTuple):
    """What is remembered of a document besides its counts."""

    name: str | None
    repeats: Repeats
    key_print: int | None  # of the key's clusters, if their mentions have lasting names
    key_mentions: int
    response_mentions: int
    common: int


class Scorer:
    """Scores document by document, as in training: `update` with clusters, then `compute`.

    The methods are those of torchmetrics; `referee.adaptors.torchmetrics.CorefMetric` is a metric of that
    library itself. Several processes have a scorer each, and one of them merges the states of the others.

    >>> scorer, other = Scorer(), Scorer()
    >>> scorer.update([[(0, 1), (4, 5)]], [[(0, 1), (4, 5)]])
    >>> other.update([[(2, 3), (7, 9)]], [])
    >>> scorer.merge_state(other)
    >>> scorer.compute().b_cubed.recall
    0.5
    """

    def __init__(
        self,
        *,
        protocol: Protocol | str = "conll",
        metric: str | Sequence[str] = DEFAULT_METRICS,
        name: str = "response",
    ) -> None:
        """Start with no documents.

        Args:
            protocol: A preset, a signature, or a `Protocol`. Bare clusters are matched exactly.
            metric: Metrics, one or several.
            name: What the system is called.

        Raises:
            ProtocolError: If a metric does not exist, or the protocol needs documents.
        """
        self._protocol = Protocol.parse(protocol) if isinstance(protocol, str) else protocol
        metrics = metric_names([metric] if isinstance(metric, str) else metric, self._protocol)
        check_metrics(metrics)
        if self._protocol.match != "exact" or self._protocol.by_corefud:
            raise ProtocolError(
                f"match={self._protocol.match} needs the documents: bare clusters can only be matched exactly"
            )
        if self._protocol.gaps != "keep":
            raise ProtocolError("gaps='fill' needs the documents: bare clusters are taken as they are")
        self._metrics = tuple(metrics)
        self._name = name
        self.reset()

    def reset(self) -> None:
        """Forget all documents."""
        self._seen: list[_Seen] = []
        self._names: set[str] = set()
        self._waiting = (_Stack(), _Stack())  # documents not tallied yet: a stack is tallied at one go
        self._mentions = 0
        self._counts: list[Counts] = []

    def update(self, key: Clusters, response: Clusters, *, name: str | None = None) -> None:
        """Add a document's clusters, as lists of lists of mentions, a `Document`, or spaCy's.

        Args:
            key: The key's clusters. Mentions are any hashable values, equal if they are the same mention;
                spans may be lists.
            response: The clusters that were found.
            name: The document's name, which can be given once; documents without one are numbered.

        Raises:
            RefereeError: If the name was given before, or the protocol is strict and a mention is repeated.
        """
        unit = name if name is not None else str(len(self._seen) + 1)
        self._check_name(name)
        keys, responses = clusters_of(key, f"key of {unit}"), clusters_of(response, f"response of {unit}")
        distinct = [set().union(*clusters) for clusters in (keys, responses)]
        repeats = Repeats(
            *(_size(side) - len(mentions) for side, mentions in zip((keys, responses), distinct, strict=True))
        )
        said = repeats.notices(f"key of {unit}", f"response of {unit}")
        if said and self._protocol.strict:
            raise RefereeError(f"{said[0]}; the strict protocol refuses that")
        common = len(distinct[0] & distinct[1])
        print_ = print_of_clusters(keys)
        self._seen.append(_Seen(name, repeats, print_, len(distinct[0]), len(distinct[1]), common))
        self._names.update([] if name is None else [name])
        numbers: dict[Hashable, int] = {}
        for stack, clusters in zip(self._waiting, (keys, responses), strict=True):
            stack.add(clusters, numbers, self._mentions)
        self._mentions += len(numbers)

    def merge_state(self, other: Scorer) -> None:
        """Add all documents of another scorer, as if this one had seen them after its own.

        Args:
            other: A scorer of the same protocol and metrics; it may come from another process by pickle.

        Raises:
            ProtocolError: If protocols or metrics differ.
            RefereeError: If both have a document of the same name.
        """
        for what in ("_protocol", "_metrics"):
            if getattr(self, what) != getattr(other, what):
                raise ProtocolError(f"scorers of unlike {what[1:]} cannot be merged; make both alike")
        for name in other._names:
            self._check_name(name)
        self._settle()
        other._settle()
        self._seen += other._seen
        self._names |= other._names
        self._counts += other._counts

    def compute(self) -> Result:
        """Add up what has been seen so far; more documents may follow.

        Returns:
            The result, whose `log_dict()` is what experiment trackers log.

        Raises:
            RefereeError: If there was no document.
        """
        if not self._seen:
            raise RefereeError("nothing to score: call update(key, response) first")
        self._settle()
        counts = {name: np.concatenate([part[name] for part in self._counts]) for name in self._metrics}
        units = self._units()
        return Result(
            self._name, units, counts, self._protocol, self._notices(units), key=self._name_of_key(units)
        )

    def _check_name(self, name: str | None) -> None:
        if name in self._names:
            raise RefereeError(f"a unit named '{name}' has been scored already; give each a name of its own")

    def _settle(self) -> None:
        """Tally the documents that wait."""
        if self._waiting[0].units:
            key, response = (stack.membership() for stack in self._waiting)
            self._counts.append(tally(key, response, self._protocol, self._metrics)[0])
            self._waiting, self._mentions = (_Stack(), _Stack()), 0

    def _units(self) -> list[str]:
        """Number the units that have no name, passing over numbers that are names of others."""
        units = []
        for number, seen in enumerate(self._seen, 1):
            name = seen.name if seen.name is not None else str(number)
            while seen.name is None and name in self._names:
                name = f"unit {name}"
            units.append(name)
        return units

    def _notices(self, units: Sequence[str]) -> list[str]:
        repeated = [
            notice
            for unit, seen in zip(units, self._seen, strict=True)
            for notice in seen.repeats.notices(f"key of {unit}", f"response of {unit}")
        ]
        return repeated + nothing_in_common(
            "key",
            self._name,
            key_mentions=sum(seen.key_mentions for seen in self._seen),
            response_mentions=sum(seen.response_mentions for seen in self._seen),
            common=sum(seen.common for seen in self._seen),
        )

    def _name_of_key(self, units: Sequence[str]) -> str:
        prints = [seen.key_print for seen in self._seen if seen.key_print is not None]
        return OF_CLUSTERS + name_of_key(units, prints) if len(prints) == len(units) else ""


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


def _size(clusters: list[list[Hashable]]) -> int:
    return sum(map(len, clusters))
