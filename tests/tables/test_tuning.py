"""The grid of a tuning, and its figure."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.resolvers.across.threshold_search import Trial
from referee.tables.layout import text_table
from referee.tables.rendering import RENDERERS
from referee.tables.tuning import plot_trials, trial_output, trial_table

TRIALS = [
    Trial(0.2, 0.5, 0.61, 0.7),
    Trial(0.2, 0.6, 0.655, 0.8),
    Trial(0.3, 0.5, 0.6, 0.6),
    Trial(0.3, 0.6, 0.64, 0.7),
]


def test_rows_are_shares_and_columns_thresholds_and_the_best_is_marked() -> None:
    lines = text_table(trial_table(TRIALS, "events")).splitlines()
    assert lines[2].split() == ["λ", "0.5", "0.6"]
    assert lines[4].split() == ["0.2", "61.00", "65.50*"]
    assert lines[5].split() == ["0.3", "60.00", "64.00"]
    assert lines[-1] == "best: λ 0.2, τ 0.6, CoNLL 65.50"


def test_given_mentions_have_one_row() -> None:
    table = trial_table([Trial(None, 0.5, 0.7, 0.8), Trial(None, 0.6, 0.8, 0.9)], "all")
    assert [cell.text for cell in table.rows[0]] == ["all mentions", "70.00", "80.00"]
    assert table.notes[-1] == "best: τ 0.6, CoNLL 80.00"


def test_programs_get_every_trial() -> None:
    assert '"threshold": 0.6' in RENDERERS["json"](trial_output(TRIALS, "events"))


def test_a_figure_has_a_line_for_each_share(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    plot_trials(TRIALS, str(tmp_path / "tune.svg"))
    assert (tmp_path / "tune.svg").read_text(encoding="utf-8").count("<path") > 4
