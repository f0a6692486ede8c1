"""The names of a text's people, part by part: where they are, whose they are, and what they show."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from referee.language.agreement import UNCHANGED
from referee.language.english import FEMININE, MASCULINE, NICKNAMES, THIRD_PLURAL
from referee.model import Cluster, Document, Span
from referee.resolvers.replacing.naming import called
from referee.resolvers.replacing.people import is_person
from referee.resolvers.replacing.person_names import (
    FIRST,
    PARTICLES,
    SURNAME,
    UNKNOWN,
    Part,
    Unit,
    is_title,
    parts_of,
    units_of,
)
from referee.resolvers.replacing.pronouns import running_text
from referee.resolvers.replacing.words import NO_NAMES, WordsOf, gender_of, known, singular_noun

Key = tuple[str, str]  # a part in small letters, and its role
_OF_THINGS = frozenset(
    ("the", "in", "near", "at")
)  # before a name that looks like a person's: the Ann Arbor choir


class NamedPeople:
    """The names of a text's people, by part: where they are, whose they are, and what they show."""

    def __init__(self, document: Document) -> None:
        """Collect the names of clusters that are people, and what must be a person's name too."""
        self.words = WordsOf(document.text)
        self.running, characters = running_text(document.text)
        self.units = units_of(document.text, self.running, characters)
        self.small = {unit.text for unit in self.units if unit.text.islower()}
        self.large = {unit.lower for unit in self.units if unit.text[:1].isupper()}
        self._of_word = {word: unit for unit in self.units for word in range(unit.first, unit.last)}
        self.named: list[list[list[Part]]] = []  # person → the names of the person → parts
        self.genders: list[str] = []
        self.others: set[int] = set()  # words that are in names of things
        self.families: list[Key] = []  # of whom the text has the plural alone: the Martins
        for cluster in document.clusters:
            self._enter(cluster)
        self._enter_unseen()
        self.roles = self._counted_roles()
        self.same = self._nicknames()
        # A word may be in two mentions, and a first name in one and a surname in the other.
        self.parts = [
            (part.unit, self.key(part)) for person in self.named for name in person for part in name
        ]

    def _enter(self, cluster: Cluster) -> None:
        spans = [
            each.words
            for mention in cluster.mentions
            if (each := called(self.words, Cluster("", (mention,)))) and each.is_name
        ]
        if not is_person(self.words, cluster):
            self.others |= {word for start, end in spans for word in range(start, end)}
            return
        self._enter_family(spans)
        gendered = any(
            self.words.text.words[each.start].lower() in MASCULINE | FEMININE for each in cluster.mentions
        )
        named = [self._units(start, end) for start, end in spans]
        names = [list(parts_of(units)) for units in named if self._is_of_person(units, gendered=gendered)]
        if any(names):
            is_group = any(len(each) > 1 for each in names)
            self.named.append([name for each in names for name in each])
            self.genders.append("" if is_group else _gender(self.words, cluster))

    def _units(self, start: int, end: int) -> list[Unit]:
        return list(dict.fromkeys(self._of_word[word] for word in range(start, end)))

    def _enter_family(self, spans: list[Span]) -> None:
        """Remember the surname of a family that is called by its plural."""
        for start, end in spans:
            last = self.words.text.words[end - 1].lower()
            single = singular_noun(last)
            is_noun = single in known().nouns and single not in known().first_names
            if self.words.text.words[start].lower() == "the" and single != last and not is_noun:
                self.families.append((single, SURNAME))

    def _is_of_person(self, units: list[Unit], *, gendered: bool) -> bool:
        """Whether a name has a title or a first name, or ends in a word that is no noun, as Indians and God.

        A word alone that is the plural of another is a family: the Reeds, beside Tom Reed. One that is a
        first name and a noun, as Eve and India, needs a pronoun that shows a gender.
        """
        lower, lists = [unit.lower for unit in units], known()
        single = singular_noun(lower[-1])
        if single != lower[-1] and (single in self.large or (single, SURNAME) in self.families):
            return False
        if any(map(is_title, units)) or set(lower) & lists.frequent_names:
            return True
        is_noun = bool({lower[-1], single} & lists.nouns.keys())
        if lower[0] in lists.first_names:
            return len(lower) > 1 or gendered or not is_noun
        return not is_noun

    def _enter_unseen(self) -> None:
        """Take what must be a person's name too: a title or a frequent first name before another name."""
        seen = {part.unit for person in self.named for name in person for part in name}
        for run in self.runs():
            if seen & set(run) or any(unit.first in self.others for unit in run):
                continue
            names = [name for name in parts_of(run) if len(name) > 1 or is_title(run[0])]
            if names and (is_title(run[0]) or self._begins_with_first_name(run)):
                self.named.append(names)
                self.genders.append("")

    def _begins_with_first_name(self, run: list[Unit]) -> bool:
        """Whether a first name begins a row that is not behind "the" or "in"."""
        before = self.words.text.words[run[0].first - 1].lower() if run[0].first else ""
        first, lists = run[0].lower, known()
        is_first = first in lists.frequent_names or (first in lists.first_names and first not in lists.nouns)
        return before not in _OF_THINGS and is_first

    def runs(self) -> Iterator[list[Unit]]:
        """Give the longest rows of words with capitals, in which there may be particles of names."""
        run: list[Unit] = []
        for unit in self.units:
            apart = run and "\n" in self.running[run[-1].end : unit.start]
            if not apart and (unit.text[:1].isupper() or (run and unit.lower in PARTICLES)):
                run.append(unit)
                continue
            if run := self._trimmed(run):
                yield run
            run = [unit] if unit.text[:1].isupper() else []
        if run := self._trimmed(run):
            yield run

    def _trimmed(self, run: list[Unit]) -> list[Unit]:
        """Leave out the first word of a sentence if it is no name: When Ann came, Will Ann come."""
        if len(run) < 2 or not self.words.begins(run[0].first) or is_title(run[0]):
            return run
        first = run[0].lower
        is_common = first in self.small or first in known().nouns or first in UNCHANGED | NO_NAMES
        is_name = first in known().frequent_names and first not in UNCHANGED
        return run[1:] if is_common and not is_name else run

    def _counted_roles(self) -> dict[str, Counter[str]]:
        roles: dict[str, Counter[str]] = defaultdict(Counter)
        for person in self.named:
            for name in person:
                for unit, role in name:
                    if role in (FIRST, SURNAME):
                        roles[unit.lower][role] += 1
        return roles

    def role(self, part: Part) -> str:
        """Say what a part is that stands alone: as in longer names, else by the list of first names."""
        if part.role != UNKNOWN:
            return part.role
        if counted := self.roles.get(part.unit.lower):
            return counted.most_common(1)[0][0]
        return FIRST if part.unit.lower in known().first_names else SURNAME

    def key(self, part: Part) -> Key:
        """Name a part by what is replaced alike: Tom and Thomas, if one person is called both."""
        key = part.unit.lower, self.role(part)
        return self.same.get(key, key)

    def _nicknames(self) -> dict[Key, Key]:
        same: dict[Key, Key] = {}
        for person in self.named:
            firsts = sorted({part.unit.lower for name in person for part in name if self.role(part) == FIRST})
            for one in firsts:
                for other in firsts:
                    if one < other and any({one, other} <= family for family in NICKNAMES):
                        same[other, FIRST] = same.get((one, FIRST), (one, FIRST))
        return same

    def drawn(self) -> list[Key]:
        """List the parts that need an invented name, in the order of the text."""
        found = sorted(self.parts, key=lambda item: item[0].start)
        keys = [key for _, key in found if key[1] in (FIRST, SURNAME)]
        return list(dict.fromkeys([*keys, *self.families]))

    def gender(self, key: Key) -> str:
        """Say whose first name it is: by the people who have it, else by the list of first names."""
        votes = Counter(
            gender
            for person, gender in zip(self.named, self.genders, strict=True)
            if gender and any(self.key(part) == key for name in person for part in name)
        )
        if votes:
            return votes.most_common(1)[0][0]
        return {"feminine": "f", "masculine": "m"}.get(known().first_names.get(key[0], ""), "")


def _gender(words: WordsOf, cluster: Cluster) -> str:
    """Give a person's gender by pronouns, of which "they" shows neither; else by titles, nouns and names."""
    text = words.text
    said = Counter(text.words[each.start].lower() for each in cluster.mentions if each.end - each.start == 1)
    he, she, they = (sum(said[form] for form in forms) for forms in (MASCULINE, FEMININE, THIRD_PLURAL))
    if he == she:
        return "x" if they else gender_of(words, cluster)
    return "m" if he > she else "f"
