"""A scorer across documents without a model: mentions with the same words and head stem are alike."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from referee.arrays import FloatArray
from referee.language.stems import head_stem, word_stem
from referee.model import Document, Mention
from referee.resolvers.across.mentions import MentionArrays, SimilarDocuments
from referee.resolvers.across.neighbours import RowPairs

WIDTH = 64
THRESHOLD = 0.5


class SurfaceScorer:
    """Hashes of words are the vectors; as mentions it takes runs of capitalised words and long words."""

    def study(self, documents: Sequence[Document], words: Sequence[Sequence[str]]) -> SurfaceStudy:
        del words
        return SurfaceStudy(documents)

    def threshold(self, kind: str) -> float:
        return THRESHOLD


class SurfaceStudy:
    """The documents; none of them are alike."""

    workers = 1

    def __init__(self, documents: Sequence[Document]) -> None:
        self.documents, self.alike = documents, SimilarDocuments.none()

    def mentions(self, number: int, kind: str, given: Sequence[Mention] | None = None) -> MentionArrays:
        document = self.documents[number]
        own = given if given is not None else self._found_spans(document)
        vectors = [self._vector(document, mention) for mention in own]
        return MentionArrays(
            np.array([mention.start for mention in own], np.int64),
            np.array([mention.end - 1 for mention in own], np.int64),
            np.array([float(len(document.words[mention.end - 1])) for mention in own]),
            np.array(vectors, np.float32).reshape(-1, WIDTH),
            np.full(len(own), number),
            np.zeros(len(own), np.int64),
            np.zeros((len(own), 0), np.int64),
        )

    def compare(self, mentions: MentionArrays) -> SurfacePairs:
        return SurfacePairs(mentions)

    def _found_spans(self, document: Document) -> list[Mention]:
        words = document.words
        return [Mention.at(i, i + 1) for i, word in enumerate(words) if word[:1].isupper() or len(word) > 5]

    def _vector(self, document: Document, mention: Mention) -> FloatArray:
        words = [word for start, end in mention.spans for word in document.words[start:end]]
        vector = np.zeros(WIDTH)
        for weight, stem in [(2.0, head_stem(words)), *((1.0, word_stem(word.lower())) for word in words)]:
            chance = np.random.default_rng(zlib.crc32(stem.encode()))
            vector += weight * chance.normal(size=WIDTH)
        return vector


class SurfacePairs:
    """Mentions, pairs of which are compared by their cosine."""

    def __init__(self, mentions: MentionArrays) -> None:
        self.mentions = mentions

    def scores(self, pairs: RowPairs) -> FloatArray:
        vector = self.mentions.vector
        one, other = vector[pairs.first], vector[pairs.second]
        norms = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
        cosine = (one * other).sum(1) / np.maximum(norms, 1e-9)
        odds: FloatArray = 12 * (cosine.astype(np.float64) - 0.6)
        return odds
