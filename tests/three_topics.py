"""Three made-up topics of short news, in which one thing has several names; and an encoder by hashes."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from referee.model import Cluster, Corpus, Document, DocumentCorpus, Mention
from referee.resolvers.across.head import LINKED_KINDS, Floats

WIDTH = 24
STORIES = {  # place, person, event, another word for it
    "quake": (("Arlen", "Berit", "quake", "tremor"), ("Cosk", "Dorn", "quake", "tremor")),
    "theft": (("Elst", "Fenna", "theft", "robbery"), ("Gorm", "Hella", "theft", "robbery")),
    "strike": (("Ister", "Jonna", "strike", "walkout"), ("Kolm", "Lasse", "strike", "walkout")),
}
LINES = (
    "The {2} in {0} surprised {1} .",
    "{1} spoke about the {3} near {0} .",
    "After the {2} people left {0} quietly .",
    "Nobody in {0} told {1} of the {3} .",
)


class ThreeTopics(DocumentCorpus):
    """Documents with events and entities, which can be told apart."""

    def of_kind(self, kind: str) -> Corpus:
        if kind not in LINKED_KINDS:
            return self
        event = kind == "events"
        kept = [
            Document(each.text, tuple(c for c in each.clusters if c.id.startswith("event") == event))
            for each in self
        ]
        return ThreeTopics(kept, self.name, cross_document=True)


def three_topics(names: Sequence[str] = tuple(STORIES)) -> ThreeTopics:
    """Tell each story of some topics in four documents."""
    documents = []
    for topic in names:
        for which, words in enumerate(STORIES[topic]):
            for number, line in enumerate(LINES):
                documents.append(
                    _told(f"{topic}/{which}/{number}", topic, words, line.format(*words).split())
                )
    return ThreeTopics(documents, "three topics", cross_document=True)


def _told(id_: str, topic: str, story: Sequence[str], words: Sequence[str]) -> Document:
    clusters = []
    for index, word in enumerate(words):
        if word in story:
            kind = "event" if story.index(word) > 1 else "entity"
            name = story[0] if kind == "event" else word
            clusters.append(Cluster(f"{kind} {name}", (Mention.at(index, index + 1),)))
    text = Document.of(id_, tuple(words), ((0, len(words)),), ()).text
    return Document(replace(text, topic=topic), tuple(clusters))


def write_topics(path: Path, topics: Sequence[str]) -> str:
    """Write documents of some topics into a file of JSON lines."""
    documents = list(three_topics(topics))
    mentions = [
        (document.id, mention.start, mention.end - 1, cluster.id)
        for document in documents
        for cluster in document.clusters
        for mention in cluster.mentions
    ]
    line = {
        "id": "all", "doc_ids": [each.id for each in documents],
        "topics": [each.text.topic for each in documents],
        "tokens": [each.words for each in documents], "mentions": mentions,
    }  # fmt: skip
    path.write_text(json.dumps(line), encoding="utf-8")
    return str(path)


class HashedWords:
    """Stands for an encoder: a word's vector is drawn by its letters."""

    def __init__(self) -> None:
        self.about = {"width": WIDTH}

    def cut(self, words: Sequence[str]) -> tuple[Any, Any]:
        return list(words), None

    def states(self, described: Any, words: Sequence[str], ends: Any) -> Any:
        del described, ends
        yield slice(0, len(words)), np.stack([hashed(word) for word in words])


def hashed(word: str) -> Floats:
    return np.random.default_rng(zlib.crc32(word.lower().encode())).normal(size=WIDTH).astype(np.float32)
