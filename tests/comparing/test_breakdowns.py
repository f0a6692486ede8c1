"""Where systems differ: groups of documents, kinds of mentions, single documents."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee import score
from referee.comparing.breakdowns import by_label, by_length, by_stratum, extremes
from referee.comparing.significance import compare_results, holm
from referee.comparing.stratified_scores import stratify
from referee.comparing.verdicts import Plan
from referee.exceptions import ProtocolError
from referee.language.strata import (
    STRATIFICATIONS,
    distances,
    entity_sizes,
    entity_spans,
    mention_types,
)
from referee.matching.protocol import Protocol
from referee.model import Cluster, Document, DocumentCorpus, Mention, Zero, cut_text
from referee.scoring.result import Result
from referee.scoring.task import Task
from systems import documents, spoiled

KEY = documents(40)
QUICK = Plan(samples=300)
RESPONSES = [spoiled(KEY, 0.2, 1), spoiled(KEY, 0.05, 2), spoiled(KEY, 0.2, 3)]


def results() -> list[Result]:
    return [
        replace(score(DocumentCorpus(KEY), DocumentCorpus(response)), system=f"s{i}")
        for i, response in enumerate(RESPONSES)
    ]


def test_groups_score_as_their_documents_do() -> None:
    found = by_label(results(), [id_.split("_")[1] for id_ in (d.id for d in KEY)], "Genre", QUICK)
    assert found.sizes == {"bio": 20, "news": 20}
    bio = [row for row, document in enumerate(KEY) if "_bio_" in document.id]
    for system, result in enumerate(results()):
        assert found.comparisons["bio"].verdicts[system]["conll"].f1 == result.where(bio).conll


def test_lengths_fall_into_four_groups_in_order() -> None:
    found = by_length(results(), QUICK)
    assert list(found.sizes.values()) == [10, 10, 10, 10]
    names = list(found.comparisons)
    assert names[0].startswith("up to")
    assert names[-1].startswith("over")
    longest = [row for row, document in enumerate(KEY) if document.text.length > int(names[-1].split()[1])]
    assert found.comparisons[names[-1]].verdicts[0]["conll"].f1 == results()[0].where(longest).conll


def test_groups_of_lengths_are_named_by_the_lengths_in_them() -> None:
    made = [replace(result, lengths=[1 + row % 8 for row in range(40)]) for result in results()]
    found = by_length(made, QUICK)
    assert found.sizes == {"up to 2": 10, "3–4": 10, "5–6": 10, "over 6": 10}


def test_unknown_lengths_are_refused() -> None:
    with pytest.raises(ProtocolError, match="how long"):
        by_length([replace(result, lengths=()) for result in results()], QUICK)


def test_equal_lengths_are_one_group() -> None:
    alike = [replace(result, lengths=[7] * 40) for result in results()]
    assert by_length(alike, QUICK).sizes == {"up to 7": 40}


def test_every_test_of_a_breakdown_is_corrected_for() -> None:
    labels = [str(row % 4) for row in range(len(KEY))]
    found = by_label(results(), labels, "Group", QUICK)
    verdicts = [v["conll"] for comparison in found.comparisons.values() for v in comparison.verdicts[1:]]
    raw = np.array([[verdict.p] for verdict in verdicts], np.float64)
    assert [verdict.adjusted for verdict in verdicts] == holm(raw)[:, 0].tolist()
    assert all(not v.significant or (v.adjusted or 0) < 0.05 for v in verdicts)


def test_extremes_are_named_in_order() -> None:
    found = extremes(results(), 3)
    mine = [change for change in found if change.system == "s2"]
    assert len(mine) == 6
    assert [change.gain for change in mine] == sorted((change.gain for change in mine), reverse=True)
    base, own = (result.by(result.units) for result in (results()[0], results()[2]))
    gains = {unit: own[unit].conll - base[unit].conll for unit in base}
    assert mine[0].unit == max(gains, key=lambda unit: gains[unit])
    assert mine[-1].unit == min(gains, key=lambda unit: gains[unit])
    assert mine[0].gain == pytest.approx(max(gains.values()))


def test_no_extremes_unless_asked_for() -> None:
    assert extremes(results(), 0) == []


def test_kinds_by_size_and_distance() -> None:
    a, b, c = Mention.at(0, 1), Mention.at(5, 6), Mention.at(300, 301)
    document = Document.of(
        "d", ("w",) * 400, (), (Cluster("0", (c, a, b)), Cluster("1", (Mention.at(9, 10),)))
    )
    assert entity_sizes(document) == {a: "3–5", b: "3–5", c: "3–5", Mention.at(9, 10): "1"}
    steps = {a: "first mention", b: "up to 10 words", c: "over 200 words", Mention.at(9, 10): "first mention"}
    assert distances(document) == steps


@pytest.mark.parametrize(
    ("words", "distance", "span"),
    [
        (10, "up to 10 words", "up to 50 words"),
        (11, "11–50 words", "up to 50 words"),
        (50, "11–50 words", "up to 50 words"),
        (51, "51–200 words", "51–200 words"),
        (200, "51–200 words", "51–200 words"),
        (201, "over 200 words", "201–500 words"),
        (500, "over 200 words", "201–500 words"),
        (501, "over 200 words", "over 500 words"),
    ],
)
def test_borders_of_distances_and_spans(words: int, distance: str, span: str) -> None:
    first, last = Mention.at(3, 5), Mention.at(3 + words, 4 + words)
    document = Document.of("d", ("w",) * 600, (), (Cluster("0", (last, first)),))
    assert distances(document) == {first: "first mention", last: distance}
    assert entity_spans(document) == {first: span, last: span}


@pytest.mark.parametrize(
    ("count", "size"),
    [(1, "1"), (2, "2"), (3, "3–5"), (5, "3–5"), (6, "6–10"), (10, "6–10"), (11, "over 10")],
)
def test_borders_of_sizes(count: int, size: str) -> None:
    mentions = tuple(Mention.at(i, i + 1) for i in range(count))
    document = Document.of("d", ("w",) * 20, (), (Cluster("0", mentions),))
    assert set(entity_sizes(document).values()) == {size}


def test_kinds_by_type() -> None:
    mentions = tuple(Mention.at(i, i + 1) for i in range(3))
    document = Document.of(
        "d", ("It", "Bonn", "town"), (), (Cluster("0", mentions),), {"pos": ("PRP", "NNP", "NN")}
    )
    assert list(mention_types(document).values()) == ["pronoun", "name", "noun"]
    with pytest.raises(ProtocolError, match="no parts of speech"):
        mention_types(document.with_text(layers={}))


def test_distances_in_a_running_text_count_its_words() -> None:
    ann, she = Mention.at(0, 3), Mention.at(10, 13)
    document = cut_text("d", "Ann left. She slept.", [Cluster("0", (ann, she))])
    assert list(distances(document).values()) == ["first mention", "up to 10 words"]


def test_distances_and_spans_count_a_zero_from_where_it_is() -> None:
    """Zeros are the last words of a document, wherever they are in its text."""
    man, dropped, late = Mention.at(1, 2), Mention.at(300, 301), Mention.at(301, 302)
    clusters = (Cluster("0", (man, late)), Cluster("1", (Mention.at(20, 21), dropped)))
    document = Document.of("d", ("w",) * 302, ((0, 300),), clusters)
    document = document.with_text(zeros=(Zero(5), Zero(40)))
    assert distances(document)[dropped] == "first mention"
    assert distances(document)[Mention.at(20, 21)] == "11–50 words"
    assert distances(document)[late] == "11–50 words"
    assert entity_spans(document)[man] == "up to 50 words"


def test_kinds_are_compared_in_their_order() -> None:
    by = STRATIFICATIONS["entity-size"]
    corpora = [DocumentCorpus(response) for response in RESPONSES]
    strata = stratify(Task.of(DocumentCorpus(KEY), corpora, protocol=Protocol()), by)
    found = by_stratum(strata, by.title, QUICK)
    assert list(found.comparisons) == [name for name in by.order if name in found.comparisons]
    assert found.sizes["2"] == 80
    big = found.comparisons["6–10"]
    again = compare_results([system["6–10"] for system in strata], QUICK)
    assert [v["b_cubed"].p for v in big.verdicts] == [v["b_cubed"].p for v in again.verdicts]


def test_a_kind_that_one_system_lacks_scores_nothing() -> None:
    by = STRATIFICATIONS["entity-size"]
    corpora = [DocumentCorpus(KEY), DocumentCorpus([replace(d, clusters=d.clusters[:1]) for d in KEY])]
    strata = stratify(Task.of(DocumentCorpus(KEY), corpora, protocol=Protocol()), by)
    found = by_stratum(strata, by.title, QUICK)
    assert found.comparisons["6–10"].verdicts[1]["b_cubed"].f1 == 0
