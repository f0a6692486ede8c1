"""Places mentions of a text that is nearly the key's on the key's words.

Both texts are cut into atoms, and equal ones are aligned. Between two that are, what is left on either side
is aligned where there is little doubt: if it is the same but for blanks (*don't* and *do n't*), if there are
as many atoms on both sides (a word was replaced by another), by its characters if most of them agree, and at
its ends if it is short (*president* was replaced by *prime minister*). What is left over in the key and,
once, at another place of the text, at least eight atoms in a row, was moved there.

A mention is placed if its first and its last word are, and at least half of its words, on either side, are
too. It then covers the key's words from that of the first to that of the last. Signs at its ends are passed
over, and a word at its end that the key has at the same place (of *the one the man* either *the*) is placed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from referee.arrays import BoolArray, IntArray
from referee.formats.marked.atoms import SIGNS, Atom, atoms_of, is_sign
from referee.matching.answers.moved_passages import Passage, moved_passages
from referee.matching.answers.sequence_alignment import equal_items, least_edits
from referee.model import Span

NOWHERE = -1
RUNS_OF_SIGNS = frozenset(SIGNS.values())  # which are one atom, if there is no blank between them
LONGEST_REPLACED = 8  # atoms in a row that are taken for replaced one by one
LONGEST_BLOCK = 4  # atoms that are taken for replaced as a whole
FARTHEST = 20  # atoms from a mention's end to one that is aligned
LONGEST_SPELLED = 200  # characters in a row that are compared one by one
ALONE = (
    4  # a run of equal atoms counts by chance if more than so many times its length are unequal on both sides
)
KEPT, CHANGED, GONE = 2, 1, 0


class KeyText:
    """A key's words, cut into atoms."""

    def __init__(self, words: Sequence[str]) -> None:
        """Cut the words."""
        self.length = len(words)
        self.atoms: list[str] = []
        owners: list[int] = []
        known: dict[str, list[str]] = {}
        for number, word in enumerate(words):
            atoms = known.get(word)
            if atoms is None:
                atoms = known[word] = [atom.folded for atom in atoms_of(word)]
            self.atoms += atoms
            owners += [number] * len(atoms)
        self.words = words
        self.owner = np.array(owners, np.int64)  # atom → word

    @cached_property
    def first_atoms(self) -> IntArray:
        """Word → its first atom; and the number of atoms."""
        return np.searchsorted(self.owner, np.arange(self.length + 1))


