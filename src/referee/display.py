"""How values show themselves, and how their rows become data frames.

A value does not know how it looks. It names a function of `referee.tables`, the one that the command line
prints its tables with, and that function is loaded when somebody looks at the value. So a result in Python
shows the table that the command prints, and its data frame has the rows of the command's CSV.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from referee.exceptions import MissingExtra

if TYPE_CHECKING:
    import pandas
    import polars


def number_of(count: int, noun: str) -> str:
    """Write a count with its noun, which is singular where the count is one.

    >>> number_of(1, "entity"), number_of(2, "entity"), number_of(0, "more line"), number_of(1234, "error")
    ('1 entity', '2 entities', '0 more lines', '1,234 errors')
    """
    plural = f"{noun.removesuffix('y')}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"


class Shown:
    """A value that shows itself in at most a screen, at a prompt and in a notebook."""

    __slots__ = ()
    _output: ClassVar[str]  # "module:function" of referee.tables that makes an `Output` of the value

    def __repr__(self) -> str:
        """Show the value as text, in at most 25 lines and 2,500 characters."""
        text: str = import_module("referee.tables.brief").brief_text(output_of(self))
        return text

    def _repr_html_(self) -> str:
        """Show the value in a notebook: HTML without scripts, for light and dark pages."""
        html: str = import_module("referee.tables.brief").brief_html(output_of(self))
        return html


class Rows(Shown):
    """A value with rows: those of the command line's CSV, one number to a cell, unrounded."""

    __slots__ = ()

    def to_frame(self) -> pandas.DataFrame:
        """Make a pandas data frame of the rows.

        Raises:
            MissingExtra: pandas is not installed.
        """
        return pandas_frame(*self._records())

    def to_polars(self) -> polars.DataFrame:
        """Make a polars data frame of the rows.

        Raises:
            MissingExtra: polars is not installed.
        """
        return polars_frame(*self._records())

    def _records(self) -> tuple[list[str], list[list[object]]]:
        heads, rows = import_module("referee.tables.rendering").records_of(output_of(self))
        return heads, rows


def shortened(words: str, length: int) -> str:
    """Cut words to so many characters, and say so; white space is one blank.

    >>> shortened("a  long name", 7)
    'a long…'
    """
    words = " ".join(words.split())
    return words if len(words) <= length else f"{words[: length - 1]}…"


def output_of(value: Shown) -> Any:
    """Make what the command line shows of a value."""
    module, function = value._output.split(":")
    return getattr(import_module(f"referee.tables.{module}"), function)(value)


def pandas_frame(heads: list[str], rows: list[list[object]]) -> pandas.DataFrame:
    """Make a pandas data frame; an empty cell is a missing value."""
    try:
        import pandas
    except ImportError as error:
        raise MissingExtra("pandas", "pandas") from error
    return pandas.DataFrame(rows, columns=heads)


def polars_frame(heads: list[str], rows: list[list[object]]) -> polars.DataFrame:
    """Make a polars data frame; an empty cell is null."""
    try:
        import polars
    except ImportError as error:
        raise MissingExtra("polars", "polars") from error
    return polars.DataFrame(rows, schema=heads, orient="row", infer_schema_length=None)
