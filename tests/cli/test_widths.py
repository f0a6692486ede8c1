"""Tables are never wider than the terminal or, in a pipe or a file, than 120 columns."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import referee
from referee.cli import main
from referee.cli.terminal import PIPED
from referee.tables.layout import Look, cells_of, text_table
from referee.tables.table import Cell, Column, Table

SAMPLE = Path(referee.__file__).parent / "sample"
KEY, ALPHA, BETA = (str(SAMPLE / f"{name}.conll") for name in ("key", "alpha", "beta"))
COMMANDS = [
    ["score", KEY, ALPHA, BETA], ["score", KEY, ALPHA, BETA, "--by", "document", "--ci"],
    ["score", KEY, ALPHA, BETA, "-m", "muc,b3,ceafm,ceafe,blanc,lea,links,b_cubed_all,ceaf_m_sys,mor"],
    ["score", KEY, ALPHA, BETA, "--match", "exact,mina,head"], ["agree", ALPHA, BETA, KEY],
    ["compare", KEY, ALPHA, BETA, "--by", "genre", "--by", "distance", "--documents", "2",
     "--samples", "100"],
    ["errors", KEY, ALPHA, BETA, "--table", "all"], ["errors", KEY, ALPHA, "--list"], ["stats", KEY],
    ["spans", KEY], ["spans", KEY, "--stats"], ["components", KEY], ["models"],
    ["validate", KEY, ALPHA],
]  # fmt: skip


def too_wide(text: str, width: int) -> list[str]:
    """List the lines that are wider, but for signatures, which stay whole to be copied."""
    return [line for line in text.splitlines() if cells_of(line) > width and "|version:" not in line]


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: " ".join(arguments[:1] + arguments[2:]))
@pytest.mark.parametrize("width", [60, PIPED])
def test_tables_fit(arguments: list[str], width: int) -> None:
    terminal = {"FORCE_COLOR": "1", "NO_COLOR": "1", "COLUMNS": str(width)} if width != PIPED else {}
    shown = CliRunner().invoke(main, [*arguments, "--quiet"], env=terminal)
    assert shown.exit_code == 0, shown.output
    assert not too_wide(shown.stdout, width)


def test_models_with_long_cards_fit() -> None:
    """Of `referee models` with what real models say of themselves; it was 430 columns wide."""
    columns = [Column(name, left=name != "MB") for name in ("Model", "Licence", "Trained on", "MB", "CoNLL")]
    rows = [[Cell("en"), Cell("CC BY-SA 4.0"), Cell("a corpus, " * 20), Cell("46.1"), Cell("GUM 1.2, " * 20)]]
    for width in (40, 60, 80, PIPED):
        shown = text_table(Table(columns, rows), Look(width))
        assert not too_wide(shown, width)
        assert "46.1" in shown


def test_other_formats_are_whole_and_so_are_files(tmp_path: Path) -> None:
    arguments = ["errors", KEY, ALPHA, BETA, "--table", "all", "-q"]
    table = tmp_path / "errors.txt"
    CliRunner().invoke(main, [*arguments, "-o", str(table)])
    assert not too_wide(table.read_text(encoding="utf-8"), PIPED)
    for form in ("csv", "json", "latex", "markdown"):
        assert "…" not in CliRunner().invoke(main, [*arguments, "-f", form]).stdout
