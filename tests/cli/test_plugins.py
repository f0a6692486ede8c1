"""The command line takes what installed packages add, and reports what it skips."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import referee
from made_packages import make_package

SAMPLE = Path(referee.__file__).parent / "sample"
METRICS = """
from dataclasses import replace
from referee.metrics.mention_metrics import MENTION_METRICS
from referee.metrics.standard import METRICS

TWIN = replace(METRICS["muc"], label="Twin of MUC")
ZEROS = replace(MENTION_METRICS["mention_overlap"], label="Twin of overlap")
NOTHING = None
"""


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process that finds the packages of a folder."""
    places = [str(folder), str(Path(referee.__file__).parents[1])]
    return subprocess.run(
        [sys.executable, "-m", "referee", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(places)},
        cwd=folder,
    )


@pytest.fixture
def metrics(tmp_path: Path) -> Path:
    offers = {"twin": "TWIN", "overlap_twin": "ZEROS", "nothing": "NOTHING", "muc": "TWIN"}
    make_package(tmp_path, "metrics", METRICS, {"referee.metrics": offers})
    return tmp_path


def test_a_metric_of_a_package_is_counted_and_broken_ones_are_reported(metrics: Path) -> None:
    files = [str(SAMPLE / name) for name in ("key.conll", "alpha.conll")]
    made = run(metrics, "score", *files, "-m", "muc,twin,overlap_twin", "--format", "json")
    assert made.returncode == 0, made.stderr
    scores = json.loads(made.stdout)["results"][0]["scores"]
    assert scores["twin"] == scores["muc"]
    assert scores["overlap_twin"]["f1"] > 0
    skipped = [line for line in made.stderr.splitlines() if "is skipped" in line]
    assert skipped == [
        "note: made-metrics: muc of referee.metrics is skipped: "
        "ValueError: there is one of this name already",
        "note: made-metrics: nothing of referee.metrics is skipped: "
        "TypeError: made_metrics:NOTHING is a NoneType, not a Metric or MentionMetric",
    ]


def test_packages_are_not_asked_for_metrics_of_the_house(metrics: Path) -> None:
    files = [str(SAMPLE / name) for name in ("key.conll", "alpha.conll")]
    made = run(metrics, "score", *files, "-m", "muc")
    assert made.returncode == 0
    assert "skipped" not in made.stderr


def test_an_unknown_metric_is_an_error_that_names_those_of_packages(metrics: Path) -> None:
    files = [str(SAMPLE / name) for name in ("key.conll", "alpha.conll")]
    made = run(metrics, "score", *files, "-m", "twim")
    assert made.returncode == 1
    assert "overlap_twin, twin; did you mean twin?" in made.stderr
    assert "nothing of referee.metrics is skipped" in made.stderr


def test_quiet_says_nothing_of_skipped_packages(metrics: Path) -> None:
    files = [str(SAMPLE / name) for name in ("key.conll", "alpha.conll")]
    made = run(metrics, "score", *files, "-m", "twin", "-q")
    assert made.returncode == 0
    assert not made.stderr
