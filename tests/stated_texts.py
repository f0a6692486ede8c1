"""Texts with statements about what a resolver must join and must not, in a file that people can read."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from referee.resolvers.resolving import resolve

ROOT = Path(__file__).parents[1]
FILE, MORE, OTHER = (
    ROOT / "tests" / "data" / "texts" / name for name in ("fifteen.txt", "more.txt", "languages.txt")
)
MULTI = ROOT / "models" / "multi" / "referee_coref_multi"  # the model that reads texts in other languages
STATEMENT = re.compile(r"(\??)([+-]) (.+) ~ (.+)")


class Statement(NamedTuple):
    """Two mentions of a text, whether they must be joined, and whether that is so today."""

    genre: str
    joined: bool
    one: str
    other: str
    holds: bool


def read_texts(file: Path) -> tuple[dict[str, str], list[Statement]]:
    """Read a file's texts by genre, and the statements."""
    texts: dict[str, list[str]] = {}
    statements, genre = [], ""
    for line in file.read_text("utf-8").splitlines():
        if found := STATEMENT.fullmatch(line):
            statements.append(Statement(genre, found[2] == "+", found[3], found[4], not found[1]))
        elif line.startswith("## "):
            genre = line[3:]
            texts[genre] = []
        elif line.startswith("@"):
            texts[genre] = [(ROOT / line[1:]).read_text("utf-8")]
        elif genre:
            texts[genre].append(line)
    return {genre: "\n".join(lines).strip("\n") for genre, lines in texts.items()}, statements


TEXTS, STATEMENTS = read_texts(FILE)
MORE_TEXTS, MORE_STATEMENTS = read_texts(MORE)
OTHER_TEXTS, OTHER_STATEMENTS = read_texts(OTHER)
EVERY_TEXT = TEXTS | MORE_TEXTS | OTHER_TEXTS


def place(genre: str, mention: str) -> tuple[int, int]:
    """Find a mention in its text: the first of its words, or the one of its number."""
    words, _, number = mention.partition("#")
    found = list(re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", EVERY_TEXT[genre]))
    return found[int(number or 1) - 1].span()


@cache
def entities(genre: str, model: str | None = None) -> list[list[tuple[int, int]]]:
    """Resolve a text, and give its entities in characters."""
    return resolve(EVERY_TEXT[genre], "neural", model=model).clusters_in_characters


def entity_of(genre: str, mention: str, model: str | None = None) -> set[int]:
    """Give the entities that have a mention of these words, or for a name or phrase one that goes on."""
    start, end = place(genre, mention)
    numbered = [(number, span) for number, spans in enumerate(entities(genre, model)) for span in spans]
    exact = {number for number, span in numbered if span == (start, end)}
    longer = {number for number, (a, b) in numbered if (a == start and b > end) or (a < start and b == end)}
    return exact or (longer if " " in mention or mention[0].isupper() else set())


def holds(statement: Statement, model: str | None = None) -> bool:
    """Whether the resolver does as a statement says, with a model or the one that is installed."""
    one, other = (entity_of(statement.genre, each, model) for each in (statement.one, statement.other))
    return bool(one & other) == statement.joined
