"""Measures whether a resolver keeps people apart in whole novels, and knows who speaks.

    python bench/books.py PDNC [--resolver neural ...] [--novel Persuasion ...]

PDNC is a folder with the novels of the Project Dialogism Novel Corpus, one JSON file each (packed or not)
with `text`, `characters` and `quotations`. Names and aliases that only one character has are looked up in
the text, the longest first: they are the key. The entity of a name is that of the smallest mention around it.
B³ is over these names; one in no entity is alone. Of each I, me, my in a quotation it is asked whether it is
in the entity that has most of its speaker's names; speakers whose names do not occur are left out.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from referee import resolve
from referee.language.english import FIRST_SINGULAR
from referee.resolvers.base import raw_text
from referee.resolvers.resolved import Resolved

NOBODY = ("_group", "_unknowable", "_narr")
RESOLVERS = ("neural", "camp")
_FIRST = re.compile(rf"\b(?:I|{'|'.join(sorted(FIRST_SINGULAR - {'i'}))}|My|Me|Mine|Myself)\b")

Place = tuple[int, int]  # characters


class Figures(NamedTuple):
    """What is measured of one novel; shares are in percent."""

    names: int
    recall: float
    precision: float
    f1: float
    spoken: int  # I, me, my in quotations
    right: float
    unlinked: float  # of these, those in no entity
    largest: float  # share of the largest entity in all mentions


def main() -> None:
    """Resolve the novels and print a row for each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pdnc", type=Path)
    parser.add_argument("--resolver", action="append", choices=RESOLVERS)
    parser.add_argument("--novel", action="append", help="the beginning of a file's name; otherwise all")
    arguments = parser.parse_args()
    chosen = tuple(arguments.novel or [""])
    files = [file for file in sorted(arguments.pdnc.glob("*.json*")) if file.name.startswith(chosen)]
    for resolver in arguments.resolver or RESOLVERS:
        rows = []
        print(f"{resolver:28} names     R     P    B³   I in quotations: right, unlinked; largest; seconds")
        for file in files:
            novel, begin = read_novel(file), time.perf_counter()
            found = resolve(raw_text(file.stem, novel["text"]), resolver=resolver)
            rows.append(figures(novel, found))
            print_row(file.name.partition(".")[0], rows[-1], f"{time.perf_counter() - begin:5.0f}")
        if rows:
            print_row("mean", Figures(*(sum(column) / len(rows) for column in zip(*rows, strict=True))))


def print_row(name: str, row: Figures, after: str = "") -> None:
    """Print one novel's figures."""
    print(
        f"{name:28} {row.names:5.0f} {row.recall:5.1f} {row.precision:5.1f} {row.f1:5.1f}"
        f"   {row.spoken:5.0f}: {row.right:5.1f}, {row.unlinked:5.1f}; {row.largest:5.1f} {after}",
        flush=True,
    )


def read_novel(file: Path) -> dict[str, Any]:
    """Read a novel of PDNC."""
    data = file.read_bytes()
    novel: dict[str, Any] = json.loads(gzip.decompress(data) if file.suffix == ".gz" else data)
    return novel


def figures(novel: Mapping[str, Any], found: Resolved) -> Figures:
    """Measure one novel."""
    entities = Entities(found)
    key = names_in(novel)
    response = [entities.around(place) for place, _ in key]
    people = [person for _, person in key]
    recall, precision = b_cubed(people, response), b_cubed(response, people)
    f1 = 2 * recall * precision / (recall + precision) if recall + precision else 0.0
    spoken = spoken_pronouns(novel, main_entities(people, response))
    said = [(entities.at(place), entity) for place, entity in spoken]
    right = sum(mine == entity for mine, entity in said) / max(1, len(said))
    unlinked = sum(mine is None for mine, _ in said) / max(1, len(said))
    shares = 100 * recall, 100 * precision, 100 * f1
    return Figures(len(key), *shares, len(said), 100 * right, 100 * unlinked, 100 * entities.largest)


class Entities:
    """The entities of a resolved text by the characters of their mentions."""

    def __init__(self, found: Resolved) -> None:
        """Index the mentions by their characters."""
        self.by_place: dict[Place, int] = {}
        self.by_start: dict[int, list[Place]] = defaultdict(list)
        sizes: Counter[int] = Counter()
        for number, mentions in enumerate(found.clusters_in_characters):
            for place in mentions:
                self.by_place[place] = number
                sizes[number] += 1
                for block in range(place[0] >> 6, (place[1] >> 6) + 1):
                    self.by_start[block].append(place)
        self.largest = max(sizes.values(), default=0) / max(1, sum(sizes.values()))

    def at(self, place: Place) -> int | None:
        """Give the entity of a mention that is exactly there."""
        return self.by_place.get(place)

    def around(self, place: Place) -> int | None:
        """Give the entity of the smallest mention around a name, from its title on; a 's may follow."""
        near = (
            other for other in self.by_start[place[0] >> 6] if other[0] <= place[0] and place[1] <= other[1]
        )
        smallest = min(near, key=lambda other: other[1] - other[0], default=None)
        return None if smallest is None else self.by_place[smallest]


def names_in(novel: Mapping[str, Any]) -> list[tuple[Place, int]]:
    """Find the names that one character alone has, each with the character."""
    owners: dict[str, set[int]] = defaultdict(set)
    for character in novel["characters"]:
        if character["name"] not in NOBODY:
            for name in {character["name"], *character["aliases"]}:
                owners[" ".join(name.split())].add(character["id"])
    spelled = sorted((re.escape(name).replace(r"\ ", r"\s+") for name in owners), key=len, reverse=True)
    found = re.finditer(rf"(?<!\w)(?:{'|'.join(spelled)})(?!\w)", novel["text"])
    named = [(match.span(), owners[" ".join(match[0].split())]) for match in found]
    return [(place, next(iter(people))) for place, people in named if len(people) == 1]


def b_cubed(key: Sequence[int | None], response: Sequence[int | None]) -> float:
    """Give B³ recall of the response (precision with the two exchanged); None is an entity of its own.

    >>> b_cubed([1, 1, 2], [5, None, 5])
    0.6666666666666666
    """
    sizes, both = Counter(key), Counter(zip(key, response, strict=True))
    total = 0.0
    for (one, other), count in both.items():
        if one is None:
            total += count
        else:
            total += count * (1 if other is None else count) / sizes[one]
    return total / max(1, len(key))


def main_entities(people: Sequence[int], response: Sequence[int | None]) -> dict[int, int]:
    """Give the entity that has most of each person's names."""
    counted: dict[int, Counter[int]] = defaultdict(Counter)
    for person, entity in zip(people, response, strict=True):
        if entity is not None:
            counted[person][entity] += 1
    return {person: counts.most_common(1)[0][0] for person, counts in counted.items()}


def spoken_pronouns(novel: Mapping[str, Any], entities: Mapping[int, int]) -> list[tuple[Place, int]]:
    """Find I, me and my in quotations, each with the entity of who speaks."""
    found = {
        (start + match.start(), start + match.end()): entities[quotation["speaker"]]
        for quotation in novel["quotations"]
        if quotation["speaker"] in entities
        for start, end in quotation["spans"]
        for match in _FIRST.finditer(novel["text"][start:end])
    }
    return sorted(found.items())


if __name__ == "__main__":
    main()
