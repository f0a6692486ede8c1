"""A second pass over what a resolver found: people are one entity each, and never two in one.

An entity that grew wrong has names of several people: it is split, and pronouns and nouns follow the nearest
name before them that they agree with. The parts of one person are joined, wherever they are in the text.
Names of known people that the resolver did not find are added. All else stays as it was.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from referee.language import english
from referee.language.first_names import frequent_first_names
from referee.resolvers.people.inventory import Inventory, Person
from referee.resolvers.people.layout import Layout
from referee.resolvers.people.names import (
    FEMALE,
    MALE,
    Name,
    Occurrence,
)

GENDERED = 2  # pronouns of an entity that show a gender, and
EVIDENT = 4  # how many times more than of the other
KNOWN = 20  # names of a person that a resolver found, so that others may be added
NAMED = 2  # times that a person is named at least


class Found(NamedTuple):
    """A mention that a resolver found: its words, the end excluded, and its entity."""

    start: int
    end: int
    entity: int


@dataclass(slots=True)
class People:
    """The people of a text, and where each is named: occurrence → person, mention → occurrence."""

    occurrences: Sequence[Occurrence]
    named: dict[int, int]  # the number of a mention → of its occurrence
    inventory: Inventory
    people: set[int]  # ids of `Person`s that surely are people

    def person(self, occurrence: int) -> Person | None:
        """Give the person that an occurrence names, if it is one."""
        person = self.inventory.person_of[self.occurrences[occurrence].name]
        return person if id(person) in self.people else None


def find_people(layout: Layout, found: Sequence[Found]) -> People:
    """Find the people of a text."""
    words, occurrences = layout.words, layout.names
    named = named_mentions(layout, found)
    votes: dict[Name, Counter[int]] = defaultdict(Counter)
    for mention, occurrence in named.items():
        votes[occurrences[occurrence].name][found[mention].entity] += 1
    counts = Counter(occurrence.name for occurrence in occurrences)
    genders = _genders(words, found)
    inventory = Inventory(counts, votes, _shown(counts, votes, genders))
    people = {
        id(person)
        for person in inventory.person_of.values()
        if person.count >= NAMED and _is_person(person, genders)
    }
    return People(occurrences, named, inventory, people)


def named_mentions(layout: Layout, found: Sequence[Found]) -> dict[int, int]:
    """Pair mentions with the names that they end with; of several around one name, the smallest."""
    words, occurrences = layout.words, layout.names
    by_end = {occurrence.end: number for number, occurrence in enumerate(occurrences)}
    best: dict[int, int] = {}
    for number, mention in enumerate(found):
        end = mention.end - (words[mention.end - 1] in english.CLITICS)
        occurrence = by_end.get(end)
        if occurrence is None or mention.start > occurrences[occurrence].start + 1:
            continue
        before = range(mention.start, occurrences[occurrence].start)
        if any(
            words[word] in english.CLITICS or words[word].lower() in english.AFTER_NOUN for word in before
        ):
            continue  # Anne and Mary; the father of Anne
        if occurrence not in best or mention.start > found[best[occurrence]].start:
            best[occurrence] = number
    return {mention: occurrence for occurrence, mention in best.items()}


def _genders(words: Sequence[str], found: Sequence[Found]) -> dict[int, Counter[int]]:
    """Count he, she, and it and they (0) in each entity."""
    genders: dict[int, Counter[int]] = defaultdict(Counter)
    for start, end, entity in found:
        if end - start == 1 and (word := words[start].lower()) in english.THIRD:
            genders[entity][gender_of_pronoun(word)] += 1
    return genders


def gender_of_pronoun(word: str) -> int:
    """Say which gender a pronoun shows, 0 for none."""
    return MALE if word in english.MASCULINE else FEMALE if word in english.FEMININE else 0


def _shown(
    counts: Counter[Name], votes: dict[Name, Counter[int]], genders: dict[int, Counter[int]]
) -> dict[Name, int]:
    """Give the gender of names by the pronouns of an entity in which most of them are, and few others."""
    sizes: Counter[int] = Counter()
    for entities in votes.values():
        sizes.update(entities)
    shown = {}
    for name, entities in votes.items():
        entity, count = entities.most_common(1)[0]
        he, she = genders[entity][MALE], genders[entity][FEMALE]
        known = 2 * count > max(sizes[entity], counts[name]) and max(he, she) >= GENDERED
        if known and max(he, she) > EVIDENT * min(he, she):
            shown[name] = MALE if he > she else FEMALE
    return shown


def _is_person(person: Person, genders: dict[int, Counter[int]]) -> bool:
    """Whether titles, first names or pronouns say that names are a person's."""
    pronouns: Counter[int] = Counter()
    for entity in person.entities:
        pronouns.update(genders[entity])
    by_pronouns = pronouns[MALE] + pronouns[FEMALE] > pronouns[0]
    titled = any(name.title for name in person.names)
    first = any(name.words[0] in frequent_first_names() for name in person.names)
    return titled or by_pronouns or (first and not pronouns)


