"""How alike documents and sentences are, by the words that they share, without a table of all pairs.

Documents are compared twice: by the stems of their words, and by uni-, bi- and trigrams as Cattan et al.
(2021, §4.2) do it. Groups of them, the predicted subtopics, are made by average linkage, from both and from
names and numbers, each term counted once: who was arrested distinguishes two arrests, how often a text says
so does not. What counts as alike depends on how alike a document's neighbours are (local scaling,
Zelnik-Manor & Perona 2004): long texts of one event share more words than short ones of another.

Few documents say little about what is rare and what is alike. So a word's rarity is judged as if there were a
hundred of them, words of one text alone count when texts are compared for groups, and every document has one
neighbour more, which is as alike as texts of one event are: with few others, it weighs most.

Few rows are all compared. Of many, only pairs that share rare terms are looked at: a term of half of all
texts makes everything a pair of everything, and says nothing. Of these, a row has its most alike alone, for a
hundred thousand texts may have copies of each by the hundred. Their similarity counts all terms.

TF-IDF is scikit-learn's formula (`smooth_idf`, rows of length one), not its `TfidfVectorizer`: that sorts its
vocabulary, so that cosines differ in the last digits (by 5e-14 at most on ECB+ dev); it has no floor for the
number of documents; and it keeps trigrams as strings, which takes 2.3 to 2.8 times as long and 2.6 to 2.8
times as much memory as numbers do (196 and 1,960 documents of ECB+ dev; for stems 1.1 to 1.3 times as long).
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import log
from typing import Any, TypeVar

import numpy as np
from scipy.sparse import csr_array, hstack

from referee.arrays import FloatArray, IntArray
from referee.language.stems import COMMON, is_spoken, word_stem
from referee.resolvers.across.constants import (
    GROUPED,
    MIN_DOCUMENTS,
    MIN_LEVEL,
    NEIGHBOURS,
    UNLIKE,
    USUAL_LEVEL,
)
from referee.resolvers.across.linkage import average_linkage
from referee.resolvers.across.mentions import SimilarDocuments
from referee.resolvers.across.neighbours import RowPairs, joined_pairs

MOST_WORDS = 2**21  # numbers of words, of which three are one of 63 bits
SENTENCE_ENDS = frozenset('.!?:"“')
DENSE = 2**16  # products that are made at once, however few are asked for
FEW = 4096  # rows of which all pairs are compared
RARE = 256  # rows that have a rare term, at most
AT_A_TIME = 256  # rows that are multiplied with all: bounds memory
MULTIPLIED = 4096  # pairs whose cosines are made at once: bounds memory
PRODUCTS_AT_ONCE = 2048  # the same, of rows as long as all word triples of a document
MOST_ALIKE = 64  # rows that a row is compared with by all terms
WORTH = 0.3  # of the threshold: what the rare terms of a pair must come to

Rows = Any  # sparse rows of scipy
T = TypeVar("T", bound=Hashable)


def similar_rows(rows: Rows, threshold: float) -> tuple[RowPairs, FloatArray]:
    """List pairs of rows with their cosines: all that share a term; of many rows, those worth comparing."""
    if rows.shape[0] <= FEW:
        product = (rows @ rows.T).tocoo()
        upper = product.row < product.col
        pairs = RowPairs(product.row[upper].astype(np.int64), product.col[upper].astype(np.int64))
        return pairs, np.minimum(product.data[upper], 1.0)
    pairs = _by_rare_terms(rows, WORTH * threshold)
    return pairs, np.minimum(_cosines(rows, pairs), 1.0)


def _by_rare_terms(rows: Rows, worth: float) -> RowPairs:
    rare = np.flatnonzero(np.bincount(rows.indices, minlength=rows.shape[1]) <= RARE)
    narrow = rows[:, rare]
    turned = narrow.T.tocsr()
    parts = []
    for begin in range(0, rows.shape[0], AT_A_TIME):
        product = (narrow[begin : begin + AT_A_TIME] @ turned).tocoo()
        row = product.row.astype(np.int64) + begin
        above = np.flatnonzero((product.data >= worth) & (row != product.col))
        order = above[np.lexsort((product.col[above], -product.data[above], row[above]))]
        rank = np.arange(order.size) - np.searchsorted(row[order], row[order])
        alike = order[rank < MOST_ALIKE]
        parts.append((row[alike], product.col[alike].astype(np.int64)))
    return joined_pairs(parts, rows.shape[0])


def _cosines(rows: Rows, pairs: RowPairs) -> FloatArray:
    cosines = np.zeros(pairs.size)
    for begin in range(0, pairs.size, MULTIPLIED):
        first, second = (side[begin : begin + MULTIPLIED] for side in pairs)
        product = rows[first].multiply(rows[second])
        cosines[begin : begin + MULTIPLIED] = np.asarray(product.sum(axis=1)).ravel()
    return cosines


def weighted_rows(texts: Iterable[Iterable[Hashable]], min_df: int, documents: int = 0) -> Rows:
    """Make rows of length one of texts, rare terms heavier (TF-IDF); a term must be in `min_df` texts.

    How rare it is depends on how many texts there are; fewer than `documents` count as so many.
    """
    return weighted(counted_rows(*listed_terms(texts, {})), min_df, documents)


def counted_rows(terms: IntArray, edges: IntArray) -> Rows:
    """Count the terms of each text, which are numbers of any size."""
    named, column = np.unique(terms, return_inverse=True)
    shape = edges.size - 1, max(named.size, 1)
    counts = csr_array((np.ones(column.size), column.astype(np.int32), edges.astype(np.int32)), shape=shape)
    counts.sum_duplicates()
    return counts


def weighted(counts: Rows, min_df: int, documents: int = 0) -> Rows:
    """Give rows of counts the length one, rare terms heavier; terms of fewer than `min_df` rows are out."""
    within = np.bincount(counts.indices, minlength=counts.shape[1])
    weight = np.log((1 + max(counts.shape[0], documents)) / (1 + within)) + 1
    counts.data *= np.where(within < min_df, 0.0, weight)[counts.indices]
    counts.eliminate_zeros()
    return unit_rows(counts)


def listed_terms(texts: Iterable[Iterable[T]], numbers: dict[T, int]) -> tuple[IntArray, IntArray]:
    """Number the terms of texts one after the other, new ones too; and where those of each begin and end.

    >>> [side.tolist() for side in listed_terms([["a", "b"], ["b"]], {})]
    [[0, 1, 1], [0, 2, 3]]
    """
    columns, edges = array("q"), array("q", [0])
    for text in texts:
        columns.extend(numbers.setdefault(term, len(numbers)) for term in text)
        edges.append(len(columns))
    return np.array(columns, np.int64), np.array(edges, np.int64)


def unit_rows(rows: Rows) -> Rows:
    """Give sparse rows the length one; empty ones stay."""
    norms = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    rows.data /= np.repeat(np.maximum(norms, 1e-9), np.diff(rows.indptr))
    return rows


def shared(rows: Rows, first: IntArray, second: IntArray, others: Rows | None = None) -> FloatArray:
    """Multiply pairs of rows, or rows with others; where nearly all pairs are asked for, all at once."""
    others = rows if others is None else others
    ours, first = used_rows(first, rows.shape[0])
    theirs, second = used_rows(second, others.shape[0])
    if ours.size * theirs.size <= 8 * first.size + DENSE:
        table: FloatArray = (rows[ours] @ others[theirs].T).toarray()
        return table[first, second]
    products = np.zeros(first.size)
    for begin in range(0, first.size, PRODUCTS_AT_ONCE):
        some = slice(begin, begin + PRODUCTS_AT_ONCE)
        product = rows[ours[first[some]]].multiply(others[theirs[second[some]]])
        products[some] = np.asarray(product.sum(axis=1)).ravel()
    return products


def used_rows(rows: IntArray, size: int) -> tuple[IntArray, IntArray]:
    """List the rows that there are, and say which of them each is; sorting would take longer."""
    used = np.zeros(size, np.bool_)
    used[rows] = True
    return np.flatnonzero(used), (np.cumsum(used) - 1)[rows]


def root_terms(words: Sequence[str]) -> list[Hashable]:
    """List the roots of a text's words, common ones left out."""
    return [word_stem(word) for word in words if word.lower() not in COMMON]


