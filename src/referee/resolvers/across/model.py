"""A model across documents: the encoder of the resolver within documents, and further heads.

Its folder has the files of `referee.resolvers.neural.encoder.Encoder`, and beside them across.safetensors
(the heads) and across.json: for each kind the threshold for mentions, how many spans there are for each word
(λ), and when clusters stop merging (τ). A head finds mentions by the last states of words, or by those after
three layers, if the encoder gives them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from referee.arrays import FloatArray, IntArray, find
from referee.encoding import encoded
from referee.exceptions import EngineError, FormatError, SettingError
from referee.model import Document, Mention, Text
from referee.resolvers.across.compatibility.adjusting import Adjuster
from referee.resolvers.across.compatibility.names import NamedMention
from referee.resolvers.across.compatibility.profiles import NamedTexts, StatedFacts, stated_facts
from referee.resolvers.across.constants import IMPOSSIBLE, MOST, READING
from referee.resolvers.across.head import LINKED_KINDS, AcrossHead, Floats, unit_states
from referee.resolvers.across.mentions import MentionArrays, SimilarDocuments
from referee.resolvers.across.neighbours import RowPairs
from referee.resolvers.across.pair_features import DescribedMentions, Located, describe_mentions
from referee.resolvers.across.passages import LAST, SEVERAL, CutText, LowerStates, beside
from referee.resolvers.across.progress import Done, unwatched
from referee.resolvers.across.reader import READER, Reader
from referee.resolvers.across.second_look import PLACE, ReadMentions, SecondLook, places_in
from referee.resolvers.across.similarity import DENSE, CorpusSimilarity, used_rows
from referee.resolvers.across.span_words import SpanWords, all_spans, behind_titles, span_words
from referee.resolvers.across.workers import in_threads
from referee.resolvers.neural.encoder import Encoder
from referee.resolvers.neural.models import ACROSS, facts_in
from referee.resolvers.neural.running import openable

HEADS = "across.safetensors"
OPEN_MODELS = 2  # at most
IN_CACHE, IN_FAST_CACHE = 4096, 256  # pairs that are compared at a time, and by their whole states
ENTITY = LINKED_KINDS.index("entities")
NEVER = -60.0  # the log odds that an event is an entity


def word_states(model: Encoder, text: Text, seen: Sequence[str] = LAST) -> Floats:
    """Give each written word of a text its state, or its states after several layers beside each other."""
    if not text.length:
        return np.zeros((0, len(seen) * model.about["width"]), np.float32)

    def encode(row: IntArray, kinds: IntArray) -> Floats:
        return beside(model.run(seen, row, kinds))

    cut = CutText.of(model, text)
    parts = model.states(*cut) if seen == LAST else model.states(*cut, encode)
    return np.concatenate([states for _, states in parts])


@lru_cache(maxsize=OPEN_MODELS)
def opened_model(folder: Path, threads: int, _process: int) -> AcrossModel:
    """Open a folder once in a process."""
    return AcrossModel(folder, threads)


def files_digest(folder: Path) -> str:
    """Say by which the files of a model are recognised."""
    digest = blake2b(digest_size=16)
    for path in sorted(folder.glob("*.*")):
        digest.update(encoded(f"{path.name} ") + path.read_bytes())
    return digest.hexdigest()


def _opened_in_worker(folder: Path, digest: str) -> AcrossModel:
    """Open the model of the process that plans; a worker has one thread, as there are others."""
    if not folder.is_dir():
        raise EngineError(f"a worker has no model {folder}; install it, or name a folder that all have")
    if files_digest(folder) != digest:
        raise EngineError(f"a worker has other files in {folder}; install the same model everywhere")
    return opened_model(folder, 1, os.getpid())


class AcrossModel:
    """Finds mentions and compares them; an AcrossScorer."""

    folder: Path | None

    def __init__(self, folder: Path, threads: int = 0) -> None:
        """Open a folder."""
        from safetensors.numpy import load_file

        if not (folder / HEADS).exists():
            raise FormatError(
                f"{folder}: has no {HEADS}, so it cannot link across documents; train it for that"
            )
        settings = facts_in(folder, ACROSS)
        with openable(folder):
            stored = load_file(folder / HEADS)
            heads = [
                _stored_head(stored, name) for name in sorted({name.partition("/")[0] for name in stored})
            ]
            # A thread for each document or row of passages: several for one would often wait for each other.
            model, has_reader = Encoder(folder, 1), (folder / READER).exists()
            reader = Reader(folder) if has_reader and "lower" in model.about else None
            adjuster = Adjuster.of(folder)
        self._prepare(model, heads, settings, reader, adjuster)
        self.workers, self.folder = threads or os.cpu_count() or 1, folder

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel to another process by the name of the folder: what is opened cannot."""
        if self.folder is None:
            raise SettingError("jobs= needs a model in a folder, and this one was put together in memory")
        return _opened_in_worker, (self.folder, files_digest(self.folder))

    @classmethod
    def of(
        cls,
        model: Encoder,
        heads: Sequence[AcrossHead],
        settings: Mapping[str, Mapping[str, float]],
        reader: Reader | None = None,
        adjuster: Adjuster | None = None,
    ) -> AcrossModel:
        """Put an encoder, heads and settings together, and a reader if there is one."""
        made = cls.__new__(cls)
        made._prepare(model, heads, settings, reader, adjuster)
        return made

    def _prepare(
        self,
        model: Encoder,
        heads: Sequence[AcrossHead],
        settings: Mapping[str, Mapping[str, float]],
        reader: Reader | None,
        adjuster: Adjuster | None = None,
    ) -> None:
        self.model, self.heads, self.settings = model, heads, settings
        self.reader, self.adjuster = reader, adjuster
        self.workers, self.folder = 1, None
        self.width: int = model.about["width"]
        self.seen = SEVERAL if max(head.mention_width for head in heads) > self.width else LAST
        if not {*self.seen} - {*LAST} <= {*model.about}:
            raise FormatError("its heads need states that its encoder does not output; train them again")

    def with_rows(self, most: int) -> AcrossModel:
        """Let the reader have so many subwords in a row."""
        changed = AcrossModel.__new__(AcrossModel)
        changed.__dict__ |= self.__dict__ | {"folder": None}
        changed.settings = {**self.settings, "reader": {**self.settings.get("reader", {}), MOST: most}}
        return changed

    def threshold(self, kind: str) -> float:
        """Say how likely mentions of two clusters must be the same on average, for a merge (τ)."""
        return self.settings[kind]["threshold"]

    def study(self, documents: Sequence[Document], words: Sequence[Sequence[str]]) -> StudiedByModel:
        """Learn how alike documents are, from all their words, and how rare each word is."""
        return StudiedByModel(self, documents, words)


