"""Scoring from Python: clusters, documents, corpora or paths in, a result out."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from os import PathLike
from typing import TypeAlias, cast

import numpy as np

from referee import formats
from referee.errors import RefereeError
from referee.evaluate import Counts, check_metrics, evaluate, tally
from referee.metrics import DEFAULT_METRICS
from referee.model import Corpus, Document, DocumentCorpus
from referee.protocol import Protocol
from referee.result import Result
from referee.table import Membership

Clusters: TypeAlias = Iterable[Iterable[Hashable]]
Scorable: TypeAlias = str | PathLike[str] | Corpus | Document | Iterable[Document] | Clusters


def score(
    key: Scorable,
    response: Scorable,
    *,
    protocol: Protocol | str = "conll",
    metrics: Sequence[str] = DEFAULT_METRICS,
    parses: str | PathLike[str] | None = None,
    jobs: int = 1,
) -> Result:
    """Score a response against a key.

    Both are of one kind: paths of files or folders, corpora, documents, or clusters as lists of lists of
    hashable mentions. `parses` is a file or folder of Penn trees for the key, as `match="mina"` needs them
    where the key has no parse column.

    >>> key = [["a", "b", "c"], ["d", "e", "f", "g"]]
    >>> result = score(key, [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]])
    >>> round(result.muc.f1, 2), round(result.conll, 4)
    (0.4, 0.4582)
    """
    protocol = Protocol.parse(protocol) if isinstance(protocol, str) else protocol
    corpora = [_as_corpus(side, role, protocol) for side, role in ((key, "key"), (response, "response"))]
    if corpora[0] is not None and corpora[1] is not None:
        return evaluate(corpora[0], corpora[1], protocol, metrics, parses=parses, jobs=jobs)
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
        self._metrics = tuple(metrics)
        self._name = name
        self.reset()

    def reset(self) -> None:
        """Forget all documents."""
        self._units: list[str] = []
        self._counts: list[Counts] = []
        self._notices: list[str] = []

    def update(self, key: Clusters, response: Clusters, *, name: str | None = None) -> None:
        """Add a document's clusters; mentions are any hashable values, equal if they are the same mention."""
        numbers: dict[Hashable, int] = {}
        sides = [_membership(clusters, numbers) for clusters in (key, response)]
        counts, repeats = tally(sides[0], sides[1], self._protocol, self._metrics)
        unit = name if name is not None else str(len(self._units) + 1)
        said = repeats.notices(f"key of {unit}", f"response of {unit}")
        if said and self._protocol.strict:
            raise RefereeError(f"{said[0]}; the strict protocol refuses that")
        self._notices += said
        self._units.append(unit)
        self._counts.append(counts)

    def result(self) -> Result:
        """Add up what has been seen so far."""
        if not self._counts:
            raise RefereeError("nothing to score: call update(key, response) first")
        counts = {name: np.concatenate([part[name] for part in self._counts]) for name in self._metrics}
        return Result(self._name, list(self._units), counts, self._protocol, list(self._notices))


def _membership(clusters: Clusters, numbers: dict[Hashable, int]) -> Membership:
    if isinstance(clusters, str):
        raise RefereeError("clusters must be a list of lists of mentions, not a string")
    lists = [list(cluster) for cluster in clusters]
    lists = [cluster for cluster in lists if cluster]
    mention = [numbers.setdefault(mention, len(numbers)) for cluster in lists for mention in cluster]
    cluster = [number for number, cluster in enumerate(lists) for _ in cluster]
    return Membership(
        np.array(mention, np.int64), np.array(cluster, np.int64), np.zeros(len(lists), np.int64), 1
    )
