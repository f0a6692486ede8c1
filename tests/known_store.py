"""Stores whose model knows: each word is a mention and says its entity, a3 is a."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from referee.arrays import FloatArray
from referee.model import Document, Mention, Text
from referee.resolvers.across import across
from referee.resolvers.across.mentions import MentionArrays, SimilarDocuments
from referee.resolvers.across.neighbours import RowPairs
from referee.resolvers.across.store import growing
from referee.resolvers.across.store.store import Store, open_store


class Knowing:
    """Finds every word, and compares first letters; a text with the word ! cannot be read."""

    def study(self, documents: Sequence[Document], words: Sequence[Sequence[str]]) -> KnowingStudy:
        return KnowingStudy(documents)

    def threshold(self, kind: str) -> float:
        return 0.5


class KnowingStudy:
    """Documents that it has seen."""

    workers = 1

    def __init__(self, documents: Sequence[Document]) -> None:
        self.documents, self.alike, self.read = documents, SimilarDocuments.none(), list[int]()

    def mentions(self, number: int, kind: str, given: Sequence[Mention] | None = None) -> MentionArrays:
        words = self.documents[number].words
        if "!" in words:
            raise ValueError("a text that cannot be read")
        self.read.append(number)
        at = np.arange(len(words))
        vectors = np.array([np.eye(26)[ord(word[0]) - ord("a")] for word in words], np.float32).reshape(
            -1, 26
        )
        zero = np.zeros(len(words), np.int64)
        return MentionArrays(
            at, at, np.ones(len(words)), vectors, zero + number, zero + 1, zero[:, None][:, :0]
        )

    def compare(self, mentions: MentionArrays) -> KnowingPairs:
        return KnowingPairs(mentions)


class KnowingPairs:
    """Mentions, pairs of which are the same if their vectors are."""

    def __init__(self, mentions: MentionArrays) -> None:
        self.mentions = mentions

    def scores(self, pairs: RowPairs) -> FloatArray:
        one, other = (self.mentions.vector[side] for side in pairs)
        same: FloatArray = np.where((np.asarray(one) == np.asarray(other)).all(1), 9.0, -9.0)
        return same


def text(name: str, words: str) -> Text:
    """Make a text of words, one sentence."""
    return Text(name, tuple(words.split()), ((0, len(words.split())),))


def let_it_know(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let stores be opened with the model that knows."""
    monkeypatch.setattr(across, "opened_scorer", lambda *_: Knowing())
    monkeypatch.setattr(growing, "model_facts", lambda _: ("knowing 1", "digest"))


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Open a store that is not there yet, with the model that knows."""
    let_it_know(monkeypatch)
    return open_store(tmp_path / "store")


def partition(store: Store) -> set[frozenset[str]]:
    """Name entities by the words of their mentions."""
    return {
        frozenset(f"{document.id}.{document.words[mention.start]}" for document, mention in thing.mentions)
        for thing in store.entities(1)
    }
