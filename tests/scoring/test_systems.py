"""Several files against one key, from Python."""

from __future__ import annotations

from pathlib import Path

import referee
from referee import Protocol
from referee.scoring.systems import score_files

SAMPLE = Path(referee.__file__).parent / "sample"
KEY, ALPHA, BETA = (str(SAMPLE / f"{name}.conll") for name in ("key", "alpha", "beta"))


def test_files_are_scored_with_their_names() -> None:
    results = score_files(KEY, [ALPHA, BETA], Protocol())
    assert [result.system for result in results] == ["alpha", "beta"]
    assert [round(100 * result.conll, 2) for result in results] == [75.08, 64.34]
    (muc,) = score_files(KEY, [ALPHA], Protocol(), ["muc"])
    assert list(muc.scores) == ["muc"]
