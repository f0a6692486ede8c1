"""Decisions are made span by span; an entity weighs what its mentions weigh together."""

import numpy as np

from referee.resolve.neural.deciding import Decisions


def test_an_entity_outweighs_a_better_single_antecedent() -> None:
    scores = np.array([[-9.0, -9, -9], [3, -9, -9], [-9, -9, -9], [1.0, 1.0, 1.5]])
    candidates = np.array([[0, 0, 0], [0, 0, 0], [0, 1, 0], [0, 1, 2]])
    together, single = Decisions(), Decisions(by_entity=False)
    together.decide(scores, candidates)
    single.decide(scores, candidates)
    assert together.clusters.tolist() == [0, 0, -1, 0]
    assert single.clusters.tolist() == [0, 0, 1, 1]


def test_a_higher_threshold_links_less() -> None:
    scores, candidates = np.array([[-9.0], [0.4]]), np.array([[0], [0]])
    for least, clusters in ((0.0, [0, 0]), (0.5, [-1, -1])):
        decisions = Decisions(least)
        decisions.decide(scores, candidates)
        assert decisions.clusters.tolist() == clusters


def test_parts_of_a_text_are_decided_as_one() -> None:
    generator = np.random.default_rng(1)
    scores = generator.normal(0, 3, (40, 5))
    candidates = np.array([generator.integers(0, max(row, 1), 5) for row in range(40)])
    scores[0] = -9
    whole, parts = Decisions(), Decisions()
    whole.decide(scores, candidates)
    for start in range(0, 40, 7):
        parts.decide(scores[start : start + 7], candidates[start : start + 7])
    assert whole.clusters.tolist() == parts.clusters.tolist()


def test_entities_out_of_reach_are_remembered_by_their_last_span() -> None:
    decisions = Decisions()
    decisions.clusters = np.array([0, 1, 0, 1, -1, 1, 2, 2])
    assert decisions.remembered(8, reach=3).tolist() == [2]
    assert decisions.remembered(8, reach=2).tolist() == [2, 5]
    assert decisions.remembered(3, reach=5).tolist() == []
