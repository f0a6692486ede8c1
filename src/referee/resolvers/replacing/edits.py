"""Changes of a running text, by its characters: everything outside of them stays as it is, to the byte."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from referee.model import Span


class Change(NamedTuple):
    """Some characters of a text, the end excluded, and what takes their place.

    `source` are the words that a name is taken from.
    """

    start: int
    end: int
    old: str
    new: str
    source: Span | None = None


def edited(running: str, changes: Iterable[Change]) -> str:
    """Make changes, which are in order and do not overlap.

    >>> edited("He won.", [Change(0, 2, "He", "Ben")])
    'Ben won.'
    """
    pieces, position = [], 0
    for change in changes:
        pieces += [running[position : change.start], change.new]
        position = change.end
    return "".join([*pieces, running[position:]])


def reversed_changes(changes: Iterable[Change]) -> list[Change]:
    """Say what has to be changed back: the same places in the changed text.

    >>> [tuple(each)[:4] for each in reversed_changes([Change(0, 2, "He", "Ben"), Change(7, 9, "he", "Ben")])]
    [(0, 3, 'Ben', 'He'), (8, 11, 'Ben', 'he')]
    """
    moved, back = 0, []
    for change in changes:
        start = change.start + moved
        back.append(Change(start, start + len(change.new), change.new, change.old))
        moved += len(change.new) - (change.end - change.start)
    return back
