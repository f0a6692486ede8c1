"""Choices at random that are the same for a seed under every Python."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """A sequence of choices."""

    def __init__(self, seed: str) -> None:
        """Begin anew for a seed."""
        self.random = Random(seed)

    def below(self, count: int) -> int:
        """Choose a number from 0; of all that Random gives, this alone stays as it is."""
        return int(self.random.random() * count)

    def one(self, some: Sequence[T]) -> T:
        """Choose from some."""
        return some[self.below(len(some))]
