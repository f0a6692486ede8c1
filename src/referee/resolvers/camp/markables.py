"""Markables: what may be a mention, and what the rules look at in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple


class Kind(Enum):
    """What a markable is made of."""

    PRONOUN = "pronoun"
    DEMONSTRATIVE = "demonstrative"
    NAME = "name"
    NOMINAL = "noun phrase"


class Property(NamedTuple):
    """What is believed of a markable or an entity, and how surely; without a value nothing is believed."""

    value: str | None = None
    confidence: float = 0.0


UNKNOWN_PROPERTY = Property()
TENTATIVE = 0.5  # the confidence of a belief that excludes nothing


@dataclass(slots=True)
class Properties:
    """Number, gender and animacy, each with a confidence.

    An entity without animacy is overloaded, as the paper's "Mrs. Fields" is: it may be a person or not, and
    the pronouns that are linked with it decide.
    """

    number: Property = UNKNOWN_PROPERTY  # singular, plural
    gender: Property = UNKNOWN_PROPERTY  # masculine, feminine, neuter
    animacy: Property = UNKNOWN_PROPERTY  # animate, inanimate

    def agree(self, other: Properties) -> bool:
        """Whether no two beliefs contradict each other."""
        return self.clash(other) is None

    def clash(self, other: Properties) -> str | None:
        """Name the first property of which both are sure, with different values."""
        for name in ("number", "gender", "animacy"):
            one, two = getattr(self, name), getattr(other, name)
            if one.value != two.value and min(one.confidence, two.confidence) > TENTATIVE:
                return name
        return None

    def take(self, other: Properties) -> None:
        """Keep of each property the more confident belief."""
        self.number = max(self.number, other.number, key=_confidence)
        self.gender = max(self.gender, other.gender, key=_confidence)
        self.animacy = max(self.animacy, other.animacy, key=_confidence)

    def __str__(self) -> str:
        """Say what is believed."""
        beliefs = (self.number, self.gender, self.animacy)
        return ", ".join(f"{b.value} {b.confidence:.2g}" for b in beliefs if b.value) or "nothing known"


def _confidence(belief: Property) -> float:
    return belief.confidence


@dataclass(slots=True, eq=False)
class Markable:
    """A phrase of a text, by its words and its head."""

    number: int  # its position among the markables of the text
    start: int
    end: int
    head: int
    sentence: int
    kind: Kind
    label: str  # the type of a name; nothing if it has none
    words: tuple[str, ...]  # in small letters
    lemma: str  # of the head
    relation: str  # of the head
    determiner: str | None
    possessor: int | None  # the head of the possessor
    coordinated: bool
    name: tuple[str, ...] = ()  # the words of a name, without titles
    titles: tuple[str, ...] = ()
    modifiers: frozenset[str] = frozenset()  # lemmas before the head
    complements: frozenset[str] = frozenset()  # lemmas behind it
    person: int = 3
    overloaded: bool = False  # a name that may be a person's or not
    properties: Properties = field(default_factory=Properties)
    nested: list[Markable] = field(default_factory=list)  # markables around it and inside it
    depth: int = 0  # how many are around it

    @property
    def head_word(self) -> str:
        """The head in small letters."""
        return self.words[self.head - self.start]

    @property
    def is_pronoun(self) -> bool:
        """Whether it is a personal or possessive pronoun."""
        return self.kind is Kind.PRONOUN
