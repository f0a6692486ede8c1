"""A text while components link its markables: entities, links with their reasons, near misses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from referee.resolvers.camp.lexicon import Guidelines, Lexicon
from referee.resolvers.camp.markables import Markable, Properties
from referee.resolvers.camp.parse_view import Parse
from referee.resolvers.camp.person_names import NO_NAME, NamedPeople, PersonName
from referee.resolvers.people.layout import Layout

PLACES_AND_PEOPLE = frozenset(("PERSON", "GPE", "LOC", "FAC", "ORG", "NORP"))


@dataclass(slots=True, eq=False)
class Entity:
    """The markables that refer to one thing, and what is believed of it."""

    markables: list[Markable]
    first: Markable
    properties: Properties
    overloaded: bool
    name: PersonName = NO_NAME

    @classmethod
    def of(cls, markable: Markable, name: PersonName = NO_NAME) -> Entity:
        """Begin an entity."""
        return cls([markable], markable, replace(markable.properties), markable.overloaded, name)


class Link(NamedTuple):
    """Why two markables are one entity."""

    component: str
    rule: str
    anaphor: Markable
    antecedent: Markable
    reason: str
    score: float  # how often such a link is right, as measured


class NearMiss(NamedTuple):
    """An anaphor that was not resolved, and the candidates that nearly were its antecedent."""

    component: str
    anaphor: Markable
    candidates: tuple[Markable, ...]
    reason: str


class Boldness(NamedTuple):
    """How much is dared: which rules may link, and when a pronoun is left alone."""

    threshold: float  # how often a rule must be right, as measured
    caution: float  # by how much, in log odds, a pronoun's antecedent must be likelier than none


BOLDEST = Boldness(0.0, -1.0)


@dataclass(eq=False)
class Discourse:
    """A text, its markables and the entities so far."""

    parse: Parse
    markables: list[Markable]
    lexicon: Lexicon
    guidelines: Guidelines
    layout: Layout
    quoted: list[bool]  # word → whether it is inside of quotation marks
    boldness: Boldness = BOLDEST
    component: str = ""  # which is at work
    links: list[Link] = field(default_factory=list)
    near_misses: list[NearMiss] = field(default_factory=list)
    others: dict[Markable, Markable] = field(default_factory=dict)  # a pronoun → who it does not mean

    def __post_init__(self) -> None:
        """Begin with an entity for each markable."""
        self.people = NamedPeople(self.parse, self.markables, self.lexicon)
        self.entity_of = {m: Entity.of(m, self.people.name_of(m)) for m in self.markables}
        self.by_sentence: list[list[Markable]] = [[] for _ in self.parse.sentences]
        for markable in self.markables:
            self.by_sentence[markable.sentence].append(markable)
        self.by_head: dict[int, Markable] = {}
        for markable in self.markables:
            self.by_head[markable.head] = markable  # the innermost comes last

    def together(self, one: Markable, other: Markable) -> bool:
        """Whether two markables are one entity already."""
        return self.entity_of[one] is self.entity_of[other]

    def compatible(self, one: Markable, other: Markable) -> bool:
        """Whether two entities agree, are not named as two people, and none of their markables nests."""
        small, large = sorted(
            (self.entity_of[one], self.entity_of[other]), key=lambda entity: len(entity.markables)
        )
        if not small.properties.agree(large.properties) or small.name.clashes(large.name):
            return False
        inside = sum(self.entity_of[nested] is large for m in small.markables for nested in m.nested)
        return inside * self.lexicon.limits["nesting"] <= len(small.markables)

    def link(
        self,
        anaphor: Markable,
        antecedent: Markable,
        rule: str,
        reason: str = "",
        score: float | None = None,
    ) -> None:
        """Make two entities one, and write down why; unless the rule is wrong more often than is allowed.

        A link that comes with a score was judged by the rule that made it.
        """
        measured = self.lexicon.measured(rule, abs(anaphor.sentence - antecedent.sentence))
        if score is None and measured < self.boldness.threshold:
            self.miss(anaphor, (antecedent,), f"{rule}: right in {measured:.0%}, which is too low")
            return
        score = measured if score is None else score
        if self._unite(anaphor, antecedent):
            self.links.append(Link(self.component, rule, anaphor, antecedent, reason, score))

    def _unite(self, one: Markable, other: Markable) -> bool:
        """Make two entities one; say whether they were two."""
        small, large = sorted(
            (self.entity_of[one], self.entity_of[other]), key=lambda entity: len(entity.markables)
        )
        if small is large:
            return False
        large.markables += small.markables
        large.first = min(large.first, small.first, key=lambda markable: markable.number)
        large.properties.take(small.properties)
        large.name |= small.name
        large.overloaded = large.overloaded and small.overloaded
        for markable in small.markables:
            self.entity_of[markable] = large
        return True

    def part(self, groups: Iterable[Sequence[Markable]]) -> list[list[Entity]]:
        """Part what is not in one group; give the entities of each group that its remaining links make.

        Links between groups are forgotten, and told as near misses.
        """
        group_of = {markable: number for number, group in enumerate(groups) for markable in group}
        links, self.links = self.links, []
        self.entity_of = {m: Entity.of(m, self.people.name_of(m)) for m in self.markables}
        for link in links:
            if group_of[link.anaphor] == group_of[link.antecedent]:
                self._unite(link.anaphor, link.antecedent)
                self.links.append(link)
            else:
                self.miss(link.anaphor, (link.antecedent,), f"{link.rule}: two people, by the whole text")
        parts: list[dict[Entity, None]] = [{} for _ in range(1 + max(group_of.values(), default=-1))]
        for markable in self.markables:
            parts[group_of[markable]][self.entity_of[markable]] = None
        return [list(entities) for entities in parts]

    def miss(self, anaphor: Markable, candidates: tuple[Markable, ...], reason: str) -> None:
        """Write down an anaphor that was left alone, and why."""
        self.near_misses.append(NearMiss(self.component, anaphor, candidates, reason))

    def annotated(self) -> list[Entity]:
        """List the entities that the guidelines want: alone or not, and of which kinds."""
        smallest = 1 if self.guidelines.singletons else 2
        return [
            entity
            for entity in self.entities
            if len(entity.markables) >= smallest
            and (self.guidelines.things or self._is_person_or_place(entity))
        ]

    def _is_person_or_place(self, entity: Entity) -> bool:
        """Whether an entity is a person, a place or an organisation."""
        return entity.properties.animacy.value == "animate" or any(
            markable.label in PLACES_AND_PEOPLE or markable.lemma in self.lexicon["places"]
            for markable in entity.markables
        )

    @property
    def entities(self) -> list[Entity]:
        """The entities in the order in which a reader meets them."""
        return list(dict.fromkeys(self.entity_of[markable] for markable in self.markables))
