"""Which names of a text are one person's: decided over the whole text, name by name instead of link by link.

Names that certainly are one person's are put together first: a full name with its first name. Titles,
surnames and first names that several people share are decided by votes: how often a resolver has put these
names into one entity. Names that exclude each other are never put together: Mr. and Mrs. Bennet, Jane and
Elizabeth Bennet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from referee.language.first_names import MASCULINE, first_names, frequent_first_names
from referee.resolvers.people.names import (
    FEMALE,
    MALE,
    Name,
    gender_of_first_name,
    same_first_name,
    same_initial,
    short_forms,
)

MARRIED = "mrs"
RIVALS = [{MARRIED, "miss"}, {MARRIED, "lady"}, {"miss", "lady"}, {"mr", "sir"}, {"mr", "lord"}]  # titles
OF_SURNAMES = frozenset(("mr", "mrs", "ms", "doctor", "professor", "captain", "colonel", "general", "major"))
OF_FIRST_NAMES = frozenset(
    "aunt uncle sister brother father mother saint king queen prince princess don".split()  # noqa: SIM905
)
SOME, CLEAR = 0.2, 2.0  # votes that decide between several people, and how many times the next one's
MANY, MOST = 0.5, 0.7  # votes by which names that share no word are one person's, and if that is doubtful
NEVER, OFTEN = 0.02, 4  # votes and occurrences of names that a resolver keeps apart knowingly
ROUNDS = 2
DOUBT = 8.0  # names for which it counts in each entity how often people are named elsewhere
NOWHERE = -1  # no entity
FEW = 2  # occurrences that make votes half as heavy


Votes = Mapping[Name, Counter[int]]


@dataclass(slots=True, eq=False)
class Person:
    """A person: the names, the resolver's entities that these are in, and what they show."""

    names: list[Name] = field(default_factory=list)
    entities: Counter[int] = field(default_factory=Counter)
    count: int = 0


