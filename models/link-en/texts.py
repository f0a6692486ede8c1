"""The texts without annotation that scorers learn from: ECB+ train whole, once more renamed, and others."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

from referee import formats
from referee.matching.units import unit_labels
from referee.model import Corpus, Document, Text
from referee.resolvers.across.similarity import named_terms
from referee.resolvers.neural.cutting import cut_sentences, cut_words

LONGEST = 1200  # words of a text without annotation
RENAMED = 0.8  # of the names, and of the numbers, in the same story once more
FEW = 3  # texts of each kind, where all of it is only rehearsed


def topics_of(data: Path, part: str, *, tiny: bool) -> Corpus:
    """Read a part of ECB+, or its first topic."""
    folder = data / "ecbplus" / part
    return formats.read(min(folder.glob("*/")) if tiny else folder)


def plain_documents(train: Corpus, folder: Path | None, *, tiny: bool) -> list[tuple[Document, str]]:
    """Take texts without what is annotated, each with its group: the corpus, twice, and those of a folder."""
    texts = running_texts(folder) if folder else []
    whole = [
        (id_, tuple(train.all_words(number)), topic)
        for number, (id_, topic) in enumerate(zip(train.ids, unit_labels(train, "topic"), strict=True))
    ]
    terms = {str(term) for _, words, _ in texts or whole for term in named_terms(words)}
    renaming = Renaming(sorted(term.capitalize() for term in terms if term.isalpha()))
    renamed = [
        (f"{id_} renamed", renaming.told(words, subtopic), topic)
        for (id_, words, topic), subtopic in zip(whole, unit_labels(train, "subtopic"), strict=True)
    ]
    kinds = [kind[:FEW] if tiny else kind for kind in (whole, renamed, texts)]
    return [(in_sentences(id_, words), topic) for kind in kinds for id_, words, topic in kind]


def running_texts(folder: Path) -> list[tuple[str, tuple[str, ...], str]]:
    """Read texts, each with the name of its folder."""
    read = []
    for path in sorted(folder.rglob("*.txt")):
        text = path.read_text(encoding="utf-8")
        words = tuple(text[start:end] for start, end in cut_words(text))[:LONGEST]
        read.append((path.stem, words, path.parent.name))
    return read


class Renaming:
    """Tells a story of other people, places and numbers: the same ones in all texts of a subtopic."""

    def __init__(self, names: Sequence[str]) -> None:
        """Take the names that are drawn from."""
        self.names, self.random = names, Random(7)
        self.known: dict[tuple[str, str], str] = {}

    def told(self, words: Sequence[str], subtopic: str) -> tuple[str, ...]:
        """Give a text other names."""
        names = {*named_terms(words)}
        return tuple(
            self.known.setdefault((subtopic, word), self.other(word))
            if word.lower() in names and not word[0].islower()
            else word
            for word in words
        )

    def other(self, word: str) -> str:
        """Draw a name for a name, digits for digits; some stay."""
        if self.random.random() >= RENAMED:
            return word
        if word[:1].isdigit():
            return "".join(self.random.choice("123456789") if sign.isdigit() else sign for sign in word)
        return self.random.choice(self.names)


def in_sentences(id_: str, words: tuple[str, ...]) -> Document:
    """Cut a text into sentences."""
    sentence = cut_sentences(words)
    begins = [0, *(n for n in range(1, len(words)) if sentence[n] != sentence[n - 1]), len(words)]
    return Document(Text(id_, words, tuple(pairwise(begins))), ())