Learnt = tuple[AcrossModel, Sequence[Document], Sequence[Sequence[str]], CorpusSimilarity]


class StudiedByModel:
    """Documents that a model has seen: StudiedDocuments."""

    def __init__(
        self, model: AcrossModel, documents: Sequence[Document], words: Sequence[Sequence[str]]
    ) -> None:
        """See documents, and all words of each."""
        self.__setstate__((model, documents, words, CorpusSimilarity.of(words)))

    def __getstate__(self) -> Learnt:
        """Take along what was learnt of the documents, and no states."""
        return self.model, self.documents, self.words, self.similarity

    def __setstate__(self, learnt: Learnt) -> None:
        """Begin with what was learnt."""
        self.model, self.documents, self.words, self.similarity = learnt
        self.workers, self.texts = self.model.workers, [document.text for document in self.documents]
        self.lower = LowerStates(self.model.model, self.texts, self.model.seen)
        self.named = NamedTexts(self.texts, self.words, self.similarity.proper)

    @property
    def alike(self) -> SimilarDocuments:
        """Which documents are alike."""
        return self.similarity.alike

    def mentions(self, number: int, kind: str, given: Sequence[Mention] | None = None) -> MentionArrays:
        """Find the mentions of the document of this number, or describe those that are given."""
        text = self.texts[number]
        states, places = self._read(number)
        if given is None:
            spans, odds = self._found_spans(text, states, kind)
        else:
            first, last = (
                np.array(column, np.int64)
                for column in ([m.start for m in given], [m.end - 1 for m in given])
            )
            spans = span_words(text, first, last)
            odds = self._mention_odds(states, spans)
        kinds = odds[:, 1:].argmax(1) if kind == "all" else np.full(spans.size, LINKED_KINDS.index(kind))
        score = np.exp(odds[np.arange(spans.size), kinds + 1]).astype(np.float64)
        document = np.full(spans.size, number)
        last_layer = states[:, -self.model.width :]  # by which pairs are compared
        vectors = self._vectors(last_layer, spans)
        return MentionArrays(spans.first, spans.last, score, vectors, document, kinds, places(spans))

    def names(self, mentions: MentionArrays) -> list[NamedMention | None]:
        """Give the names of mentions of people and things; None for others."""
        columns = (mentions.document, mentions.start, mentions.end + 1, mentions.kind)
        return [
            self.named.of(document)[0].with_place(start, end) if kind == ENTITY else None
            for document, start, end, kind in zip(*(column.tolist() for column in columns), strict=True)
        ]

    def compare(self, mentions: MentionArrays) -> ComparedByModel:
        """Prepare to compare pairs of these mentions."""
        return ComparedByModel(self, mentions)

    def _read(self, number: int) -> tuple[Floats, Callable[[SpanWords], IntArray]]:
        """Read a text: the states of each word; and where spans of it will be read again, if they will."""
        text = self.texts[number]
        if self.model.reader is None or not text.length:
            columns = 0 if self.model.reader is None else PLACE
            states = word_states(self.model.model, text, self.model.seen)
            return states, lambda spans: np.zeros((spans.size, columns), np.int64)
        states, passages, ends = self.lower.read(number)
        return states, lambda spans: places_in(passages, ends[spans.first, 0], ends[spans.last, 1])

    def _mention_odds(self, states: Floats, spans: SpanWords) -> Floats:
        votes: Floats = np.mean([head.mention_odds(states, spans) for head in self.model.heads], 0)
        return votes

    def _vectors(self, states: Floats, spans: SpanWords) -> npt.NDArray[np.float16]:
        """Put the vectors of all heads beside each other, and those that are compared by their cosine."""
        of_heads = [head.vectors(states, spans) for head in self.model.heads]
        return np.concatenate([*unit_states(states, spans), *of_heads], 1).astype(np.float16)

    def _found_spans(self, text: Text, states: Floats, kind: str) -> tuple[SpanWords, Floats]:
        """Choose the spans that are likely mentions of a kind, at most λ for each word; none overlap."""
        spans = all_spans(text)
        odds = self._mention_odds(states, spans)
        short, long = behind_titles(text, spans)
        order = np.argsort(odds[short, 1 + ENTITY], kind="stable")  # of several, the likeliest decides
        short, long = short[order], long[order]
        better = odds[short, 1 + ENTITY] > odds[long, 1 + ENTITY]
        odds[long[better]], odds[short] = odds[short[better]], NEVER
        chosen: list[int] = []
        for linked_kind in LINKED_KINDS if kind == "all" else (kind,):
            likely = np.exp(odds[:, LINKED_KINDS.index(linked_kind) + 1])
            settings = self.model.settings[linked_kind]
            most = round(settings["spans_per_word"] * text.length)
            rows = prune_spans(spans, likely, settings["mention_threshold"], most)
            chosen += [
                row
                for row in rows
                if kind != "all" or odds[row, 1:].argmax() == LINKED_KINDS.index(linked_kind)
            ]
        order = np.array(sorted(chosen), np.int64)
        return span_words(text, spans.first[order], spans.last[order]), odds[order]


