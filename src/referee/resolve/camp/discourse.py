"""A text while components link its markables: entities, links with their reasons, near misses."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from referee.resolve.camp.lexicon import Guidelines, Lexicon
from referee.resolve.camp.markables import Markable, Properties
from referee.resolve.camp.parse_view import Parse


@dataclass(slots=True, eq=False)
class Entity:
    """The markables that refer to one thing, and what is believed of it."""

    markables: list[Markable]
    first: Markable
    properties: Properties
    overloaded: bool

    @classmethod
    def of(cls, markable: Markable) -> Entity:
        """Begin an entity."""
        return cls([markable], markable, replace(markable.properties), markable.overloaded)


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


@dataclass(eq=False)
class Discourse:
    """A text, its markables and the entities so far."""

    parse: Parse
    markables: list[Markable]
    lexicon: Lexicon
    guidelines: Guidelines
    quoted: list[bool]  # word → whether it is inside of quotation marks
    caution: float = 0.0  # by how much, in log odds, an antecedent must be likelier than none
    component: str = ""  # which is at work
    links: list[Link] = field(default_factory=list)
    near_misses: list[NearMiss] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin with an entity for each markable."""
        self.entity_of = {markable: Entity.of(markable) for markable in self.markables}
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
        """Whether two entities agree, and none of their markables contains one of the other's."""
        small, large = sorted(
            (self.entity_of[one], self.entity_of[other]), key=lambda entity: len(entity.markables)
        )
        return small.properties.agree(large.properties) and not any(
            self.entity_of[nested] is large for markable in small.markables for nested in markable.nested
        )

    def link(
        self, anaphor: Markable, antecedent: Markable, rule: str, reason: str = "", score: float = 0.0
    ) -> None:
        """Make two entities one, and write down why."""
        small, large = sorted(
            (self.entity_of[anaphor], self.entity_of[antecedent]), key=lambda entity: len(entity.markables)
        )
        if small is large:
            return
        self.links.append(Link(self.component, rule, anaphor, antecedent, reason, score))
        large.markables += small.markables
        large.first = min(large.first, small.first, key=lambda markable: markable.number)
        large.properties.take(small.properties)
        large.overloaded = large.overloaded and small.overloaded
        for markable in small.markables:
            self.entity_of[markable] = large

    def miss(self, anaphor: Markable, candidates: tuple[Markable, ...], reason: str) -> None:
        """Write down an anaphor that was left alone, and why."""
        self.near_misses.append(NearMiss(self.component, anaphor, candidates, reason))

    @property
    def entities(self) -> list[Entity]:
        """The entities in the order in which a reader meets them."""
        return list(dict.fromkeys(self.entity_of[markable] for markable in self.markables))
