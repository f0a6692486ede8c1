"""What a reader learns from: passages, the mentions in them, and pairs of mentions of near passages.

Passages are cut once, by words. What an encoder sees of them comes from a `PassageSource`: lower states of a
model, or subwords for a reader that has a whole encoder; a teacher may see other ones than its pupil.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from referee.arrays import BoolArray, FloatArray, Grouped, IntArray, offsets_of
from referee.matching.units import unit_labels
from referee.model import Corpus, Document, Text
from referee.resolvers.across.head import LINKED_KINDS
from referee.resolvers.across.mention_table import every_word
from referee.resolvers.across.mentions import AcrossScorer
from referee.resolvers.across.neighbours import RowPairs
from referee.resolvers.across.pair_features import FEATURES, Located, describe_mentions
from referee.resolvers.across.passages import CutText, LowerStates
from referee.resolvers.across.similarity import CorpusSimilarity, root_terms, weighted_rows
from referee.resolvers.neural.encoder import Encoder
from referee.resolvers.neural.features import describe_words
from referee.resolvers.neural.subwords import SubwordTokenizer, subword_kinds, windows
from referee.training.constants import PAIRED_PASSAGES
from referee.training.networks.shapes import PassageInput

AT_ONCE = 2**16  # pairs of mentions that are described at a time: a limit of memory


Cut = Callable[[Text], Sequence[tuple[int, int]]]  # the first word of each passage, the one after its last


class Passage(NamedTuple):
    """Consecutive sentences of a text: its number, the first word and the one after the last."""

    text: int
    start: int
    end: int


class PassageSource(Protocol):
    """Gives what an encoder sees of passages: the first word of each, and the one after its last."""

    def read(self, number: int, passages: Sequence[tuple[int, int]]) -> list[PassageInput]:
        """Read the passages of a text."""


class GroupedTexts(NamedTuple):
    """Texts with all words of each, written or not, and which of them belong together."""

    texts: Sequence[Text]
    words: Sequence[Sequence[str]]
    group: Sequence[str]


class KnownMentions(NamedTuple):
    """Mentions in columns: where they are, of which kind, and the entity or event (−1 if unknown)."""

    located: Located
    kind: IntArray
    meant: IntArray

    def chosen(self, rows: IntArray) -> KnownMentions:
        """Keep some of them."""
        return KnownMentions(
            Located(*(column[rows] for column in self.located)), *(c[rows] for c in self[1:])
        )


@dataclass(frozen=True)
class PassagePairs:
    """Pairs of near passages, the pairs of mentions in each, and how likely those are the same."""

    passages: Sequence[Passage]
    mentions: KnownMentions
    home: IntArray  # mention → passage
    near: RowPairs  # of passages, sorted; each is with itself, too
    alike: FloatArray
    edges: IntArray  # pair of passages → its first pair of mentions; and their number
    pairs: RowPairs  # of mentions
    features: npt.NDArray[np.float16]
    same: npt.NDArray[np.float32]


class ReaderMaterial(NamedTuple):
    """Pairs, and what an encoder sees: a row for each subword of a passage, and each mention's two ends."""

    pairs: PassagePairs
    inputs: Sequence[npt.NDArray[Any]]
    ends: IntArray  # mention × 2
    inside: Sequence[BoolArray]  # of each passage: subword × kind, whether it is in such a mention


def annotated_texts(corpus: Corpus) -> tuple[GroupedTexts, KnownMentions]:
    """Take the events and entities of a corpus with topics; the parts of a mention count as one."""
    columns: list[tuple[int, int, int, int]] = []
    meant: list[str] = []
    for kind, name in enumerate(LINKED_KINDS):
        for number, document in enumerate(corpus.of_kind(name)):
            found = [(m, cluster.id) for cluster in document.clusters for m in cluster.mentions]
            columns += [(number, m.start, m.end, kind) for m, _ in found]
            meant += [f"{kind} {id_}" for _, id_ in found]
    table = np.array(columns, np.int64).reshape(-1, 4).T
    meaning = np.unique(np.array(meant), return_inverse=True)[1].astype(np.int64)
    texts = [document.text for document in corpus]
    grouped = GroupedTexts(texts, every_word(corpus), unit_labels(corpus, "topic"))
    return grouped, KnownMentions(Located(*table[:3]), table[3], meaning)


