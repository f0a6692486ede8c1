"""What goes beyond identity, in columns: sets of elements, bridging, expressions that refer to nothing."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np

from referee.arrays import BoolArray, IntArray
from referee.model.chains import Chains
from referee.model.mentions import BRIDGING, SPLIT_ANTECEDENT, Cluster, Mention, Relation, Span
from referee.model.text import Document

Elements = Mapping[str, Sequence[str]]  # an entity → the entities that are together its antecedent


@dataclass(frozen=True, slots=True)
class Anaphora:
    """The mentions of some documents, those that refer to nothing too, and what ties them together."""

    chains: Chains  # a document's clusters that refer to nothing come after the others
    refers: BoolArray  # cluster → whether it refers to anything
    elements: IntArray  # cluster and element, a row for each; no element is a set itself
    bridges: IntArray  # rows of anaphor and anchor, and whether the anchor is named by its entity alone
    labels: tuple[str, ...]  # of each bridge, what kind it is, where a corpus says so
    circles: tuple[str, ...] = ()  # documents whose sets contain themselves, and have none here

    @classmethod
    def of(cls, documents: Iterable[Document | None], *, cross_document: bool = False) -> Anaphora:
        """Flatten documents; None is a missing one."""
        given = list(documents)
        whole = [each and replace(each, clusters=(*each.clusters, *each.non_referring)) for each in given]
        refers: list[bool] = []
        elements: list[tuple[int, int]] = []
        bridges: list[tuple[int, int, bool]] = []
        labels: list[str] = []
        circles: list[str] = []
        rows = 0
        for document, all_ in zip(given, whole, strict=True):
            if document is None or all_ is None:
                continue
            numbers = {cluster.id: len(refers) + i for i, cluster in reversed([*enumerate(all_.clusters)])}
            elements += _elements(document.relations, numbers, document.id, circles)
            for a, b, by_entity, label in _bridges(all_):
                bridges.append((rows + a, rows + b, by_entity))
                labels.append(label)
            refers += [True] * len(document.clusters) + [False] * len(document.non_referring)
            rows += sum(len(cluster.mentions) for cluster in all_.clusters)
        return cls(
            Chains.of(whole, cross_document=cross_document),
            np.array(refers, np.bool_),
            _columns(elements, 2),
            _columns(bridges, 3),
            tuple(labels),
            tuple(circles),
        )

    @classmethod
    def with_sets(
        cls, chains: Chains, names: Sequence[str], relations: Iterable[Relation], where: str
    ) -> Anaphora:
        """Add sets to the chains of a document, whose clusters have these names and all refer."""
        numbers = {name: number for number, name in enumerate(names)}
        circles: list[str] = []
        elements = _columns([*_elements(relations, numbers, where, circles)], 2)
        return cls(chains, np.ones(len(names), np.bool_), elements, _columns([], 3), (), tuple(circles))

    @classmethod
    def joined(cls, some: Sequence[Anaphora]) -> Anaphora:
        """Put documents that follow each other into one."""
        clusters = np.cumsum([0, *(each.refers.size for each in some)])[:-1]
        rows = np.cumsum([0, *(each.chains.start.size for each in some)])[:-1]
        return cls(
            Chains.joined([each.chains for each in some]),
            np.concatenate([each.refers for each in some]),
            np.concatenate([each.elements + first for each, first in zip(some, clusters, strict=True)]),
            np.concatenate(
                [each.bridges + np.array([at, at, 0]) for each, at in zip(some, rows, strict=True)]
            ),
            tuple(label for each in some for label in each.labels),
            tuple(circle for each in some for circle in each.circles),
        )

    @property
    def referring(self) -> Anaphora:
        """The same without what refers to nothing."""
        if self.refers.all():
            return self
        renumbered = np.cumsum(self.refers) - 1
        elements = self.elements[self.refers[self.elements].all(axis=1)]
        rows = self.refers[self.chains.cluster]
        whole = rows[self.bridges[:, :2]].all(axis=1)
        bridges = self.bridges[whole].copy()
        bridges[:, :2] = (np.cumsum(rows) - 1)[bridges[:, :2]]
        chains = self.chains.of_clusters(self.refers)
        labels = tuple(compress(self.labels, np.atleast_1d(whole).tolist()))
        return Anaphora(chains, self.refers[self.refers], renumbered[elements], bridges, labels, self.circles)


def _columns(rows: Sequence[Sequence[int]], width: int) -> IntArray:
    return np.array(rows, np.int64).reshape(-1, width)


def _elements(
    relations: Iterable[Relation], numbers: Mapping[str, int], where: str, circles: list[str]
) -> Iterator[tuple[int, int]]:
    """List each set with its elements, by the numbers of clusters; those without mentions are left out."""
    sets = {name: parts for name, parts in elements_of(relations).items() if name in numbers}
    if cycle := cycle_in(sets):
        circles.append(f"document {where}: entity {' is an element of '.join(cycle)}")
        return
    for whole in sets:
        leaves = leaves_of(whole, sets)
        yield from ((numbers[whole], numbers[leaf]) for leaf in leaves if leaf in numbers)


def elements_of(relations: Iterable[Relation]) -> dict[str, list[str]]:
    """Collect the elements of each entity, each once.

    >>> elements_of([Relation(SPLIT_ANTECEDENT, "they", ("Ann", "Bo")), Relation("bridging", "Ann", ("Bo",))])
    {'they': ['Ann', 'Bo']}
    """
    sets: dict[str, dict[str, None]] = {}
    for relation in relations:
        if relation.kind == SPLIT_ANTECEDENT:
            sets.setdefault(relation.anaphor, {}).update(dict.fromkeys(relation.antecedents))
    return {whole: list(parts) for whole, parts in sets.items()}


def leaves_of(whole: str, sets: Elements) -> list[str]:
    """List the elements of a set; one that is a set itself is replaced by its own elements.

    >>> leaves_of("all", {"all": ["they", "Cy"], "they": ["Ann", "Bo"]})
    ['Cy', 'Ann', 'Bo']
    """
    leaves: dict[str, None] = {}
    seen, waiting = {whole}, deque(sets[whole])
    while waiting:
        name = waiting.popleft()
        if name not in sets:
            leaves[name] = None
        elif name not in seen:
            seen.add(name)
            waiting += sets[name]
    return list(leaves)


def cycle_in(sets: Elements) -> list[str]:
    """Find entities that are elements of each other in a circle; none if all is well.

    >>> cycle_in({"a": ["b"], "b": ["c", "a"]})
    ['a', 'b', 'a']
    >>> cycle_in({"a": ["b", "c"], "b": ["c"]})
    []
    """
    done: set[str] = set()
    for start in sets:
        path = {start: None} if start not in done else {}
        waiting = [iter(sets[start])] if path else []
        while waiting:
            name = next(waiting[-1], None)
            if name is None:
                waiting.pop()
                done.add(path.popitem()[0])
            elif name in path:
                circle = list(path)
                return [*circle[circle.index(name) :], name][::-1]
            elif name not in done and name in sets:
                path[name] = None
                waiting.append(iter(sets[name]))
    return []


def _bridges(document: Document) -> Iterator[tuple[int, int, bool, str]]:
    """List bridging by rows of mentions, with its label.

    An entity stands for its nearest mention before the anaphor.
    """
    firsts: dict[str, int] = {}
    rows: dict[tuple[str, tuple[Span, ...]], int] = {}
    clusters: dict[str, Cluster] = {}
    row = 0
    for cluster in document.clusters:
        firsts.setdefault(cluster.id, row)
        clusters.setdefault(cluster.id, cluster)
        for mention in cluster.mentions:
            rows.setdefault((cluster.id, mention.spans), row)
            row += 1
    for relation in document.relations:
        if relation.kind != BRIDGING or relation.anaphor not in clusters:
            continue
        anaphor = rows.get((relation.anaphor, relation.anaphor_spans), firsts[relation.anaphor])
        at = clusters[relation.anaphor].mentions[anaphor - firsts[relation.anaphor]]
        for number, name in enumerate(relation.antecedents):
            spans = relation.antecedent_spans[number] if relation.antecedent_spans else ()
            if (name, spans) in rows:
                yield anaphor, rows[name, spans], False, relation.label
            elif name in clusters:
                yield anaphor, firsts[name] + nearest(clusters[name].mentions, at), True, relation.label


def nearest(mentions: Sequence[Mention], anaphor: Mention) -> int:
    """Say which mention is the last before another one; the first if none is.

    >>> nearest([Mention.at(0, 1), Mention.at(4, 5), Mention.at(9, 10)], Mention.at(6, 7))
    1
    """
    before = [(mention.start, number) for number, mention in enumerate(mentions) if mention < anaphor]
    return max(before)[1] if before else 0
