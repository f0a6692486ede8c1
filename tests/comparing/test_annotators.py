"""Agreement between annotators: symmetric, and alpha as its authors define it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import score
from referee.comparing.annotators import (
    Agreement,
    Coding,
    agreement,
    alpha_of,
    chain_distance,
    coding,
    cut_to_common,
    disagreement,
    document_in_characters,
)
from referee.exceptions import FormatError
from referee.matching.protocol import Protocol
from referee.model import Cluster, Document, DocumentCorpus, Mention, cut_text
from strategies import Clusters, partitions
from systems import documents, spoiled

KEY = documents(6)
ONE, TWO, THREE = (spoiled(KEY, rate, seed) for seed, rate in enumerate((0.1, 0.2, 0.3)))


def as_document(clusters: Clusters, id_: str = "d") -> Document:
    made = tuple(Cluster(str(i), tuple(Mention.at(m, m + 1) for m in c)) for i, c in enumerate(clusters))
    return Document.of(id_, ("w",) * 15, ((0, 15),), made)


def codings(*annotators: Clusters) -> list[Coding]:
    return [coding(as_document(clusters)) for clusters in annotators]


def test_distances_are_passonneaus() -> None:
    a, b, c, d = (Mention.at(i, i + 1) for i in range(4))
    assert chain_distance(frozenset([a, b]), frozenset([b, a])) == 0
    assert chain_distance(frozenset([a]), frozenset([a, b])) == pytest.approx(1 / 3)
    assert chain_distance(frozenset([a, b]), frozenset([b, c])) == pytest.approx(2 / 3)
    assert chain_distance(frozenset([a, b]), frozenset([c, d])) == 1


def test_alpha_worked_by_hand() -> None:
    # Mentions 0–3; {0 1 2}{3} and {0 1}{2 3}. Seen: 0, 1 and 3 are ⅓ apart, 2 is ⅔: 5/12 on average.
    # Expected, of the 56 ordered pairs of eight values A = {012}×3, B = {3}, C = {01}×2, D = {23}×2:
    # AB 3·1, AC 6·⅓, AD 6·⅔, BC 2·1, BD 2·⅓, CD 4·1, twice: (3 + 2 + 4 + 2 + 2/3 + 4)·2 = 94/3.
    found = disagreement(codings([[0, 1, 2], [3]], [[0, 1], [2, 3]]))
    assert found.values == 8
    assert found.observed == pytest.approx(5 / 12)
    assert found.expected == pytest.approx(94 / 3 / 56)
    assert alpha_of([found]) == pytest.approx(float(1 - Fraction(5, 12) / Fraction(94, 168)))


def slow_alpha(annotators: list[Coding]) -> float | None:
    """Krippendorff's definition, written out: every pair of values."""
    mentions = {mention for found in annotators for mention in found}
    rows = [[found[mention] for found in annotators if mention in found] for mention in mentions]
    rows = [row for row in rows if len(row) > 1]
    values = [chain for row in rows for chain in row]
    total = len(values)
    if total < 2:
        return None
    seen = sum(chain_distance(a, b) / (len(row) - 1) for row in rows for a, b in permutations(row, 2)) / total
    chance = sum(chain_distance(a, b) for a, b in permutations(values, 2)) / (total * (total - 1))
    return 1 - seen / chance if chance else None


@given(st.lists(partitions(), min_size=2, max_size=4))
def test_alpha_is_what_the_definition_says(annotators: list[Clusters]) -> None:
    found, expected = alpha_of([disagreement(codings(*annotators))]), slow_alpha(codings(*annotators))
    if expected is None:
        assert isnan(found)
    else:
        assert found == pytest.approx(expected, abs=1e-12)


@given(partitions(), st.integers(2, 4))
def test_full_agreement_is_one(clusters: Clusters, annotators: int) -> None:
    found = alpha_of([disagreement(codings(*[clusters] * annotators))])
    assert isnan(found) if len(clusters) < 2 else found == 1


