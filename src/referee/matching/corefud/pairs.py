"""Pairs mentions as CorefUD's scorer does, in three steps; each takes only what the former left.

1. Zeros with zeros of the same sentence by what they depend on: 10 times the F1 of governors with relations,
   and the F1 of governors. Only if zeros are `dependent`.
2. Equal mentions: the same words; where heads are matched, the same head, too.
3. `head`: the same head word; `partial`: the response's words are among the key's and include its head. The
   weight is the share of the key mention's words. `exact` has no third step.

In the first and the third step that assignment is chosen whose weights have the largest sum. Often several
have; which of them is taken changes scores. The official scorer (`crac`) sorts the mentions by first word,
last word and length, and takes what SciPy's dense solver gives for the matrix of the whole document. Here
`corefud` prefers, among weights that are equal to a millionth, the pair that has the fewest words beside the
common ones, and then the one whose mentions are nearest to each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

import numpy as np

from referee.arrays import FloatArray, IntArray, distinct, find, offsets_of, spread
from referee.matching.corefud.ranked_mentions import RankedMentions, text_sorted, tied_in_text
from referee.metrics.assignment import best_alignment

LARGEST_MATRIX = 2**27  # cells, a gibibyte; a larger one is solved as a sparse problem
CLOSER, NEARER = 1e-6, 1e-9  # what decides among pairs of the same weight, and then among the rest
Arcs = Sequence[Set[tuple[int, str]]]  # mention → what its head depends on, and how


@dataclass(frozen=True, slots=True)
class Cells:
    """Pairs that may be chosen: key and response mentions, and weights; key by key."""

    k: IntArray
    r: IntArray
    weight: FloatArray


@dataclass(slots=True)
class TieCounts:
    """How many mentions were paired by chance or by a further rule, because weights do not decide."""

    tied: int = 0  # that could have another partner of the same weight
    alike: int = 0  # that the official scorer puts in the order of hashes
    rootless: int = 0  # zeros without governors, beside a zero of the other side in the same sentence
    large: int = 0  # documents whose matrix is too large


@dataclass(frozen=True, slots=True)
class Pairing:
    """Pairs the mentions of key and response: distinct ones, each in one pair at most."""

    key: RankedMentions
    response: RankedMentions
    official: bool  # ties as the official scorer has them
    ties: TieCounts

    def pairs(
        self, match: str, arcs: tuple[Arcs, Arcs] | None, sentences: tuple[IntArray, IntArray] | None
    ) -> tuple[IntArray, IntArray]:
        """Pair mentions; `arcs` and `sentences` of each mention's head, if zeros go by them."""
        ours, theirs = (first_of_identity(side) for side in (self.key, self.response))
        pairs = []
        if arcs is not None and sentences is not None:
            ours_zero, theirs_zero = ours[self.key.zero[ours]], theirs[self.response.zero[theirs]]
            cells = self._zero_cells(ours_zero, theirs_zero, arcs, sentences)
            k, r = self._choose(cells, ours_zero, theirs_zero)
            pairs.append((k, r))
            ours, theirs = _left(ours, k), _left(theirs, r)
        identity = self.key.identity[ours], self.response.identity[theirs]
        _, same_k, same_r = np.intersect1d(*identity, assume_unique=True, return_indices=True)
        k, r = ours[same_k], theirs[same_r]
        pairs.append((k, r))
        if match != "exact":
            ours, theirs = _left(ours, k), _left(theirs, r)
            cells = self._head_cells(ours, theirs) if match == "head" else self._partial_cells(ours, theirs)
            pairs.append(self._choose(cells, ours, theirs))
        return np.concatenate([k for k, _ in pairs]), np.concatenate([r for _, r in pairs])

    def _zero_cells(
        self, ours: IntArray, theirs: IntArray, arcs: tuple[Arcs, Arcs], sentences: tuple[IntArray, IntArray]
    ) -> Cells:
        """Weigh zeros of the same sentence by what they depend on."""
        by_sentence: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for r in theirs.tolist():
            by_sentence[int(self.response.document[r]), int(sentences[1][r])].append(r)
        cells = []
        rootless: set[tuple[str, int]] = set()
        for k in ours.tolist():
            for r in by_sentence.get((int(self.key.document[k]), int(sentences[0][k])), ()):
                if not arcs[0][k] or not arcs[1][r]:
                    rootless |= {("key", k)} if not arcs[0][k] else {("response", r)}
                else:
                    cells.append((k, r, _weight_of_arcs(arcs[0][k], arcs[1][r])))
        self.ties.rootless += len(rootless)
        columns = np.array([cell for cell in cells if cell[2]], np.float64).reshape(-1, 3).T
        return Cells(columns[0].astype(np.int64), columns[1].astype(np.int64), columns[2])

    def _head_cells(self, ours: IntArray, theirs: IntArray) -> Cells:
        order = np.argsort(self.response.head[theirs], kind="stable")
        heads = self.response.head[theirs][order]
        wanted = self.key.head[ours]
        which, index = spread(np.searchsorted(heads, wanted), np.searchsorted(heads, wanted, "right"))
        k, r = ours[which], theirs[order[index]]
        common = self._common(k, r)
        return Cells(k, r, common / self._distinct_sizes(self.key)[k])

    def _partial_cells(self, ours: IntArray, theirs: IntArray) -> Cells:
        some = self.response.words.of(theirs)
        order = np.argsort(some.words, kind="stable")
        word, holder = some.words[order], np.repeat(np.arange(theirs.size), some.sizes)[order]
        wanted = self.key.head[ours]
        which, index = spread(np.searchsorted(word, wanted), np.searchsorted(word, wanted, "right"))
        k, r = ours[which], theirs[holder[index]]
        first = distinct(k, r)[1]
        k, r = k[first], r[first]
        common = self._common(k, r)
        inside = common == self._distinct_sizes(self.response)[r]
        weight = common / self._distinct_sizes(self.key)[k]
        return Cells(k[inside], r[inside], weight[inside])

    def _common(self, k: IntArray, r: IntArray) -> IntArray:
        """Count the words that mentions have in common."""
        width = int(max(self.key.words.words.max(initial=0), self.response.words.words.max(initial=0))) + 1
        held = self.response.words
        known = np.unique(np.repeat(np.arange(held.sizes.size), held.sizes) * width + held.words)
        which, index = spread(self.key.words.offsets[:-1][k], self.key.words.offsets[1:][k])
        word = self.key.words.words[index]
        fresh = np.zeros(which.size, np.bool_)
        fresh[distinct(which, word)[1]] = True
        shared = find(r[which] * width + word, known)[1] & fresh
        return np.bincount(which[shared], minlength=k.size)

    def _distinct_sizes(self, side: RankedMentions) -> IntArray:
        """Count each mention's words, those that share an ID once."""
        row = np.repeat(np.arange(side.words.sizes.size), side.words.sizes)
        _, first = distinct(row, side.words.words)
        return np.bincount(row[first], minlength=side.words.sizes.size)

    def _choose(self, cells: Cells, ours: IntArray, theirs: IntArray) -> tuple[IntArray, IntArray]:
        """Choose pairs whose weights have the largest sum."""
        ours, theirs = text_sorted(self.key, ours), text_sorted(self.response, theirs)
        if not self.official:
            order = np.lexsort(_in_order(cells, ours, theirs)[::-1])  # not that of the entities
            cells = Cells(cells.k[order], cells.r[order], cells.weight[order])
            chosen = best_alignment(cells.k, cells.r, self._preferred(cells))
            return cells.k[chosen], cells.r[chosen]
        self.ties.alike += tied_in_text(self.key, ours) + tied_in_text(self.response, theirs)
        pairs = [self._solve(*some) for some in self._by_document(cells, ours, theirs)]
        nothing = np.zeros(0, np.int64)
        return np.concatenate([nothing, *(k for k, _ in pairs)]), np.concatenate(
            [nothing, *(r for _, r in pairs)]
        )

    def _preferred(self, cells: Cells) -> FloatArray:
        """Make weights that settle what is tied."""
        beside = (
            self._distinct_sizes(self.key)[cells.k]
            + self._distinct_sizes(self.response)[cells.r]
            - 2 * self._common(cells.k, cells.r)
        )
        distance = np.abs(self.key.head[cells.k] - self.response.head[cells.r])
        distance += np.abs(self.key.words.first[cells.k] - self.response.words.first[cells.r])
        weight: FloatArray = cells.weight + CLOSER / (1.0 + beside) + NEARER / (1.0 + distance)
        return weight

    def _by_document(
        self, cells: Cells, ours: IntArray, theirs: IntArray
    ) -> Iterator[tuple[Cells, IntArray, IntArray]]:
        """Cut cells and sorted mentions by document; those without a cell are left out."""
        documents = int(max(self.key.document.max(initial=0), self.response.document.max(initial=0))) + 1
        edges = [
            offsets_of(self.key.document[ours], documents),
            offsets_of(self.response.document[theirs], documents),
        ]
        document = self.key.document[cells.k]
        order = np.argsort(document, kind="stable")
        bounds = offsets_of(document[order], documents)
        for number in np.flatnonzero(np.diff(bounds)).tolist():
            some = order[bounds[number] : bounds[number + 1]]
            yield (
                Cells(cells.k[some], cells.r[some], cells.weight[some]),
                ours[edges[0][number] : edges[0][number + 1]],
                theirs[edges[1][number] : edges[1][number + 1]],
            )

    def _solve(self, cells: Cells, ours: IntArray, theirs: IntArray) -> tuple[IntArray, IntArray]:
        """Solve one document as the official scorer does, and see whether the solution is the only one."""
        row, column = _in_order(cells, ours, theirs)
        if ours.size * theirs.size > LARGEST_MATRIX:
            self.ties.large += 1
            chosen = best_alignment(row, column, cells.weight)
            return cells.k[chosen], cells.r[chosen]
        from scipy.optimize import linear_sum_assignment

        matrix = np.zeros((ours.size, theirs.size))
        matrix[row, column] = cells.weight
        k, r = linear_sum_assignment(-matrix)
        weight = matrix[k, r]
        others = np.full((2, ours.size), -1)  # the solutions of what is turned upside down, and sideways
        upward, column = linear_sum_assignment(-matrix[::-1])
        others[0, ours.size - 1 - upward] = column
        row, sideways = linear_sum_assignment(-matrix[:, ::-1])
        others[1, row] = theirs.size - 1 - sideways
        self.ties.tied += int(((weight > 0) & (others[:, k] != r).any(axis=0)).sum())
        return ours[k[weight > 0]], theirs[r[weight > 0]]


