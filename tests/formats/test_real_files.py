"""The gate of real files: for every format, what is read has the counts of other code."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from corpora import DATA, corpus
from every_format import REFUSED
from referee.formats.catalogue import MARKED_TEXT, OURS

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
gate: Any = import_module("real_files")
WITHOUT_MENTIONS = "mentions-documents"


def test_every_format_has_a_counter() -> None:
    assert {*gate.COUNTERS, *REFUSED, MARKED_TEXT, WITHOUT_MENTIONS} == OURS.keys()


@pytest.mark.parametrize("form", gate.COUNTERS)
def test_counts_are_those_of_other_code(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    corpus("ontogum")
    if form == "docbin":
        pytest.importorskip("spacy")
    assert gate.main(DATA, [form]) == 0, capsys.readouterr().out
