"""Formats that are recognised and not read: an error that names them, never a score of 0."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NoReturn

from referee.exceptions import FormatError
from referee.formats.conll import MARK
from referee.formats.format import MARK_AND_SPACE, Format, Reader, Reading
from referee.formats.opening import SeekableFile

HEADER = re.compile(rb"# (?:newdoc|newpar|sent_id|text|global)\b")
COLUMNS = re.compile(rb"^#[ \t]*global\.columns[ \t]*=", re.MULTILINE)
ROW = re.compile(rb"\d[\d.-]*\t")
CONLLU_TABS = 9


def _is_conllu(head: bytes) -> bool:
    """Whether comments of CoNLL-U come before a row of ten columns."""
    if MARK.search(head):
        return False
    announced = False
    for line in head.split(b"\n"):
        if line.startswith(b"#"):
            announced |= HEADER.match(line) is not None
        elif announced and ROW.match(line) and line.count(b"\t") == CONLLU_TABS:
            return True
        else:
            announced = False
    return False


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
        priority=1,
        read=_refusing(
            "CoNLL-U Plus (global.columns), as Universal Anaphora's CONLL-UA, is not read; convert it to "
            "CoNLL-2012 or JSON lines"
        ),
    ),
    "conllu": Format(
        label="CoNLL-U",
        looks_like=_is_conllu,
        priority=2,
        read=_refusing(
            "CoNLL-U, with its coreference inside another column (CorefUD), is not read yet; convert it to "
            "CoNLL-2012 or JSON lines"
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
