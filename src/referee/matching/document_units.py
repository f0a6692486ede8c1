"""Units that are one document each, in columns: a corpus may have millions."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple, overload

from referee.matching.pairing import Pair

MISSING = -1  # the number of a response that is not there


class Unit(NamedTuple):
    """What is scored as one partition: a name, and pairs of documents."""

    name: str
    pairs: Sequence[Pair]


class DocumentUnits(Sequence[Unit]):
    """A unit for each pair of documents, made when it is asked for."""

    def __init__(self, ids: Sequence[str], pairs: Sequence[Pair]) -> None:
        """Call units after the key's documents."""
        self._ids = ids
        self._keys = _shortest(array("q", (k for k, _ in pairs)))
        self._responses = _shortest(array("q", (MISSING if r is None else r for _, r in pairs)))

    @property
    def names(self) -> Sequence[str]:
        """The names of the units."""
        if self._keys == range(len(self._ids)):
            return self._ids
        return [self._ids[key] for key in self._keys]

    def __len__(self) -> int:
        """Count the units."""
        return len(self._keys)

    @overload
    def __getitem__(self, number: int) -> Unit: ...

    @overload
    def __getitem__(self, number: slice) -> list[Unit]: ...

    def __getitem__(self, number: int | slice) -> Unit | list[Unit]:
        """Return a unit, or a list of some."""
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        key, response = self._keys[number], self._responses[number]
        return Unit(self._ids[key], [(key, None if response == MISSING else response)])


def _shortest(numbers: array[int]) -> Sequence[int]:
    """Keep numbers that count from 0 as a range: of millions that are paired in order, none is kept."""
    counted = range(len(numbers))
    return counted if numbers == array("q", counted) else numbers