@dataclass(frozen=True)
class AlignedText:
    """A text aligned to a key."""

    key: KeyText
    atoms: Sequence[Atom]
    first: IntArray  # atom → the first of the key's words that it is placed on, or NOWHERE
    last: IntArray  # atom → the last of them
    partner: IntArray  # atom → the key's atom that it is equal to, or NOWHERE
    state: IntArray  # atom → KEPT, CHANGED or GONE (it was added)
    key_state: IntArray  # the key's atom → KEPT, CHANGED or GONE
    moved: BoolArray  # the key's atom → whether the text has it at another place

    @cached_property
    def _starts(self) -> list[int]:
        return [atom.start for atom in self.atoms]

    @cached_property
    def _placed_before(self) -> IntArray:
        return np.concatenate([[0], np.cumsum(self.state > GONE)])

    @cached_property
    def _words_before(self) -> IntArray:
        return np.maximum.accumulate(np.append(NOWHERE, self.last)) + 1

    def place(self, start: int, end: int) -> Span | None:
        """Place characters of the text on the key's words; None if that cannot be done."""
        one, two = bisect_left(self._starts, start), bisect_left(self._starts, end)
        while one < two and self.first[one] == NOWHERE == self.last[one] and is_sign(self.atoms[one].folded):
            one += 1
        while (
            one < two
            and self.last[two - 1] == NOWHERE == self.first[two - 1]
            and is_sign(self.atoms[two - 1].folded)
        ):
            two -= 1
        if one == two:
            return None
        start, end = self._start(one, two), self._end(one, two)
        if NOWHERE in (start, end) or end < start:  # a mention may run from a passage that moved into another
            return None
        placed = self._placed_before[two] - self._placed_before[one]
        there = self.key.first_atoms[end + 1] - self.key.first_atoms[start]
        return (start, end + 1) if 2 * placed >= max(two - one, there) else None

    def _start(self, one: int, two: int) -> int:
        """Place the first of some atoms: where it is aligned, or before the next as in the text."""
        if self.first[one] != NOWHERE:
            return int(self.first[one])
        for number in range(one + 1, min(two, one + FARTHEST)):
            partner = int(self.partner[number]) - (number - one)
            if self.partner[number] != NOWHERE and partner >= 0:
                same = all(
                    self.key.atoms[partner + i] == self.atoms[one + i].folded for i in range(number - one)
                )
                return int(self.key.owner[partner]) if same else NOWHERE
        return NOWHERE

    def _end(self, one: int, two: int) -> int:
        """Place the last of some atoms in the same way."""
        last = two - 1
        if self.last[last] != NOWHERE:
            return int(self.last[last])
        for number in range(last - 1, max(one - 1, last - FARTHEST), -1):
            partner = int(self.partner[number]) + (last - number)
            if self.partner[number] != NOWHERE and partner < len(self.key.atoms):
                same = all(
                    self.key.atoms[partner - i] == self.atoms[last - i].folded for i in range(last - number)
                )
                return int(self.key.owner[partner]) if same else NOWHERE
        return NOWHERE

    def word_at(self, character: int) -> int:
        """Say how many of the key's words come before a character of the text."""
        return int(self._words_before[bisect_left(self._starts, character)])

    def has_sign(self, character: int) -> bool:
        """Whether a sign of the text is one of the key's text too."""
        number = bisect_left(self._starts, character)
        return number < len(self.atoms) and bool(self.state[number] == KEPT)

    @cached_property
    def counts(self) -> tuple[int, int, int, int, int]:
        """How many of the key's words were kept, changed, moved and dropped, and how many were added."""
        key_state = self._with_repeated_signs()
        states = np.full(self.key.length, KEPT)
        np.minimum.at(states, self.key.owner, key_state)
        best = np.full(self.key.length, GONE)
        np.maximum.at(best, self.key.owner, key_state)
        bare = np.bincount(self.key.owner, minlength=self.key.length) == 0
        moved = np.unique(self.key.owner[self.moved]).size
        kept = int((states == KEPT).sum()) - moved
        dropped = int(((best == GONE) & ~bare).sum())
        return kept, self.key.length - kept - moved - dropped, moved, dropped, self._added()

    def _with_repeated_signs(self) -> IntArray:
        """Count two quotes, dashes or points that the text has in one word, the key in two, as kept."""
        state = self.key_state.copy()
        for number, (one, two) in enumerate(pairwise(self.key.atoms), 1):
            if one == two and one in RUNS_OF_SIGNS:
                state[number - 1 : number + 1] = state[number - 1 : number + 1].max()
        return state

    def _added(self) -> int:
        """Count words of the text, signs too, of which no atom is placed."""
        added, end, lacking = 0, -1, False
        for atom, state in zip(self.atoms, self.state.tolist(), strict=True):
            if atom.start != end:
                added += lacking
                lacking = True
            lacking &= state == GONE
            end = atom.end
        return added + lacking


def align_text(key: KeyText, atoms: Sequence[Atom]) -> AlignedText:
    """Align a text, cut into atoms, to a key."""
    numbers: dict[str, int] = {}
    ours = np.array([numbers.setdefault(atom, len(numbers)) for atom in key.atoms], np.int64)
    theirs = np.array([numbers.setdefault(atom.folded, len(numbers)) for atom in atoms], np.int64)
    index, other = _without_chance(*equal_items(ours, theirs), ours.size, theirs.size)
    first = np.full(theirs.size, NOWHERE)
    first[other] = key.owner[index]
    state, key_state = np.full(theirs.size, GONE), np.full(ours.size, GONE)
    state[other], key_state[index] = KEPT, KEPT
    partner = np.full(theirs.size, NOWHERE)
    partner[other] = index
    aligned = AlignedText(
        key, atoms, first, first.copy(), partner, state, key_state, np.zeros(ours.size, np.bool_)
    )
    left, other_left = (np.flatnonzero(each == GONE) for each in (key_state, state))
    for passage in moved_passages(ours, theirs, left, other_left):
        _move(aligned, passage)
    for gap in _gaps(index, other, ours.size, theirs.size):
        _fill_around_moved(aligned, *gap)
    return aligned


def _fill_around_moved(aligned: AlignedText, start: int, end: int, other: int, other_end: int) -> None:
    """Align what lies between two anchors, unless a passage that moved is in the middle of it."""
    ours = start + np.flatnonzero(aligned.key_state[start:end] == GONE)
    theirs = other + np.flatnonzero(aligned.state[other:other_end] == GONE)
    if all(each.size and each[-1] - each[0] == each.size - 1 for each in (ours, theirs)):
        _fill(aligned, int(ours[0]), int(ours[-1]) + 1, int(theirs[0]), int(theirs[-1]) + 1)


