"""Decisions mention by mention against entities, by a scorer with weights written by hand."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from referee.arrays import FloatArray
from referee.resolvers.neural.entities import NO_SCORE, Facts
from referee.resolvers.neural.entity_decisions import (
    HOPELESS,
    MOST,
    EntityDecisions,
    EntityScorer,
    described,
)
from referee.resolvers.neural.models import ENTITIES
from toy_facts import facts

OPPOSITE = 32  # which of the numbers is the one of mentions of the other gender


def scorer(against_other_gender: float = 0.0, new: float = 0.0) -> EntityScorer:
    """Make two networks: pairs as they are, less something for mentions of the other gender."""
    known = facts("Ann saw her", (0, 0), (2, 2))
    fits, begins = described(known, 1, decisions_for(known).options([0], [1.0]))
    weights: dict[str, Any] = {"scale": np.ones(1)}
    for name, width in (("fit", len(fits[0])), ("alone", len(begins))):
        weights[f"{name}.lowest"], weights[f"{name}.highest"] = np.full(width, -50.0), np.full(width, 50.0)
        weights[f"{name}.mean"], weights[f"{name}.spread"] = np.zeros(width), np.ones(width)
        first = np.zeros((2, width, 1))
        first[:, OPPOSITE if name == "fit" else 0, 0] = name == "fit"
        weights |= {f"{name}.0.weight": first, f"{name}.0.bias": np.zeros((2, 1, 1))}
        last = -against_other_gender if name == "fit" else 0.0
        weights[f"{name}.1.weight"] = np.full((2, 1, 1), last)
        weights[f"{name}.1.bias"] = np.full((2, 1, 1), 0.0 if name == "fit" else new)
    return EntityScorer({name: weight.astype(np.float32) for name, weight in weights.items()})


def decisions_for(known: Facts, by: EntityScorer | None = None, threshold: float = 0.0) -> EntityDecisions:
    decisions = EntityDecisions(by or EntityScorer({}), known, threshold)
    decisions.clusters = np.full(len(known.start), -1)
    return decisions


PEOPLE = facts("Tom saw Ann and he told her", (0, 0), (2, 2), (4, 4), (6, 6))
SCORES = np.array([[-20.0] * 3, [-20.0] * 3, [3.0, -20, -20], [1.0, 0.5, 1.2]])
CANDIDATES = np.array([[0, 0, 0], [0, 0, 0], [0, 1, 0], [0, 1, 2]])


def clusters(by: EntityScorer, threshold: float = 0.0, scores: FloatArray = SCORES) -> list[int]:
    decisions = EntityDecisions(by, PEOPLE, threshold)
    decisions.decide(scores, CANDIDATES)
    return [int(cluster) for cluster in decisions.clusters]


def test_without_anything_else_pairs_decide_together() -> None:
    assert clusters(scorer()) == [0, -1, 0, 0]


def test_what_is_known_of_the_entity_outweighs_its_pairs() -> None:
    assert clusters(scorer(against_other_gender=5.0)) == [0, 1, 0, 1]


def test_a_higher_threshold_links_less_and_so_does_a_likelier_beginning() -> None:
    assert clusters(scorer(), 2.5) == [0, -1, 0, -1]
    assert clusters(scorer(), 3.5) == [-1] * 4
    assert clusters(scorer(new=2.5)) == [0, -1, 0, -1]


def test_what_scores_as_much_as_the_threshold_is_not_linked() -> None:
    decisions = EntityDecisions(scorer(), PEOPLE)
    decisions.decide(SCORES, CANDIDATES)
    score = float(decisions.scores[2])
    assert clusters(scorer(), np.nextafter(score, 0))[2] == 0
    assert clusters(scorer(), score)[2] == -1


def test_a_score_is_how_far_the_entity_is_above_none() -> None:
    decisions = EntityDecisions(scorer(new=0.5), PEOPLE)
    decisions.decide(SCORES, CANDIDATES)
    assert decisions.scores[2] == pytest.approx(2.5)
    assert decisions.scores[0] == NO_SCORE


def test_what_has_no_chance_is_not_asked_about() -> None:
    scores = np.full((4, 3), -20.0)
    scores[3, 0] = HOPELESS - 0.1
    assert clusters(scorer(new=-99.0), scores=scores) == [-1] * 4
    scores[3, 0] = HOPELESS + 0.1
    assert clusters(scorer(new=-99.0), scores=scores) == [0, -1, -1, 0]


def test_parts_of_a_text_give_what_the_whole_gives() -> None:
    whole, parts = EntityDecisions(scorer(5.0), PEOPLE), EntityDecisions(scorer(5.0), PEOPLE)
    whole.decide(SCORES, CANDIDATES)
    for part in (slice(0, 2), slice(2, 3), slice(3, 4)):
        parts.decide(SCORES[part], CANDIDATES[part])
    assert parts.clusters.tolist() == whole.clusters.tolist()
    assert parts.scores.tolist() == whole.scores.tolist()


def test_only_the_best_entities_are_compared_but_all_are_counted() -> None:
    words = " and ".join(["Ann"] * (MOST + 3))
    known = facts(words, *((2 * n, 2 * n) for n in range(MOST + 3)))
    scores = [float(-n) for n in range(MOST + 2)]
    options = decisions_for(known).options(list(range(MOST + 2)), scores)
    assert [option.scores for option in options.best] == [[score] for score in scores[:MOST]]
    assert options.total == pytest.approx(np.logaddexp.reduce(scores))
    fits, _ = described(known, MOST + 2, options)
    assert fits[0][8] == pytest.approx(np.logaddexp.reduce(scores[1:]))
    assert (fits[0][7], fits[1][7]) == (1.0, -1.0)


def test_numbers_beyond_what_was_trained_are_taken_as_the_farthest() -> None:
    by = scorer(1.0)
    by.w = {**by.w, "fit.highest": np.full_like(by.w["fit.highest"], 2.0)}
    described_as = np.zeros((2, by.w["fit.mean"].size))
    described_as[:, OPPOSITE] = 2.0, 9.0
    one, other = by.scores(described_as.tolist(), [0.0] * by.w["alone.mean"].size)
    assert one == other == pytest.approx(-2.0)


def test_a_model_has_a_scorer_or_not(tmp_path: Path) -> None:
    assert EntityScorer.in_folder(tmp_path) is None
    save_file(dict(scorer().w), tmp_path / ENTITIES)
    found = EntityScorer.in_folder(tmp_path)
    assert found is not None
    assert sorted(found.w) == sorted(scorer().w)
