"""Formats that are recognised and not read: an error that names them, never a score of 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from referee.exceptions import FormatError
from referee.formats.format import Reading
from referee.formats.io.opening import SeekableFile


def refuse_conllu_plus(files: Sequence[SeekableFile], name: str, reading: Reading) -> NoReturn:
    """Refuse columns that are named, without one of identity."""
    del name, reading
    raise FormatError(
        f"{files[0].path}:1: CoNLL-U Plus (global.columns) without a column IDENTITY, which Universal "
        "Anaphora's CONLL-UA has, is not read; convert it to CoNLL-2012 or JSON lines"
    )


def refuse_old_line_ends(files: Sequence[SeekableFile], name: str, reading: Reading) -> NoReturn:
    """Refuse lines that end in a carriage return alone."""
    del name, reading
    raise FormatError(
        f"{files[0].path}:1: the lines end in a carriage return alone, as on old Macs; save the file with "
        "line feeds"
    )


def refuse_parquet(files: Sequence[SeekableFile], name: str, reading: Reading) -> NoReturn:
    """Refuse tables of Parquet."""
    del name, reading
    raise FormatError(
        f"{files[0].path}: Parquet is not read; make tables of it (pandas.read_parquet(x).to_csv(y), for "
        "HyperCoref hyperlinks.csv and tokens.csv) or the authors' list of mentions"
    )


def refuse_gap_decisions(files: Sequence[SeekableFile], name: str, reading: Reading) -> NoReturn:
    """Refuse what a system decided about GAP's names."""
    del name, reading
    raise FormatError(
        f"{files[0].path}:1: decisions about GAP's names have no text and no clusters; compare them "
        "with GAP's data by `referee gap`, or gap_score(key, response) in Python"
    )
