"""Cases in text files that people can read: a text with its mentions in brackets, and what is expected."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from referee.model import Cluster, Document, Mention, Text
from referee.resolvers.neural.cutting import cut_raw

SIGNS = "=>!?+-"  # of lines that say what is expected
SIGN = re.compile(r"\[(\d+) |\]")


class Case(NamedTuple):
    """A text, and the lines that say what is expected of it."""

    heading: str
    marked: str
    expected: list[str]


def cases_in(path: Path) -> list[Case]:
    """Read a file of cases: the lines of a text, then signed lines with what is expected of it."""
    heading = ""
    cases: list[Case] = []
    text: list[str] = []
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("## "):
            heading = line[3:]
        elif line and line[0] in SIGNS:
            if text:
                cases.append(Case(heading, "\n".join(text), []))
            cases[-1].expected.append(line)
            text = []
        elif line and line[0] != "#":
            text.append(line)
    return cases


def document_of(marked: str) -> Document:
    """Take the brackets out of a text, and cut it into words as the network's texts are."""
    running, open_, spans = "", [], []
    position = 0
    for sign in SIGN.finditer(marked):
        running += marked[position : sign.start()]
        position = sign.end()
        if sign[1]:
            open_.append((sign[1], len(running)))
        else:
            name, start = open_.pop()
            spans.append((name, start, len(running)))
    assert not open_, marked
    text = cut_raw(Text("case", (), (), running=running + marked[position:]))
    starts = {start: word for word, (start, _) in enumerate(text.characters)}
    ends = {end: word + 1 for word, (_, end) in enumerate(text.characters)}
    clusters: dict[str, list[Mention]] = {}
    for name, start, end in spans:
        clusters.setdefault(name, []).append(Mention.at(starts[start], ends[end]))
    return Document(
        text, tuple(Cluster(name, tuple(sorted(each))) for name, each in sorted(clusters.items()))
    )
