"""Tables of invented names, and the way back: the text as it was, to the byte.

A text that was not touched is restored by its characters. One that was worked on since, such as an answer
to it, is restored by names: each invented name becomes the real one wherever it stands as a word.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.encoding import encoded
from referee.exceptions import FormatError
from referee.formats.io.json_file import json_object
from referee.formats.io.opening import read_text
from referee.formats.io.saving import save_bytes
from referee.resolvers.replacing.edits import Change, edited
from referee.resolvers.replacing.pseudonyms import COLUMNS, KIND, Pseudonymised, hash_of

HINT = "give the table that was written with the text"
MOST = 2**31  # a text has fewer characters


@dataclass(frozen=True, slots=True)
class Restored:
    """A text with the real names; `exact` if it is the one that was changed, to the byte."""

    text: str
    replaced: int
    exact: bool
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NameTable:
    """The changes that give a text back, by its characters, and the hash of the text if it is known."""

    changes: tuple[Change, ...]
    hash: str = ""

    def fits(self, text: str) -> bool:
        """Whether a text is the one that was made with this table."""
        if self.hash:
            return self.hash == hash_of(text)
        return all(text[each.start : each.end] == each.old for each in self.changes)


def save_table(made: Pseudonymised, path: str) -> None:
    """Write the table as JSON, or as CSV, which has the changes alone."""
    if not path.endswith(".csv"):
        save_bytes(path, encoded(json.dumps(made.table, indent=1, ensure_ascii=False) + "\n"))
        return
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows((c.start, c.end, c.old, c.new) for c in made.undoing)
    save_bytes(path, encoded(lines.getvalue()))


def read_table(path: str) -> NameTable:
    """Read a table, and refuse what is none."""
    if path.endswith(".csv"):
        return _table(_rows(path), path, "")
    value = json_object(Path(path), HINT)
    if value.get("about") != KIND or not isinstance(value.get("changes"), list):
        raise FormatError(f"{path}: not a table of invented names; {HINT}")
    return _table(value["changes"], path, str(value.get("sha256", "")))


def _rows(path: str) -> list[dict[str, str]]:
    reader = csv.DictReader(io.StringIO(read_text(path)))
    try:
        rows = list(reader)
    except csv.Error as error:
        raise FormatError(f"{path}:{reader.line_num}: {error}; {HINT}") from error
    if reader.fieldnames is None or not {*COLUMNS} <= {*reader.fieldnames}:
        raise FormatError(f"{path}: lacks one of the columns {', '.join(COLUMNS)}; {HINT}")
    return rows


def table_in(value: Mapping[str, Any]) -> NameTable:
    """Take a table that is in memory, as `Pseudonymised.table` gives it."""
    return _table(value.get("changes", ()), "table=", str(value.get("sha256", "")))


def _table(rows: Any, where: str, hash_: str) -> NameTable:
    changes, position = [], 0
    for number, row in enumerate(rows, start=1):
        try:
            start, end = int(row["start"]), int(row["end"])
            old, new = row["invented"], row["original"]
        except (KeyError, OverflowError, TypeError, ValueError) as error:
            raise FormatError(
                f"{where}: change {number} lacks one of {', '.join(COLUMNS)}; {HINT}"
            ) from error
        if not (isinstance(old, str) and isinstance(new, str) and old) or not position <= start < end < MOST:
            raise FormatError(f"{where}: change {number} is not in order, or empty; {HINT}")
        changes.append(Change(start, end, old, new))
        position = end
    return NameTable(tuple(changes), hash_)


def restored(text: str, table: NameTable) -> Restored:
    """Give a text its real names back."""
    if table.fits(text):
        return Restored(edited(text, table.changes), len(table.changes), exact=True)
    originals: dict[str, Counter[str]] = {}
    for change in table.changes:
        originals.setdefault(change.old, Counter())[change.new] += 1
    if not originals:
        return Restored(text, 0, exact=True)
    longest = sorted(originals, key=lambda name: (-len(name), name))
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)")
    new, count = pattern.subn(lambda found: originals[found[0]].most_common(1)[0][0], text)
    notices = ["the text is not the one that the names were put into, so it was restored name by name"]
    for name in longest:
        if len(originals[name]) > 1 and name in text:
            several = ", ".join(original for original, _ in originals[name].most_common())
            notices.append(f"{name} stands for {several}: the first was put everywhere")
    if not count:
        notices.append("none of the invented names is in the text")
    return Restored(new, count, exact=False, notices=tuple(notices))
