"""Units larger than a document: a score at any scope is the score of the clusters joined by hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from referee import (
    Cluster,
    Document,
    DocumentCorpus,
    FormatError,
    Mention,
    Protocol,
    ProtocolError,
    Scorer,
    score,
)
from referee.crossdoc.levels import link_split, mention_setting, score_levels
from referee.matching.aligned import Aligned
from referee.matching.units import read_groups, unit_labels
from referee.metrics.standard import METRICS
from referee.scoring.task import Task
from small_corpora import DOCUMENTS, Clusters, Place, corpus, crossing_clusters

SCOPES: dict[str, Callable[[str], str]] = {
    "document": lambda id_: id_,
    "subtopic": lambda id_: id_.rsplit("_", 1)[0],
    "topic": lambda id_: id_.split("_")[0],
    "corpus": lambda _: "corpus",
    "group": lambda id_: "even" if int(id_[-1]) % 2 == 0 else "odd",
}
GROUPS = {id_: SCOPES["group"](id_) for id_ in DOCUMENTS}


def cut(clusters: Clusters, scope: str, singletons: str = "keep") -> dict[str, list[list[Place]]]:
    """Join and cut clusters by hand: unit → its clusters."""
    units: dict[str, list[list[Place]]] = {SCOPES[scope](id_): [] for id_ in DOCUMENTS}
    for mentions in clusters.values():
        parts: defaultdict[str, list[Place]] = defaultdict(list)
        for mention in mentions:
            parts[SCOPES[scope](mention[0])].append(mention)
        for unit, part in parts.items():
            if singletons == "keep" or len(part) > 1:
                units[unit].append(part)
    return units


@pytest.mark.parametrize("singletons", ["keep", "drop"])
@pytest.mark.parametrize("scope", SCOPES)
@given(key=crossing_clusters(), response=crossing_clusters())
def test_a_unit_scores_as_its_clusters_joined_by_hand(
    scope: str, singletons: str, key: Clusters, response: Clusters
) -> None:
    protocol = Protocol(scope=scope, singletons=singletons)
    names = [name for name in METRICS if name != "detection"]
    sides = corpus(key, DOCUMENTS), corpus(response, DOCUMENTS)
    result = score(
        sides[0], sides[1], protocol=protocol, metric=names, scope=GROUPS if scope == "group" else scope
    )
    scorer = Scorer(metric=names)
    responses = cut(response, scope, singletons)
    for unit, clusters in cut(key, scope, singletons).items():
        scorer.update(clusters, responses[unit], name=unit)
    expected = scorer.compute()
    assert list(result.units) == list(expected.units)
    for name in names:
        np.testing.assert_allclose(result.counts[name], expected.counts[name], err_msg=name)


@given(key=crossing_clusters(), response=crossing_clusters())
def test_mention_detection_counts_singletons_that_linking_is_spared(
    key: Clusters, response: Clusters
) -> None:
    protocol = Protocol(scope="topic", singletons="drop")
    result = score(
        corpus(key, DOCUMENTS),
        corpus(response, DOCUMENTS),
        protocol=protocol,
        metric=("detection", "mentions"),
    )
    mine, theirs = ({m for mentions in side.values() for m in mentions} for side in (key, response))
    counts = result.detection.counts
    assert counts["recall_numerator"] == len(mine & theirs)
    assert (counts["recall_denominator"], counts["precision_denominator"]) == (len(mine), len(theirs))


@pytest.mark.parametrize("scope", SCOPES)
@given(key=crossing_clusters(), response=crossing_clusters())
def test_links_split_as_they_do_pair_by_pair(scope: str, key: Clusters, response: Clusters) -> None:
    def pairs(clusters: Clusters) -> set[tuple[Place, ...]]:
        parts = (part for unit in cut(clusters, scope).values() for part in unit)
        return {pair for part in parts for pair in combinations(sorted(part), 2)}

    sides = corpus(key, DOCUMENTS), corpus(response, DOCUMENTS)
    split = link_split(Aligned.of(*sides, Protocol(scope=scope), groups=GROUPS))
    for kind, within in (("within", True), ("across", False)):
        mine, theirs = (
            {pair for pair in pairs(side) if (pair[0][0] == pair[1][0]) is within} for side in (key, response)
        )
        counts = getattr(split, kind).counts
        assert counts["recall_numerator"] == counts["precision_numerator"] == len(mine & theirs)
        assert (counts["recall_denominator"], counts["precision_denominator"]) == (len(mine), len(theirs))
    assert sum(split.missed) == len(pairs(key) - pairs(response))
    assert sum(split.invented) == len(pairs(response) - pairs(key))


def test_the_scope_decides_what_a_singleton_is() -> None:
    clusters = {"a": [("1_ecb_1", 0), ("1_ecb_2", 0)]}
    key = corpus(clusters, DOCUMENTS)
    alone = score(key, key, protocol=Protocol(scope="document", singletons="drop"))
    together = score(key, key, protocol=Protocol(scope="topic", singletons="drop"), metric="mentions")
    assert alone.mentions.counts["recall_denominator"] == 0
    assert together.mentions.counts["recall_denominator"] == 2


def test_one_batch_or_many_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    key = corpus({"a": [(id_, 0) for id_ in DOCUMENTS]}, DOCUMENTS)
    response = corpus({"a": [(id_, 0) for id_ in DOCUMENTS[1:]]}, DOCUMENTS)
    whole = score(key, response, protocol=Protocol(scope="topic"))
    monkeypatch.setattr("referee.matching.aligned.BATCH", 1)
    parts = score(key, response, protocol=Protocol(scope="topic"))
    assert all((whole.counts[name] == parts.counts[name]).all() for name in whole.counts)


def test_a_key_within_documents_cannot_be_scored_across() -> None:
    across = corpus({"a": [("1_ecb_1", 0), ("1_ecb_2", 0)]}, DOCUMENTS)
    within = DocumentCorpus(across.documents, "plain.conll")
    with pytest.raises(ProtocolError, match=r"plain.conll: its clusters hold within a document"):
        score(within, across, protocol=Protocol(scope="corpus"))
    result = score(across, within, protocol=Protocol(scope="corpus"))
    assert result.muc.recall == 0
    assert any("no link crosses documents" in notice for notice in result.notices)


def test_documents_that_the_key_lacks_are_told() -> None:
    key = corpus({"a": [("1_ecb_1", 0), ("1_ecb_2", 0)]}, DOCUMENTS[:2])
    response = corpus({"a": [("1_ecb_1", 0), ("1_ecb_2", 0), ("2_ecb_4", 0)]}, DOCUMENTS)
    result = score(key, response, protocol=Protocol(scope="corpus"))
    assert result.conll == 1  # what the key does not know is left out
    assert any("3 documents that the key does not have" in notice for notice in result.notices)


def numbered(document: Document, numbers: range, *mentions: Mention) -> Document:
    words = tuple(f"w{i}" for i in numbers)
    layers = {"token": tuple(map(str, numbers))}
    text = replace(document.text, words=words, sentences=((0, len(words)),), layers=layers)
    return Document(text, (Cluster("a", mentions),))


def test_a_response_with_all_sentences_is_fitted_by_the_numbers_of_its_tokens() -> None:
    first, second = corpus({}, DOCUMENTS[:2]).documents
    key = [numbered(first, range(5, 9), Mention.at(0, 2)), numbered(second, range(1, 4), Mention.at(1, 2))]
    whole = [
        numbered(first, range(1, 12), Mention.at(4, 6), Mention.at(0, 1), Mention.at(7, 9)),
        numbered(second, range(1, 4), Mention.at(1, 2)),
    ]
    sides = [DocumentCorpus(side, name, cross_document=True) for side, name in ((key, "k"), (whole, "r"))]
    result = score(sides[0], sides[1], protocol=Protocol(scope="topic"))
    assert result.conll == 1
    assert result.notices == [
        "r: 1 document with words that the key lacks, fitted to it; "
        "2 mentions outside the key's sentences left out (first in 1_ecb_1)"
    ]


def test_topics_must_be_known() -> None:
    known = corpus({}, DOCUMENTS[:1])
    assert unit_labels(known, "subtopic") == ["1_ecb"]
    nowhere = DocumentCorpus([known.documents[0].with_text(topic=None)], "some.conll", cross_document=True)
    with pytest.raises(ProtocolError, match=r"some.conll: has no topic for document 1_ecb_1"):
        score(nowhere, nowhere, protocol=Protocol(scope="topic"))


def test_groups_are_read_from_json_both_ways_and_from_lines(tmp_path: Path) -> None:
    expected = {"a": "x", "b": "x", "c": "y"}
    for words in ('{"a": "x", "b": "x", "c": "y"}', '{"x": ["a", "b"], "y": ["c"]}', "a\tx\nb\tx\n\nc\ty\n"):
        path = tmp_path / "groups"
        path.write_text(words, encoding="utf-8")
        assert read_groups(str(path)) == expected


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ('{"x": ["a"], "y": ["a"]}', "document a is in two groups"),
        ("a x", "groups:1: expected a document, a tab and its group"),
        ('{"a": ', "groups: not JSON"),
    ],
)
def test_bad_groups_are_refused(tmp_path: Path, words: str, message: str) -> None:
    path = tmp_path / "groups"
    path.write_text(words, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        read_groups(str(path))


def test_groups_are_given_from_python_too() -> None:
    key = corpus({"a": [(DOCUMENTS[0], 0), (DOCUMENTS[1], 0)]}, DOCUMENTS)
    together = score(key, key, scope=dict.fromkeys(DOCUMENTS, "all"))
    assert together.muc.counts["recall_denominator"] == 1
    assert score(key, key, scope=GROUPS).muc.counts["recall_denominator"] == 0


def test_groups_must_hold_every_document() -> None:
    key = corpus({}, DOCUMENTS)
    with pytest.raises(ProtocolError, match="the groups lack 4 of 5 documents"):
        score(key, key, scope={DOCUMENTS[0]: "x"})


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        ([0, 1], [0, 1], "the same as the key's (2): gold mentions"),
        ([0, 1], [1], "a subset of the key's (1 of 2)"),
        ([0], [], "none"),
        ([0], [0, 1], "different from the key's: predicted mentions (1 of 2 are among its 1)"),
    ],
)
def test_the_report_says_whose_mentions_were_linked(
    key: list[int], response: list[int], expected: str
) -> None:
    sides = [corpus({"a": [(DOCUMENTS[0], token) for token in side]}, DOCUMENTS) for side in (key, response)]
    protocol = Protocol(scope="topic", singletons="drop")
    (level,) = score_levels(Task.of(*sides, protocol=protocol), ("muc",))
    assert level.mentions == mention_setting(level.result.detection) == expected