class ComparedByModel:
    """Mentions that are compared: ComparedMentions, and Rereading.

    What is known of them is worked out once: their descriptions, their passages, and the features of the
    pairs that were asked for last, which are mostly read together next.
    """

    def __init__(self, studied: StudiedByModel, mentions: MentionArrays) -> None:
        """Take mentions of documents that a model has seen."""
        self.studied, self.model, self.mentions = studied, studied.model, mentions
        self._asked_last = np.zeros(0, np.int64), np.zeros((0, 0), np.float32)  # codes of pairs, features

    @cached_property
    def facts(self) -> StatedFacts:
        """What the mentions state."""
        studied, mentions = self.studied, self.mentions
        return stated_facts(studied.named, studied.similarity, self._located, mentions.kind)

    @cached_property
    def _passages(self) -> ReadMentions:
        return ReadMentions(self.mentions.document, self.mentions.kind, self.mentions.places)

    def scores(self, pairs: RowPairs) -> FloatArray:
        """Compare pairs of mentions: log odds."""
        mentions, kind, heads = self.mentions, self.mentions.kind, self.model.heads
        result = np.full(pairs.size, NEVER)
        alike = np.flatnonzero(kind[pairs.first] == kind[pairs.second])
        chosen = pairs.chosen(alike)
        features = self.features(chosen)
        self._asked_last = chosen.first * kind.size + chosen.second, features
        rows, local = np.unique(np.concatenate(chosen), return_inverse=True)
        vector, kinds, width = mentions.vector[rows].astype(np.float32), kind[rows], self.model.width
        near = RowPairs(*local.reshape(2, -1))
        cosines = [products(vector[:, at : at + width], near) for at in (0, width)]
        split = np.split(vector[:, 2 * width :], len(heads), axis=1)
        vectors = [(each, head.alone(each, kinds)) for head, each in zip(heads, split, strict=True)]

        def voted(part: slice) -> Floats:
            some = near.chosen(part)
            described = np.stack([each(part) for each in cosines], 1), features[part]
            voters = zip(heads, vectors, strict=True)
            votes: Floats = np.mean([head.pair_odds(*each, *described, some) for head, each in voters], 0)
            return votes

        parts = [slice(at, at + IN_CACHE) for at in range(0, alike.size, IN_CACHE)]
        odds = np.concatenate([np.zeros(0), *in_threads(voted, parts, self.studied.workers)])
        result[alike] = self._adjusted(chosen, features, odds, read=False)
        if self.model.adjuster is not None:
            result[self.facts.contradictions.between(pairs)] = IMPOSSIBLE
        return result

    def _adjusted(self, pairs: RowPairs, features: Floats, odds: FloatArray, *, read: bool) -> FloatArray:
        adjuster = self.model.adjuster
        return odds if adjuster is None else adjuster.adjusted(self.facts, pairs, features, odds, read=read)

    def second_look(self, pairs: RowPairs, odds: FloatArray, done: Done = unwatched) -> FloatArray:
        """Read passages together; where pairs were read, their log odds are others."""
        if self.model.reader is None:
            return odds
        settings = {**READING, **self.model.settings.get("reader", {})}
        look = SecondLook(
            self.model.reader,
            self.studied.lower,
            settings,
            self._passages,
            self._features_again,
            self.studied.workers,
            lambda seen, read: self._adjusted(seen, self._features_again(seen), read, read=True),
        )
        return look.look(pairs, odds, done)

    def _features_again(self, pairs: RowPairs) -> Floats:
        """Give the features of pairs; they were mostly asked for just before."""
        codes, known = self._asked_last
        index, there = find(pairs.first * self.mentions.size + pairs.second, codes)
        return known[index] if there.all() else self.features(pairs)

    def features(self, pairs: RowPairs) -> Floats:
        """Work out the features of pairs."""
        return self._described.features(pairs)

    @cached_property
    def _described(self) -> DescribedMentions:
        return describe_mentions(self.studied.texts, self.studied.similarity, self._located)

    @property
    def _located(self) -> Located:
        mentions = self.mentions
        return Located(mentions.document, mentions.start, mentions.end + 1)


