"""Made-up news in which the same words tell of several events: who is named first says which is meant."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.model import Cluster, Document, Mention, Text
from referee.training.networks.shapes import PassageInput
from three_topics import ThreeTopics, hashed

NAMES = ("Arlen", "Berit")
EVENTS = {"quake": "tremor", "theft": "robbery", "strike": "walkout"}


def told_by_context(topics: Sequence[str] = tuple(EVENTS)) -> ThreeTopics:
    """Tell of an event for each name, in texts that have both names.

    Words that occur once stand around the first, so that no two texts share a pair of words more than others.
    """
    documents = []
    for topic in topics:
        for number, (first, second) in enumerate([NAMES, NAMES[::-1]] * 4):
            before, after = (f"{side}{topic}{number}" for side in "xy")
            line = f"The {EVENTS[topic]} . {before} {first} {after} did it , not {second} ."
            documents.append(_told(f"{topic}/{number}", topic, (first, second), line.split()))
    return ThreeTopics(documents, "told by context", cross_document=True)


def _told(id_: str, topic: str, names: Sequence[str], words: Sequence[str]) -> Document:
    clusters = [Cluster(f"event {names[0]}", (Mention.at(1, 2),))]
    clusters += [
        Cluster(f"entity {name}", (Mention.at(words.index(name), words.index(name) + 1),)) for name in names
    ]
    text = Document.of(id_, tuple(words), ((0, 3), (3, len(words))), (), topic=topic).text
    return Document(text, tuple(clusters))


def one_passage(text: Text) -> list[tuple[int, int]]:
    return [(0, text.length)]


class HashedStates:
    """Stands for the lower layers of an encoder: a vector for each word, and one for where it is."""

    def __init__(self, texts: Sequence[Text]) -> None:
        self.texts = texts

    def read(self, number: int, passages: Sequence[tuple[int, int]]) -> list[PassageInput]:
        return [self.passage(self.texts[number].words[start:end]) for start, end in passages]

    def passage(self, words: Sequence[str]) -> PassageInput:
        rows = np.stack([hashed(word) + hashed(f"at {at}") for at, word in enumerate(["[", *words, "]"])])
        order = np.arange(1, len(words) + 1)
        return PassageInput(rows.astype(np.float16), np.stack([order, order], 1))
