"""referee.restore: real names in place of invented ones."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.resolvers.replacing.restoring import Restored


def restore(text: str, table: str | PathLike[str] | Mapping[str, Any]) -> Restored:
    """Put the real names back into a text that got invented ones.

    The text that was made comes back to the byte. A text that was worked on since is restored name by name,
    and a notice says so.

    Args:
        text: A text with invented names.
        table: The table that was written with it, as a path (.json or .csv); or in memory, as `table` of what
            `Resolved.pseudonymised` gives.

    Returns:
        A `Restored`: its `text`, how many names were `replaced`, whether it is `exact`, and `notices`.

    Raises:
        FormatError: If the table is none.

    Examples:
        >>> import referee
        >>> change = {"start": 0, "end": 5, "invented": "Maria", "original": "Ann"}
        >>> referee.restore("Maria won.", {"changes": [change]}).text
        'Ann won.'
    """
    from referee.resolvers.replacing.restoring import read_table, restored, table_in

    return restored(text, table_in(table) if isinstance(table, Mapping) else read_table(fspath(table)))
