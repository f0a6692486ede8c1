"""Features of two mentions of any two documents that need no encoder: words, context, documents.

Each feature is the same in both directions. Sets of words are compared by what they share (Jaccard); those of
the context are weighted by rarity, for a rare name beside two events says more than a common word.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from referee.arrays import FloatArray, IntArray
from referee.language.english import DETERMINERS
from referee.language.stems import COMMON, LIGHT, POINTING, head_index, word_stem
from referee.model import Text
from referee.resolvers.across.neighbours import RowPairs
from referee.resolvers.across.similarity import (
    CorpusSimilarity,
    Rows,
    listed_terms,
    root_terms,
    shared,
    weighted_rows,
)

# The heads were trained with these; others were not measured.
REACH = 8  # words to the left and to the right
MOST_SHARED = 20.0  # weight of shared words; more counts as so much
RAREST = 7.0  # what rarity is divided by, so that it is about 1 at most
WIDEST, FARTHEST = 20, 10  # words of two mentions together, and difference of their widths, at most
SURFACE = ("same_head", "same_text", "jaccard", "contained", "head_inside", "letters")
DOCUMENTS = ("like_roots", "like_grams", "same_document", "subtopic", "subtopic_head", "subtopic_jaccard")
AROUND = ("left", "right", "context", "names")
ALONE = ("capitals", "one_capital", "pronoun", "digits", "widths", "width_apart")
FEATURES = (
    *SURFACE, *DOCUMENTS, "other_subtopic_head", "like_sentence", "same_sentence", "nested",
    *AROUND, *(f"{name}_sum" for name in AROUND), "rarity", "shared_rarity", *ALONE,
)  # fmt: skip

Floats = npt.NDArray[np.float32]


class Located(NamedTuple):
    """Mentions in columns: the number of the document, the first word and the one after the last."""

    document: IntArray
    start: IntArray
    end: IntArray


@dataclass(frozen=True)
class DescribedMentions:
    """What is known of each mention by itself; `bags` are sets of terms as sparse rows."""

    located: Located
    columns: Mapping[str, FloatArray]
    bags: Mapping[str, Rows]
    sentence: IntArray
    sentences: Rows  # of `sentence`
    similarity: CorpusSimilarity

    def features(self, pairs: RowPairs) -> Floats:
        """Compare pairs: a row for each, a column for each of FEATURES."""
        named = {**self._surface(pairs), **self._around(pairs), **self._alone(pairs)}
        named |= self._documents(pairs, named["same_head"], named["jaccard"])
        return np.stack([np.asarray(named[name], np.float32) for name in FEATURES], 1)

    def _surface(self, pairs: RowPairs) -> dict[str, FloatArray]:
        both, one, other = self._bag("roots", pairs)
        inside = shared(self.bags["heads"], *pairs, self.bags["roots"])
        inside = inside + shared(self.bags["roots"], *pairs, self.bags["heads"])
        return {
            "same_head": self._same("head", pairs),
            "same_text": self._same("text", pairs),
            "jaccard": both / (one + other - both),
            "contained": both / np.minimum(one, other),
            "head_inside": inside / 2,
            "letters": self._overlap("letters", pairs),
        }

    def _documents(self, pairs: RowPairs, head: FloatArray, jaccard: FloatArray) -> dict[str, FloatArray]:
        known, located = self.similarity, self.located
        one, other = located.document[pairs.first], located.document[pairs.second]
        group = (known.group[one] == known.group[other]).astype(np.float64)
        together = one == other
        start, end = located.start, located.end
        return {
            "like_roots": shared(known.roots, one, other),
            "like_grams": shared(known.grams, one, other),
            "same_document": together,
            "subtopic": group,
            "subtopic_head": group * head,
            "subtopic_jaccard": group * jaccard,
            "other_subtopic_head": (1 - group) * head,
            "like_sentence": shared(self.sentences, *(self.sentence[side] for side in pairs)),
            "same_sentence": self.sentence[pairs.first] == self.sentence[pairs.second],
            "nested": together
            & (start[pairs.first] < end[pairs.second])
            & (start[pairs.second] < end[pairs.first]),
        }

    def _around(self, pairs: RowPairs) -> dict[str, FloatArray]:
        named: dict[str, FloatArray] = {}
        for name in AROUND:
            both, one, other = self._bag(name, pairs)
            named[name] = both / np.maximum(one + other - both, 1e-6)
            named[f"{name}_sum"] = np.minimum(both, MOST_SHARED) / MOST_SHARED
        return named

    def _alone(self, pairs: RowPairs) -> dict[str, FloatArray]:
        def both(name: str) -> tuple[FloatArray, FloatArray]:
            return self.columns[name][pairs.first], self.columns[name][pairs.second]

        width = self.located.end - self.located.start
        one, other = width[pairs.first], width[pairs.second]
        rare, capital, pointing, digit = (both(name) for name in ("rarity", "capital", "pointing", "digit"))
        return {
            "rarity": (rare[0] + rare[1]) / 2,
            "shared_rarity": rare[0] * self._same("head", pairs),
            "capitals": capital[0] * capital[1],
            "one_capital": np.abs(capital[0] - capital[1]),
            "pronoun": np.maximum(*pointing),
            "digits": digit[0] * digit[1],
            "widths": np.minimum(one + other, WIDEST) / 10,
            "width_apart": np.minimum(np.abs(one - other), FARTHEST) / 10,
        }

    def _same(self, name: str, pairs: RowPairs) -> FloatArray:
        same: FloatArray = (self.columns[name][pairs.first] == self.columns[name][pairs.second]) * 1.0
        return same

    def _bag(self, name: str, pairs: RowPairs) -> tuple[FloatArray, FloatArray, FloatArray]:
        """What two sets share, and the size of each."""
        size = self.columns[f"{name} size"]
        return shared(self.bags[name], *pairs), size[pairs.first], size[pairs.second]

    def _overlap(self, name: str, pairs: RowPairs) -> FloatArray:
        both, one, other = self._bag(name, pairs)
        return both / np.maximum(one + other - both, 1e-6)


class _Sentence:
    """A sentence with mentions: the roots of its words; those that say nothing have none."""

    def __init__(self, words: Sequence[str], start: int, end: int) -> None:
        self.words, self.start, self.end = words, start, end
        self.roots = [word_stem(word) if _telling(word) else "" for word in words[start:end]]
        self.names = [
            root if _named(word) else "" for word, root in zip(words[start:end], self.roots, strict=True)
        ]


class _One(NamedTuple):
    """One mention while it is described."""

    words: Sequence[str]
    sentence: _Sentence
    start: int
    end: int
    head: int

    @property
    def root(self) -> str:
        return word_stem(self.words[self.head])

    def roots(self) -> set[str]:
        inside = self.words[self.start : self.end]
        return {word_stem(word) for word in inside if word.lower() not in LIGHT} or {self.root}

    def spelled(self) -> str:
        inside = (word.lower() for word in self.words[self.start : self.end])
        return " ".join(word for word in inside if word not in DETERMINERS)

    def around(self, roots: Sequence[str], reach: int | None = None) -> tuple[set[str], set[str]]:
        """The roots before and after the mention, as far as it reaches."""
        first, last = self.start - self.sentence.start, self.end - self.sentence.start
        before = 0 if reach is None else max(0, first - reach)
        after = None if reach is None else last + reach
        return {*roots[before:first]} - {""}, {*roots[last:after]} - {""}


def _telling(word: str) -> bool:
    small = word.lower()
    return small not in COMMON and small not in LIGHT


def _named(word: str) -> bool:
    return word[:1].isupper() or word[:1].isdigit()


def letters(word: str) -> set[str]:
    """List a word's triples of letters, its ends marked.

    >>> sorted(letters("Fire"))
    ['#fi', 'fir', 'ire', 're#']
    """
    marked = f"#{word.lower()}#"
    return {marked[at : at + 3] for at in range(len(marked) - 2)}


def bag_rows(
    sets: Iterable[Iterable[str]],
    weigh: Callable[[str], float] | None = None,
    known: dict[str, int] | None = None,
) -> Rows:
    """Make sparse rows of sets; the product of two is the (weighted) number of what they share."""
    numbers: dict[str, int] = {} if known is None else known
    column, edges = listed_terms(map(sorted, sets), numbers)
    weight = np.array([np.sqrt(max(weigh(term), 0.0)) if weigh else 1.0 for term in numbers] or [0.0])
    rows, columns = edges.astype(np.int32), column.astype(np.int32)  # half of the memory
    return csr_array((weight[column], columns, rows), shape=(edges.size - 1, max(len(numbers), 1)))


def describe_mentions(
    texts: Sequence[Text], similarity: CorpusSimilarity, located: Located
) -> DescribedMentions:
    """Describe mentions of the documents that `similarity` was made of."""
    ones = list(_ones(texts, located))
    heads = [one.words[one.head] for one in ones]
    known: dict[str, int] = {}
    bags = {  # of sets that are made one after the other: together they would fill most of the memory
        "roots": bag_rows((one.roots() | {one.root} for one in ones), known=known),
        "heads": bag_rows(({one.root} for one in ones), known=known),
        "letters": bag_rows(map(letters, heads)),
        "left": bag_rows((one.around(one.sentence.roots, REACH)[0] for one in ones), similarity.rarity),
        "right": bag_rows((one.around(one.sentence.roots, REACH)[1] for one in ones), similarity.rarity),
        "context": bag_rows((set.union(*one.around(one.sentence.roots)) for one in ones), similarity.rarity),
        "names": bag_rows((set.union(*one.around(one.sentence.names)) for one in ones), similarity.rarity),
    }
    sentences = [
        (document, one.sentence.start, one.sentence.end)
        for document, one in zip(located.document.tolist(), ones, strict=True)
    ]
    columns = {
        "head": _numbered([one.root for one in ones]),
        "text": _numbered([one.spelled() for one in ones]),
        "rarity": np.array([similarity.rarity(one.root) for one in ones]) / RAREST,
        "capital": np.array([head[:1].isupper() for head in heads], np.float64),
        "pointing": np.array([head.lower() in POINTING for head in heads], np.float64),
        "digit": np.array([head[:1].isdigit() for head in heads], np.float64),
    }
    columns |= {
        f"{name} size": np.asarray(bag.multiply(bag).sum(axis=1)).ravel() for name, bag in bags.items()
    }
    sentence = _numbered(sentences).astype(np.int64)
    return DescribedMentions(located, columns, bags, sentence, _sentence_rows(texts, sentences), similarity)


def _ones(texts: Sequence[Text], located: Located) -> Iterator[_One]:
    stretches: dict[int, list[int]] = {}  # where they begin, and where the last ends
    sentences: dict[tuple[int, int], _Sentence] = {}
    for document, start, end in zip(*(column.tolist() for column in located), strict=True):
        words = texts[document].words
        if document not in stretches:
            stretches[document] = [0, *(last for _, last in texts[document].stretches)]
        edges = stretches[document]
        number = bisect_right(edges, start, hi=len(edges) - 1) - 1
        if (document, number) not in sentences:
            sentences[document, number] = _Sentence(words, edges[number], edges[number + 1])
        yield _One(words, sentences[document, number], start, end, head_index(words, start, end))


def _numbered(things: Sequence[Hashable]) -> FloatArray:
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(thing, len(numbers)) for thing in things], np.float64)


def _sentence_rows(texts: Sequence[Text], sentences: Sequence[tuple[int, int, int]]) -> Rows:
    """Make a row for each sentence with mentions, as `_numbered` numbers them, rare roots heavier."""
    words = (texts[document].words[start:end] for document, start, end in dict.fromkeys(sentences))
    return weighted_rows(map(root_terms, words), 1)
