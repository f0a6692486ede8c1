"""The head in numpy: the same scores as torch's head gives, for one text of any length, part by part.

Nearly all pairs of spans have no chance, so they are scored in three steps, each costlier than the one before
and for fewer pairs: one product for all of them; features of those that could still be linked; and the small
network for the best of those.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from referee.arrays import IntArray, run_starts
from referee.resolvers.neural import features as surface
from referee.resolvers.neural.deciding import REACH
from referee.resolvers.neural.features import (
    IMPOSSIBLE,
    MAX_SPAN_WIDTH,
    Common,
    PairFeatures,
    SpanFeatures,
    WordFeatures,
)

Floats = npt.NDArray[np.float32]
BLOCK = 64  # words in which spans begin, scored at a time
PART = 256  # spans that are compared at a time
AT_ONCE = 1024  # pairs that the small network scores at a time: as many as stay in a processor's cache
# The small network lifts a pair in a thousand by more (OntoGUM dev and LitBank). CoNLL on OntoGUM dev, words
# alone: 65.88 with 2, 65.83 with 4 and with 8; 0.7, 0.8 and 0.9 s after the encoder.
LIFT = 4.0
_COMPARED = ("query", "key", "ours", "theirs", "left", "right", "mention")


class ScoredSpans(NamedTuple):
    """Spans that may be mentions: first and last word, and what their ends score."""

    start: IntArray
    end: IntArray
    score: Floats


class Candidates(NamedTuple):
    """The candidate mentions of a section of a text: features, what their ends score, and vectors."""

    spans: SpanFeatures
    score: Floats
    vectors: Floats


class Antecedents(NamedTuple):
    """Some spans with their candidate antecedents; rows that have fewer end with IMPOSSIBLE scores."""

    candidates: IntArray
    scores: Floats


def gelu(x: Floats) -> Floats:
    """The Gaussian error linear unit, by its usual approximation."""
    inner = x * x
    inner *= np.float32(0.044715 * 0.7978845608)
    inner += np.float32(0.7978845608)
    inner *= x
    np.tanh(inner, out=inner)
    inner += 1
    inner *= x
    inner *= np.float32(0.5)
    return inner


class NumpyHead:
    """Everything after the encoder."""

    def __init__(self, weights: Mapping[str, Floats], spans_per_word: float, antecedents: int) -> None:
        """Take the weights under the names that torch gave them."""
        self.w = {name: np.ascontiguousarray(array, np.float32) for name, array in weights.items()}
        self.spans_per_word, self.antecedents = spans_per_word, antecedents
        self.rough = [self.w[f"rough.{number}.weight"][:, 0] for number in range(4)]
        self.pairs = [self.w[f"pairs.{number}.weight"] for number in range(4)]
        self.products = self.w["product.weight"].shape[1]
        each = len(self.w["query.weight"]) // self.products
        self.product = np.repeat(self.w["product.weight"][0] / np.float32(each**0.5), each)
        by_distance = self.rough[2].reshape(-1, surface.SENTENCE_CLASSES)[::-1, ::-1]
        reversed_ = np.maximum.accumulate(np.maximum.accumulate(by_distance, 0), 1)
        self.nearness = reversed_[::-1, ::-1].ravel()  # the most for this distance or any that is greater
        self.compared = [name for name in _COMPARED if f"{name}.weight" in self.w]
        rows = [self.w[f"{name}.weight"] for name in self.compared]
        biases = [
            self.w.get(f"{name}.bias", np.zeros(len(row), np.float32))
            for name, row in zip(self.compared, rows, strict=True)
        ]
        self.w["compared.weight"], self.w["compared.bias"] = np.concatenate(rows), np.concatenate(biases)
        self.bounds = np.cumsum([len(row) for row in rows])[:-1]

    def linear(self, name: str, x: Floats) -> Floats:
        """Apply one linear layer."""
        result = x @ self.w[f"{name}.weight"].T
        if f"{name}.bias" in self.w:
            result += self.w[f"{name}.bias"]
        return result

    def top_spans(
        self, states: Floats, words: WordFeatures, output: int = 0, threshold: float = IMPOSSIBLE
    ) -> ScoredSpans:
        """Score all spans that lie in one sentence, and prune all but the best; in the order of the text."""
        first, last = gelu(self.linear("first", states)), gelu(self.linear("last", states))
        size = first.shape[1]
        both = first @ self.w["ends.weight"][output * size : (output + 1) * size].T / np.float32(size**0.5)
        by_first = self.linear("first_score", first)[:, output]
        by_last = self.linear("last_score", last)[:, output]
        width = np.arange(BLOCK + MAX_SPAN_WIDTH - 1)[None] - np.arange(BLOCK)[:, None]
        length = self.w["length.weight"][:, output][np.clip(width, 0, MAX_SPAN_WIDTH - 1)]
        band = np.where((width < 0) | (width >= MAX_SPAN_WIDTH), np.float32(IMPOSSIBLE), length)
        scored = []
        for begin in range(0, len(states), BLOCK):  # words in which spans begin, and where those may end
            begins, ends = slice(begin, begin + BLOCK), slice(begin, begin + BLOCK + MAX_SPAN_WIDTH - 1)
            table = both[begins] @ last[ends].T
            table += by_first[begins, None]
            table += by_last[None, ends]
            table += band[: len(table), : table.shape[1]]
            wanted = table > max(threshold, IMPOSSIBLE / 2)
            wanted &= words.sentence[begins, None] == words.sentence[None, ends]
            row, column = np.nonzero(wanted)
            scored.append((row + begin, column + begin, table[row, column]))
        start, end, score = (np.concatenate(column) for column in zip(*scored, strict=True))
        count = min(int(self.spans_per_word * len(states)) + 5, start.size)
        best = np.sort(np.argpartition(-score, count - 1)[:count]) if count < start.size else slice(None)
        return ScoredSpans(start[best], end[best], score[best])

    def candidates(
        self, states: Floats, words: WordFeatures, section: slice, spans: ScoredSpans
    ) -> Candidates:
        """Describe spans of a section of a text, counted from its first word, as `states` are."""
        inside = words.section(section)
        features = surface.describe_spans(np, inside, np.r_[0, inside.form.cumsum()], spans.start, spans.end)
        vectors = self.vectors(states, features)
        shifted = {name: getattr(features, name) + section.start for name in ("start", "end", "core", "last")}
        return Candidates(features._replace(**shifted), spans.score, vectors)

    def vectors(self, states: Floats, spans: SpanFeatures) -> Floats:
        """Describe spans by their ends, their mean and what can be seen of them."""
        start, end = spans.start, spans.end
        width = end + 1 - start
        mean = states[start]
        for further in range(1, int(width.max(initial=1))):
            longer = np.flatnonzero(width > further)
            mean[longer] += states[start[longer] + further]
        mean /= width.astype(np.float32)[:, None]
        vectors = self.linear("span_first", states[start])
        vectors += self.linear("span_last", states[end])
        vectors += self.linear("span_mean", mean)
        for name in surface.EMBEDDED:
            vectors += self.w[f"seen.{name}.weight"][getattr(spans, name)]
        return gelu(vectors)


class PairScorer:
    """Compares the candidate mentions of a text with those before them."""

    def __init__(self, head: NumpyHead, words: WordFeatures, candidates: Sequence[Candidates]) -> None:
        """Compute what each span needs once."""
        self.head = head
        features = zip(*(section.spans for section in candidates), strict=True)
        self.spans = SpanFeatures(*map(np.concatenate, features))
        vectors = np.concatenate([section.vectors for section in candidates])
        self.count = len(vectors)
        columns = np.split(head.linear("compared", vectors), head.bounds, axis=1)
        self.of = dict(zip(head.compared, columns, strict=True))
        self.mention = np.concatenate([section.score for section in candidates]) + self.of["mention"][:, 0]
        self.content = surface.content_words(words, self.spans)

    def parts(self) -> Iterator[slice]:
        """Cut the spans into parts."""
        return (slice(a, min(a + PART, self.count)) for a in range(0, self.count, PART))

    def antecedents(self, part: slice, remembered: IntArray, threshold: float = 0.0) -> Antecedents:
        """Compare some spans with those before them, and with remembered ones from further back."""
        others = np.r_[remembered, np.arange(max(part.start - REACH, 0), part.stop)]
        bar = threshold - LIFT
        row, column, rough, shared = self.hopeful(part, others, bar)
        pairs = self.describe(row + part.start, others[column], shared)
        for table, index in zip(self.head.rough, pairs, strict=False):
            rough += table[index]
        best, rank = _pruned(row, rough, bar, self.head.antecedents)
        row, other = row[best], others[column[best]]
        fine = self.fine(row + part.start, other, PairFeatures(*(index[best] for index in pairs)))
        shape = (part.stop - part.start, rank.max(initial=0) + 1)
        candidates, scores = np.zeros(shape, np.int64), np.full(shape, IMPOSSIBLE, np.float32)
        candidates[row, rank], scores[row, rank] = other, rough[best] + fine
        return Antecedents(candidates, scores)

    def hopeful(
        self, part: slice, others: IntArray, bar: float
    ) -> tuple[IntArray, IntArray, Floats, IntArray]:
        """Find the pairs that tables could lift over the bar: row, column, score so far, words in common."""
        rows = np.arange(part.start, part.stop)
        score = (self.of["query"][part] * self.head.product) @ self.of["key"][others].T
        score += self.mention[part, None]
        score += self.mention[others]
        score[others >= rows[:, None]] = IMPOSSIBLE
        shared = surface.common_words(self.content, rows, others)
        alike, pronouns, _, relation = self.head.rough
        bound = bar - pronouns.max() - relation.max() - self.nearness(part.start, others)
        hopeful = score > bound - alike[:4].max()  # most pairs have no word in common
        row, column = np.nonzero(shared)
        hopeful[row, column] = score[row, column] > bound[column] - alike.max()
        row, column = np.nonzero(hopeful & (score > IMPOSSIBLE / 2))
        return row, column, score[row, column], shared[row, column]

    def nearness(self, row: int, others: IntArray) -> Floats:
        """Say what distance adds at most to pairs of spans with a row, or with one that comes after it."""
        distance = np.maximum(row - others, 0)
        sentences = self.spans.sentence[row] - self.spans.sentence[others]
        return self.head.nearness[surface.distance_class(np, distance, np.maximum(sentences, 0))]

    def describe(self, ours: IntArray, theirs: IntArray, shared: IntArray) -> PairFeatures:
        """Describe pairs of spans."""
        i, j = (SpanFeatures(*(column[index] for column in self.spans)) for index in (ours, theirs))
        sizes = self.content.sizes
        return surface.describe_each(np, i, j, Common(shared, sizes[ours], sizes[theirs]), ours - theirs)

    def fine(self, ours: IntArray, theirs: IntArray, pairs: PairFeatures) -> Floats:
        """Score pairs once more, by the small network."""
        scores = np.empty(ours.size, np.float32)
        for begin in range(0, ours.size, AT_ONCE):
            part = slice(begin, begin + AT_ONCE)
            scores[part] = self._fine(
                ours[part], theirs[part], PairFeatures(*(column[part] for column in pairs))
            )
        return scores

    def _fine(self, ours: IntArray, theirs: IntArray, pairs: PairFeatures) -> Floats:
        w = self.head.w
        each = self.of["query"].shape[1] // self.head.products
        products = self.of["query"][ours] * self.of["key"][theirs]
        products = products.reshape(len(ours), -1, each).sum(2) / np.float32(each**0.5)
        hidden = products @ w["products.weight"].T
        if "factors.weight" in w:
            hidden += (self.of["left"][ours] * self.of["right"][theirs]) @ w["factors.weight"].T
        hidden += self.of["ours"][ours]
        hidden += self.of["theirs"][theirs]
        for table, index in zip(self.head.pairs, pairs, strict=False):
            hidden += table[index]
        np.maximum(hidden, 0, out=hidden)
        by_category = self.head.linear("category", hidden)
        return by_category[np.arange(len(ours)), pairs.category]


def _pruned(row: IntArray, score: Floats, bar: float, most: int) -> tuple[IntArray, IntArray]:
    """Choose the best pairs of each row above a bar: their indices, and the rank of each in its row."""
    above = np.flatnonzero(score > bar)
    order = above[np.lexsort((-score[above], row[above]))]
    begins = np.flatnonzero(run_starts(row[order]))
    rank = np.arange(order.size) - np.repeat(begins, np.diff(np.r_[begins, order.size]))
    return order[rank < most], rank[rank < most]
