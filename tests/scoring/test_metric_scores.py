"""Scores as attributes that complete and that mypy knows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import referee
from referee.metrics.catalogue import CATALOGUE
from referee.metrics.standard import METRICS
from referee.scoring.metric_scores import MetricScore, MetricScores

ROOT = Path(referee.__file__).parents[2]
RESULT = referee.score([["a", "b"], ["c"]], [["a", "b", "c"]], metric=["muc", "lea"])


def test_there_is_an_attribute_for_each_metric_of_the_catalogue() -> None:
    declared = [name for name, value in vars(MetricScores).items() if isinstance(value, MetricScore)]
    assert declared == list(CATALOGUE.ours)
    assert "MUC" in str(MetricScores.muc.__doc__)


def test_what_was_counted_completes() -> None:
    assert {"muc", "lea", "conll", "log_dict"} <= set(dir(RESULT))
    assert "blanc" not in dir(RESULT)


def test_what_was_not_counted_says_how_to_ask_for_it() -> None:
    with pytest.raises(
        AttributeError, match="'blanc' was not computed: this result has muc, lea; score with"
    ):
        _ = RESULT.blanc
    with pytest.raises(
        AttributeError, match=r"no score 'mucc'; this result has muc, lea; did you mean muc\?"
    ):
        getattr(RESULT, "mucc")  # noqa: B009 mypy knows that there is none
    assert not hasattr(RESULT, "__deepcopy__")


def test_scores_by_name() -> None:
    assert RESULT["muc"] == RESULT.muc
    with pytest.raises(KeyError, match="'b_cubed' was not computed"):
        RESULT["b_cubed"]


def test_a_metric_of_a_package_is_taken_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CATALOGUE.installed, "ours", METRICS["muc"])
    result = referee.score([["a", "b"]], [["a", "b"]], metric=["ours"])
    assert result["ours"].f1 == 1
    with pytest.raises(AttributeError, match=r"comes from an installed package: use result\['ours'\]"):
        getattr(result, "ours")  # noqa: B009 likewise


def test_a_result_is_logged_flat() -> None:
    logged = referee.score([["a", "b"], ["c"]], [["a", "b", "c"]]).log_dict()
    assert logged["muc/f1"] == RESULT.muc.f1
    assert logged["conll/f1"] == np.mean([logged[f"{name}/f1"] for name in ("muc", "b_cubed", "ceaf_e")])
    assert {type(value) for value in logged.values()} == {float}


def test_mypy_knows_the_metrics(tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="mypy is not installed")
    code = tmp_path / "snippet.py"
    code.write_text(
        "import referee\n"
        "result = referee.score([['a']], [['a']])\n"
        "f1: float = result.muc.f1\n"
        "own: referee.Score = result['own']\n"
        "result.nonsense\n"
        "words: str = result.lea.f1\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "mypy", str(code)]  # with this project's settings and cache
    said = subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout
    errors = [line.partition(f"{code.name}:")[2] for line in said.splitlines() if "error:" in line]
    assert [error[:2] for error in errors] == ["5:", "6:"], said
    assert '"Result" has no attribute "nonsense"' in errors[0]
    assert 'expression has type "float", variable has type "str"' in errors[1]
