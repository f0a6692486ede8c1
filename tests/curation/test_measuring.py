"""Agreement in detail: κ against its definition, and parts that add up."""

from __future__ import annotations

from itertools import combinations
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

import referee
from referee.comparing.annotators import coding
from referee.curation.measuring import LinkVotes, link_votes
from referee.model import Cluster, Document, DocumentCorpus, Mention
from strategies import Clusters, partitions
from systems import documents, spoiled

NAMES = ("a", "b", "c", "d")


def document(clusters: Clusters) -> Document:
    made = [Cluster(str(i), tuple(Mention.at(m, m + 1) for m in sorted(c))) for i, c in enumerate(clusters)]
    return Document.of("d", ["w"] * 12, [(0, 12)], made)


def kappa_of(annotators: list[Clusters]) -> float:
    codings = {name: coding(document(each)) for name, each in zip(NAMES, annotators, strict=False)}
    total = LinkVotes()
    for votes in link_votes(codings).values():
        total.add(votes)
    return total.kappa([*codings])


def slow_kappa(annotators: list[Clusters]) -> float | None:
    """Cohen's definition, item by item; the mean of both sides over pairs of annotators."""
    common = set.intersection(*({m for cluster in each for m in cluster} for each in annotators))
    items = [*combinations(sorted(common), 2)]
    if not items:
        return None
    said = [[any({*item} <= {*cluster} for cluster in each) for item in items] for each in annotators]
    seen, chance = [], []
    for one, other in combinations(said, 2):
        seen.append(sum(a == b for a, b in zip(one, other, strict=True)) / len(items))
        p, q = sum(one) / len(items), sum(other) / len(items)
        chance.append(p * q + (1 - p) * (1 - q))
    expected = sum(chance) / len(chance)
    return None if expected == 1 else (sum(seen) / len(seen) - expected) / (1 - expected)


@given(st.lists(partitions(), min_size=2, max_size=4))
def test_kappa_is_what_the_definition_says(annotators: list[Clusters]) -> None:
    expected, found = slow_kappa(annotators), kappa_of(annotators)
    if expected is None:
        assert isnan(found)
    else:
        assert found == pytest.approx(expected, abs=1e-9)


def test_kappa_worked_by_hand() -> None:
    # {0 1 2} {3} and {0 1} {2 3}: of six links they agree on 01, 03 and 13. One links three, the other two:
    # chance is 3/6 · 2/6 + 3/6 · 4/6 = 1/2, so that κ is 0.
    assert kappa_of([[[0, 1, 2], [3]], [[0, 1], [2, 3]]]) == pytest.approx(0)
    assert kappa_of([[[0, 1], [2]], [[0, 1], [2]]]) == 1


def corpora(count: int) -> list[DocumentCorpus]:
    key = documents(8)
    return [DocumentCorpus(spoiled(key, 0.2, seed), f"a{seed}") for seed in range(count)]


def test_details_fit_the_whole() -> None:
    some = corpora(3)
    made = referee.curate(*some, samples=500)
    assert made.measures is not None
    assert made.agreement is not None
    assert sum(each.common for each in made.measures.documents) == made.agreement.common_mentions
    alone = [referee.agree(*(corpus[n] for corpus in some), names="abc") for n in range(8)]
    for each, agreed in zip(made.measures.documents, alone, strict=True):
        assert each.alpha == pytest.approx(agreed.alpha)
        assert each.conll == pytest.approx(agreed.mean["conll"], abs=1e-3)
    for pair, interval in made.measures.intervals.items():
        assert interval.low < made.agreement.pairs[pair]["conll"] < interval.high
    without = referee.agree(*some[1:]).alpha
    assert made.measures.annotators[0].alpha_without == pytest.approx(without)


def test_disagreements_are_the_errors_against_what_was_merged() -> None:
    some = corpora(3)
    made = referee.curate(*some)
    study = referee.errors(made.merged, *some)
    assert made.disagreements.table("transformations") == study.table("transformations")
    from_first, to = next(iter(made.kinds))
    assert (from_first, to) == ("a1", "a0")
    pair = referee.errors(some[0], some[1])
    (sheet,) = pair.table("transformations")
    assert str(made.kinds["a1", "a0"]["span error"]) in str(sheet.rows)


def test_those_who_agree_disagree_in_nothing() -> None:
    key = documents(4)
    made = referee.curate(DocumentCorpus(key, "a"), DocumentCorpus(key, "b"), DocumentCorpus(key, "c"))
    assert made.agreement is not None
    assert made.measures is not None
    assert made.agreement.alpha == 1
    assert made.measures.kappa == 1
    assert {sum(counts.values()) for counts in made.kinds.values()} == {0}
    assert not made.disagreements.list_errors()
