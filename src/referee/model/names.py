"""Many names in little memory."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import overload


class Names(Sequence[str]):
    """Strings in one piece of memory: a list of them would take three times as much.

    >>> names = Names(["a", "beta"])
    >>> names[1], len(names), names == ["a", "beta"]
    ('beta', 2, True)
    """

    __slots__ = ("_bytes", "_ends")

    def __init__(self, names: Iterable[str] = ()) -> None:
        """Take names."""
        self._bytes = bytearray()
        self._ends = array("q", [0])
        for name in names:
            self.append(name)

    def append(self, name: str) -> None:
        """Take one more."""
        self._bytes += name.encode("utf-8", "surrogatepass")
        self._ends.append(len(self._bytes))

    def __len__(self) -> int:
        """Count the names."""
        return len(self._ends) - 1

    @overload
    def __getitem__(self, number: int) -> str: ...

    @overload
    def __getitem__(self, number: slice) -> list[str]: ...

    def __getitem__(self, number: int | slice) -> str | list[str]:
        """Return a name, or a list of some."""
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        number = range(len(self))[number]
        return self._bytes[self._ends[number] : self._ends[number + 1]].decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        """Go through the names."""
        return map(self.__getitem__, range(len(self)))

    def __eq__(self, other: object) -> bool:
        """Whether another sequence has the same names."""
        if isinstance(other, Names):
            return self._bytes == other._bytes and self._ends == other._ends
        return isinstance(other, Sequence) and list(self) == list(other)

    def __hash__(self) -> int:
        """Equal names have one hash."""
        return hash(bytes(self._bytes))

    def __repr__(self) -> str:
        """Show the first names, and say how many more there are."""
        more = ", …" * (len(self) > 20)
        return f"{repr(self[:20])[:-1]}{more}]"
