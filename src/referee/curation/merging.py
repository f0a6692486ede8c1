"""Merges what annotators made of one text, by a rule; what the rule leaves undecided are cases.

    majority  a mention is kept if more than half of the annotators of the text marked it; it has the words
              that most of them chose, and the entity that `votes` says
    trusted   everything is as one annotator has it
    union     every mention is kept, with the words that most chose (of equally many, the longest); one link
              by anybody is enough

A person's decisions come before all rules. Under `majority` a trusted annotator may decide what is undecided.
As long as nobody decides, an undecided mention is left out, and an undecided one has the longest of the words
that equally many chose.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from referee.arrays import IntArray
from referee.curation.cases import ENTITY, MENTION, NO, WORDS, YES, Case, Decision, grouped, letters
from referee.curation.mentions import Candidate, candidates
from referee.curation.texts import Sides
from referee.curation.votes import ABSENT, Group, Parts, groups
from referee.display import number_of
from referee.model import Cluster, Document, Mention

ANNOTATORS, NOBODY = "annotators", "-"  # a layer, and what it has where nobody marked anything
MAJORITY, TRUSTED, UNION = RULES = ("majority", "trusted", "union")


@dataclass(frozen=True, slots=True)
class Rule:
    """How annotations are merged."""

    name: str = MAJORITY
    trust: str | None = None  # the annotator who decides


@dataclass(frozen=True, slots=True)
class Marking:
    """A mention that somebody marked: who did, and what became of it."""

    candidate: Candidate
    entities: Mapping[str, str]  # annotator → the id that his entity has
    mention: Mention | None = None  # as it was merged; None if it was left out
    cluster: str | None = None  # the id of its entity
    decided: bool = False  # whether a person decided on it


@dataclass(frozen=True, slots=True)
class Merged:
    """One text after its annotations were merged."""

    document: Document
    cases: tuple[Case, ...]
    markings: tuple[Marking, ...]
    notices: tuple[str, ...] = ()

    def attributed(self) -> Document:
        """Add a layer that says of each mention that begins with a word which annotators marked it."""
        said: dict[int, list[str]] = {}
        for marking in self.markings:
            if marking.mention is not None:
                names = "+".join(marking.candidate.by) or NOBODY
                said.setdefault(marking.mention.start, []).append(f"{marking.cluster}={names}")
        text = self.document.text
        layer = tuple(" ".join(said.get(word, [NOBODY])) for word in range(len(text.words)))
        return self.document.with_text(layers={**text.layers, ANNOTATORS: layer})

    def corrected(self, document: Document) -> Merged:
        """Take the document as a person corrected it."""
        homes = {mention: cluster.id for cluster in document.clusters for mention in cluster.mentions}
        markings = []
        for marking in self.markings:
            known = [marking.mention, *marking.candidate.by.values()]
            mention = next((each for each in known if each is not None and each in homes), None)
            cluster = None if mention is None else homes.pop(mention)
            changed = (mention, cluster) != (marking.mention, marking.cluster)
            markings.append(
                replace(marking, mention=mention, cluster=cluster, decided=marking.decided or changed)
            )
        added = [Marking(Candidate({}), {}, mention, home, decided=True) for mention, home in homes.items()]
        markings = sorted([*markings, *added], key=lambda each: each.mention or each.candidate.mention)
        return replace(self, document=document, markings=tuple(markings))


def merge(sides: Sides, rule: Rule, decisions: Sequence[Decision] = ()) -> Merged:
    """Merge the annotations of one text."""
    return _Merging(sides, rule, decisions).merged()


class _Merging:
    """The work on one text."""

    def __init__(self, sides: Sides, rule: Rule, decisions: Sequence[Decision]) -> None:
        self.text, self.by = sides.text, sides.by
        self.names = list(sides.by)
        trust = rule.trust if rule.trust in sides.by else None
        self.rule = Rule(MAJORITY if rule.name == TRUSTED and trust is None else rule.name, trust)
        self.entity_of, self.notices = _entities(sides)
        found = candidates(sides.text, self.entity_of)
        self.candidates: list[Candidate] = found
        self.index = {mention: at for at, each in enumerate(found) for mention in each.by.values()}
        self.decisions: dict[str, list[Decision]] = {MENTION: [], WORDS: [], ENTITY: []}
        self.decided: set[int] = set()
        for decision in decisions:
            self._take(decision)
        self.cases: list[Case] = []
        self.tied_types = 0  # entities of which equally many say one type and another

    def _take(self, decision: Decision) -> None:
        """Keep a decision, if it is about mentions that are here."""
        known = [self.index.get(mention) for part in decision.parts for mention in part]
        if None in known:
            self.notices.append(
                f"{decision.where}: left out, since nobody marked all of its mentions in {self.text.id}"
            )
            return
        self.decisions[decision.kind].append(decision)
        self.decided |= {each for each in known if each is not None}

    def merged(self) -> Merged:
        """Decide on mentions, their words, and their entities."""
        kept = [self._kept(at, each) for at, each in enumerate(self.candidates)]
        asked = [at for at, stays in enumerate(kept) if stays is not False]
        mentions = {at: self._words(at) for at in asked}
        found = self._groups(asked)
        for group in found:
            for question in group.questions:
                self._ask_for_entity(question, group, asked)
        clusters: dict[int, int] = {}  # candidate → its entity
        entities = [
            [asked[at] for at in entity if kept[asked[at]]] for group in found for entity in group.entities()
        ]
        entities = sorted(filter(None, entities), key=lambda some: mentions[some[0]])
        for number, entity in enumerate(entities):
            clusters |= dict.fromkeys(entity, number)
        names = self._cluster_names(entities)
        types = [self._type(entity) for entity in entities]
        if self.tied_types:
            self.notices.append(
                f"{self.text.id}: {number_of(self.tied_types, 'entity')} with as many votes for one type as "
                "for another; the first in the alphabet is taken"
            )
        made = tuple(
            Cluster(name, tuple(sorted(self._described(at, mentions[at]) for at in entity)), kind)
            for name, entity, kind in zip(names, entities, types, strict=True)
        )
        homes = {at: (mentions[at], names[number]) for at, number in clusters.items()}
        markings = tuple(
            self._marking(at, *homes.get(at, (None, None))) for at in range(len(self.candidates))
        )
        return Merged(replace(self.text, clusters=made), tuple(self.cases), markings, tuple(self.notices))

    def _marking(self, at: int, mention: Mention | None, cluster: str | None) -> Marking:
        each = self.candidates[at]
        entities = {
            name: self.by[name].clusters[self.entity_of[name][own]].id for name, own in each.by.items()
        }
        return Marking(each, entities, mention, cluster, at in self.decided)

    def _kept(self, at: int, each: Candidate) -> bool | None:
        """Whether a mention is kept; None if that is undecided."""
        for decision in reversed(self.decisions[MENTION]):
            if self.index[decision.parts[0][0]] == at:
                if decision.answer in self.names:
                    return decision.answer in each.by
                return decision.answer.lower() == YES
        if self.rule.name == UNION:
            return True
        if self.rule.name == TRUSTED:
            return self.rule.trust in each.by
        surplus = 2 * len(each.by) - len(self.names)
        if surplus == 0 and self.rule.trust:
            return self.rule.trust in each.by
        if surplus == 0:
            answers = {name: YES if name in each.by else NO for name in self.names}
            self._ask(MENTION, [[each.mention]], answers, NO)
        return None if surplus == 0 else surplus > 0

    def _words(self, at: int) -> Mention:
        """Choose the words of a mention."""
        each, trust = self.candidates[at], self.rule.trust
        for decision in reversed(self.decisions[WORDS]):
            if self.index[decision.parts[0][0]] == at:
                return _chosen_words(decision, each)
        if trust in each.by and (self.rule.name == TRUSTED or each.tied):
            return each.by[str(trust)]
        if each.tied and self.rule.name == MAJORITY:
            parts = [mention for mention, _ in each.votes]
            names = dict(zip(parts, letters(), strict=False))
            answers = {name: names[own] for name, own in each.by.items()}
            self._ask(WORDS, [[mention] for mention in parts], answers, names[each.mention])
        return each.mention

    def _groups(self, asked: Sequence[int]) -> list[Group]:
        """Group mentions; under a trusted annotator as he has them."""
        names = [str(self.rule.trust)] if self.rule.name == TRUSTED else self.names
        labels = np.full((len(asked), len(names)), ABSENT)
        for column, name in enumerate(names):
            own = self.entity_of[name]
            for row, at in enumerate(asked):
                if mention := self.candidates[at].by.get(name):
                    labels[row, column] = own[mention]
        decided = [self._column(decision, asked) for decision in self.decisions[ENTITY]]
        trusted = names.index(self.rule.trust) if self.rule.trust and self.rule.name == MAJORITY else None
        columns = [*self._alone(labels), *decided]
        return groups(labels, columns, union=self.rule.name == UNION, trusted=trusted)

    @staticmethod
    def _alone(labels: IntArray) -> list[IntArray]:
        """A mention that a person keeps though no annotator of those who count marked it stands alone."""
        unknown = (labels == ABSENT).all(axis=1)
        return [np.where(unknown, np.arange(len(labels)), ABSENT)] if unknown.any() else []

    def _column(self, decision: Decision, asked: Sequence[int]) -> IntArray:
        """Write a decision on entities as a label for each mention that it is about."""
        row = {at: number for number, at in enumerate(asked)}
        column = np.full(len(asked), ABSENT)
        own = self.entity_of.get(decision.answer)
        group = None if own is not None else decision.grouping()
        for number, part in enumerate(decision.parts):
            for mention in part:
                at = self.index[mention]
                if at not in row:
                    continue
                if group is not None:
                    column[row[at]] = group[number]
                elif own is not None and (mine := self.candidates[at].by.get(decision.answer)):
                    column[row[at]] = own[mine]
        return column

    def _ask_for_entity(self, question: Parts, group: Group, asked: Sequence[int]) -> None:
        """Ask which parts are the same; of a part that annotators divide, most mentions decide."""
        answers = {}
        for name in self.names:
            labels = [_most([self._label(name, asked[at]) for at in part]) for part in question]
            if sum(label is not None for label in labels) > 1:
                answers[name] = grouped(labels)
        homes = {at: number for number, entity in enumerate(group.entities()) for at in entity}
        parts = [[self.candidates[asked[at]].mention for at in part] for part in question]
        self._ask(ENTITY, parts, answers, grouped([homes[part[0]] for part in question]))

    def _label(self, name: str, at: int) -> int | None:
        own = self.candidates[at].by.get(name)
        return None if own is None else self.entity_of[name][own]

    def _ask(
        self, kind: str, parts: Sequence[Sequence[Mention]], answers: Mapping[str, str], meanwhile: str
    ) -> None:
        self.cases.append(Case(kind, self.text, tuple(map(tuple, parts)), answers, meanwhile))

    def _described(self, at: int, mention: Mention) -> Mention:
        """Give a mention what most of those say of it who marked these words."""
        said = [own for own in self._heard(at).values() if own == mention]
        facts = {name: _most([getattr(own, name) for own in said]) for name in ("minimum", "head", "type")}
        return replace(mention, **facts, score=None, link_score=None)

    def _type(self, entity: Sequence[int]) -> str | None:
        """Choose the type that most mentions of an entity have from annotators."""
        kinds = [cluster.type for at in entity for cluster in self._clusters_of(at)]
        counts = Counter(kind for kind in kinds if kind is not None).most_common(2)
        self.tied_types += len(counts) == 2 and counts[0][1] == counts[1][1]
        most: str | None = _most(kinds)
        return most

    def _clusters_of(self, at: int) -> list[Cluster]:
        by = self._heard(at)
        return [self.by[name].clusters[self.entity_of[name][own]] for name, own in by.items()]

    def _heard(self, at: int) -> Mapping[str, Mention]:
        """Give the mentions of those who are asked what is known of one: under `trusted` that annotator's."""
        by = self.candidates[at].by
        trusted = {name: own for name, own in by.items() if name == self.rule.trust}
        return (trusted or by) if self.rule.name == TRUSTED else by

    def _cluster_names(self, entities: Sequence[Sequence[int]]) -> list[str]:
        """Call entities as most annotators call them; where that is taken already, by a number."""
        wanted = [
            Counter(cluster.id for at in entity for cluster in self._clusters_of(at)) for entity in entities
        ]
        order = sorted(range(len(entities)), key=lambda at: (-max(wanted[at].values()), at))
        names: dict[int, str] = {}
        taken: set[str] = set()
        for at in order:
            known = sorted(wanted[at], key=lambda name: (-wanted[at][name], len(name), name))
            if name := next((name for name in known if name not in taken), None):
                names[at] = name
                taken.add(name)
        every = taken | {name for some in wanted for name in some}
        free = (
            str(number) for number in range(1, len(entities) + len(every) + 1) if str(number) not in every
        )
        return [names[at] if at in names else next(free) for at in range(len(entities))]


