"""Reads lines of text and rows of CSV one after the other, without the whole file in memory."""

from __future__ import annotations

import csv
from codecs import getincrementaldecoder
from collections.abc import Iterator, Sequence

from referee.encoding import not_utf8
from referee.exceptions import FormatError
from referee.formats.io.opening import SeekableFile

CHUNK = 2**20  # bytes
LONGEST = 2**24  # characters of a line; a longer one is not a table
Row = dict[str, str]


def text_lines(file: SeekableFile) -> Iterator[str]:
    """Read lines of UTF-8, each with its end."""
    decoder = getincrementaldecoder("utf-8")()
    position, rest, line = 0, "", 1
    while True:
        chunk = file.read(position, CHUNK)
        position += len(chunk)
        try:
            rest += decoder.decode(chunk, not chunk)
        except UnicodeDecodeError as error:
            raise not_utf8(error, file.path, line + rest.count("\n")) from error
        *whole, rest = rest.split("\n")
        yield from (f"{words}\n" for words in whole)
        line += len(whole)
        if len(rest) > LONGEST:
            raise FormatError(f"{file.path}:{line}: a line of more than {LONGEST >> 20} million characters")
        if not chunk:
            break
    if rest:
        yield rest


def csv_cells(file: SeekableFile, delimiter: str = ",") -> Iterator[tuple[str, list[str]]]:
    """Read the cells of each row of CSV, with where it is (FILE:LINE); empty lines are skipped."""
    reader = csv.reader(text_lines(file), delimiter=delimiter)
    try:
        for cells in reader:
            if cells:
                yield f"{file.path}:{reader.line_num}", cells
    except csv.Error as error:
        raise FormatError(f"{file.path}:{reader.line_num}: not CSV: {error}") from error
    file.close()


def csv_rows(file: SeekableFile, needed: Sequence[str], delimiter: str = ",") -> Iterator[tuple[str, Row]]:
    """Read the rows of a table whose first row names the columns, each with where it is."""
    rows = csv_cells(file, delimiter)
    _, heads = next(rows, ("", []))
    if missing := [column for column in needed if column not in heads]:
        raise FormatError(f"{file.path}:1: the table has no column {missing[0]}")
    for where, cells in rows:
        if len(cells) != len(heads):
            raise FormatError(f"{where}: the row has more or fewer columns than the header")
        yield where, dict(zip(heads, cells, strict=True))
