"""A table as plain values: numbers, not words. Shares and gains know that they are such."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from referee.analysis.link_errors import ANTECEDENTS
from referee.analysis.study import Study, SystemErrors
from referee.language.mention_types import NAME, NOUN

CATEGORIES = ((NAME, NAME), (NOUN, NAME), (NAME, NOUN), (NOUN, NOUN))  # as the paper orders them
SYSTEM = "System"  # the first column of every sheet that has no column for each system
ANNOTATED = "Links as they are annotated."
COMMON = "(common)"  # what errors that all systems make have there


class Share(float):
    """A part of a whole, between 0 and 1."""


class Gain(float):
    """A difference between two scores, between −1 and 1."""


Value = str | int | Share | Gain | None  # None is an empty cell
Head = str | tuple[str, str]  # a column's title, or its group and its title


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of values; the first columns, as many as `words`, are words."""

    name: str
    caption: str
    heads: Sequence[Head]
    rows: Sequence[Sequence[Value]]
    words: int = 1
    notes: Sequence[str] = ()
    grouped: bool = False  # rows that share their first words belong together


def share(part: int, whole: int) -> Share | None:
    """Divide, unless there is nothing to divide by."""
    return Share(part / whole) if whole else None


def whose(study: Study) -> str:
    """Say whose errors those are that all systems make: with one system, its own."""
    return COMMON if len(study.systems) > 1 else study.systems[0].name


def tree_note(study: Study) -> str:
    """Say how links of the key were chosen."""
    if not study.spanning_tree:
        return ANNOTATED
    return f"Links chosen by the spanning tree '{study.spanning_tree}'."


def source_note(systems: Iterable[SystemErrors]) -> str:
    """Say how links of the responses were chosen."""
    given = [*systems]
    if not all(system.precision_from for system in given):
        return ANNOTATED
    chosen = "the systems' own antecedents"
    sources = (chosen if s.precision_from == ANTECEDENTS else f"the tree '{s.precision_from}'" for s in given)
    return f"Links chosen by {' and '.join(dict.fromkeys(sources))}."
