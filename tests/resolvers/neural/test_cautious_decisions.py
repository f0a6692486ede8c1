"""What is decided more carefully in other languages: ages apart, a share of corrections, unsure entities."""

from __future__ import annotations

import numpy as np
import pytest

from referee.language.word_classes import classes_of
from referee.resolvers.neural.cautious_decisions import CautiousDecisions, without_unsure
from referee.resolvers.neural.entities import span_facts
from referee.resolvers.neural.entity_decisions import EntityScorer
from referee.resolvers.neural.features import describe_spans, describe_words


class Doubting(EntityScorer):
    """A scorer that takes 4 from what pairs say."""

    def __init__(self) -> None:
        """Take no weights."""
        super().__init__({})

    def scores(self, fits, begins):  # type: ignore[no-untyped-def]
        """Give what the pairs say, less 4."""
        return np.array([fit[0] - 4.0 for fit in fits])


def decided(words: list[str], spans: list[tuple[int, int]], share: float, pair: float = 3.0) -> list[int]:
    """Decide spans of a French sentence, each of whose pairs scores the same; give their clusters."""
    known = describe_words(words, np.zeros(len(words), np.int64), language="fr")
    start, end = (np.array([span[side] for span in spans]) for side in (0, 1))
    described = describe_spans(np, known, np.r_[0, known.form.cumsum()], start, end)
    facts = span_facts(words, known, described, "fr")
    decisions = CautiousDecisions(Doubting(), facts, 0.0, classes_of("fr"), share)
    count = len(spans)
    scores = np.where(np.tri(count, count, -1) > 0, pair, -10.0)
    decisions.decide(scores, np.tile(np.arange(count), (count, 1)))
    return list(decisions.clusters.tolist())


def test_young_and_old_are_two() -> None:
    """The child and the old man stay apart, and a pronoun goes with one of them."""
    words = ["L'", "enfant", "regarda", "le", "vieux", "et", "il", "sourit"]
    assert decided(words, [(0, 1), (3, 4)], share=0.0) == [-1, -1]
    words = ["L'", "enfant", "regarda", "le", "vieil", "homme", "et", "il", "sourit"]
    assert decided(words, [(0, 1), (3, 5)], share=0.0) == [-1, -1]
    words[4] = "grand"
    assert decided(words, [(0, 1), (3, 5)], share=0.0) == [0, 0]


def test_an_old_house_and_a_small_house_may_be_one() -> None:
    """Of things no age is known: the words of people stand alone, or before a name."""
    words = ["la", "petite", "maison", "et", "la", "vieille", "maison"]
    assert decided(words, [(0, 2), (4, 6)], share=0.0) == [0, 0]


@pytest.mark.parametrize(("share", "linked"), [(1.0, False), (0.5, True), (0.0, True)])
def test_a_share_of_the_correction_counts(share: float, linked: bool) -> None:
    """A pair of 3, less 4, is linked where only half of the correction counts."""
    assert decided(["Paul", "rit", "et", "il", "part"], [(0, 0), (3, 3)], share) == (
        [0, 0] if linked else [-1, -1]
    )


def test_entities_of_unsure_mentions_are_left_out() -> None:
    """Nothing is linked at all, or one of two entities."""
    assert without_unsure(np.array([-1, -1]), np.zeros(2), 0.0).tolist() == [-1, -1]
    assert without_unsure(np.array([0, 0, 1, 1]), np.array([1.0, 2.0, -1.0, 0.5]), 0.0).tolist() == [
        0,
        0,
        -1,
        -1,
    ]
