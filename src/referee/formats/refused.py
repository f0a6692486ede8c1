"""Formats that are recognised and not read: an error that names them, never a score of 0."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NoReturn

from referee.exceptions import FormatError
from referee.formats.format import MARK_AND_SPACE, Format, Reader, Reading
from referee.formats.io.opening import SeekableFile

COLUMNS = re.compile(rb"^#[ \t]*global\.columns[ \t]*=", re.MULTILINE)


def _is_conllua(head: bytes) -> bool:
    """Whether a comment names the columns, as CoNLL-U Plus and Universal Anaphora have it."""
    return b"global.columns" in head and COLUMNS.search(head) is not None


def _has_old_line_ends(head: bytes) -> bool:
    """Whether lines end in a carriage return alone, and the text is neither JSON nor markup."""
    alone = head.count(b"\r") - head.count(b"\r\n")
    return alone > head.count(b"\n") and head.lstrip(MARK_AND_SPACE)[:1] not in (b"{", b"<")


def _refusing(message: str) -> Reader:
    def refuse(files: Sequence[SeekableFile], name: str, reading: Reading) -> NoReturn:
        del name, reading
        raise FormatError(f"{files[0].path}:1: {message}")

    return refuse


FORMATS = {
    "conllu-plus": Format(
        label="CoNLL-U Plus",
        looks_like=_is_conllua,
        priority=2,
        read=_refusing(
            "CoNLL-U Plus (global.columns) without a column IDENTITY, which Universal Anaphora's CONLL-UA "
            "has, is not read; convert it to CoNLL-2012 or JSON lines"
        ),
    ),
    "old-line-ends": Format(
        label="lines that end in CR",
        looks_like=_has_old_line_ends,
        priority=3,
        read=_refusing(
            "the lines end in a carriage return alone, as on old Macs; save the file with line feeds"
        ),
    ),
}