def test_a_mention_without_characters_has_the_one_behind_it() -> None:
    mentions = tuple(Mention.at(word, word + 1) for word in range(3))
    blank = Document.of("d", ["Ann", "\u00a0", "she"], [(0, 3)], [Cluster("1", mentions)])
    moved = document_in_characters(blank).clusters[0].mentions
    assert [mention.spans for mention in moved] == [((0, 3),), ((3, 4),), ((3, 6),)]


def test_annotators_without_a_common_mention_say_nothing_of_chains() -> None:
    found = disagreement(codings([[0, 1]], [[2, 3]]))
    assert (found.values, found.observed, found.expected) == (0, 0, 0)


def test_mentions_that_one_annotator_marked_say_nothing_of_chains() -> None:
    found = disagreement(codings([[0, 1], [2, 3]], [[0, 1], [4, 5]]))
    assert found.values == 4
    assert found.observed == 0


def test_cut_to_common_leaves_only_links_to_differ() -> None:
    annotators = codings([[0, 1, 2], [3, 4]], [[0, 1], [3, 4, 5]])
    assert disagreement(annotators).observed > 0
    assert disagreement(cut_to_common(annotators)).observed == 0


def test_singletons_can_be_left_out() -> None:
    document = as_document([[0, 1], [2]])
    assert len(coding(document)) == 3
    assert len(coding(document, Protocol(singletons="drop"))) == 2


def measured(*annotators: list[Document]) -> Agreement:
    corpora = [DocumentCorpus(found) for found in annotators]
    return agreement(corpora, [f"a{i}" for i in range(len(corpora))])


def test_pairs_and_mean() -> None:
    found = measured(ONE, TWO, THREE)
    assert list(found.pairs) == list(combinations(("a0", "a1", "a2"), 2))
    for name, value in found.mean.items():
        assert value == pytest.approx(sum(scores[name] for scores in found.pairs.values()) / 3)
    assert found.pairs["a0", "a1"]["muc"] == score(DocumentCorpus(ONE), DocumentCorpus(TWO)).muc.f1
    assert 0 < found.alpha < found.alpha_common <= 1


def test_nobody_is_the_key() -> None:
    there, back = measured(ONE, THREE), measured(THREE, ONE)
    assert list(there.pairs["a0", "a1"].values()) == pytest.approx(list(back.pairs["a0", "a1"].values()))
    assert there.alpha == pytest.approx(back.alpha)


def test_repeats_do_not_break_the_symmetry() -> None:
    twice = [replace(d, clusters=(*d.clusters, Cluster("x", d.clusters[0].mentions))) for d in ONE]
    there, back = measured(twice, TWO), measured(TWO, twice)
    assert there.pairs["a0", "a1"] == pytest.approx(back.pairs["a0", "a1"])
    assert any("repeated mentions" in notice for notice in there.notices)


def test_documents_that_not_all_have_are_left_out_and_named() -> None:
    found = measured(ONE, TWO[1:])
    assert found.documents == [document.id for document in KEY[1:]]
    assert "a0: 5 of 6 documents" in found.notices[0]
    assert found.pairs == measured(ONE[1:], TWO[1:]).pairs


def test_nothing_in_common_is_refused() -> None:
    with pytest.raises(FormatError, match="no document in common"):
        measured(ONE[:2], TWO[2:])
    with pytest.raises(FormatError, match="two or more annotators"):
        measured(ONE)


def test_one_annotator_may_count_characters() -> None:
    def running(document: Document) -> Document:
        starts = [0]
        for word in document.words:
            starts.append(starts[-1] + len(word) + 1)

        def moved(mention: Mention) -> Mention:
            return Mention.at(starts[mention.start], starts[mention.end] - 1)

        clusters = tuple(Cluster(c.id, tuple(map(moved, c.mentions))) for c in document.clusters)
        return cut_text(document.id, " ".join(document.words), clusters)

    found, expected = measured(ONE, list(map(running, TWO))), measured(ONE, TWO)
    assert found.pairs == expected.pairs
    assert found.alpha == pytest.approx(expected.alpha)
