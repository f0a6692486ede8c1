"""One dictionary of renderers: every form of a result."""

from __future__ import annotations

import csv
import io
import json
import re
from math import nan
from pathlib import Path

import pytest
from click.testing import CliRunner

import referee
from referee.cli import main
from referee.scoring.result import SCHEMA
from referee.tables.rendering import RENDERERS, Output, as_csv, as_json, comma_separated, json_text
from referee.tables.table import Cell, Column, Table

TABLE = Table([Column("System", left=True), Column("F1")], [[Cell("a"), Cell("66.67", True, 2 / 3, "↑")]])
OUTPUT = Output(lambda: [TABLE], lambda: {"f1": nan, "words": "a\udce9b \ud800"})


@pytest.mark.parametrize("form", RENDERERS)
def test_every_form_is_words(form: str) -> None:
    assert RENDERERS[form](OUTPUT).strip()


def test_csv_takes_values_and_not_what_cells_show() -> None:
    assert as_csv(OUTPUT).splitlines()[1] == f"a,{2 / 3}"


def test_what_is_no_number_is_empty_in_csv_and_null_in_json() -> None:
    assert comma_separated(["a", "b"], [[nan, None]]).splitlines()[1] == ","
    assert json.loads(json_text({"a": [1.5, (nan, {"b": nan})]})) == {"a": [1.5, [None, {"b": None}]]}


def test_json_has_the_schema_and_any_text() -> None:
    words = as_json(OUTPUT)
    assert words.encode("utf-8")
    assert json.loads(words) == {"schema": SCHEMA, "f1": None, "words": "a\udce9b \ud800"}
    assert next(iter(json.loads(words))) == "schema"


def test_a_list_stays_a_list() -> None:
    assert json.loads(as_json(Output(lambda: [], lambda: [1, 2]))) == [1, 2]


SAMPLE = Path(referee.__file__).parent / "sample"
KEY, ALPHA, BETA = (str(SAMPLE / f"{name}.conll") for name in ("key", "alpha", "beta"))
LISTED = {
    "score": [KEY, ALPHA, BETA], "score --by document": [KEY, ALPHA], "score --by mention-type": [KEY, ALPHA],
    "score --ci --samples 100": [KEY, ALPHA], "compare --samples 100": [KEY, ALPHA, BETA],
    "errors": [KEY, ALPHA], "errors --list": [KEY, ALPHA], "errors --list --context": [KEY, ALPHA],
    "stats": [KEY], "spans": [KEY], "spans --stats": [KEY], "agree": [KEY, ALPHA], "topics": [KEY],
    "components": [KEY], "models": [], "validate": [KEY],
}  # fmt: skip


@pytest.mark.parametrize("command", LISTED)
def test_columns_of_csv_have_names_for_programs(command: str) -> None:
    shown = CliRunner().invoke(main, [*command.split(), *LISTED[command], "--format", "csv"])
    assert shown.exit_code == 0, shown.output
    heads, *rows = csv.reader(io.StringIO(shown.stdout))
    assert all(re.fullmatch("[a-z][a-z0-9_]*", head) for head in heads), heads
    assert len(set(heads)) == len(heads)
    assert {len(row) for row in rows} <= {len(heads)}
    assert not [cell for row in rows for cell in row if cell.endswith("…")]
