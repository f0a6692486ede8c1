"""A table as a value: columns, rows of cells, a caption and notes. Others lay it out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Column:
    """A heading, and one above it for columns that belong together."""

    title: str
    group: str = ""
    left: bool = False  # words are set flush left, numbers flush right
    key: str = ""  # in CSV and data frames, where the heading does not make a good one

    @property
    def name(self) -> str:
        """The heading in one line."""
        return f"{self.group} {self.title}".strip()

    @property
    def field(self) -> str:
        """The name of the column in CSV and data frames."""
        return self.key or field_name(self.name)


@dataclass(frozen=True, slots=True)
class Cell:
    """What a cell says; the best of a column is marked."""

    text: str
    best: bool = False
    value: float | None = None  # the number that the text shows, unrounded
    mark: str = ""  # goes behind the text: an arrow, a rank; the texts of a column stay aligned

    @property
    def words(self) -> str:
        """The text with its mark."""
        return self.text + self.mark


@dataclass(frozen=True, slots=True)
class Table:
    """Columns, rows of cells, and lines that go under the table."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    caption: str = ""
    notes: Sequence[str] = field(default_factory=tuple)


def field_name(heading: str) -> str:
    """Make a name for programs of a heading for people.

    >>> field_name("Anaphor words"), field_name("V-measure")
    ('anaphor_words', 'v_measure')
    """
    return re.sub(r"\W+", "_", heading.lower()).strip("_")


def column_groups(columns: Sequence[Column]) -> list[tuple[str, int]]:
    """Join neighbouring columns of one group: its name, and how many columns it has.

    >>> column_groups([Column("System"), Column("R", "MUC"), Column("P", "MUC")])
    [('', 1), ('MUC', 2)]
    """
    joined: list[tuple[str, int]] = []
    for column in columns:
        if joined and column.group and joined[-1][0] == column.group:
            joined[-1] = (column.group, joined[-1][1] + 1)
        else:
            joined.append((column.group, 1))
    return joined
