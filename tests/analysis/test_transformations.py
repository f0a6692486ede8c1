"""Transformation classes: each on a small example, and all together on any partitions."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import referee
from referee.analysis.transformation_rules import (
    CONFLATED,
    DIVIDED,
    EXTRA_ENTITY,
    EXTRA_MENTION,
    MISSING_ENTITY,
    MISSING_MENTION,
    SPAN,
)
from referee.analysis.transformations import CLASSES, corrected, gains, score_corrected, transformations
from referee.model import Cluster, Document, DocumentCorpus, Mention
from studies import analyse

LENGTH = 30


def corpus(clusters: list[list[Mention]], tags: dict[int, str] | None = None) -> DocumentCorpus:
    named = tuple(Cluster(str(number), tuple(mentions)) for number, mentions in enumerate(clusters))
    layers = {"pos": tuple((tags or {}).get(token, "DT") for token in range(LENGTH))} if tags else {}
    return DocumentCorpus([Document.of("d", tuple("w" * LENGTH), ((0, LENGTH),), named, layers)])


def at(*starts: int) -> list[Mention]:
    return [Mention.at(start, start + 1) for start in starts]


def kinds(
    key: list[list[Mention]], response: list[list[Mention]], tags: dict[int, str] | None = None
) -> Counter[str]:
    study = analyse(corpus(key, tags), [corpus(response, tags)])
    return Counter(step.kind for step in transformations(study, study.systems[0]))


@pytest.mark.parametrize(
    ("response", "found"),
    [
        ([at(0, 2, 4), at(6, 8)], {}),
        ([at(0, 2, 4, 6, 8)], {CONFLATED: 1}),
        ([at(0), at(2), at(4), at(6, 8)], {DIVIDED: 2}),
        ([at(0, 2, 4, 10), at(6, 8)], {EXTRA_MENTION: 1}),
        ([at(0, 2, 4), at(6, 8), at(10, 12)], {EXTRA_ENTITY: 1}),
        ([at(0, 2, 4)], {MISSING_ENTITY: 1}),
        ([at(0, 2), at(6, 8)], {MISSING_MENTION: 1}),
        ([[*at(0, 2), Mention.at(3, 5)], at(6, 8)], {SPAN: 1}),
        ([at(0, 2, 6), at(4, 8)], {CONFLATED: 2, DIVIDED: 2}),
        ([], {MISSING_ENTITY: 2}),
    ],
)  # fmt: skip
def test_each_class(response: list[list[Mention]], found: dict[str, int]) -> None:
    assert kinds([at(0, 2, 4), at(6, 8)], response) == found


def test_spans_are_paired_by_their_heads() -> None:
    key = [[Mention.at(0, 2), Mention.at(5, 6)]]
    same_head = [[Mention.at(0, 4), Mention.at(5, 6)]]
    assert kinds(key, same_head, {1: "NN", 2: "IN", 3: "NN"}) == {SPAN: 1}
    assert kinds(key, same_head, {1: "DT", 3: "NN"}) == {EXTRA_MENTION: 1, MISSING_MENTION: 1}


def test_a_head_that_three_mentions_share_pairs_none() -> None:
    key = [[Mention.at(0, 2), Mention.at(1, 2), Mention.at(5, 6)]]
    response = [[Mention.at(0, 4), Mention.at(5, 6)]]
    assert SPAN not in kinds(key, response, {1: "NN", 2: "IN", 3: "NN"})


def test_of_two_parts_of_one_size_the_first_is_the_entity() -> None:
    def moved(key: list[list[Mention]], response: list[list[Mention]]) -> list[list[Mention]]:
        study = analyse(corpus(key), corpus(response))
        return [[m.mention for m in step.mentions] for step in transformations(study, study.systems[0])]

    assert moved([at(0, 2, 4, 6)], [at(0, 2), at(4, 6)]) == [at(4, 6)]
    assert moved([at(0, 2, 4, 6)], [at(4, 6), at(0, 2)]) == [at(0, 2)]  # the first in the file
    assert moved([at(0, 2), at(4, 6)], [at(0, 2, 4, 6)]) == [at(4, 6)]
    assert moved([at(4, 6), at(0, 2)], [at(0, 2, 4, 6)]) == [at(0, 2)]


def test_steps_beyond_the_first_document() -> None:
    def two(*clusters: list[list[Mention]]) -> DocumentCorpus:
        return DocumentCorpus(
            [corpus(each).documents[0].with_text(id=f"d{number}") for number, each in enumerate(clusters)]
        )

    key = two([at(0, 2)], [at(8, 10), at(0, 2, 4)])
    response = two([at(0, 2)], [at(8, 10), at(0, 2), at(4, 6), at(12, 14)])
    study = analyse(key, response)
    steps = transformations(study, study.systems[0])
    assert {step.document for step in steps} == {"d1"}
    assert [(step.kind, step.key_entity, step.response_entity) for step in steps] == [
        (EXTRA_MENTION, -1, 2),
        (EXTRA_ENTITY, -1, 3),
        (DIVIDED, 1, 2),
    ]
    assert [m.mention for step in steps for m in step.mentions] == [*at(6), *at(12, 14), *at(4)]


mentions = st.builds(
    lambda start, size: Mention.at(start, min(start + size, LENGTH)),
    st.integers(0, LENGTH - 1), st.integers(1, 3),
)  # fmt: skip
partitions = st.lists(st.lists(mentions, min_size=1, max_size=6), max_size=5)
distinct = st.lists(st.tuples(mentions, st.integers(0, 4)), max_size=20, unique_by=lambda pair: pair[0]).map(
    lambda pairs: [[m for m, n in pairs if n == number] for number in {n for _, n in pairs}]
)


def entities(labels: np.ndarray[tuple[int], np.dtype[np.int64]]) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(labels == label).tolist()) for label in set(labels.tolist()) - {-1}}


@given(partitions, partitions, st.booleans())
def test_all_classes_in_order_turn_the_response_into_the_key(
    key: list[list[Mention]], response: list[list[Mention]], tagged: bool
) -> None:
    tags = {token: ("NN", "IN")[token % 2] for token in range(LENGTH)} if tagged else None
    study = analyse(corpus(key, tags), [corpus(response, tags)])
    alignment = study.merged[study.systems[0].name]
    labels, moved = corrected(alignment)
    assert entities(labels) == entities(alignment.key)
    assert not moved.any()


def slowly_corrected(key: list[set[int]], response: list[set[int]], kind: str) -> set[frozenset[int]]:
    """Correct one class with sets of mentions."""
    known, there = set().union(*key), set().union(*response)

    def largest(entity: set[int], others: list[set[int]]) -> set[int]:
        return max(others, key=lambda other: len(entity & other), default=set())

    if kind == CONFLATED:
        split: list[set[int]] = []
        for entity in response:
            pieces = [entity & part for part in key if entity & part] or [set()]
            max(pieces, key=len).update(entity - known)
            split += pieces
        return {frozenset(piece) for piece in split}
    if kind == EXTRA_MENTION:
        return {frozenset(e & known if e & known else e) for e in response}
    if kind == EXTRA_ENTITY:
        return {frozenset(e) for e in response if e & known}
    if kind == MISSING_ENTITY:
        return {frozenset(e) for e in (*response, *(lost for lost in key if not lost & there))}
    if kind == MISSING_MENTION:
        added = [set(entity) for entity in response]
        for entity in key:
            if entity & there:
                main = largest(entity, response)
                added[response.index(main)] |= entity - there
        return {frozenset(entity) for entity in added}
    merged = [set(entity) for entity in response]
    for entity in key:
        touched = [part for part in merged if part & entity]
        merged = [part for part in merged if not part & entity] + ([set().union(*touched)] if touched else [])
    return {frozenset(entity) for entity in merged}


@pytest.mark.parametrize("kind", [kind for kind in CLASSES if kind != SPAN])
@given(key=distinct, response=distinct)
def test_one_class_is_corrected_and_no_other(
    kind: str, key: list[list[Mention]], response: list[list[Mention]]
) -> None:
    study = analyse(corpus(key), corpus(response))
    merged = study.merged[study.systems[0].name]
    sides = [
        [
            {i for i in range(labels.size) if labels[i] == label}
            for label in sorted(set(labels.tolist()) - {-1})
        ]
        for labels in (merged.key, merged.response)
    ]
    labels, moved = corrected(merged, {kind})
    assert entities(labels) == slowly_corrected(sides[0], sides[1], kind)
    assert moved.tolist() == merged.moved.tolist()


@given(distinct, distinct)
def test_no_correction_is_the_plain_score_and_all_are_the_best_one(
    key: list[list[Mention]], response: list[list[Mention]]
) -> None:
    study = analyse(corpus(key), [corpus(response)])
    plain = score_corrected(study, study.systems[0])
    assert plain.scores == referee.score(corpus(key), corpus(response)).scores
    best = score_corrected(study, study.systems[0], CLASSES)
    assert best.scores == referee.score(corpus(key), corpus(key)).scores


@given(distinct, distinct)
def test_a_class_without_errors_gains_nothing(
    key: list[list[Mention]], response: list[list[Mention]]
) -> None:
    study = analyse(corpus(key), [corpus(response)])
    (system,) = study.systems
    found = {step.kind for step in transformations(study, system)}
    results = gains(study, system)
    for kind in set(CLASSES) - found:
        assert results[kind].scores == results[""].scores
