"""How far long work has come: as a share of it, and in steps for whoever watches."""

from __future__ import annotations

from collections.abc import Callable

Done = Callable[[float], None]  # is told which share of some work is done, from 0 to 1


def unwatched(_share: float) -> None:
    """Tell nobody."""


def part_of(done: Done, low: float, high: float) -> Done:
    """Give a part of some work its share of the whole.

    >>> told = []
    >>> part_of(told.append, 0.5, 1.0)(0.5)
    >>> told
    [0.75]
    """
    return lambda share: done(low + share * (high - low))


class Steps:
    """Turns shares of some work into so many steps, each of which is told once.

    >>> told = []
    >>> steps = Steps(10, told.append)
    >>> for share in (0.05, 0.25, 0.25, 1.0):
    ...     steps(share)
    >>> told
    [2, 8]
    """

    def __init__(self, count: int, progress: Callable[[int], None] | None) -> None:
        """Begin with none."""
        self.count, self.progress, self.told = count, progress, 0

    def __call__(self, share: float) -> None:
        """Say which share is done."""
        steps = int(share * self.count) - self.told
        if self.progress and steps > 0:
            self.told += steps
            self.progress(steps)