def _entities(sides: Sides) -> tuple[dict[str, dict[Mention, int]], list[str]]:
    """Give each annotator's mentions the index of their cluster, the first where there are several."""
    found: dict[str, dict[Mention, int]] = {}
    notices = []
    for name, document in sides.by.items():
        own: dict[Mention, int] = {}
        for number, cluster in enumerate(document.clusters):
            for mention in cluster.mentions:
                own.setdefault(mention, number)
        again = sum(len(cluster.mentions) for cluster in document.clusters) - len(own)
        if again:
            notices.append(
                f"{name}: {sides.id}: {number_of(again, 'mention')} marked again; the first entity counts"
            )
        found[name] = own
    return found, notices


def _chosen_words(decision: Decision, each: Candidate) -> Mention:
    if decision.answer in each.by:
        return each.by[decision.answer]
    for letter, part in zip(letters(), decision.parts, strict=False):
        if decision.answer.upper() == letter and part[0] in each.by.values():
            return next(own for own in each.by.values() if own == part[0])
    raise decision.error("the annotator did not mark it")


def _most(values: Sequence[Any]) -> Any:
    """Choose what occurs most, of equally many the first in order; nothing where nothing is known."""
    counts = Counter(value for value in values if value is not None)
    return min(counts, key=lambda value: (-counts[value], str(value)), default=None)
