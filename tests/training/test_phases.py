"""Phases of a training run when what they need is done, each with a log."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed: make test-training")

from referee.training.phases import run_phases

NEEDS = {"last": ("left", "right"), "left": ("first",), "right": ("first",), "first": ()}


def test_each_phase_finds_what_it_needs_and_has_a_log(tmp_path: Path) -> None:
    def run(name: str) -> None:
        sys.stdout.write(f"begun {name}\n")
        missing = [need for need in NEEDS[name] if not (tmp_path / need).exists()]
        assert not missing
        (tmp_path / name).touch()

    run_phases(NEEDS, run, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {*NEEDS, *(f"{name}.log" for name in NEEDS)}
    assert (tmp_path / "left.log").read_text() == "begun left\n"


def test_a_phase_that_fails_ends_all_and_its_log_says_why(tmp_path: Path) -> None:
    def run(name: str) -> None:
        if name == "left":
            raise ValueError("no such corpus")
        (tmp_path / name).touch()

    with pytest.raises(SystemExit, match=r"left failed: see .*left\.log"):
        run_phases(NEEDS, run, tmp_path)
    assert "ValueError: no such corpus" in (tmp_path / "left.log").read_text()
    assert not (tmp_path / "last").exists()


def test_phases_that_wait_for_each_other_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="wait for each other: one, other"):
        run_phases({"one": ("other",), "other": ("one",)}, print, tmp_path)