def settled(layout: Layout, found: Sequence[Found], people: People) -> list[Found]:
    """Give mentions their people; entities of people have numbers after those that there were."""
    number_of: dict[int, int] = {}
    free = 1 + max((mention.entity for mention in found), default=-1)
    by_entity: dict[int, list[int]] = defaultdict(list)
    for number, mention in enumerate(found):
        by_entity[mention.entity].append(number)
    result = list(found)
    for members in by_entity.values():
        named = [
            (number, people.person(people.named[number])) for number in members if number in people.named
        ]
        anchors = [(number, person) for number, person in named if person]
        if not anchors:
            continue
        telling = [number for number in members if _is_first(layout.lower, found[number])]
        if len(telling) > len(anchors) and len({id(person) for _, person in anchors}) > 1:
            members = sorted(set(members).difference(telling))  # who tells is not whoever is named near
        for number in members:
            if person := _nearest(layout.lower, found, number, anchors, people):
                entity = number_of.setdefault(id(person), free + len(number_of))
                result[number] = found[number]._replace(entity=entity)
    return result + _added(layout.words, found, people, number_of)


def _is_first(lower: Sequence[str], mention: Found) -> bool:
    return mention.end - mention.start == 1 and lower[mention.start] in english.FIRST_SINGULAR


def _nearest(
    lower: Sequence[str],
    found: Sequence[Found],
    number: int,
    anchors: Sequence[tuple[int, Person]],
    people: People,
) -> Person | None:
    """Choose whom a mention names, or else the nearest before it, or behind it, that it agrees with."""
    start, end, _ = found[number]
    gender = gender_of_pronoun(lower[start]) if end - start == 1 else 0
    at = bisect_right([anchor for anchor, _ in anchors], number)
    nearest = (person for _, person in [*reversed(anchors[:at]), *anchors[at:]])
    return next(
        (each for each in nearest if not gender or people.inventory.gender(each) in (0, gender)), None
    )


def _added(
    words: Sequence[str], found: Sequence[Found], people: People, number_of: dict[int, int]
) -> list[Found]:
    """Add names that the resolver did not find, of people whose other names it did find."""
    seen, ends = set(people.named.values()), {(mention.start, mention.end) for mention in found}
    named, missed = Counter[int](), []
    for number in range(len(people.occurrences)):
        person = people.person(number)
        if number in seen and person:
            named[id(person)] += 1
        elif person and id(person) in number_of:
            missed.append((*people.occurrences[number][:2], id(person)))
    return [
        Found(start, end, number_of[person])
        for start, end, person in missed
        if named[person] >= KNOWN and (start, end) not in ends and _stands_alone(words, start, end)
    ]


def _stands_alone(words: Sequence[str], start: int, end: int) -> bool:
    """Whether a name is a phrase by itself: not the Tom, not a part of Hans the Hedgehog or Norton I."""
    before = words[start - 1].lower() if start else ""
    behind = words[end] if end < len(words) else ""
    return before not in english.DETERMINERS and behind not in ("the", "I", "II")