def _move(aligned: AlignedText, passage: Passage) -> None:
    """Place a passage that the text has elsewhere."""
    there, here = (slice(at, at + passage.length) for at in (passage.key, passage.text))
    aligned.first[here] = aligned.last[here] = aligned.key.owner[there]
    aligned.state[here] = aligned.key_state[there] = KEPT
    aligned.moved[there] = True


def _without_chance(
    index: IntArray, other: IntArray, size: int, other_size: int
) -> tuple[IntArray, IntArray]:
    """Leave out equal atoms that are alone among many that are not: most texts have *the* in common."""
    if not index.size:
        return index, other
    breaks = np.flatnonzero((np.diff(index) > 1) | (np.diff(other) > 1)) + 1
    starts, ends = np.append(0, breaks), np.append(breaks, index.size)

    def gaps(positions: IntArray, total: int) -> tuple[IntArray, IntArray]:
        before = positions[starts] - np.append(0, positions[ends[:-1] - 1] + 1)
        return before, np.append(before[1:], total - positions[-1] - 1)

    (before, after), (other_before, other_after) = gaps(index, size), gaps(other, other_size)
    nearest = np.minimum(np.minimum(before, other_before), np.minimum(after, other_after))
    long_enough = np.repeat(ALONE * (ends - starts) >= nearest, ends - starts)
    return index[long_enough], other[long_enough]


def _gaps(
    index: IntArray, other: IntArray, size: int, other_size: int
) -> Iterator[tuple[int, int, int, int]]:
    """List what lies between pairs, where there is something on both sides."""
    starts, ends = np.append(0, index + 1), np.append(index, size)
    other_starts, other_ends = np.append(0, other + 1), np.append(other, other_size)
    some = np.flatnonzero((starts < ends) & (other_starts < other_ends))
    columns = (starts[some], ends[some], other_starts[some], other_ends[some])
    yield from zip(*(column.tolist() for column in columns), strict=True)


def _fill(aligned: AlignedText, start: int, end: int, other: int, other_end: int) -> None:
    """Align what lies between two anchors."""
    ours, theirs = aligned.key.atoms[start:end], [atom.folded for atom in aligned.atoms[other:other_end]]
    spelled, other_spelled = "".join(ours), "".join(theirs)
    if spelled == other_spelled:
        _place_characters(aligned, start, other, ours, theirs, KEPT)
    elif len(ours) == len(theirs) <= LONGEST_REPLACED:
        for offset, (mine, yours) in enumerate(zip(ours, theirs, strict=True)):
            if is_sign(mine) == is_sign(yours):
                _place(aligned, start + offset, start + offset, other + offset, CHANGED)
    elif max(len(spelled), len(other_spelled)) <= LONGEST_SPELLED:
        _place_characters(aligned, start, other, ours, theirs, CHANGED)
        if max(len(ours), len(theirs)) <= LONGEST_BLOCK:
            _place_edges(aligned, start, end - 1, other, other_end - 1)


def _place_edges(aligned: AlignedText, start: int, last: int, other: int, other_last: int) -> None:
    """Let atoms that replace others as a whole begin and end where these do."""
    if aligned.first[other] == NOWHERE:
        aligned.first[other] = aligned.key.owner[start]
        aligned.state[other] = aligned.key_state[start] = CHANGED
    if aligned.last[other_last] == NOWHERE:
        aligned.last[other_last] = aligned.key.owner[last]
        aligned.state[other_last] = aligned.key_state[last] = CHANGED


def _place(aligned: AlignedText, first: int, last: int, atom: int, state: int) -> None:
    """Put an atom on some of the key's atoms."""
    aligned.first[atom], aligned.last[atom] = aligned.key.owner[first], aligned.key.owner[last]
    aligned.state[atom] = state
    aligned.key_state[first : last + 1] = state


def _place_characters(
    aligned: AlignedText, start: int, other: int, ours: Sequence[str], theirs: Sequence[str], state: int
) -> None:
    """Align by characters; an atom is placed if two thirds of its own agree."""
    partner: dict[int, int] = {}  # character of the text → character of the key
    for run in least_edits("".join(ours), "".join(theirs)):
        partner |= {run.other + offset: run.start + offset for offset in range(run.length)}
    owners = [number for number, atom in enumerate(ours) for _ in atom]
    position = 0
    for number, atom in enumerate(theirs):
        met = [owners[partner[at]] for at in range(position, position + len(atom)) if at in partner]
        position += len(atom)
        if 3 * len(met) >= 2 * len(atom):
            _place(aligned, start + met[0], start + met[-1], other + number, state)
