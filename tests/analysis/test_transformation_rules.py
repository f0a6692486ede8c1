"""The rules behind the classes of steps: each switch on a small text, and what the authors' tool counts."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.analysis.study import Study
from referee.analysis.transformation_rules import (
    CONFLATED,
    DIVIDED,
    EXTRA_ENTITY,
    EXTRA_MENTION,
    KUMMERFELD_KLEIN,
    MISSING_ENTITY,
    MISSING_MENTION,
    REFEREE,
    SPAN,
    TransformationRules,
    is_pronoun,
    named_classes,
)
from referee.analysis.transformations import count_transformations, gains, transformations
from referee.exceptions import RefereeError
from referee.language.mention_types import Described
from referee.model import Cluster, Document, DocumentCorpus, Mention
from studies import analyse

WORDS = (
    "Ann",
    "saw",
    "Bob",
    "when",
    "she",
    "met",
    "him",
    "and",
    "the",
    "girl",
    "told",
    "him",
    "it",
    "again",
    "today",
)
TAGS = ("NNP", "VBD", "NNP", "WRB", "PRP", "VBD", "PRP", "CC", "DT", "NN", "VBD", "PRP", "PRP", "RB", "NN")
ANN, BOB, SHE, HIM, GIRL, HIM2, IT, TODAY = (
    Mention.at(*span) for span in ((0, 1), (2, 3), (4, 5), (6, 7), (8, 10), (11, 12), (12, 13), (14, 15))
)
Clusters = list[list[Mention]]


def corpus(*documents: Clusters) -> DocumentCorpus:
    return DocumentCorpus(
        [
            Document.of(
                f"d{number}",
                WORDS,
                ((0, len(WORDS)),),
                [Cluster(str(i), tuple(mentions)) for i, mentions in enumerate(clusters)],
                {"pos": TAGS},
            )
            for number, clusters in enumerate(documents)
        ]
    )


def steps(key: Clusters, response: Clusters, rules: TransformationRules) -> dict[str, int]:
    study = analyse(corpus(key), corpus(response), classes=rules)
    counts = Counter(step.kind for step in transformations(study, study.systems[0]))
    assert {kind: n for kind, n in count_transformations(study, study.systems[0]).items() if n} == counts
    return dict(counts)


FIRST = TransformationRules("first", first_is_entity=True)


@pytest.mark.parametrize(
    ("key", "response", "by_size", "by_first"),
    [
        # The first mention is alone, and the larger part is what is split off, or merged in.
        ([[ANN, SHE, GIRL]], [[ANN], [SHE, GIRL]], {DIVIDED: 1}, {DIVIDED: 1}),
        ([[ANN, SHE, GIRL], [BOB, HIM]], [[ANN, BOB, HIM, SHE, GIRL]], {CONFLATED: 1}, {CONFLATED: 1}),
        # Just the first mention is missing, or extra: it is not counted, and each other part is.
        ([[ANN, SHE, GIRL]], [[SHE, GIRL]], {MISSING_MENTION: 1}, {DIVIDED: 1}),
        ([[SHE, GIRL]], [[ANN, SHE, GIRL]], {EXTRA_MENTION: 1}, {CONFLATED: 1}),
        # The first mention that is no pronoun leads: here 'the girl', after 'she'.
        ([[SHE, GIRL, TODAY]], [[SHE, TODAY], [GIRL]], {DIVIDED: 1}, {DIVIDED: 1}),
        ([[SHE, GIRL, TODAY]], [[SHE, TODAY]], {MISSING_MENTION: 1}, {DIVIDED: 1}),
        # Pronouns alone: the first of them leads.
        ([[SHE, HIM, IT]], [[HIM, IT]], {MISSING_MENTION: 1}, {DIVIDED: 1}),
        ([[SHE, HIM, IT]], [[SHE, HIM]], {MISSING_MENTION: 1}, {MISSING_MENTION: 1}),
        # Later mentions are missing or extra as ever.
        ([[ANN, SHE, GIRL]], [[ANN, SHE]], {MISSING_MENTION: 1}, {MISSING_MENTION: 1}),
        ([[ANN, SHE]], [[ANN, SHE, GIRL]], {EXTRA_MENTION: 1}, {EXTRA_MENTION: 1}),
    ],
)  # fmt: skip
def test_which_part_is_the_entity(
    key: Clusters, response: Clusters, by_size: dict[str, int], by_first: dict[str, int]
) -> None:
    assert steps(key, response, REFEREE) == by_size
    assert steps(key, response, FIRST) == by_first


def test_the_part_with_the_first_mention_stays() -> None:
    key, response = [[ANN, SHE, GIRL]], [[ANN], [SHE, GIRL]]
    for rules, moved in ((REFEREE, [ANN]), (FIRST, [SHE, GIRL])):
        study = analyse(corpus(key), corpus(response), classes=rules)
        (step,) = transformations(study, study.systems[0])
        assert [each.mention for each in step.mentions] == moved


PRONOUNS = TransformationRules("pronouns", pronouns_prove_nothing=True)
EXTRA, MISSING = {EXTRA_MENTION: 1}, {MISSING_MENTION: 1}
BOTH_ENTITIES = {MISSING_ENTITY: 1, EXTRA_ENTITY: 1}


@pytest.mark.parametrize(
    ("key", "response", "counted", "not_counted"),
    [
        # Of an entity there is nothing but a pronoun, and two mentions are missing, or extra.
        ([[ANN, SHE, GIRL]], [[SHE, HIM2]], EXTRA | {MISSING_MENTION: 2}, EXTRA | {MISSING_ENTITY: 1}),
        ([[SHE, HIM2]], [[ANN, SHE, GIRL]], MISSING | {EXTRA_MENTION: 2}, MISSING | {EXTRA_ENTITY: 1}),
        # One missing or extra mention is no entity.
        ([[ANN, SHE]], [[SHE, HIM]], EXTRA | MISSING, EXTRA | MISSING),
        # A mention that is no pronoun proves the entity.
        ([[ANN, SHE, GIRL]], [[ANN, HIM2]], EXTRA | {MISSING_MENTION: 2}, EXTRA | {MISSING_MENTION: 2}),
        ([[ANN, SHE]], [[BOB, HIM]], BOTH_ENTITIES, BOTH_ENTITIES),
    ],
)  # fmt: skip
def test_whether_a_pronoun_proves_an_entity(
    key: Clusters, response: Clusters, counted: dict[str, int], not_counted: dict[str, int]
) -> None:
    assert steps(key, response, REFEREE) == counted
    assert steps(key, response, PRONOUNS) == not_counted


def test_which_spans_are_the_same() -> None:
    spans = TransformationRules("spans", spans_of_constituents=True)
    key, response = [[ANN, GIRL]], [[ANN, Mention.at(9, 10)]]
    assert steps(key, response, REFEREE) == steps(key, response, spans) == {SPAN: 1}
    words = [*WORDS]
    words[10] = ","
    sides = (corpus(each).documents[0].with_text(words=tuple(words)) for each in (
        [[ANN, Mention.at(8, 10)]], [[ANN, Mention.at(9, 11)]]
    ))  # fmt: skip
    study = analyse(*(DocumentCorpus([each.with_text(layers={})]) for each in sides), classes=spans)
    assert count_transformations(study, study.systems[0])[SPAN] == 1  # neither begin nor end together


def test_whether_response_singletons_count() -> None:
    drop = TransformationRules("drop", drop_singletons=True)
    key, response = [[ANN, SHE], [BOB, HIM]], [[ANN, SHE], [BOB], [IT]]
    assert steps(key, response, REFEREE) == {EXTRA_ENTITY: 1, MISSING_MENTION: 1}
    assert steps(key, response, drop) == {MISSING_ENTITY: 1}


def test_the_presets() -> None:
    switches = [field.name for field in fields(TransformationRules) if field.name != "name"]
    assert not any(getattr(REFEREE, name) for name in switches)
    assert all(getattr(KUMMERFELD_KLEIN, name) for name in switches)
    assert named_classes("kummerfeld-klein") is KUMMERFELD_KLEIN
    with pytest.raises(RefereeError, match="no classes='kummerfeld'; did you mean kummerfeld-klein"):
        named_classes("kummerfeld")
    with pytest.raises(RefereeError, match="choose from referee, kummerfeld-klein"):
        named_classes("x")


@pytest.mark.parametrize(
    ("word", "tag", "pronoun"),
    [("she", "PRP", True), ("That", "IN", True), ("this", "DT", True), ("who", "WP", True),
     ("one", "CD", True), ("dog", "NN", False), ("here", "RB", False), ("where", "WRB", True)],
)  # fmt: skip
def test_what_is_a_pronoun(word: str, tag: str, pronoun: bool) -> None:
    document = Document.of("d", (word, "x"), ((0, 2),), (), {"pos": (tag, "NN")})
    assert is_pronoun(Described("d", Mention.at(0, 1), document=document)) is pronoun
    assert not is_pronoun(Described("d", Mention.at(0, 2), document=document))
    assert not is_pronoun(Described("d", Mention.at(0, 1)))


MENTIONS = (ANN, BOB, SHE, HIM, GIRL, HIM2, IT, TODAY)
partitions = st.lists(st.integers(-1, 3), min_size=len(MENTIONS), max_size=len(MENTIONS))


def clusters(labels: list[int]) -> Clusters:
    named = {label: [m for m, own in zip(MENTIONS, labels, strict=True) if own == label] for label in labels}
    return [mentions for label, mentions in sorted(named.items()) if label >= 0]


def slow_counts(key: Clusters, response: Clusters) -> Counter[str]:
    """Follow the tool step by step, with sets: split, remove, introduce and merge, then sort into classes."""
    pronouns = {SHE, HIM, HIM2, IT}
    response = [entity for entity in response if len(entity) > 1]
    ours, theirs = {m for e in key for m in e}, {m for e in response for m in e}
    counts: Counter[str] = Counter()
    for entities, others, there, kinds in (
        (response, key, ours, (CONFLATED, EXTRA_MENTION, EXTRA_ENTITY)),
        (key, response, theirs, (DIVIDED, MISSING_MENTION, MISSING_ENTITY)),
    ):
        for entity in entities:
            leader = min(entity, key=lambda m: (m in pronouns, m))
            parts = [set(entity) & set(other) for other in others if set(entity) & set(other)]
            absent = [m for m in entity if m not in there]
            unproven = all(m in pronouns for m in entity if m in there) and len(absent) > 1
            counts[kinds[0]] += sum(leader not in part for part in parts)
            counts[kinds[1]] += 0 if unproven else sum(m != leader for m in absent)
            counts[kinds[2]] += unproven
    return +counts


@given(partitions, partitions, partitions, partitions)
def test_counts_are_those_of_the_tools_procedure(
    a: list[int], b: list[int], c: list[int], d: list[int]
) -> None:
    key, response = [clusters(a), clusters(b)], [clusters(c), clusters(d)]
    rules = replace(KUMMERFELD_KLEIN, spans_of_constituents=False)
    study = analyse(corpus(*key), corpus(*response), classes=rules)
    alone = sum((slow_counts(*pair) for pair in zip(key, response, strict=True)), Counter[str]())
    counts = count_transformations(study, study.systems[0])
    assert counts[SPAN] == 0  # no two of these mentions have a head in common
    assert {kind: count for kind, count in counts.items() if count} == alone


def test_corrections_are_scored_by_our_own_rules() -> None:
    study: Study = analyse(corpus([[ANN, SHE]]), corpus([[ANN, HIM]]), classes="kummerfeld-klein")
    with pytest.raises(RefereeError, match="classes='referee'"):
        gains(study, study.systems[0])
