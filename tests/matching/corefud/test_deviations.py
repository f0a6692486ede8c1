"""What the official scorer does otherwise is counted over all batches."""

from __future__ import annotations

from referee.matching.corefud.matching import ScorerDeviations


def test_deviations_of_batches_add_up() -> None:
    assert ScorerDeviations(1, 2, 3, 4, 5, 6) + ScorerDeviations(10, 0, 30) == (11, 2, 33, 4, 5, 6)
