"""What is stated by mentions, their sentences and documents, and how that of two mentions goes together.

Names, numbers and days of each mention are numbered, so that each two of them are compared once, however many
mentions have them. All columns are the same in both directions.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from referee.arrays import IntArray
from referee.model import Text
from referee.resolvers.across.compatibility.amounts import (
    CALENDAR,
    Day,
    Fit,
    day_fit,
    day_in,
    number_fit,
    numbers_in,
)
from referee.resolvers.across.compatibility.contradictions import (
    Contradictions,
    Nouns,
    counted_from,
    nouns_of,
)
from referee.resolvers.across.compatibility.names import (
    MentionName,
    NamedWords,
    Relation,
    name_relation,
)
from referee.resolvers.across.neighbours import RowPairs
from referee.resolvers.across.pair_features import FEATURES, Located, bag_rows
from referee.resolvers.across.similarity import CorpusSimilarity, Rows, named_terms, shared

Floats = npt.NDArray[np.float32]
T = TypeVar("T")

FITS = ("one", "equal", "other")  # of Fit, but for NONE
# Of the features that other scorers see. With those of single words (shared letters, words and contexts) the
# network learnt ECB+ train by heart: events and entities on dev had 76.6 and 79.6 instead of 77.2 and 80.4.
TAKEN = (
    "same_head", "like_roots", "like_grams", "same_document", "subtopic", "capitals", "one_capital",
    "pronoun",
)  # fmt: skip
COLUMNS = (
    *(f"name {relation.name.lower()}" for relation in Relation),
    *(f"{what} {fit}" for what in ("number", "day", "sentence number", "sentence day") for fit in FITS),
    "sentences named", "sentence names shared", "other document has names", "either document has names",
    "document names shared", "document names", "like names", "event", *TAKEN,
)  # fmt: skip
_TAKEN = np.array([FEATURES.index(name) for name in TAKEN])
NAMED_TEXTS = 2048  # whose names are held: bounds memory
MANY_NAMES = 4.0  # what the logarithm of the number of shared names is divided by


class _Sentence(NamedTuple):
    names: frozenset[str]
    numbers: frozenset[float]
    days: frozenset[Day]


@dataclass(frozen=True)
class StatedFacts:
    """What mentions state, in columns: numbers of names, numbers and days, and bags of words of names."""

    document: IntArray
    kind: IntArray
    name: IntArray  # which of `names`; so with the others
    number: IntArray
    day: IntArray
    sentence: IntArray
    counted: IntArray  # which of `numbers` a mention has with what stands before it
    names: Sequence[MentionName | None]
    numbers: Sequence[frozenset[float]]
    days: Sequence[frozenset[Day]]
    sentences: Sequence[_Sentence]
    own_names: Rows  # of mentions
    sentence_names: Rows
    document_names: Rows
    similarity: CorpusSimilarity
    nouns: Nouns

    def columns(self, pairs: RowPairs, features: Floats) -> Floats:
        """Compare pairs, whose `features` are known: a row for each, a column for each of COLUMNS."""
        one, other = (self.document[side] for side in pairs)
        sentences = tuple(self.sentence[side] for side in pairs)
        own = _one_hot(self._relations(pairs), len(Relation))
        fits = [
            _one_hot(self._fits(self.number, self.numbers, number_fit, pairs), len(Fit))[:, 1:],
            _one_hot(self._fits(self.day, self.days, day_fit, pairs), len(Fit))[:, 1:],
            _one_hot(self._fits(self.sentence, self.sentences, _sentence_numbers, pairs), len(Fit))[:, 1:],
            _one_hot(self._fits(self.sentence, self.sentences, _sentence_days, pairs), len(Fit))[:, 1:],
        ]
        size = np.asarray(self.sentence_names.sum(axis=1)).ravel()
        sizes = [np.maximum(size[side], 1) for side in sentences]
        together = shared(self.sentence_names, *sentences)
        known = [
            shared(self.sentence_names, side, document, self.document_names) / count
            for side, document, count in zip(sentences, (other, one), sizes, strict=True)
        ]
        of_document = np.asarray(self.document_names.sum(axis=1)).ravel()
        both = shared(self.document_names, one, other)
        more = [
            (size[sentences[0]] > 0) & (size[sentences[1]] > 0),
            together / np.minimum(*sizes),
            np.minimum(*known),
            np.maximum(*known),
            both / np.maximum(np.minimum(of_document[one], of_document[other]), 1),
            np.log1p(both) / MANY_NAMES,
            shared(self.similarity.names, one, other),
            self.kind[pairs.first] == 0,
        ]
        parts = [own, *fits, np.stack([np.asarray(column, np.float32) for column in more], 1)]
        return np.concatenate([*parts, features[:, _TAKEN]], 1).astype(np.float32)

    @cached_property
    def contradictions(self) -> Contradictions:
        """What mentions state that another mention of the same does not."""
        return Contradictions(
            (self.name, self.names),
            (self.counted, self.numbers),
            (self.day, self.days),
            self.nouns,
            (self.document, self.kind > 0),
            self.similarity.proper,
        )

    def _relations(self, pairs: RowPairs) -> IntArray:
        """Relate the names of pairs; where one has none, ask whether the other text has that name."""
        relation = self._fits(self.name, self.names, _relation, pairs)
        for side, partner in (pairs, pairs[::-1]):
            named = np.flatnonzero((relation == Relation.ONE_ABSENT) & (self.name[side] > 0))
            rows, document = side[named], self.document[partner[named]]
            there = shared(self.own_names, rows, document, self.document_names) > 0
            relation[named[there]] = Relation.ONE_PRESENT
        return relation

    @staticmethod
    def _fits(number: IntArray, stated: Sequence[T], fit: Callable[[T, T], int], pairs: RowPairs) -> IntArray:
        """Compare what is stated by pairs, each two of what there is once."""
        low = np.minimum(number[pairs.first], number[pairs.second])
        high = np.maximum(number[pairs.first], number[pairs.second])
        codes, index = np.unique(low * len(stated) + high, return_inverse=True)
        known = [fit(stated[code // len(stated)], stated[code % len(stated)]) for code in codes.tolist()]
        return np.array(known, np.int64)[index.ravel()]


def _one_hot(number: IntArray, size: int) -> Floats:
    rows = np.zeros((number.size, size), np.float32)
    rows[np.arange(number.size), number] = 1
    return rows


def _relation(one: MentionName | None, other: MentionName | None) -> int:
    if one is None or other is None:
        return Relation.NONE if one is other else Relation.ONE_ABSENT
    return name_relation(one, other)


def _sentence_numbers(one: _Sentence, other: _Sentence) -> int:
    return number_fit(one.numbers, other.numbers)


def _sentence_days(one: _Sentence, other: _Sentence) -> int:
    return day_fit(one.days, other.days)


class _Numbered(dict[T, int]):
    """Values in the order in which they came, each with its number."""

    def of(self, value: T) -> int:
        return self.setdefault(value, len(self))


class NamedTexts:
    """Texts and the names in them; few are looked at twice, and not all are held."""

    def __init__(
        self, texts: Sequence[Text], words: Sequence[Sequence[str]], elsewhere: frozenset[str]
    ) -> None:
        """Take texts, all words of each, annotated or not, and which words are names in any of them."""
        self.texts, self._words, self._elsewhere = texts, words, elsewhere
        self.of = lru_cache(NAMED_TEXTS)(self._named)

    def _named(self, number: int) -> tuple[NamedWords, frozenset[str]]:
        """Say which words are names, and which names the whole document has."""
        known = NamedWords(self.texts[number].words, self.texts[number].stretches, self._elsewhere)
        return known, _document_names(known, self._words[number])


def stated_facts(
    named: NamedTexts,
    similarity: CorpusSimilarity,
    located: Located,
    kind: IntArray,
) -> StatedFacts:
    """Read what mentions, their sentences and documents state."""
    names = _Numbered[MentionName | None]({None: 0})
    numbers, days = _Numbered[frozenset[float]](), _Numbered[frozenset[Day]]()
    sentences, of_sentence = list[_Sentence](), dict[tuple[int, int], int]()
    columns = np.zeros((5, located.document.size), np.int64)
    for row, (document, start, end) in enumerate(zip(*(c.tolist() for c in located), strict=True)):
        text, known = named.texts[document], named.of(document)[0]
        words = text.words[start:end]
        begin = bisect_right(text.stretches, (start, len(text.words))) - 1
        if (document, begin) not in of_sentence:
            of_sentence[document, begin] = len(sentences)
            edges = text.stretches[max(begin, 0)]
            inside = text.words[slice(*edges)]
            sentences.append(_Sentence(known.within(*edges), numbers_in(inside), _days(inside)))
        counted = text.words[counted_from(text.words, start) : end]
        columns[:, row] = (
            names.of(known.of_mention(start, end)), numbers.of(numbers_in(words)), days.of(_days(words)),
            of_sentence[document, begin], numbers.of(numbers_in(counted)),
        )  # fmt: skip
    vocabulary: dict[str, int] = {}
    nouns = nouns_of([text.words for text in named.texts], located, kind > 0)
    there = {*located.document.tolist()}
    of_documents = (
        named.of(number)[1] if number in there else () for number in range(max(there, default=-1) + 1)
    )
    bags = [
        bag_rows((name.words if name else () for name in names), known=vocabulary),
        bag_rows((sentence.names for sentence in sentences), known=vocabulary),
        bag_rows(of_documents, known=vocabulary),
    ]
    own, of_sentences, whole = (_widened(bag, len(vocabulary)) for bag in bags)
    name, number, day, sentence, counted = columns
    return StatedFacts(
        located.document, kind, name, number, day, sentence, counted,
        [*names], [*numbers], [*days], sentences, own[name], of_sentences, whole, similarity, nouns,
    )  # fmt: skip


def _document_names(known: NamedWords, words: Sequence[str]) -> frozenset[str]:
    """List the words of names of a whole document, of which a part may be annotated."""
    elsewhere = (str(term).replace(".", "") for term in named_terms(words))
    return known.within(0, len(known.words)) | {
        term for term in elsewhere if not term[:1].isdigit() and term not in CALENDAR
    }


def _days(words: Sequence[str]) -> frozenset[Day]:
    day = day_in(words)
    return frozenset() if day is None else frozenset((day,))


def _widened(bag: Rows, columns: int) -> Rows:
    bag.resize((bag.shape[0], max(columns, 1)))
    return bag