def _stored_head(stored: Mapping[str, npt.NDArray[np.floating]], name: str) -> AcrossHead:
    return AcrossHead(
        {key.partition("/")[2]: weight for key, weight in stored.items() if key.startswith(f"{name}/")}
    )


def products(rows: Floats, pairs: RowPairs) -> Callable[[slice], Floats]:
    """Multiply pairs of rows: some when they are asked for, or all at once if these are nearly all."""
    ours, first = used_rows(pairs.first, len(rows))
    theirs, second = used_rows(pairs.second, len(rows))
    if ours.size * theirs.size <= 8 * pairs.size + DENSE:
        table = rows[ours] @ rows[theirs].T
        return lambda part: table[first[part], second[part]]

    def multiplied(part: slice) -> Floats:
        some = pairs.chosen(part)
        parts = [slice(at, at + IN_FAST_CACHE) for at in range(0, some.size, IN_FAST_CACHE)]
        return np.concatenate(
            [np.einsum("ij,ij->i", rows[some.first[each]], rows[some.second[each]]) for each in parts]
        )

    return multiplied


def prune_spans(spans: SpanWords, likely: npt.NDArray[np.floating], threshold: float, most: int) -> list[int]:
    """Choose the likeliest spans one after the other, none that overlaps one chosen before."""
    order = np.argsort(-likely, kind="stable")
    used: set[int] = set()
    chosen: list[int] = []
    for row in order[: int((likely >= threshold).sum())].tolist():
        words = range(int(spans.first[row]), int(spans.last[row]) + 1)
        if len(chosen) < most and used.isdisjoint(words):
            used.update(words)
            chosen.append(row)
    return chosen