class Inventory:
    """The people of a text; `person_of` says whose a name is."""

    def __init__(self, counts: Mapping[Name, int], votes: Votes, genders: Mapping[Name, int]) -> None:
        """Put names together; `genders` are those that pronouns show."""
        self.counts, self.votes, self.genders = counts, votes, genders
        self.person_of: dict[Name, Person] = {}
        names = sorted(counts, key=lambda name: (-counts[name], name))
        self.first = frequent_first_names() | {n.words[0] for n in names if len(n.words) > 1}
        titled = {name.words[-1] for name in names if name.title in OF_SURNAMES}
        self.surnames = titled | {name.words[-1] for name in names if len(name.words) > 1}
        self.first -= titled - {n.words[0] for n in names if len(n.words) > 1}
        for name in names:
            self.person_of[name] = Person([name], votes[name], counts[name])
        short = [name for name in names if len(name.words) == 1]
        for some in (
            [name for name in names if len(name.words) > 1],
            [name for name in short if name.title and name.title not in OF_SURNAMES],
            [name for name in short if name.title in OF_SURNAMES],
            [name for name in short if not name.title],
        ) * ROUNDS:
            for name in some:
                self._place(self.person_of[name], name)
        self._join_by_votes(names)

    def _place(self, mine: Person, name: Name) -> None:
        """Join a person with the one of whose name this is another form, if that is clear."""
        possible = [
            other
            for other in self._people()
            if other is not mine and self._is_form_of(mine, name, other) and self.may_be_one(mine, other)
        ]
        if chosen := self._chosen(mine, possible):
            self._join(mine, chosen)

    def _is_form_of(self, mine: Person, name: Name, other: Person) -> bool:
        """Whether a name is a form of one of a person's; that of a lady needs votes."""
        alike = [theirs for theirs in other.names if shares(name, theirs) and self._may_explain(name, theirs)]
        if alike and all(_of_family(name, theirs) for theirs in alike):
            return self.together(mine, other) >= MOST
        return bool(alike)

    def _may_explain(self, name: Name, theirs: Name) -> bool:
        """Whether one name may be taken for a form of another that is no shorter, and no rarer nickname."""
        alone = len(name.words) == len(theirs.words) == 1
        more = self.counts[theirs] >= self.counts[name]
        return len(theirs.words) >= len(name.words) and (not alone or name.words == theirs.words or more)

    def _chosen(self, mine: Person, possible: Sequence[Person]) -> Person | None:
        """Choose between people by votes, and where there are few by how often each is named."""
        if not possible:
            return None
        total = sum(other.count for other in possible)
        shares = [0.0] * len(possible)
        for entity, count in [*mine.entities.items(), (NOWHERE, 1)]:
            inside = [other.entities[entity] + DOUBT * other.count / total for other in possible]
            for number, theirs in enumerate(inside):
                shares[number] += count * theirs / sum(inside) / (mine.entities.total() + 1)
        best, *others = sorted(range(len(possible)), key=lambda number: -shares[number])
        clear = not others or (shares[best] >= SOME and shares[best] > CLEAR * shares[others[0]])
        return possible[best] if clear and not self._kept_apart(mine, possible[best]) else None

    def _kept_apart(self, one: Person, other: Person) -> bool:
        apart = self.together(one, other) < NEVER and min(one.count, other.count) >= OFTEN
        return apart and not any(certain(mine, theirs) for mine in one.names for theirs in other.names)

    def _join_by_votes(self, names: Sequence[Name]) -> None:
        """Join people of whom the resolver mostly says that they are one."""
        for name in names:
            mine = self.person_of[name]
            for other in self._people():
                if other is mine or mine.entities.keys().isdisjoint(other.entities):
                    continue
                votes = self.together(mine, other)
                if votes >= MANY and self.may_be_one(mine, other):
                    doubtful = any(
                        self._differ(one, two) or _of_family(one, two)
                        for one in mine.names
                        for two in other.names
                    )
                    if not doubtful or votes >= MOST:
                        self._join(other, mine)

    def _people(self) -> list[Person]:
        return list({id(person): person for person in self.person_of.values()}.values())

    def _join(self, one: Person, other: Person) -> None:
        other.names += one.names
        other.entities = other.entities + one.entities
        other.count += one.count
        for name in one.names:
            self.person_of[name] = other

    def together(self, one: Person, other: Person) -> float:
        """Say how often a name of the one and a name of the other are in one entity."""
        both = sum(count * other.entities[entity] for entity, count in one.entities.items())
        sizes = one.entities.total(), other.entities.total()
        return both / max(1, sizes[0] * sizes[1]) * min(sizes) / (min(sizes) + FEW / 2)

    def may_be_one(self, one: Person, other: Person) -> bool:
        """Whether no two of their names exclude each other."""
        gender = self.gender(one) | self.gender(other)
        return gender != MALE | FEMALE and not any(
            self.exclude(mine, theirs) for mine in one.names for theirs in other.names
        )

    def gender(self, person: Person) -> int:
        """Give the gender of the person's names, or else the one that pronouns show."""
        shown: Counter[int] = Counter()
        for name in person.names:
            shown[self._gender(name)] += self.counts[name]
        return 0 if shown[MALE] == shown[FEMALE] else MALE if shown[MALE] > shown[FEMALE] else FEMALE

    def _gender(self, name: Name) -> int:
        """Give the gender of a name; pronouns are surer than a first name."""
        return name.title_gender or self.genders.get(name, 0) or name.gender

    def exclude(self, one: Name, other: Name) -> bool:
        """Whether two names cannot be one person's."""
        if self._gender(one) | self._gender(other) == MALE | FEMALE:
            return True
        if {one.title, other.title} in RIVALS or _by_husband(one, other):
            return True
        surnames = self._surname(one), self._surname(other)
        if all(surnames) and surnames[0] != surnames[1]:
            return True
        full = len(one.words) > 1 and len(other.words) > 1
        first = one.words[0], other.words[0]
        return full and not (same_first_name(*first) or same_initial(*first))

    def _surname(self, name: Name) -> str:
        """Give the surname in a name; a word alone is one if titles say so elsewhere."""
        word = name.words[-1]
        if len(name.words) > 1:
            return word
        if name.title in OF_SURNAMES:
            is_first = name.gender and name.gender == gender_of_first_name(word) and word in self.first
            return "" if is_first else word
        return word if not name.title and word in self.surnames - self.first else ""

    def _differ(self, one: Name, other: Name) -> bool:
        """Whether both names begin with a first name, and not with the same."""
        both = all(name.words[0] in self.first and name.title not in OF_SURNAMES for name in (one, other))
        return both and not same_first_name(one.words[0], other.words[0])


def _by_husband(one: Name, other: Name) -> bool:
    """Whether one of two names has the husband's first name: Mrs. John Dashwood is not Mrs. Dashwood."""
    short, long = sorted((one.words, other.words), key=len)
    married = one.title == other.title == MARRIED
    return married and len(short) == 1 < len(long) and first_names().get(long[0]) == MASCULINE


def _of_family(one: Name, other: Name) -> bool:
    """Whether one of two names is a lady's by her surname, which others of her family have."""
    return any(
        len(name.words) == 1
        and name.gender == FEMALE
        and name.words[0] == theirs.words[-1]
        and name.title != theirs.title
        for name, theirs in ((one, other), (other, one))
    )


def shares(one: Name, other: Name) -> bool:
    """Whether one name is a form of the other: the same surname, first name or short form."""
    short, long = sorted((one, other), key=lambda name: len(name.words))
    if len(short.words) > 1:
        first = one.words[0], other.words[0]
        return one.words[-1] == other.words[-1] and (same_first_name(*first) or same_initial(*first))
    word = short.words[0]
    if len(long.words) == 1:
        return word == long.words[0] or (
            not (one.title or other.title) and long.words[0] in short_forms(word)
        )
    is_first = same_first_name(word, long.words[0]) and short.title not in OF_SURNAMES - {"mr", "mrs"}
    return is_first or (word == long.words[-1] and short.title not in OF_FIRST_NAMES)


def certain(one: Name, other: Name) -> bool:
    """Whether two names are one person's if nobody else has such a name."""
    short, long = sorted((one, other), key=lambda name: len(name.words))
    if len(long.words) == 1:
        return one.words == other.words and "" in (one.title, other.title)
    if len(short.words) > 1:
        return short.words == long.words
    return not short.title or short.title == long.title
