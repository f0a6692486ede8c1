"""Stories made of templates, and annotated texts rewritten: what compatibility.py learns from.

The templates are in stories/templates.txt, the values of their slots in stories/values.toml. All of them are
other stories than those of tests/data/alike, by which the result is judged.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import NamedTuple

from referee.language.cutting.texts import cut_raw
from referee.language.first_names import first_names, frequent_first_names
from referee.model import Cluster, Document, Mention, Text
from referee.resolvers.across.compatibility.amounts import CALENDAR, MONTHS, WEEKDAYS

STORIES = Path(__file__).parent / "stories"
TEMPLATES, VALUES = STORIES / "templates.txt", STORIES / "values.toml"
_MARK = re.compile(r"\[([^\[\]|]+)\|([a-z0-9]+)\]")
_SLOT = re.compile(r"\{([a-z])(\d)(\.s)?\}")


class World:
    """Values of slots: people, towns, sums, …"""

    def __init__(self, random: Random) -> None:
        """Take a source of chance."""
        self.random = random
        listed = tomllib.loads(VALUES.read_text("utf-8"))
        self.values = {
            kind: [value.replace("_", " ") for value in values.split()] for kind, values in listed.items()
        }
        names = sorted(frequent_first_names() & first_names().keys())
        self.first = [name.title() for name in names if len(name) > 2]
        self.surnames = [*self.values["surnames"], *(self.made() for _ in range(80))]

    def made(self) -> str:
        """Make a name that nobody has."""
        return "".join(self.random.choices(self.values["syllables"], k=self.random.choice((2, 2, 3)))).title()

    def value(self, kind: str) -> str:
        """Draw a value for a slot."""
        pick, number = self.random.choice, self.random.randrange
        if kind == "p":
            return f"{pick(self.first)} {pick(self.surnames)}"
        if kind == "o":
            plain = pick([self.made(), pick(self.surnames), pick(self.values["towns"])])
            return pick(
                [
                    f"{plain} {pick(self.values['kinds'])}",
                    f"{plain} {pick(self.values['kinds'])}",
                    self.made(),
                ]
            )
        if kind == "c":
            return pick(
                [
                    pick(self.values["towns"]),
                    self.made(),
                    f"{pick(('Port', 'Mount', 'New', 'San'))} {self.made()}",
                ]
            )
        if kind == "l":
            return pick(self.values["countries"]) if self.random.random() < 0.8 else f"{self.made()}ia"
        if kind == "v":
            return pick(
                [
                    f"{self.made()} {number(2, 9)}",
                    f"the {self.made()} {pick(('One', 'Star', 'X'))}",
                    f"The {pick(('Silent', 'Golden', 'Last'))} {pick(('House', 'River', 'Year'))}",
                ]
            )
        if kind == "d":
            weekday = pick([*WEEKDAYS][:7]).title()
            month = pick([*MONTHS][:12]).title()
            return pick([weekday, weekday, weekday, f"{number(1, 29)} {month}", f"{month} {number(1, 29)}"])
        if kind == "m":
            scale, sign = pick(["thousand", "million", "million", "billion"]), number(1, 990)
            return pick(
                [
                    f"${sign} {scale}",
                    f"{sign / 10} {scale} euros",
                    f"{sign} {scale} pounds",
                    f"${number(1, 900)},{number(100, 999)}",
                ]
            )
        if kind == "q":
            return pick([f"{number(2, 95)} percent", f"{number(20, 950) / 10} percent", f"{number(2, 95)}%"])
        if kind == "y":
            return str(number(1990, 2026))
        return pick(
            [
                str(number(2, 99)),
                str(number(100, 990)),
                f"{number(1, 90)},{number(100, 990)}",
                pick(
                    [
                        "two",
                        "three",
                        "four",
                        "five",
                        "six",
                        "seven",
                        "eight",
                        "nine",
                        "eleven",
                        "twelve",
                        "twenty",
                    ]
                ),
            ]
        )


class Template(NamedTuple):
    """A sort of event, and its tellings."""

    sort: str
    tellings: list[str]


def read_templates(path: Path = TEMPLATES) -> list[Template]:
    """Read the templates."""
    found = list[Template]()
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("= "):
            found.append(Template(line[2:], []))
        elif line.startswith("- "):
            found[-1].tellings.append(line[2:])
    return found


def made_groups(random: Random, count: int) -> Iterator[list[Document]]:
    """Make groups of texts: some events of one sort and of others, each told once or more often.

    An event may share values with the one before: a town, a surname, a day, as real ones do.
    """
    world, templates = World(random), read_templates()
    for number in range(count):
        first = random.choice(templates)
        others = random.choices(templates, k=random.choice((0, 0, 1, 2, 6)))
        sorts = [first] * random.choice((1, 2, 2, 2, 3)) + others
        documents, before = list[Document](), dict[str, str]()
        for event, template in enumerate(sorts):
            slots = sorted({slot for told in template.tellings for slot in _SLOT.findall(told)})
            values = {f"{kind}{index}": _drawn(world, kind, before, random) for kind, index, _ in slots}
            before = values
            tellings = random.sample(template.tellings, random.choice((1, 2, 2, 3)))
            for telling, marked in enumerate(tellings):
                name = f"{number}-{event}-{telling}"
                documents.append(_told(name, marked, values, event))
        random.shuffle(documents)
        yield documents


def _drawn(world: World, kind: str, before: Mapping[str, str], random: Random) -> str:
    same = [value for slot, value in before.items() if slot[0] == kind]
    if same and random.random() < {"c": 0.2, "l": 0.3, "o": 0.1, "p": 0.2, "d": 0.1}.get(kind, 0.0):
        value = random.choice(same)
        if kind != "p" or random.random() < 0.3:
            return value
        return f"{random.choice(world.first)} {value.split()[-1]}"  # somebody else of that surname
    return world.value(kind)


def _told(name: str, marked: str, values: Mapping[str, str], event: int) -> Document:
    """Fill a telling; a thing is called by its value where that is a name, else by its event."""

    def filled(match: re.Match[str]) -> str:
        value = values[match[1] + match[2]]
        return value.split()[-1] if match[3] else value

    def thing(slot: str) -> str:
        value = values.get(slot)
        if value is None or slot[0] not in "pcloyv":
            return f"{event}.{slot}" + (f"={value}" if slot[0] == "d" else "")
        return f"{slot[0]}={value}"

    plain, spans, at = "", list[tuple[int, int, str]](), 0
    for mark in _MARK.finditer(marked):
        plain += _SLOT.sub(filled, marked[at : mark.start()])
        words = _SLOT.sub(filled, mark[1])
        spans.append((len(plain), len(plain) + len(words), thing(mark[2])))
        plain += words
        at = mark.end()
    text = cut_raw(Text(name, (), (), running=plain + _SLOT.sub(filled, marked[at:])))
    starts = {start: number for number, (start, _) in enumerate(text.characters)}
    ends = {end: number for number, (_, end) in enumerate(text.characters)}
    things = defaultdict[str, list[Mention]](list)
    for start, end, of in spans:
        if start in starts and end in ends:
            things[of].append(Mention.at(starts[start], ends[end] + 1))
    return Document(
        text, tuple(Cluster(of, tuple(dict.fromkeys(mentions))) for of, mentions in things.items())
    )


class Rewriting:
    """Exchanges names, numbers and days, each for the same other one wherever it occurs."""

    def __init__(self, world: World, random: Random) -> None:
        """Take a source of chance and of names."""
        self.world, self.random, self.known = world, random, dict[str, str]()
        self.shift = random.randrange(1, 7)

    def words(self, words: Sequence[str], named: Collection[str]) -> list[str]:
        """Rewrite words, given which of them are names, in small letters."""
        return [self._other(word, named) for word in words]

    @staticmethod
    def document(document: Document, words: Sequence[str]) -> Document:
        """Give a document other words, and it and its things other names."""
        text = replace(
            document.text, id=f"{document.id}-other", words=tuple(words), running=None, characters=()
        )
        clusters = tuple(Cluster(f"other {cluster.id}", cluster.mentions) for cluster in document.clusters)
        return Document(text, clusters)

    def _other(self, word: str, named: Collection[str]) -> str:
        lower = word.lower()
        large = word[:1].isupper()
        if not (word[:1].isdigit() or (large and (lower in named or lower in CALENDAR))):
            return word
        if lower not in self.known:
            self.known[lower] = self._drawn(word, lower)
        return self.known[lower]

    def _drawn(self, word: str, lower: str) -> str:
        pick = self.random.choice
        for names in ([*WEEKDAYS][:7], [*MONTHS][:12]):
            if lower in names:
                return names[(names.index(lower) + self.shift) % len(names)].title()
        if word.isdigit():
            return str(self.random.randrange(10 ** (len(word) - 1), 10 ** len(word)))
        if not word.isalpha():
            return word
        if lower in frequent_first_names():
            return pick(self.world.first)
        return pick(self.world.surnames) if self.random.random() < 0.5 else self.world.made()
