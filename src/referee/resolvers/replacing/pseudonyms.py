"""Gives every person of a text one invented name, in all of its forms, and keeps a table to undo it.

Names are replaced part by part: if Ann Lee is Maria Holt, Ms. Lee is Ms. Holt and Ann is Maria, and Tom Lee,
her brother, is a Holt too. A part is replaced wherever it is a person's, also where the resolver saw no
mention; what has a person's name in it and was left, such as an e-mail address or "Lee Road", is reported.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

from referee.encoding import encoded
from referee.language.agreement import UNCHANGED
from referee.language.recognition import refuse_unless_english
from referee.model import Document
from referee.resolvers.replacing.edits import Change, edited, reversed_changes
from referee.resolvers.replacing.inventing import SEED, Inventor
from referee.resolvers.replacing.named_people import Key, NamedPeople
from referee.resolvers.replacing.person_names import FIRST, INITIAL, SURNAME, Part, Unit, parts_of
from referee.resolvers.replacing.words import known

KIND = "referee pseudonyms"  # what a table says that it is
COLUMNS = ("start", "end", "invented", "original")
ADDRESS = re.compile(r"\S+")
IN_HANDLES = re.compile(r"[@_/#\d]")
EDGES = "_*.,;:!?\"'()[]<>“”‘’"  # of words: _Ann_ in italics is no handle
SHORTEST = 3  # letters of a name that is looked for inside of other words
IN_ADDRESS = "an address or a handle"
IN_OTHER_NAME = "part of another name"
SMALL = "in small letters"


class Kept(NamedTuple):
    """Something that has a person's name in it and was left: its characters, and the reason."""

    start: int
    end: int
    text: str
    reason: str


class Person(NamedTuple):
    """A person's name and the invented one, and how often any part of it was replaced."""

    original: str
    invented: str
    replaced: int


@dataclass(frozen=True, slots=True)
class Pseudonymised:
    """A text with invented names: who is who, the changes, and what was left that has a person's name in it.

    Offsets of changes count characters of the text that was given.
    """

    text: str
    people: tuple[Person, ...]
    changes: tuple[Change, ...]
    left: tuple[Kept, ...]
    seed: int

    @property
    def undoing(self) -> list[Change]:
        """The changes that give the text back, by characters of the new text."""
        return reversed_changes(self.changes)

    @property
    def table(self) -> dict[str, Any]:
        """What undoes it, in plain values: who is who, and the changes by characters of the new text."""
        changes = [dict(zip(COLUMNS, (c.start, c.end, c.old, c.new), strict=True)) for c in self.undoing]
        return {
            "about": KIND,
            "version": 1,
            "sha256": hash_of(self.text),
            "seed": self.seed,
            "people": [each._asdict() for each in self.people],
            "changes": changes,
            "left": [each._asdict() for each in self.left],
        }


def hash_of(text: str) -> str:
    """Give the SHA-256 of a text in UTF-8."""
    return sha256(encoded(text)).hexdigest()


def pseudonymise(document: Document, seed: int = SEED) -> Pseudonymised:
    """Give every person of a text an invented name; the same text and seed give the same names."""
    refuse_unless_english(document.text, "people get invented names")
    names = NamedPeople(document)
    inventor = Inventor(names.running, seed)
    invented = {
        key: inventor.surname() if key[1] == SURNAME else inventor.first(names.gender(key))
        for key in names.drawn()
    }
    by_place = {change.start: change for change in _changes(names, invented)}
    changes = [by_place[start] for start in sorted(by_place)]
    changed = {(change.start, change.end) for change in changes}
    people = tuple(_people(names, invented, Counter(change.old for change in changes)))
    left = tuple(_left(names, {key[0] for key in invented}, changed))
    return Pseudonymised(edited(names.running, changes), people, tuple(changes), left, seed)


def _changes(names: NamedPeople, invented: dict[Key, str]) -> Iterator[Change]:
    """Replace parts in the names of people, and where they stand elsewhere as people's names."""
    for name in (name for person in names.named for name in person):
        yield from (change for part in name for change in _of_part(names, name, part, invented))
    seen = {unit for unit, _ in names.parts}
    for run in names.runs():
        if not seen & set(run):
            yield from _of_run(names, run, invented)


def _of_part(names: NamedPeople, name: list[Part], part: Part, invented: dict[Key, str]) -> Iterator[Change]:
    unit, key = part.unit, names.key(part)
    new = _initials(names, name, unit, invented) if key[1] == INITIAL else invented[key]
    yield Change(unit.start, unit.end, unit.text, _in_case(new, unit.text))