def found_texts(
    documents: Sequence[Document], group: Sequence[str], scorer: AcrossScorer
) -> tuple[GroupedTexts, KnownMentions]:
    """Let a model find the mentions of documents without annotation."""
    words = [document.words for document in documents]
    studied = scorer.study(documents, words)
    columns = [np.zeros((4, 0), np.int64)]
    for number in range(len(documents)):
        found = studied.mentions(number, "all")
        columns.append(np.stack([found.document, found.start, found.end + 1, found.kind]))
    table = np.concatenate(columns, 1)
    mentions = KnownMentions(Located(*table[:3]), table[3], np.full(table.shape[1], -1))
    return GroupedTexts([document.text for document in documents], words, group), mentions


def passage_pairs(
    known: GroupedTexts, mentions: KnownMentions, cut: Cut, near: int = PAIRED_PASSAGES
) -> PassagePairs:
    """Cut texts into passages, and pair each with the nearest ones of its group."""
    passages = [
        Passage(number, start, end) for number, text in enumerate(known.texts) for start, end in cut(text)
    ]
    home = _homes(passages, mentions.located)
    order = np.argsort(home, kind="stable")
    order = order[home[order] >= 0]
    mentions, home = mentions.chosen(order), home[order]
    similarity = CorpusSimilarity.of(known.words)
    pairs, alike = _near_passages(known, passages, similarity, near)
    edges, rows = _compared(pairs, offsets_of(home, len(passages)), mentions.kind)
    described = describe_mentions(known.texts, similarity, mentions.located)
    features = [
        described.features(RowPairs(*(side[at : at + AT_ONCE] for side in rows))).astype(np.float16)
        for at in range(0, rows.size, AT_ONCE)
    ]
    same = (mentions.meant[rows.first] == mentions.meant[rows.second]).astype(np.float32)
    features = [np.zeros((0, len(FEATURES)), np.float16), *features]
    return PassagePairs(passages, mentions, home, pairs, alike, edges, rows, np.concatenate(features), same)


def _homes(passages: Sequence[Passage], located: Located) -> IntArray:
    """Find the passage of each mention; −1 if none has all of it."""
    starts = {(passage.text, passage.start): number for number, passage in enumerate(passages)}
    order = sorted(starts)
    home = np.full(located.start.size, -1)
    for row, (text, start, end) in enumerate(zip(*(side.tolist() for side in located), strict=True)):
        at = bisect_right(order, (text, start)) - 1
        if at >= 0 and order[at][0] == text and end <= passages[starts[order[at]]].end:
            home[row] = starts[order[at]]
    return home


def _near_passages(
    known: GroupedTexts, passages: Sequence[Passage], similarity: CorpusSimilarity, near: int
) -> tuple[RowPairs, FloatArray]:
    """Pair passages of a group, each with itself and its nearest: by its words and all of its text.

    Passages of one text get nothing for that: what is to be learned is to read several.
    """
    words = [known.texts[passage.text].words[passage.start : passage.end] for passage in passages]
    by_words = weighted_rows(map(root_terms, words), 1)
    home = np.array([passage.text for passage in passages], np.int64)
    names = np.unique(np.array([known.group[passage.text] for passage in passages]), return_inverse=True)[1]
    groups = Grouped.of(names.astype(np.int64))
    first, second, alike = [], [], []
    for number in range(groups.sizes.size):
        rows = groups[number]
        texts = similarity.roots[home[rows]]
        apart = home[rows][:, None] != home[rows]
        table = ((by_words[rows] @ by_words[rows].T).toarray() + (texts @ texts.T).toarray() * apart) / 2
        np.fill_diagonal(table, 1 + table.max())
        is_near = np.zeros(table.shape, np.bool_)
        is_near[np.arange(rows.size)[:, None], np.argsort(-table, 1, kind="stable")[:, : near + 1]] = True
        one, other = np.nonzero(np.triu(is_near | is_near.T))
        first.append(rows[one])
        second.append(rows[other])
        alike.append(table[one, other])
    pairs = RowPairs(np.concatenate(first), np.concatenate(second))
    order = np.lexsort((pairs.second, pairs.first))
    return pairs.chosen(order), np.concatenate(alike)[order]