def listed_grams(texts: Iterable[Sequence[str]]) -> tuple[IntArray, IntArray]:
    """List words, pairs and triples of words of texts as `listed_terms` does, common ones and signs left out.

    Three numbers of words fit into one; as names they would be most of the memory that a corpus takes. Beyond
    two million words, two may have the same number, which does no harm.

    >>> [side.tolist() for side in listed_grams([["North", "of", "Oslo"], ["Oslo"]])]
    [[1, 2, 2097154, 2], [0, 3, 4]]
    """
    numbers: dict[str, int] = {}
    parts, edges = list[IntArray](), [0]
    for words in texts:
        spoken = [
            numbers.setdefault(word, len(numbers)) % MOST_WORDS + 1
            for word in map(str.lower, words)
            if len(word) > 1 and word not in COMMON and is_spoken(word)
        ]
        one = np.array(spoken, np.int64)
        two = one[:-1] * MOST_WORDS + one[1:]
        parts += [one, two, two[:-1] * MOST_WORDS + one[2:]]
        edges.append(edges[-1] + sum(part.size for part in parts[-3:]))
    return np.concatenate([np.zeros(0, np.int64), *parts]), np.array(edges, np.int64)


def named_terms(words: Sequence[str]) -> list[Hashable]:
    """List names and numbers: words with a capital that begin no sentence, and those with a digit in front.

    >>> named_terms("Police say . The car hit Ann Lee , 59 .".split())
    ['ann', 'lee', '59']
    """
    before = zip([".", *words], words, strict=False)
    return [
        word.lower() for previous, word in before if word.lower() not in COMMON and _names(previous, word)
    ]


