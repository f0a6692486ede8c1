"""The file of cases: comma-separated values that a person fills in, in a spreadsheet or an editor.

Each case is a row: its document and kind, the text around it, a column for each annotator with his answer,
and the columns `decision`, which is empty at first, and `note`. The last column, `mentions`, says exactly
what the row is about (JSON: a list of mentions for each part, a mention as a list of spans of words,
half-open, from 0) and is not to be changed. Rows without a decision stay undecided. A file that is written
after decisions has them again.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from referee.curation.cases import Case, Decision
from referee.encoding import decoded
from referee.exceptions import FormatError
from referee.formats.io.csv_file import csv_rows
from referee.formats.io.opening import SeekableFile
from referee.formats.io.saving import save
from referee.model import Mention

NEEDED = ("document", "kind", "decision", "mentions")
DELIMITERS = ",;\t"
LONGEST_HEADS = 2**16  # bytes
COLUMNS = ("document", "kind", "question", "text", "decision", "note", "mentions")


def write_cases(
    cases: Sequence[Case], decisions: Sequence[Decision], annotators: Sequence[str], path: str | Path
) -> None:
    """Write a file of cases; those that are decided come first."""
    first, last = COLUMNS[:4], COLUMNS[4:]

    def write(file: IO[str]) -> None:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow([*first, *annotators, *last])
        for each in decisions:
            blank = [""] * (2 + len(annotators))
            rows.writerow(
                [each.document, each.kind, *blank, each.answer, each.note, _mentions_cell(each.parts)]
            )
        for case in cases:
            answers = [case.answers.get(name, "") for name in annotators]
            about = [case.document, case.kind, case.question, "\n".join(case.context())]
            rows.writerow([*about, *answers, "", "", _mentions_cell(case.parts)])

    save(path, write)


def _mentions_cell(parts: Sequence[Sequence[Mention]]) -> str:
    return json.dumps([[mention.spans for mention in part] for part in parts], separators=(",", ":"))


def read_decisions(path: str | Path, annotators: Sequence[str]) -> list[Decision]:
    """Read the rows that have a decision; each is checked, and errors name the line."""
    found = []
    file = SeekableFile(str(path))
    heads = decoded(file.read(0, LONGEST_HEADS).split(b"\n", 1)[0], path)
    delimiter = max(DELIMITERS, key=heads.count)  # spreadsheets take what is usual in a country
    for where, row in csv_rows(file, NEEDED, delimiter):
        if answer := " ".join(row["decision"].split()):
            decision = Decision(
                row["kind"], row["document"], _parts(row["mentions"], where), answer,
                row.get("note", ""), where,
            )  # fmt: skip
            decision.check(annotators)
            found.append(decision)
    return found


def _parts(cell: str, where: str) -> tuple[tuple[Mention, ...], ...]:
    try:
        value = json.loads(cell)
        parts = tuple(
            tuple(Mention(tuple((int(start), int(end)) for start, end in spans)) for spans in part)
            for part in value
        )
    except (ValueError, TypeError, RecursionError, FormatError) as error:
        raise FormatError(
            f"{where}: the column 'mentions' was changed ({error}); take it from the file that was written"
        ) from error
    if not parts or not all(parts):
        raise FormatError(f"{where}: the column 'mentions' is empty; take it from the file that was written")
    return parts