def _compared(near: RowPairs, begins: IntArray, kind: IntArray) -> tuple[IntArray, RowPairs]:
    """List the pairs of mentions of one kind of each pair of passages, and where those of each begin."""
    firsts, seconds = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for a, b in zip(*(side.tolist() for side in near), strict=True):
        ours, theirs = np.arange(begins[a], begins[a + 1]), np.arange(begins[b], begins[b + 1])
        one, other = np.repeat(ours, theirs.size), np.tile(theirs, ours.size)
        compared = (kind[one] == kind[other]) & (one < other)
        firsts.append(one[compared])
        seconds.append(other[compared])
    edges = np.cumsum([part.size for part in firsts])
    return edges, RowPairs(np.concatenate(firsts), np.concatenate(seconds))


def with_inputs(pairs: PassagePairs, source: PassageSource) -> ReaderMaterial:
    """Read all passages."""
    inputs: list[PassageInput] = []
    for number, of_text in groupby(pairs.passages, key=lambda passage: passage.text):
        inputs += source.read(number, [(passage.start, passage.end) for passage in of_text])
    columns = pairs.home, pairs.mentions.located.start, pairs.mentions.located.end
    ends = np.zeros((pairs.home.size, 2), np.int64)
    for row, (home, start, end) in enumerate(zip(*(side.tolist() for side in columns), strict=True)):
        before = pairs.passages[home].start
        ends[row] = inputs[home].ends[start - before, 0], inputs[home].ends[end - 1 - before, 1]
    inside = [np.zeros((len(each.rows), len(LINKED_KINDS)), np.bool_) for each in inputs]
    for home, kind, (first, last) in zip(pairs.home, pairs.mentions.kind, ends, strict=True):
        inside[home][first : last + 1, kind] = True
    return ReaderMaterial(pairs, [each.rows for each in inputs], ends, inside)


class StateSource:
    """The lower states of a model, as the reader will have them when it answers."""

    def __init__(self, model: Encoder, texts: Sequence[Text]) -> None:
        """Take a model whose encoder gives them."""
        self.model, self.texts = model, texts
        self.lower = LowerStates(model, texts)

    def cut(self, text: Text) -> list[tuple[int, int]]:
        """Cut a text into passages: the first word of each, and the one after its last."""
        if not text.length:
            return []
        cut = CutText.of(self.model, text)
        words = np.searchsorted(cut.ends[:, 0], cut.passages(text))
        return [(start, end) for start, end in words.tolist()]

    def read(self, number: int, passages: Sequence[tuple[int, int]]) -> list[PassageInput]:
        """Read the passages of a text."""
        ends = self.lower.read(number)[2]
        inputs = []
        for start, end in passages:
            begin, after = int(ends[start, 0]), int(ends[end - 1, 1]) + 1
            inputs.append(PassageInput(self.lower.of(number, begin, after), ends[start:end] - begin + 1))
        return inputs


class SubwordSource:
    """The subwords of passages, each by itself: for a reader with a whole encoder."""

    def __init__(self, tokenizer: SubwordTokenizer, texts: Sequence[Text]) -> None:
        """Take an encoder's tokenizer."""
        self.tokenizer, self.texts = tokenizer, texts

    def read(self, number: int, passages: Sequence[tuple[int, int]]) -> list[PassageInput]:
        """Cut the passages of a text into subwords."""
        text, inputs = self.texts[number], list[PassageInput]()
        begins = [start for start, _ in text.stretches]
        for start, end in passages:
            words = text.words[start:end]
            subwords, ends = self.tokenizer.cut(words)
            cut = windows(subwords, self.tokenizer.special_tokens, width=subwords.size)
            sentences = np.searchsorted(begins, np.arange(start, end), side="right")
            kinds = subword_kinds(describe_words(words, sentences), ends, cut)
            inputs.append(PassageInput(np.stack([cut.rows[0], kinds[0]], 1), ends + 1))
        return inputs
