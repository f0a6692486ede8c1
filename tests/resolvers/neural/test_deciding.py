"""Decisions are made span by span; an entity weighs what its mentions weigh together."""

from collections.abc import Sequence

import numpy as np

from referee.resolvers.neural.deciding import FEW, Decisions, Memory
from referee.resolvers.neural.features import describe_spans, describe_words


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


def decided(*scores: float) -> list[int]:
    """Decide for a last span, whose candidates are all before it, each a span without an entity."""
    rows = np.full((len(scores) + 1, len(scores)), -9.0)
    rows[-1] = scores
    candidates = np.zeros(rows.shape, np.int64)
    candidates[-1] = np.arange(len(scores))
    decisions = Decisions()
    decisions.decide(rows, candidates)
    return [int(cluster) for cluster in decisions.clusters]


def test_spans_without_an_entity_weigh_by_themselves() -> None:
    assert decided(-0.3, -0.3) == [-1, -1, -1]  # together they would outweigh none
    assert decided(-0.3, 0.4) == [-1, 0, 0]


def test_the_first_span_is_not_the_first_entity() -> None:
    scores = np.array([[-9.0, -9], [-9, -9], [3, -9], [-0.3, -0.3]])
    decisions = Decisions()
    decisions.decide(scores, np.array([[0, 0], [0, 0], [1, 0], [0, 1]]))
    assert decisions.clusters.tolist() == [-1, 0, 0, -1]


def test_a_link_must_be_better_than_none() -> None:
    assert decided(0.0, -5.0) == [-1, -1, -1]
    assert decided(0.1, -5.0) == [0, -1, 0]


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


def memory_of(text: str, *spans: tuple[int, int], likely: Sequence[int] = ()) -> Memory:
    words = text.split()
    columns = describe_words(words, np.zeros(len(words), np.int64))
    start, end = np.array(spans).T
    described = describe_spans(np, columns, np.r_[0, columns.form.cumsum()], start, end)
    return Memory(columns, described, np.isin(np.arange(len(spans)), likely))


TEXT = "Ada Byron met the queen of Bath . She liked Ada . Byron and the old queen left Bath"
SPANS = ((0, 1), (3, 6), (6, 6), (8, 8), (10, 10), (12, 12), (14, 16), (18, 18))


def test_an_entity_out_of_reach_is_found_by_its_words() -> None:
    memory = memory_of(TEXT, *SPANS)
    memory.enter(np.array([0, 1, -1, 1, 0]), 4)
    assert memory.recall(slice(5, 6)).tolist() == [0]  # Byron
    assert memory.recall(slice(6, 7)).tolist() == [1]  # the old queen: not by Bath, which is no core of hers
    assert memory.recall(slice(7, 8)).tolist() == []  # Bath was never linked
    assert memory.recall(slice(3, 4)).tolist() == []  # a pronoun has no words
    assert memory.recall(slice(4, 7)).tolist() == [0, 1]
    memory.enter(np.array([0, 1, -1, 1, 0]), 5)
    assert memory.recall(slice(4, 5)).tolist() == [4]  # the last Ada


def test_a_likely_mention_is_remembered_though_it_was_not_linked() -> None:
    memory = memory_of(TEXT, *SPANS, likely=[2])
    memory.enter(np.array([0, 1, -1, 1, 0]), 4)
    assert memory.recall(slice(7, 8)).tolist() == [2]


def test_likely_mentions_that_were_not_linked_are_remembered_one_by_one() -> None:
    memory = memory_of("Bath or Bath and Bath", (0, 0), (2, 2), (4, 4), likely=[0, 1])
    memory.enter(np.array([-1, -1, -1]), 2)
    assert memory.recall(slice(2, 3)).tolist() == [0, 1]


def test_of_many_entities_with_a_word_the_last_are_remembered() -> None:
    memory = memory_of(" ".join(["man"] * 40), *((index, index) for index in range(40)))
    clusters = np.arange(40) % 20
    memory.enter(clusters, 5)
    memory.enter(clusters, 24)
    memory.enter(clusters, 0)
    assert memory.recall(slice(30, 31)).tolist() == list(range(24 - FEW, 24))
    clusters[24:30] = 15  # one entity again and again drives out no other
    memory.enter(clusters, 30)
    assert memory.recall(slice(30, 31)).tolist() == [*range(24 - FEW + 1, 24), 29]


def test_an_entity_that_was_met_again_is_not_the_oldest() -> None:
    memory = memory_of(" ".join(["man"] * (FEW + 3)), *((index, index) for index in range(FEW + 3)))
    memory.enter(np.array([*range(FEW), 0, FEW, FEW + 1]), FEW + 2)  # the first once more, then another
    assert memory.recall(slice(FEW + 2, FEW + 3)).tolist() == list(range(2, FEW + 2))


def test_a_first_span_without_an_entity_is_not_the_first_entity() -> None:
    memory = memory_of("Bath or Bath and Bath", (0, 0), (2, 2), (4, 4), likely=[0])
    memory.enter(np.array([-1, 0, 0]), 2)
    assert memory.recall(slice(2, 3)).tolist() == [0, 1]
