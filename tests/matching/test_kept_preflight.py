"""What the pre-flight measures on distorted responses, and what its repairs make of them, stays as it was."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

import kept
from referee.matching.preflight import preflight
from referee.matching.repairs import repaired
from referee.model import Cluster, Document, DocumentCorpus, Mention

Span = tuple[int, int]
WORDS = "the old man , a son of Ann 's , is my boss and she saw him and we met the girl 's dog at his inn ."
DOCUMENTS, LENGTH = 4, 500


def key_corpus(draw: Random) -> DocumentCorpus:
    """Documents of these words, in other orders; mentions begin at articles, names and pronouns."""
    documents = []
    for number in range(DOCUMENTS):
        words: list[str] = []
        while len(words) < LENGTH:
            some = WORDS.split()
            at = draw.randrange(len(some))
            words += some[at:] + some[:at]
        spans = []
        for place, word in enumerate(words[:LENGTH]):
            if word in ("the", "a", "my", "his") and draw.random() < 0.8:
                spans.append((place, min(place + draw.choice((2, 3, 3, 5)), LENGTH)))
            elif word in ("Ann", "she", "him", "we", "dog") and draw.random() < 0.7:
                spans.append((place, place + 1))
        entities = [draw.randrange(25) for _ in spans]
        documents.append(made(f"c/doc{number}", words[:LENGTH], spans, entities))
    return DocumentCorpus(documents, "key")


def made(name: str, words: Sequence[str], spans: Sequence[Span], entities: Sequence[int]) -> Document:
    clusters: dict[int, set[Span]] = {}
    for span, entity in zip(spans, entities, strict=True):
        if 0 <= span[0] < span[1] <= len(words):
            clusters.setdefault(entity, set()).add(span)
    made = [
        Cluster(str(entity), tuple(Mention.at(*span) for span in sorted(each)))
        for entity, each in clusters.items()
    ]
    return Document.of(name, words, [(0, len(words))], made)


class Seen(NamedTuple):
    """A mention of the key, the words around it, and chance."""

    words: Sequence[str]
    start: int
    end: int
    draw: Random

    @property
    def first(self) -> str:
        return self.words[self.start]

    @property
    def before(self) -> str:
        return self.words[self.start - 1]

    @property
    def behind(self) -> str:
        return self.words[self.end] if self.end < len(self.words) else ""

    def moved(self, start: int, end: int) -> list[Span]:
        return [(self.start + start, self.end + end)]

    def only(self, wanted: bool) -> list[Span]:
        return self.moved(0, 0) * wanted


ARTICLES, PEOPLE, OWN = ("the", "a"), ("she", "him", "we"), ("my", "his")
CHANGES: dict[str, Callable[[Seen], list[Span]]] = {
    "as it is": lambda at: at.moved(0, 0),
    "some are missed": lambda at: at.only(at.draw.random() < 0.8),
    "most are missed": lambda at: at.only(at.draw.random() < 0.3),
    "without articles": lambda at: at.moved(at.first in ARTICLES, 0),
    "with articles": lambda at: at.moved(-(at.before in ARTICLES), 0),
    "with 's": lambda at: at.moved(0, at.behind == "'s"),
    "without owners": lambda at: at.only(at.behind != "'s"),
    "ends included": lambda at: at.moved(0, -1),
    "one too far": lambda at: at.moved(0, 1),
    "from 1": lambda at: at.moved(1, 1),
    "starts from 1": lambda at: at.moved(1, 0),
    "from -1": lambda at: at.moved(-1, -1),
    "often one too far": lambda at: at.moved(0, at.draw.random() < 0.6),
    "nothing nested": lambda at: at.only(at.first not in ("Ann", "my")),
    "heads": lambda at: [(at.end - 1, at.end)],
    "short": lambda at: [(at.start, min(at.end, at.start + 2))],
    "without pronouns": lambda at: at.only(at.first not in PEOPLE and at.first != "my"),
    "pronouns": lambda at: at.only(at.first in PEOPLE + OWN),
    "without we": lambda at: at.only(at.first != "we"),
    "without his": lambda at: at.only(at.first not in OWN),
    "the first third": lambda at: at.only(at.end < LENGTH / 3),
    "the first half": lambda at: at.only(at.end < LENGTH * 0.62),
    "more": lambda at: [(at.start, at.start + width) for width in (at.end - at.start, 1, 2, 4)],
}


def response_corpus(key: DocumentCorpus, name: str, draw: Random) -> DocumentCorpus:
    documents = []
    for document in key:
        words = list(document.text.words)
        spans, entities = [], []
        for entity, cluster in enumerate(document.clusters):
            for mention in cluster.mentions:
                for span in CHANGES[name](Seen(words, mention.start, mention.end, draw)):
                    spans.append(span)
                    entities.append(entity)
        documents.append(made(document.id, words, spans, entities))
    return DocumentCorpus(documents, "response")


def whole(corpus: DocumentCorpus, change: Callable[[Document], Document]) -> DocumentCorpus:
    return DocumentCorpus([change(document) for document in corpus], "response")


def said(key: DocumentCorpus, response: DocumentCorpus, singletons: str = "keep") -> list[str]:
    found = preflight(key, response, singletons=singletons)
    mended = repaired(key, response, found)
    mentions = sum(mention.start + 3 * mention.end for document in mended for mention in document.mentions)
    return [
        *(f"{each.rule}: {each.measured}; {each.repair} {each.move}" for each in found),
        f"then {mentions}",
    ]


def test_what_is_measured() -> None:
    key = key_corpus(Random(1))
    shown = {}
    for name in CHANGES:
        response = response_corpus(key, name, Random(2))
        shown[name] = [said(key, response), said(response, key), said(key, response, "drop")]
    kept.check("preflight_mentions", shown)


def test_what_is_measured_of_words_names_and_entities() -> None:
    key = key_corpus(Random(3))

    def renamed(document: Document, name: str) -> Document:
        return Document.of(name, document.text.words, document.text.sentences, document.clusters)

    def spelled(document: Document, spell: Callable[[int, str], str]) -> Document:
        words = [spell(place, word) for place, word in enumerate(document.text.words)]
        return Document.of(document.id, words, document.text.sentences, document.clusters)

    def split(document: Document, size: int) -> Document:
        parts = [
            Cluster(f"{cluster.id}.{start}", cluster.mentions[start : start + size])
            for cluster in document.clusters
            for start in range(0, len(cluster.mentions), size)
        ]
        return Document.of(document.id, document.text.words, document.text.sentences, parts)

    changed = {
        "names": whole(key, lambda each: renamed(each, f"out/{each.id.upper()}.conll")),
        "half of the names": whole(key, lambda each: renamed(each, each.id.replace("c/doc1", "x/DOC1.txt"))),
        "other names": whole(key, lambda each: renamed(each, f"{each.id}x")),
        "upper": whole(key, lambda each: spelled(each, lambda _, word: word.upper())),
        "some words": whole(key, lambda each: spelled(each, lambda place, word: word if place % 9 else "x")),
        "most words": whole(key, lambda each: spelled(each, lambda place, word: "x" if place % 3 else word)),
        "fillers": whole(key, lambda each: spelled(each, lambda *_: "_")),
        "alone": whole(key, lambda each: split(each, 1)),
        "in pairs": whole(key, lambda each: split(each, 2)),
        "in nines": whole(key, lambda each: split(each, 9)),
        "one lost": whole(key, lambda each: Document(each.text, each.clusters * (each.id != "c/doc3"))),
        "none": whole(key, lambda each: Document(each.text, ())),
        "fewer": DocumentCorpus([key.document(number) for number in (0, 2)], "response"),
    }
    kept.check(
        "preflight_other",
        {name: [said(key, response), said(response, key)] for name, response in changed.items()},
    )
