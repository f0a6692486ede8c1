"""Makes what a language model might have written out of a document: the same noise for the same seed."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from io import StringIO

from referee.formats import FORMATS
from referee.model import Cluster, Document, Mention

TAGS = {  # what a notation puts beside words, to break some of it
    "crac-text": re.compile(r"\|\S+"),
    "markdown": re.compile(r"(?<!\\)\[|\]\(#[^()]*\)"),
    "tags": re.compile(r"</?m[^<>]*>"),
    "brackets": re.compile(r"(?<!\\)\[|: [^\s\]:]+\]"),
}
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def marked(document: Document, notation: str) -> str:
    """Write a document in a notation."""
    write = FORMATS[notation].write
    assert write is not None
    file = StringIO()
    write([document], file)
    return file.getvalue()


def corrupted(answer: str, notation: str, words: float, tags: float, chance: random.Random) -> str:
    """Change, drop and add words, as many of each, and drop tags, at the rates given."""
    pieces: list[str] = []
    done = 0
    for match in TAGS[notation].finditer(answer):
        pieces += [
            noisy_words(answer[done : match.start()], words, chance),
            match[0] * (chance.random() >= tags),
        ]
        done = match.end()
    return "".join([*pieces, noisy_words(answer[done:], words, chance)])


def noisy_words(text: str, rate: float, chance: random.Random) -> str:
    """Change, drop and add words of plain text."""
    pieces = re.split(r"(\s+)", text)
    for number in range(0, len(pieces), 2):
        draw = chance.random()
        if not pieces[number] or draw >= rate:
            continue
        pieces[number] = ("", invented(chance), f"{pieces[number]} {invented(chance)}")[int(3 * draw / rate)]
    return "".join(pieces)


def invented(chance: random.Random) -> str:
    """Make up a word."""
    return "".join(chance.choices(LETTERS, k=chance.randint(2, 9)))


def nested(document: Document) -> Document:
    """Leave out mentions that cross an earlier one, which most notations cannot hold."""
    kept: list[Mention] = []
    for mention in sorted(document.mentions, key=lambda mention: (mention.start, -mention.end)):
        if not any(other.start < mention.start < other.end < mention.end for other in kept):
            kept.append(mention)
    clusters = [
        replace(cluster, mentions=tuple(mention for mention in cluster.mentions if mention in kept))
        for cluster in document.clusters
    ]
    return replace(document, clusters=tuple(cluster for cluster in clusters if cluster.mentions))


def book(length: int, chance: random.Random, vocabulary: Sequence[str], mentions: float = 0.2) -> Document:
    """Make a text of so many words, a fifth of which begin a mention."""
    words = chance.choices(vocabulary, k=length)
    clusters: dict[int, list[Mention]] = {}
    for start in range(0, length - 3, 4):
        if chance.random() < 4 * mentions:
            clusters.setdefault(chance.randrange(200), []).append(
                Mention.at(start, start + chance.randint(1, 3))
            )
    sentences = [(start, min(start + 20, length)) for start in range(0, length, 20)]
    some = [Cluster(str(id_), tuple(own)) for id_, own in clusters.items()]
    return Document.of("book", words, sentences, some)
