"""The head in numpy: the same scores as `network.Head`, for one text of any length, part by part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from referee.arrays import IntArray, run_starts
from referee.resolve.neural import surface
from referee.resolve.neural.deciding import REACH
from referee.resolve.neural.surface import Columns, Common, Pairs, Spans

Floats = npt.NDArray[np.float32]
LONGEST = 30
PART = 256  # spans that are compared at a time
NEVER = -1e4
_SEEN = ("pronoun", "determiner", "capital", "width")


class Kept(NamedTuple):
    """The spans that may be mentions: first and last word, and what their ends score."""

    start: IntArray
    end: IntArray
    score: Floats


class Part(NamedTuple):
    """Some spans with their candidate antecedents, best first."""

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

    def __init__(self, weights: Mapping[str, Floats], kept: float, antecedents: int) -> None:
        """Take the weights under the names that torch gave them."""
        self.w = {name: np.ascontiguousarray(array, np.float32) for name, array in weights.items()}
        self.kept, self.antecedents = kept, antecedents
        self.products = self.w["product.weight"].shape[1]
        self.rough = [self.w[f"rough.{number}.weight"][:, 0] for number in range(4)]
        self.pairs = [self.w[f"pairs.{number}.weight"] for number in range(4)]

    def linear(self, name: str, x: Floats) -> Floats:
        """Apply one linear layer."""
        result = x @ self.w[f"{name}.weight"].T
        if f"{name}.bias" in self.w:
            result += self.w[f"{name}.bias"]
        return result

    def spans(self, states: Floats, words: Columns, output: int = 0, least: float = NEVER) -> Kept:
        """Score all spans sentence by sentence; keep the best, in the order of the text."""
        first, last = gelu(self.linear("first", states)), gelu(self.linear("last", states))
        size = first.shape[1]
        both = first @ self.w["ends.weight"][output * size : (output + 1) * size].T / np.float32(size**0.5)
        by_first = first @ self.w["first_score.weight"][output] + self.w["first_score.bias"][output]
        by_last = last @ self.w["last_score.weight"][output] + self.w["last_score.bias"][output]
        length = self.w["length.weight"][:, output]
        begins = np.r_[np.flatnonzero(run_starts(words.sentence)), len(states)]
        triangle = np.arange(begins.max(initial=0) and np.diff(begins).max(initial=0))
        apart = triangle[None] - triangle[:, None]
        by_length = np.where((apart < 0) | (apart >= LONGEST), NEVER, length[np.clip(apart, 0, LONGEST - 1)])
        starts, ends, scores = [], [], []
        for begin, end in zip(begins[:-1].tolist(), begins[1:].tolist(), strict=True):
            count = end - begin
            table = both[begin:end] @ last[begin:end].T + by_length[:count, :count]
            table += by_first[begin:end, None]
            table += by_last[None, begin:end]
            row, column = np.nonzero(table > max(least, NEVER / 2))
            starts.append(row + begin)
            ends.append(column + begin)
            scores.append(table[row, column])
        start, stop, score = np.concatenate(starts), np.concatenate(ends), np.concatenate(scores)
        count = min(int(self.kept * len(states)) + 5, start.size)
        best = np.sort(np.argpartition(-score, count - 1)[:count]) if count < start.size else slice(None)
        return Kept(start[best], stop[best], score[best].astype(np.float32))

    def vectors(self, states: Floats, spans: Spans) -> Floats:
        """Describe spans by their ends, their mean and what can be seen of them."""
        width = spans.end + 1 - spans.start
        mean = states[spans.start]
        for further in range(1, int(width.max(initial=1))):
            longer = np.flatnonzero(width > further)
            mean[longer] += states[spans.start[longer] + further]
        mean /= width.astype(np.float32)[:, None]
        vectors = self.linear("span_first", states[spans.start])
        vectors += self.linear("span_last", states[spans.end])
        vectors += self.linear("span_mean", mean)
        for name in _SEEN:
            vectors += self.w[f"seen.{name}.weight"][getattr(spans, name)]
        return gelu(vectors)


class Rivals:
    """All spans of a text, ready to be compared."""

    def __init__(self, head: NumpyHead, states: Floats, words: Columns, kept: Kept) -> None:
        """Compute what each span needs once."""
        self.head, self.words = head, words
        sums = np.r_[0, words.form.cumsum()]
        self.spans = surface.describe_spans(np, words, sums, kept.start, kept.end)
        vectors = head.vectors(states, self.spans)
        self.mention = kept.score + head.linear("mention", vectors)[:, 0]
        parts = (len(vectors), head.products, len(head.w["query.weight"]) // head.products)
        self.query = head.linear("query", vectors).reshape(parts).transpose(1, 0, 2)
        self.key = head.linear("key", vectors).reshape(parts).transpose(1, 0, 2)
        self.ours, self.theirs = head.linear("ours", vectors), head.linear("theirs", vectors)
        if "factors.weight" in head.w:
            self.left, self.right = head.linear("left", vectors), head.linear("right", vectors)
        self.count = len(vectors)
        blank = np.zeros((self.count, surface.BUCKETS + 1), np.float32)
        self.bags = surface.fill_bags(np, words, self.spans, np.arange(LONGEST), blank)
        self.sizes = self.bags.sum(1)

    def parts(self) -> Iterator[slice]:
        """Cut the spans into parts."""
        return (slice(a, min(a + PART, self.count)) for a in range(0, self.count, PART))

    def part(self, own: slice, remembered: IntArray) -> Part:
        """Compare some spans with those before them, and with remembered ones from further back."""
        others = np.r_[remembered, np.arange(max(own.start - REACH, 0), own.stop)]
        rows = np.arange(own.start, own.stop)
        pairs = self.describe(own, rows, others)
        products = self.query[:, own] @ self.key[:, others].transpose(0, 2, 1)
        products /= np.float32(self.query.shape[2] ** 0.5)
        rough = np.tensordot(self.head.w["product.weight"][0], products, 1)
        rough += self.mention[own, None]
        rough += self.mention[None, others]
        for table, column in zip(self.head.rough, pairs, strict=False):
            rough += table[column]
        rough[others[None] >= rows[:, None]] = NEVER
        count = min(self.head.antecedents, others.size)
        best = np.argpartition(-rough, count - 1, axis=1)[:, :count]
        return Part(others[best], self.fine(own, others, best, pairs, products, rough))

    def describe(self, own: slice, rows: IntArray, others: IntArray) -> Pairs:
        """Describe the pairs of some spans and some others."""
        ours = Spans(*(column[own] for column in self.spans))
        theirs = Spans(*(column[others] for column in self.spans))
        common = Common(self.bags[own] @ self.bags[others].T, self.sizes[own], self.sizes[others])
        return surface.describe_pairs(np, ours, theirs, common, np.maximum(rows[:, None] - others[None], 0))

    def fine(
        self, own: slice, others: IntArray, best: IntArray, pairs: Pairs, products: Floats, rough: Floats
    ) -> Floats:
        """Score the best candidates once more."""
        w = self.head.w
        row = np.arange(len(best))[:, None]
        flat = (row * others.size + best).ravel()
        chosen = products.reshape(len(products), -1)[:, flat].T
        hidden = chosen @ w["products.weight"].T
        hidden += self.theirs[others[best].ravel()]
        if "factors.weight" in w:
            factors = np.repeat(self.left[own], best.shape[1], 0) * self.right[others[best].ravel()]
            hidden += factors @ w["factors.weight"].T
        hidden += np.repeat(self.ours[own], best.shape[1], 0)
        for table, column in zip(self.head.pairs, pairs, strict=False):
            hidden += table[column.ravel()[flat]]
        np.maximum(hidden, 0, out=hidden)
        by_category = hidden @ w["category.weight"].T + w["category.bias"]
        fine = by_category[np.arange(flat.size), pairs.category.ravel()[flat]].reshape(best.shape)
        before = np.take_along_axis(rough, best, 1)
        return np.where(before <= NEVER / 2, NEVER, fine + before).astype(np.float32)
