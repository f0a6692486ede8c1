"""Split antecedents in the metrics: "they" is the king and the queen (Yu et al. 2022, Paun et al. 2023).

The elements of an entity are together a *set*: one more mention of the entity, whose likeness to another set
is a share. Sets of key and response are aligned in each unit, by each metric for itself: the likeness of two
sets is the metric's F1 over their members, as if these were all of key and response. A pair of sets brings
the recall r, the precision p or the F1 f of its members into the table, where two entities have n mentions
in common besides; K and R are sizes, sets included.

    MUC      + r for links, if n > 0: a set alone, under a wrong anaphor, earns nothing
    B³       (n + r)² / K
    CEAF     φ₃ = n + f and φ₄ = 2 (n + f) / (K + R)
    LEA      n (n − 1) / 2 + r n links
    BLANC    n (n − 1) / 2 + f n links together; apart ½ (W² − Σ Wᵢ² − Σ Wⱼ² + Σ Wᵢⱼ²) with Wᵢⱼ = n + f

Precision has p for r and R for K. A set that has no partner is a mention that the other side lacks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from referee.arrays import BoolArray, FloatArray, IntArray, distinct, find, pairs, spread, totals
from referee.metrics.assignment import best_alignment
from referee.metrics.contingency import Contingency, Membership
from referee.metrics.each_way import ALIGNMENT, Tables, Ways, tables_each_way
from referee.metrics.standard import counts, ratios

HALVES = {"blanc": ("links", "apart"), "links": ("links",)}  # each half has an alignment of its own
FROM_KEY = ("links", "apart", *ALIGNMENT)  # recall and precision have one numerator
FROM_KEY_OF_MEMBERS = ("links", "blanc")
UNCHANGED = ("mentions", "detection")  # sets are not mentions


@dataclass(frozen=True, slots=True)
class SideSets:
    """The sets of one side of a stack of units, a row for each mention of each member."""

    unit: IntArray  # set → unit
    mention: IntArray  # set → the number of the mention that stands for it, which nothing else has
    same: IntArray  # set → a number; sets with the same members have the same, in key and response
    set_of: IntArray  # row → set
    member: IntArray  # row → member, numbered through the side
    number: IntArray  # row → mention
    looked_up: IntArray  # row → the number by which the other side is asked for it

    @property
    def size(self) -> int:
        """Count the sets."""
        return self.unit.size


Sets = tuple[SideSets, SideSets]


class SetPairs(NamedTuple):
    """Sets that were aligned, and how alike they are."""

    key: IntArray
    response: IntArray
    recall: FloatArray
    precision: FloatArray
    f1: FloatArray
    equal: BoolArray  # whether they have the same members

    @classmethod
    def of(cls, key: IntArray, response: IntArray, rows: FloatArray, sets: Sets) -> SetPairs:
        """Make pairs of rows of four counts."""
        recall, precision, f1 = ratios(rows.reshape(-1, 4)).T
        return cls(key, response, recall, precision, f1, sets[0].same[key] == sets[1].same[response])


class SetCounts(NamedTuple):
    """Counts of pairs of sets in one unit each: those that have anything in common."""

    key: IntArray
    response: IntArray
    rows: FloatArray  # four counts for each pair


def count_with_sets(
    name: str, tables: Tables, ways: Ways, sets: Sets, clusters: tuple[IntArray, IntArray]
) -> FloatArray:
    """Count a stack of units in one metric, given the cluster of each set in the tables.

    The tables have one more mention for each set, which is in no cell. Here the entity of d and e, mentions 3
    and 4, has a set in the key, {a b} and {c}, and in the response, {a b} alone:

    >>> def ints(*numbers: int) -> IntArray: return np.array(numbers, np.int64)
    >>> key = Membership(ints(0, 1, 2, 3, 4, 5), ints(0, 0, 1, 2, 2, 2), ints(0, 0, 0), 1)
    >>> response = Membership(ints(0, 1, 2, 3, 4, 6), ints(0, 0, 1, 2, 2, 2), ints(0, 0, 0), 1)
    >>> ours = SideSets(ints(0), ints(5), ints(0), ints(0, 0, 0), ints(0, 0, 1), *[ints(0, 1, 2)] * 2)
    >>> theirs = SideSets(ints(0), ints(6), ints(1), ints(0, 0), ints(0, 0), *[ints(0, 1)] * 2)
    >>> tables, ways = Tables.of(Contingency.of(key, response)), Ways.one_to_one(key, response)
    >>> count_with_sets("muc", tables, ways, (ours, theirs), (ints(2), ints(2))).tolist()  # one link of two
    [[2.5, 3.0, 3.0, 3.0]]
    """
    base = tables.counted(name)
    if name in UNCHANGED or not (sets[0].size and sets[1].size):
        return base
    for half, (recall, precision) in _halves(name):
        found = aligned_sets(half, ways, sets)
        count = partial(_corrected, half, tables, clusters, found)
        base[:, recall] = count(base[:, recall], of_key=True)
        base[:, precision] = base[:, recall] if half in FROM_KEY else count(base[:, precision], of_key=False)
    return base


def count_only_sets(name: str, ways: Ways, sets: Sets) -> FloatArray:
    """Count the alignment of sets alone: counts of aligned pairs, out of all sets of each side."""
    units, columns = ways.recall[0].units, []
    for half, _ in _halves(name):
        alike = _alike_sets(half, ways, sets)
        chosen = _best_pairs(alike, sets)
        unit, rows = sets[0].unit[alike.key[chosen]], alike.rows[chosen]
        columns += [
            totals(unit, rows[:, 0], units),
            _all_of(half, sets[0], units, column=1),
            totals(unit, rows[:, 2], units),
            _all_of(half, sets[1], units, column=3),
        ]
    return counts(*columns)


def can_count_sets(name: str) -> bool:
    """Whether it is defined what a set counts in a metric."""
    return name in NUMERATORS or name in HALVES


def _halves(name: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """List what is aligned by itself, and the columns of its numerators."""
    for number, half in enumerate(HALVES.get(name, (name,))):
        yield half, (4 * number, 4 * number + 2)


def aligned_sets(half: str, ways: Ways, sets: Sets) -> SetPairs:
    """Align the sets of key and response in each unit, so that the sum of F1 is largest.

    A key set that is in the response as it is, but without links of this kind to compare, is found, too.
    """
    alike = _alike_sets(half, ways, sets)
    chosen = _best_pairs(alike, sets)
    found = SetPairs.of(alike.key[chosen], alike.response[chosen], alike.rows[chosen], sets)
    if half not in HALVES["blanc"]:
        return found
    left = np.setdiff1d(np.arange(sets[0].size), found.key[found.f1 > 0])
    order = np.lexsort((sets[1].same, sets[1].unit))
    width = int(max(side.same.max(initial=0) for side in sets)) + 1
    codes = sets[1].unit[order] * width + sets[1].same[order]
    at, equal = find(sets[0].unit[left] * width + sets[0].same[left], codes)
    whole = np.ones(int(equal.sum()))
    more = SetPairs(left[equal], order[at[equal]], whole, whole, whole, whole == 1)
    return SetPairs(*(np.concatenate(two) for two in zip(found, more, strict=True)))


def _best_pairs(alike: SetCounts, sets: Sets) -> IntArray:
    """Choose pairs; of several best alignments the first in the order of entities, as SciPy has it."""
    f1 = ratios(alike.rows)[:, 2]
    chosen: list[int] = []
    unit = sets[0].unit[alike.key]
    for one in np.unique(unit).tolist():
        here = np.flatnonzero(unit == one)
        ours, theirs = (np.flatnonzero(side.unit == one) for side in sets)
        if ours.size == theirs.size == 1:
            chosen += here.tolist()
            continue
        from scipy.optimize import linear_sum_assignment  # when needed: it takes long to load

        matrix, which = np.zeros((ours.size, theirs.size)), np.full((ours.size, theirs.size), -1)
        place = np.searchsorted(ours, alike.key[here]), np.searchsorted(theirs, alike.response[here])
        matrix[place], which[place] = f1[here], here
        row, column = linear_sum_assignment(-matrix)
        taken = which[row, column]
        taken = taken[taken >= 0]
        chosen += taken.tolist()
    return np.array(chosen, np.int64)


def _alike_sets(half: str, ways: Ways, sets: Sets) -> SetCounts:
    """Count all pairs of sets in a unit that have a mention in common, each pair as a unit of its own."""
    key, response = _candidates(ways, sets)
    if not key.size:
        return SetCounts(key, response, np.zeros((0, 4)))
    ours, theirs = _stacked(sets[0], key), _stacked(sets[1], response)
    width = 1 + max(int(side.max(initial=0)) for each in sets for side in (each.number, each.looked_up))
    stack = Ways(
        (ours.membership(sets[0].looked_up, width), theirs.membership(sets[1].number, width)),
        (ours.membership(sets[0].number, width), theirs.membership(sets[1].looked_up, width)),
        (ours.membership(sets[0].number, width), theirs.membership(sets[1].number, width)),
        None if ways.alike is None else _stacked_likeness(ways.alike, key.size, width),
    )
    return SetCounts(
        key, response, _member_counts(half, tables_each_way(stack, from_key=FROM_KEY_OF_MEMBERS))
    )


def _candidates(ways: Ways, sets: Sets) -> tuple[IntArray, IntArray]:
    """List the pairs of sets of one unit that have a mention in common, or may have under a likeness."""
    if ways.alike is not None:
        order = np.argsort(sets[1].unit, kind="stable")
        unit = sets[1].unit[order]
        which, at = spread(np.searchsorted(unit, sets[0].unit), np.searchsorted(unit, sets[0].unit, "right"))
        return which, order[at]
    found = []
    for ours, theirs in ((sets[0].looked_up, sets[1].number), (sets[0].number, sets[1].looked_up)):
        order = np.argsort(theirs, kind="stable")
        which, at = spread(
            np.searchsorted(theirs[order], ours), np.searchsorted(theirs[order], ours, "right")
        )
        found.append((sets[0].set_of[which], sets[1].set_of[order[at]]))
    key, response = (np.concatenate(columns) for columns in zip(*found, strict=True))
    first = distinct(key, response)[1]
    return key[first], response[first]


class _Stack(NamedTuple):
    """Rows of sets that are units of their own."""

    row: IntArray
    pair: IntArray
    cluster: IntArray
    pair_of_cluster: IntArray
    pairs: int

    def membership(self, number: IntArray, width: int) -> Membership:
        """Put mentions into members, given the number of each row of the sets."""
        return Membership(
            self.pair * width + number[self.row], self.cluster, self.pair_of_cluster, self.pairs
        )


def _stacked(side: SideSets, chosen: IntArray) -> _Stack:
    order = np.argsort(side.set_of, kind="stable")
    begin = np.searchsorted(side.set_of[order], chosen)
    pair, at = spread(begin, np.searchsorted(side.set_of[order], chosen, "right"))
    row = order[at]
    cluster, first = distinct(pair, side.member[row])
    return _Stack(row, pair, cluster, pair[first], chosen.size)


def _stacked_likeness(alike: tuple[IntArray, IntArray], size: int, width: int) -> tuple[IntArray, IntArray]:
    """Repeat a likeness of numbers for each of so many units; what no set has is left out."""
    inside = (alike[0] < width) & (alike[1] < width)
    shift = np.repeat(np.arange(size) * width, int(inside.sum()))
    return shift + np.tile(alike[0][inside], size), shift + np.tile(alike[1][inside], size)


def _member_counts(half: str, tables: Tables) -> FloatArray:
    """Count members as if they were all of key and response; in MUC one of one mention is a link."""
    if half == "apart":
        return tables.counted("blanc")[:, 4:]
    rows = tables.counted(half)
    if half == "muc":
        rows += _lone_members(tables)
    return rows


def _lone_members(tables: Tables) -> FloatArray:
    """Count members of one mention, and those whose mention is alone on the other side, too."""
    ours, theirs = tables.recall, tables.precision
    return counts(
        ours.per_cell(_lone_cells(ours)),
        ours.per_key(ours.key_sizes == 1),
        theirs.per_cell(_lone_cells(theirs)),
        theirs.per_response(theirs.response_sizes == 1),
    )


def _lone_cells(t: Contingency) -> FloatArray:
    """Find the cells of two clusters of one mention."""
    lone: FloatArray = ((t.key_sizes[t.k] == 1) & (t.response_sizes[t.r] == 1)).astype(np.float64)
    return lone


def _all_of(half: str, side: SideSets, units: int, column: int) -> FloatArray:
    """Add up what all sets of a side could find: the denominators of recall (column 1) or precision (3)."""
    chosen = np.arange(side.size)
    stack = _stacked(side, chosen)
    alone = stack.membership(side.number, int(side.number.max(initial=0)) + 1)
    nothing = np.zeros(0, np.int64)
    empty = Membership(nothing, nothing, nothing, side.size)
    sides = (alone, empty) if column == 1 else (empty, alone)
    tables = tables_each_way(Ways(sides, sides, sides), from_key=FROM_KEY_OF_MEMBERS)
    return totals(side.unit, _member_counts(half, tables)[:, column], units)


class Cells(NamedTuple):
    """Cells of a table seen from one side, with the share of a set that both entities have."""

    size: IntArray  # mentions of the cell's own entity
    other: IntArray  # and of the other side's
    n: FloatArray
    owned: FloatArray
    distinct: FloatArray
    share: FloatArray
    equal: FloatArray  # sets of both that are the same
    row: IntArray  # entities of this side, and of the other
    column: IntArray


def _muc(c: Cells) -> FloatArray:
    return np.maximum(c.owned - 1, 0) + np.where(c.owned > 0, c.share, 0)


def _b_cubed(c: Cells) -> FloatArray:
    return (c.owned + c.share) * (c.distinct + c.share) / c.size


def _b_cubed_entities(c: Cells) -> FloatArray:
    return _b_cubed(c) / c.size


def _ceaf_m(c: Cells) -> FloatArray:
    overlap = c.n + c.share
    return overlap * best_alignment(c.row, c.column, overlap)


def _ceaf_e(c: Cells) -> FloatArray:
    dice = 2 * (c.n + c.share) / (c.size + c.other)
    return dice * best_alignment(c.row, c.column, dice)


def _lea(c: Cells) -> FloatArray:
    found = c.owned * (c.owned - 1) / 2 + c.share * c.owned
    found[(c.size == 1) & (c.other == 1) & (c.owned + c.equal > 0)] = 1
    resolved: FloatArray = c.size * found / np.maximum(pairs(c.size), 1)
    return resolved


NUMERATORS: dict[str, Callable[[Cells], FloatArray]] = {
    "muc": _muc, "b_cubed": _b_cubed, "b_cubed_entities": _b_cubed_entities,
    "ceaf_m": _ceaf_m, "ceaf_e": _ceaf_e, "lea": _lea,
}  # fmt: skip


def _corrected(
    half: str,
    tables: Tables,
    clusters: tuple[IntArray, IntArray],
    found: SetPairs,
    base: FloatArray,
    *,
    of_key: bool,
) -> FloatArray:
    """Count the numerator of recall (`of_key`) or precision anew, with the sets that were found."""
    t = tables.overlap if half in ALIGNMENT else tables.recall if of_key else tables.precision
    ours, theirs = clusters[0][found.key], clusters[1][found.response]
    if half in HALVES["blanc"]:
        return base + (_more_together if half == "links" else _more_apart)(t, ours, theirs, found.f1)
    share = found.f1 if half in ALIGNMENT else found.recall if of_key else found.precision
    cells, unit = _cells(t, ours, theirs, share, found.equal, of_key=of_key)
    return totals(unit, NUMERATORS[half](cells), t.units)


def _cells(
    t: Contingency, ours: IntArray, theirs: IntArray, share: FloatArray, equal: BoolArray, *, of_key: bool
) -> tuple[Cells, IntArray]:
    """Put the shares of sets into the cells of their entities, which may have no mention in common."""
    k, r = (ours, theirs)
    cell, first = distinct(np.concatenate([t.k, k]), np.concatenate([t.r, r]))
    key, response = (np.concatenate(two)[first] for two in ((t.k, k), (t.r, r)))

    def spread_out(values: IntArray | FloatArray, at: IntArray) -> FloatArray:
        return totals(at, values, first.size)

    n, owned, apart = (spread_out(column, cell[: t.k.size]) for column in (t.n, t.owned, t.distinct))
    shares, equals = (spread_out(each, cell[t.k.size :]) for each in (share, equal.astype(np.float64)))
    sizes = t.key_sizes[key], t.response_sizes[response]
    (size, row), (other, column) = (
        ((sizes[0], key), (sizes[1], response)) if of_key else ((sizes[1], response), (sizes[0], key))
    )
    return Cells(size, other, n, owned, apart, shares, equals, row, column), t.key_unit[key]


def _more_together(t: Contingency, ours: IntArray, theirs: IntArray, share: FloatArray) -> FloatArray:
    """Count the links of sets with the mentions that their entities have in common."""
    cells, unit = _cells(t, ours, theirs, share, share > 0, of_key=True)
    return totals(unit, cells.share * cells.n, t.units)


def _more_apart(t: Contingency, ours: IntArray, theirs: IntArray, share: FloatArray) -> FloatArray:
    """Count the links of sets with mentions, and other sets, of other entities on both sides."""
    cells, unit = _cells(t, ours, theirs, share, share > 0, of_key=True)

    def apart(weight: FloatArray) -> FloatArray:
        def squares(group: IntArray, unit_of: IntArray) -> FloatArray:
            return totals(unit_of, totals(group, weight, unit_of.size) ** 2, t.units)

        whole = totals(unit, weight, t.units) ** 2 + totals(unit, weight**2, t.units)
        return (whole - squares(cells.row, t.key_unit) - squares(cells.column, t.response_unit)) / 2

    return apart(cells.n + cells.share) - apart(cells.n)
