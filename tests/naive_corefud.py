"""The official CorefUD scorer's rules, restated plainly and slowly over documents: what `crac` has to count.

Words are (position, ordinal): a written word is (its number + 1, 0), a zero (written words before it, which).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence, Set
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from referee.model import NO_WORD, Document, Mention

Word = tuple[int, str]
Counts = list[float]


class Node(NamedTuple):
    """A mention as the scorer has it."""

    words: tuple[Word, ...]
    head: Word
    is_zero: bool
    sentence: int  # of the head, if it is a zero
    arcs: frozenset[tuple[Word, str]]

    @property
    def place(self) -> tuple[Word, Word, int]:
        """What mentions are sorted by."""
        return self.words[0], self.words[-1], len(self.words)


Identity = tuple[object, ...]
Entities = list[list[Node]]


class Naive:
    """Key and response of one document, in one mode."""

    def __init__(self, key: Document, response: Document, match: str, singletons: str, zeros: str) -> None:
        """Match the mentions."""
        self.match = match
        self.key, self.response = (self._entities(side, singletons) for side in (key, response))
        self.owner = [
            {self.id(node): number for number, entity in enumerate(side) for node in entity}
            for side in (self.key, self.response)
        ]
        self.alike = False  # whether chance has a part in the official scorer
        pairs = self._pairs(zeros)
        self.map: dict[Identity, Identity] = {}
        unlike = [(self.id(k), self.id(r)) for k, r in pairs if self.id(k) != self.id(r)]
        self.map.update(unlike)
        self.map.update((r, k) for k, r in unlike)

    def id(self, node: Node) -> Identity:
        """Say what equal mentions have in common."""
        return (node.words, node.head) if self.match == "head" else (node.words,)

    def _entities(self, document: Document, singletons: str) -> Entities:
        entities = []
        for cluster in document.clusters:
            nodes = sorted((_node(document, m) for m in cluster.mentions), key=_reading_order)
            firsts: list[Node] = []
            for node in nodes:
                if self.id(node) not in map(self.id, firsts):
                    firsts.append(node)
            entities.append((_reading_order(firsts[0]), cluster.id, firsts))
        ordered = [nodes for _, _, nodes in sorted(entities, key=lambda entity: entity[:2])]
        return [nodes for nodes in ordered if len(nodes) > 1 or singletons == "keep"]

    def _pairs(self, zeros: str) -> list[tuple[Node, Node]]:
        ours, theirs = (
            {self.id(node): node for entity in reversed(side) for node in reversed(entity)}
            for side in (self.key, self.response)
        )
        pairs = []
        if zeros == "dependent":
            sides = [[node for node in side.values() if node.is_zero] for side in (ours, theirs)]
            pairs += self._best(sides[0], sides[1], _zero_weight)
        for side, taken in ((ours, [k for k, _ in pairs]), (theirs, [r for _, r in pairs])):
            for node in taken:
                del side[self.id(node)]
        for same in ours.keys() & theirs.keys():
            pairs.append((ours.pop(same), theirs.pop(same)))
        if self.match != "exact":
            weight = _head_weight if self.match == "head" else _partial_weight
            pairs += self._best([*ours.values()], [*theirs.values()], weight)
        return pairs

    def _best(
        self, ours: Sequence[Node], theirs: Sequence[Node], weight: Callable[[Node, Node], float]
    ) -> list[tuple[Node, Node]]:
        if not ours or not theirs:
            return []
        keys, responses = (sorted(side, key=lambda n: (*n.place, n.words, n.head)) for side in (ours, theirs))
        self.alike |= any(len({node.place for node in side}) < len(side) for side in (keys, responses))
        matrix = np.array([[weight(k, r) for r in responses] for k in keys])
        chosen = zip(*linear_sum_assignment(-matrix), strict=True)
        return [(keys[k], responses[r]) for k, r in chosen if matrix[k, r] > 0]

    def counts(self) -> dict[str, Counts]:
        """Count the document in all metrics."""
        found = [[self._partner(node, self.owner[1]) for node in entity] for entity in self.key]
        back = [[self._partner(node, self.owner[0]) for node in entity] for entity in self.response]
        halves = {
            name: [*count(found, self.response), *count(back, self.key)]
            for name, count in (("muc", _muc), ("b_cubed", _b_cubed), ("lea", _lea))
        }
        return halves | {
            "ceaf_e": self._ceaf(entities=True),
            "ceaf_m": self._ceaf(entities=False),
            "blanc": self._blanc(found),
            "mention_overlap": self._overlap(),
            "zeros": self._zeros(),
        }

    def _partner(self, node: Node, owner: dict[Identity, int]) -> int | None:
        return owner.get(self.map.get(self.id(node), self.id(node)))

    def _ceaf(self, *, entities: bool) -> Counts:
        similarity = np.zeros((len(self.key), len(self.response)))
        for i, ours in enumerate(self.key):
            for j, theirs in enumerate(self.response):
                held = {self.id(node) for node in theirs}
                common = sum(self.map.get(self.id(node), self.id(node)) in held for node in ours)
                similarity[i, j] = 2 * common / (len(ours) + len(theirs)) if entities else common
        best = float(similarity[linear_sum_assignment(-similarity)].sum())
        sizes = [len(side) if entities else sum(map(len, side)) for side in (self.key, self.response)]
        return [best, sizes[0], best, sizes[1]]

    def _blanc(self, found: list[list[int | None]]) -> Counts:
        together = sum(a is not None and a == b for own in found for a, b in combinations(own, 2))
        apart = sum(
            a is not None and b is not None and a != b
            for one, other in combinations(found, 2)
            for a in one
            for b in other
        )
        links = [sum(len(e) * (len(e) - 1) // 2 for e in side) for side in (self.key, self.response)]
        sizes = [sum(map(len, side)) for side in (self.key, self.response)]
        others = [n * (n - 1) // 2 - own for n, own in zip(sizes, links, strict=True)]
        return [together, links[0], together, links[1], apart, others[0], apart, others[1]]

    def _overlap(self) -> Counts:
        ours, theirs = ([node for entity in side for node in entity] for side in (self.key, self.response))
        common = np.array([[len({*k.words} & {*r.words}) for r in theirs] for k in ours])
        best = common[linear_sum_assignment(-common)].sum() if common.size else 0
        return [best, sum(len(k.words) for k in ours), best, sum(len(r.words) for r in theirs)]

    def _zeros(self) -> Counts:
        ours, theirs = (
            [sorted(e, key=lambda n: n.place) for e in side] for side in (self.key, self.response)
        )
        firsts = {self.id(entity[0]) for entity in theirs}
        tp = wl = fn = 0
        covered = set()
        for entity in ours:
            met = set()
            for index, node in enumerate(entity):
                partner = self.id(node) if self.id(node) in self.owner[1] else self.map.get(self.id(node))
                cluster = self.owner[1].get(partner) if partner else None
                if index and node.is_zero:
                    covered |= {partner}
                    if partner is None or partner in firsts:
                        fn += 1
                    elif cluster in met:
                        tp += 1
                    else:
                        wl += 1
                met |= {cluster} - {None}
        fp = sum(n.is_zero and self.id(n) not in firsts | covered for entity in theirs for n in entity)
        return [tp, tp + fn + wl, tp, tp + fp + wl]


def _node(document: Document, mention: Mention) -> Node:
    numbers = [word for start, end in mention.spans for word in range(start, end)]
    words = sorted((_word(document, number), number) for number in numbers)
    head = words[0][1] if mention.head is None else mention.head
    length = document.text.length
    zero = document.text.zeros[head - length] if head >= length else None
    arcs = frozenset(
        ((0, "") if governor == NO_WORD else _word(document, governor), relation)
        for governor, relation in (zero.governors if zero else ())
    )
    place = tuple(word for word, _ in words)
    return Node(place, _word(document, head), zero is not None, zero.sentence if zero else -1, arcs)


def _word(document: Document, number: int) -> Word:
    length = document.text.length
    if number < length:
        return number + 1, ""
    zero = document.text.zeros[number - length]
    return zero.before, f"{zero.sentence:06d}.{f'{zero.ordinal}'.rstrip('0')}"  # 1.10 is 1.1


def _reading_order(node: Node) -> tuple[Word, int, Word]:
    return node.words[0], -len(node.words), node.words[-1]


def _zero_weight(ours: Node, theirs: Node) -> float:
    if ours.sentence != theirs.sentence or not ours.arcs or not theirs.arcs:
        return 0.0
    parents = [{parent for parent, _ in node.arcs} for node in (ours, theirs)]
    return 10 * _f1(ours.arcs, theirs.arcs) + _f1(parents[0], parents[1])


def _f1(ours: Set[object], theirs: Set[object]) -> float:
    precision, recall = len(ours & theirs) / len(ours), len(ours & theirs) / len(theirs)
    return 2 * precision * recall / (precision + recall) if precision else 0.0


def _head_weight(ours: Node, theirs: Node) -> float:
    common = {*ours.words} & {*theirs.words}
    return len(common) / len({*ours.words}) if ours.head == theirs.head else 0.0


def _partial_weight(ours: Node, theirs: Node) -> float:
    fits = ours.head in theirs.words and {*theirs.words} <= {*ours.words}
    return len({*theirs.words}) / len({*ours.words}) if fits else 0.0


def _muc(found: list[list[int | None]], _: Entities) -> Counts:
    kept = sum(len([c for c in own if c is not None]) - len({*own} - {None}) for own in found)
    return [kept, sum(len(own) - 1 for own in found)]


def _b_cubed(found: list[list[int | None]], _: Entities) -> Counts:
    return [
        sum(sum(own.count(c) ** 2 for c in {*own} - {None}) / len(own) for own in found),
        sum(map(len, found)),
    ]


def _lea(found: list[list[int | None]], others: Entities) -> Counts:
    resolved = 0.0
    for own in found:
        if len(own) == 1:
            resolved += own[0] is not None and len(others[own[0]]) == 1
        else:
            pairs = [*combinations(own, 2)]
            resolved += len(own) * sum(a is not None and a == b for a, b in pairs) / len(pairs)
    return [resolved, sum(map(len, found))]


def naive_counts(
    key: Sequence[Document], response: Sequence[Document], match: str, singletons: str, zeros: str
) -> tuple[dict[str, Counts], bool]:
    """Sum up documents that belong together; also say whether chance has a part in the official counts."""
    totals: dict[str, list[float]] = defaultdict(lambda: [0.0] * 8)
    alike = False
    for ours, theirs in zip(key, response, strict=True):
        naive = Naive(ours, theirs, match, singletons, zeros)
        alike |= naive.alike
        for name, counts in naive.counts().items():
            totals[name] = [a + b for a, b in zip(totals[name], [*counts, *[0.0] * 8], strict=False)]
    return {name: counts[: 8 if name == "blanc" else 4] for name, counts in totals.items()}, alike
