"""A table of an export: how large it is, and what it loses."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from referee.resolve.neural.exporting import ABOUT, ENCODER, HEAD, TOKENIZER
from referee.tables.score_tables import score_cell
from referee.tables.table import Cell, Column, Table


def folder_size(folder: Path) -> int:
    """Add up the bytes of the files that a model needs to run."""
    return sum((folder / name).stat().st_size for name in (ENCODER, HEAD, TOKENIZER, ABOUT))


def export_table(rows: Sequence[tuple[str, int, float | None]], parameters: int) -> Table:
    """Show the model and its export: size, and CoNLL on dev where it was asked for."""
    scored = any(conll is not None for *_, conll in rows)
    columns = [Column("Model", left=True), Column("MB"), *([Column("CoNLL")] if scored else [])]
    cells = [
        [
            Cell(name),
            Cell(f"{size / 1e6:.1f}", value=size / 1e6),
            *([score_cell(conll)] if conll is not None else []),
        ]
        for name, size, conll in rows
    ]
    return Table(columns, cells, "Export", ("", f"{parameters:,} parameters."))