def _initials(names: NamedPeople, name: list[Part], unit: Unit, invented: dict[Key, str]) -> str:
    """Write the initials of the invented first names of who has this surname and such a first name."""
    surname = next((names.key(part) for part in name if names.role(part) == SURNAME), ("", SURNAME))
    firsts = [
        names.key(part)
        for person in names.named
        if any(names.key(own) == surname for each in person for own in each)
        for each in person
        for part in each
        if names.role(part) == FIRST and part.unit.text[0] == unit.text[0]
    ]
    letters = len(unit.text.replace(".", ""))
    source = invented[firsts[0]] if firsts else invented.get(surname, unit.text)
    return f"{source[0].upper()}." * letters


def _of_run(names: NamedPeople, run: list[Unit], invented: dict[Key, str]) -> Iterator[Change]:
    """Replace the names in a row of capitals if all of it is a person's name, or a family's."""
    yield from _family(names, run, invented)
    if any(unit.first in names.others for unit in run):
        return
    for name in parts_of(run):
        keys = [_known_key(names, part, invented) for part in name]
        if name and all(keys) and (len(name) > 1 or _is_certain(names, name[0].unit)):
            yield from (
                Change(
                    part.unit.start, part.unit.end, part.unit.text, _in_case(invented[key], part.unit.text)
                )
                for part, key in zip(name, keys, strict=True)
                if key
            )


def _known_key(names: NamedPeople, part: Part, invented: dict[Key, str]) -> Key | None:
    for role in dict.fromkeys((names.role(part), FIRST, SURNAME)):
        key = part.unit.lower, role
        key = names.same.get(key, key)
        if key in invented:
            return key
    return None


def _is_certain(names: NamedPeople, unit: Unit) -> bool:
    """Whether a word alone is a name: where a sentence begins it must not be a common word."""
    lower = unit.lower
    common = lower in known().nouns or lower in UNCHANGED or lower in names.small
    return not names.words.begins(unit.first) or not common


def _family(names: NamedPeople, run: list[Unit], invented: dict[Key, str]) -> Iterator[Change]:
    """Replace a surname in the plural: the Lees."""
    for unit in run:
        before = names.words.text.words[unit.first - 1].lower() if unit.first else ""
        for ending in ("s", "es"):
            key = unit.lower.removesuffix(ending), SURNAME
            if before == "the" and unit.lower.endswith(ending) and key in invented:
                yield Change(unit.start, unit.end, unit.text, _in_case(f"{invented[key]}s", unit.text))
                return


def _in_case(name: str, like: str) -> str:
    return name.upper() if like.isupper() and len(like) > 1 and not like.endswith(".") else name


def _people(names: NamedPeople, invented: dict[Key, str], counts: Counter[str]) -> Iterator[Person]:
    """Name each person once, by the fullest name, the first of these first."""
    listed: dict[str, Person] = {}
    for person in names.named:
        fullest = max(person, key=lambda name: (len(name), -name[0].unit.start))
        new = [
            invented.get(names.key(part)) or _initials(names, fullest, part.unit, invented)
            for part in fullest
        ]
        original = " ".join(part.unit.text for part in fullest)
        spelled = {part.unit.text for name in person for part in name}
        listed.setdefault(
            original.lower(), Person(original, " ".join(new), sum(counts[each] for each in spelled))
        )
    yield from listed.values()


def _left(names: NamedPeople, originals: Iterable[str], changed: set[tuple[int, int]]) -> Iterator[Kept]:
    """Report what has a name in it: addresses and handles, other names, and small letters."""
    parts = {part for part in originals if len(part) >= SHORTEST}
    addresses = []
    for found in ADDRESS.finditer(names.running):
        word = found[0].casefold()
        if IN_HANDLES.search(word.strip(EDGES)) and any(part in word for part in parts):
            addresses.append(found.span())
            yield Kept(*found.span(), found[0], IN_ADDRESS)
    for unit in names.units:
        if unit.lower not in parts or (unit.start, unit.end) in changed:
            continue
        if any(start <= unit.start < end for start, end in addresses):
            continue
        if unit.text[:1].isupper() and _is_certain(names, unit):
            yield Kept(unit.start, unit.end, unit.text, IN_OTHER_NAME)
        elif unit.text.islower() and unit.lower not in known().nouns and unit.lower not in UNCHANGED:
            yield Kept(unit.start, unit.end, unit.text, SMALL)
