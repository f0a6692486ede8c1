"""The work of a neighbourhood: its mentions are found and linked, in this process or in any other.

Neighbourhoods do not know of each other, so that each can be done anywhere. What another process has read of
a text comes back with its mentions, since passages are read again when neighbourhoods are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from referee.arrays import IntArray
from referee.resolvers.across.linkage import Join
from referee.resolvers.across.mention_table import found_mentions
from referee.resolvers.across.mentions import MentionArrays, Remembering, StudiedDocuments, stacked
from referee.resolvers.across.passages import Rows
from referee.resolvers.across.workers import one_blas_thread
from referee.scoring.engines import Engine, OneProcess


class LinkedPart(NamedTuple):
    """Mentions that were compared at once: the cluster of each, and how clusters came about."""

    mentions: MentionArrays
    label: IntArray
    joins: list[Join]


class LinkedHood(NamedTuple):
    """A neighbourhood that another process has linked, with the states of passages that it has read."""

    parts: list[LinkedPart]
    first: dict[tuple[int, int], int]  # document, first subword → row
    rows: Rows | None


class HoodLinker(Protocol):
    """What links the mentions of a neighbourhood: a resolver across documents."""

    @property
    def kind(self) -> str:
        """Which mentions are linked."""

    def linked_part(self, studied: StudiedDocuments, mentions: MentionArrays) -> LinkedPart:
        """Link mentions, all pairs compared."""


@dataclass(frozen=True)
class HoodWork:
    """Finds and links the mentions of neighbourhoods; it travels to other processes."""

    linker: HoodLinker
    studied: StudiedDocuments
    hoods: Sequence[IntArray]
    given: bool
    most: int  # mentions that are compared at once

    def __call__(self, batch: range) -> list[LinkedHood]:
        """Do some neighbourhoods."""
        with one_blas_thread():
            return [self._linked(self.hoods[number]) for number in batch]

    def _linked(self, hood: IntArray) -> LinkedHood:
        studied = self.studied
        found = found_mentions(studied, hood.tolist(), self.linker.kind, given=self.given)
        parts = [self.linker.linked_part(studied, few) for few in divided(stacked([*found]), self.most)]
        if isinstance(studied, Remembering):
            return LinkedHood(parts, *studied.lower.handed_over())
        return LinkedHood(parts, {}, None)


def divided(mentions: MentionArrays, most: int) -> Iterator[MentionArrays]:
    """Divide mentions into as many as are compared at once; none are one part of none."""
    for begin in range(0, max(mentions.size, 1), most):
        yield mentions.chosen(slice(begin, begin + most))


def hoods_elsewhere(
    work: HoodWork, engine: Engine, progress: Callable[[int], None] | None
) -> Iterator[list[LinkedPart]]:
    """Let an engine do all neighbourhoods: the parts of each, in order."""
    batches = [range(number, number + 1) for number in range(len(work.hoods))]
    done = (linked for several in engine.map(work, batches) for linked in several)
    for hood, linked in zip(work.hoods, done, strict=True):
        if linked.rows is not None and isinstance(work.studied, Remembering):
            work.studied.lower.include(linked.first, linked.rows)
        if progress:
            progress(2 * hood.size)
        yield linked.parts


def is_elsewhere(engine: Engine) -> bool:
    """Whether an engine has other processes."""
    return not isinstance(engine, OneProcess)