def proper_words(named: Iterable[str], within: IntArray, texts: Sequence[Sequence[str]]) -> frozenset[str]:
    """Choose words that more texts have as names than in small letters, given how many have each as a name.

    >>> sorted(proper_words(["ann", "reading"], np.array([2, 1]), [["Ann", "likes", "reading"], ["Ann"]]))
    ['ann']
    """
    times = dict(zip(named, within.tolist(), strict=True))
    small = Counter(word for words in texts for word in times.keys() & {*words})
    chosen = (word.replace(".", "") for word, count in times.items() if count > small[word])
    return frozenset(word for word in chosen if word.isalpha())


def _names(previous: str, word: str) -> bool:
    return len(word) > 1 and (word[0].isdigit() or (word[0].isupper() and previous not in SENTENCE_ENDS))


@dataclass(frozen=True)
class CorpusSimilarity:
    """What is known of a corpus: vectors of its documents, their groups, and how rare words are."""

    roots: Rows
    grams: Rows
    names: Rows  # and numbers; a term of one text alone makes it less like others
    alike: SimilarDocuments  # scaled by how alike neighbours are
    group: IntArray
    within: Counter[str]  # root → documents
    documents: int  # MIN_DOCUMENTS if there are fewer
    proper: frozenset[str]  # words that are names

    @classmethod
    def of(cls, texts: Sequence[Sequence[str]]) -> CorpusSimilarity:
        """Read the words of all documents."""
        within = Counter(root for words in texts for root in {word_stem(word) for word in words})
        named = dict[Hashable, int]()
        listed = (
            listed_terms(map(root_terms, texts), {}),
            listed_grams(texts),
            listed_terms(map(named_terms, texts), named),
        )
        counts = [counted_rows(*terms) for terms in listed]
        compared = [compared_rows(each) for each in counts]
        alike = similar_documents(compared)
        min_df = min(2, len(texts) - 1)  # two texts share all of what both have: it would say nothing
        roots, grams = (weighted(each, min_df) for each in counts[:2])
        group = subtopics(alike, len(texts))
        proper = proper_words(map(str, named), np.bincount(counts[2].indices, minlength=len(named)), texts)
        return cls(roots, grams, compared[2], alike, group, within, max(len(texts), MIN_DOCUMENTS), proper)

    def rarity(self, root: str) -> float:
        """The logarithm of how many times more documents there are than documents with a root."""
        return log((self.documents + 1) / max(self.within[root], 1))


def compared_rows(counts: Rows) -> Rows:
    """Make rows whose product is the cosine of two texts, each term counted once.

    A term of one text alone makes texts less alike, so it counts in their length; were it left out, two
    texts would be the same by all that remains. Its column is dropped.
    """
    once = csr_array((np.ones(counts.nnz), counts.indices, counts.indptr), shape=counts.shape, copy=True)
    rows = weighted(once, 1, MIN_DOCUMENTS)
    return rows[:, np.flatnonzero(np.bincount(rows.indices, minlength=rows.shape[1]) > 1)]


def similar_documents(described: Sequence[Rows]) -> SimilarDocuments:
    """Compare documents by the cosines of several kinds of terms, scaled by those of their neighbours."""
    rows = hstack([rows / np.sqrt(len(described)) for rows in described], format="csr")
    pairs, cosines = similar_rows(rows, UNLIKE)
    alike = np.flatnonzero(cosines >= UNLIKE)
    pairs, cosines = pairs.chosen(alike), cosines[alike]
    level = neighbour_level(pairs, cosines, rows.shape[0])
    return SimilarDocuments(pairs, cosines / np.sqrt(level[pairs.first] * level[pairs.second]))


def subtopics(alike: SimilarDocuments, size: int) -> IntArray:
    """Group documents by average linkage of how alike they are: document → group."""
    return average_linkage(alike.pairs, alike.similarity, size, GROUPED)


def neighbour_level(pairs: RowPairs, cosines: FloatArray, size: int) -> FloatArray:
    """Average the cosines of each document with its nearest neighbours; those that it lacks count as 0.

    One more has the usual cosine of texts of one event. A document that is like no other has no group.
    """
    neighbours = max(1, min(NEIGHBOURS, size // 2))
    document = np.concatenate(pairs)
    both = np.concatenate([cosines, cosines])
    order = np.lexsort((-both, document))
    document, both = document[order], both[order]
    rank = np.arange(document.size) - np.searchsorted(document, document)
    near = rank < neighbours
    level: FloatArray = (np.bincount(document[near], both[near], size) + USUAL_LEVEL) / (neighbours + 1)
    return np.maximum(level, MIN_LEVEL)
