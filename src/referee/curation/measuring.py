"""Agreement by document, by type of mention and by annotator, and agreement on links corrected for chance.

κ is over links: each pair of mentions of a document that all annotators marked is an item, and an annotator
says that both are the same or that they are not. Chance is what each pair of annotators would agree on if
each linked as often as he does (Cohen 1960; for more than two, the mean over pairs: Davies & Fleiss 1982). A
link belongs to the type of its later mention.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import nan

import numpy as np

from referee.comparing.annotators import (
    CONLL,
    Agreement,
    Coding,
    alpha_of,
    coding,
    disagreement,
)
from referee.comparing.significance import intervals_of
from referee.comparing.verdicts import Interval, Plan
from referee.curation.texts import Sides
from referee.language.mention_types import TYPES, UNTYPED, describe
from referee.matching.protocol import Protocol
from referee.metrics.catalogue import CATALOGUE
from referee.metrics.standard import CONLL_METRICS
from referee.model import Mention

Names = tuple[str, ...]
F1 = 2  # where a scale puts it


@dataclass
class LinkVotes:
    """How often annotators say that two mentions are the same: items, and those that some link."""

    items: int = 0
    linked: Counter[Names] = field(default_factory=Counter)  # one annotator, or two of them → items

    def add(self, other: LinkVotes) -> None:
        """Add the votes of other items."""
        self.items += other.items
        self.linked.update(other.linked)

    def kappa(self, names: Sequence[str]) -> float:
        """Agreement of annotators beyond chance; not a number if it is not defined."""
        seen = chance = most = 0  # in items, and in their squares
        for one, other in combinations(names, 2):
            first, second = self.linked[(one,)], self.linked[(other,)]
            seen += self.items - first - second + 2 * self.linked[one, other]
            chance += first * second + (self.items - first) * (self.items - second)
            most += self.items**2
        return (self.items * seen - chance) / (most - chance) if most > chance else nan


def link_votes(codings: Mapping[str, Coding]) -> dict[Mention, LinkVotes]:
    """Count for each mention that all marked, except the first, the votes on its links to earlier ones."""
    common = sorted(frozenset.intersection(*(frozenset(coded) for coded in codings.values())))
    groups = [*((name,) for name in codings), *combinations(codings, 2)]
    earlier: dict[Names, Counter[object]] = {group: Counter() for group in groups}
    found: dict[Mention, LinkVotes] = {}
    for number, mention in enumerate(common):
        votes = LinkVotes(number)
        for group in groups:
            label = tuple(codings[name][mention] for name in group)
            votes.linked[group] = earlier[group][label]
            earlier[group][label] += 1
        found[mention] = votes
    return found


@dataclass(frozen=True, slots=True)
class Measured:
    """Agreement in a part of the texts."""

    name: str
    marked: int  # mentions that anybody marked
    common: int  # those that all marked
    alpha: float
    kappa: float
    conll: float = nan  # the mean over pairs of annotators; of whole documents alone


@dataclass(frozen=True, slots=True)
class OfAnnotator:
    """How far one annotator agrees with the others: means over his pairs, and α of the others without him."""

    name: str
    mentions: float
    conll: float
    kappa: float
    alpha_without: float


@dataclass(frozen=True, slots=True)
class Measures:
    """Agreement in detail."""

    kappa: float
    documents: Sequence[Measured]
    types: Sequence[Measured]
    annotators: Sequence[OfAnnotator]
    kappas: Mapping[tuple[str, str], float]  # of pairs
    intervals: Mapping[tuple[str, str], Interval]  # of the CoNLL average of pairs
    level: float


def measure(texts: Sequence[Sides], agreed: Agreement, protocol: Protocol, plan: Plan) -> Measures:
    """Measure agreement on the texts that all annotators have."""
    names = list(agreed.annotators)
    codings = [{name: coding(each.by[name], protocol) for name in names} for each in texts]
    votes = [link_votes(coded) for coded in codings]
    every = _sum(each for some in votes for each in some.values())
    conll = _conll_by_document(agreed)
    return Measures(
        every.kappa(names),
        [
            _measured(each.id, [coded], _sum(some.values()), names, conll[number])
            for number, (each, coded, some) in enumerate(zip(texts, codings, votes, strict=True))
        ],
        _by_type(texts, codings, votes, names),
        [_of_annotator(name, agreed, every, codings) for name in names],
        {pair: every.kappa(pair) for pair in agreed.pairs},
        {pair: intervals_of(result, plan)[CONLL][F1] for pair, result in agreed.results.items()},
        plan.level,
    )


def _sum(votes: Iterable[LinkVotes]) -> LinkVotes:
    total = LinkVotes()
    for each in votes:
        total.add(each)
    return total


def _measured(
    name: str, codings: Sequence[Mapping[str, Coding]], votes: LinkVotes, names: Sequence[str],
    conll: float = nan,
) -> Measured:  # fmt: skip
    sets = [[frozenset(coded) for coded in each.values()] for each in codings]
    marked = sum(len(frozenset.union(*each)) for each in sets)
    common = sum(len(frozenset.intersection(*each)) for each in sets)
    alpha = alpha_of(disagreement([*each.values()]) for each in codings)
    return Measured(name, marked, common, alpha, votes.kappa(names), conll)


def _conll_by_document(agreed: Agreement) -> list[float]:
    """Average the CoNLL F1 of each document over the pairs."""
    found = []
    for result in agreed.results.values():
        rows = [(CATALOGUE[name], np.atleast_2d(result.counts[name])) for name in CONLL_METRICS]
        found.append([
            sum(float(metric.scale(row[unit])[F1]) for metric, row in rows) / len(rows)
            for unit in range(len(result.units))
        ])  # fmt: skip
    return [sum(scores) / len(scores) for scores in zip(*found, strict=True)]


def _by_type(
    texts: Sequence[Sides], codings: Sequence[Mapping[str, Coding]],
    votes: Sequence[Mapping[Mention, LinkVotes]], names: Sequence[str],
) -> list[Measured]:  # fmt: skip
    """Measure each type of mention: name, noun, …; without parts of speech each type of entity."""
    types = [_types(each, coded) for each, coded in zip(texts, codings, strict=True)]
    kinds = {kind for some in types for kind in some.values()}
    found = []
    for kind in [*(each for each in TYPES if each in kinds), *sorted(kinds.difference(TYPES))]:
        some = [
            {name: {m: chain for m, chain in own.items() if of[m] == kind} for name, own in coded.items()}
            for coded, of in zip(codings, types, strict=True)
        ]
        links = _sum(
            vote for here, of in zip(votes, types, strict=True) for m, vote in here.items() if of[m] == kind
        )
        found.append(_measured(kind, some, links, names))
    return found


def _types(sides: Sides, codings: Mapping[str, Coding]) -> dict[Mention, str]:
    mentions = sorted({mention for coded in codings.values() for mention in coded})
    described = describe(sides.text, mentions)
    if any(each.type != UNTYPED for each in described):
        return {each.mention: each.type for each in described}
    given: dict[Mention, Counter[str]] = {mention: Counter() for mention in mentions}
    for document in sides.by.values():
        for cluster in document.clusters:
            for mention in cluster.mentions:
                if mention in given and (kind := mention.type or cluster.type):
                    given[mention][kind] += 1
    return {
        mention: min(counts, key=lambda kind: (-counts[kind], kind), default=UNTYPED)
        for mention, counts in given.items()
    }


def _of_annotator(
    name: str, agreed: Agreement, votes: LinkVotes, codings: Sequence[Mapping[str, Coding]]
) -> OfAnnotator:
    pairs = [pair for pair in agreed.pairs if name in pair]
    means = {
        measure: sum(agreed.pairs[pair][measure] for pair in pairs) / len(pairs)
        for measure in ("mentions", CONLL)
    }
    others = [[own for who, own in coded.items() if who != name] for coded in codings]
    without = alpha_of(map(disagreement, others)) if len(agreed.annotators) > 2 else nan
    kappa = sum(votes.kappa(pair) for pair in pairs) / len(pairs)
    return OfAnnotator(name, means["mentions"], means[CONLL], kappa, without)