def _in_order(cells: Cells, ours: IntArray, theirs: IntArray) -> tuple[IntArray, IntArray]:
    """Number the mentions of cells by their position among sorted ones."""
    positions = []
    for mention, listed in ((cells.k, ours), (cells.r, theirs)):
        position = np.zeros(int(listed.max(initial=0)) + 1, np.int64)
        position[listed] = np.arange(listed.size)
        positions.append(position[mention])
    return positions[0], positions[1]


def first_of_identity(side: RankedMentions) -> IntArray:
    """List the distinct mentions; one that several entities have is the first entity's."""
    return np.sort(distinct(side.identity)[1])


def _left(mentions: IntArray, taken: IntArray) -> IntArray:
    return mentions[~np.isin(mentions, taken)]


def _weight_of_arcs(ours: Set[tuple[int, str]], theirs: Set[tuple[int, str]]) -> float:
    governors = {governor for governor, _ in ours}, {governor for governor, _ in theirs}
    return 10 * _f1(ours, theirs) + _f1(*governors)


def _f1(ours: Set[object], theirs: Set[object]) -> float:
    """F1 of two sets, rounded as the official scorer rounds it: ties depend on that."""
    common = len(ours & theirs)
    precision, recall = common / len(ours), common / len(theirs)
    return 2 * precision * recall / (precision + recall) if common else 0.0
