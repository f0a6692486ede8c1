"""Merging against plain statements of its rules, on random annotators."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.curation.cases import ENTITY, MENTION, Decision
from referee.curation.merging import MAJORITY, TRUSTED, UNION, Merged, Rule, merge
from referee.curation.texts import Sides
from referee.model import Cluster, Document, Mention
from strategies import Clusters, partitions

WORDS = 12
Entity = frozenset[int]
Spans = list[list[tuple[int, int]]]
NAMES = [f"a{number}" for number in range(20)]


def document(clusters: Clusters) -> Document:
    made = [Cluster(str(i), tuple(Mention.at(m, m + 1) for m in sorted(c))) for i, c in enumerate(clusters)]
    return Document.of("d", ["w"] * WORDS, [(0, WORDS)], made)


def sides(*annotators: Clusters) -> Sides:
    return Sides(document([]), dict(zip(NAMES, map(document, annotators), strict=False)))


def entities(merged: Merged) -> set[Entity]:
    return {frozenset(m.start for m in cluster.mentions) for cluster in merged.document.clusters}


def questions(merged: Merged, kind: str) -> set[Entity]:
    return {
        frozenset(mention.start for part in case.parts for mention in part)
        for case in merged.cases
        if case.kind == kind
    }


def joined(mentions: set[int], links: set[tuple[int, int]]) -> set[Entity]:
    """Join what is linked, over others too."""
    groups = [{mention} for mention in sorted(mentions)]
    for one, other in links:
        first = next(group for group in groups if one in group)
        second = next(group for group in groups if other in group)
        if first is not second:
            first |= second
            groups.remove(second)
    return {frozenset(group) for group in groups}


def links_of(clusters: Clusters) -> set[tuple[int, int]]:
    return {pair for cluster in clusters for pair in combinations(sorted(cluster), 2)}


def marked(clusters: Clusters) -> set[int]:
    return {mention for cluster in clusters for mention in cluster}


def by_majority(annotators: list[Clusters]) -> tuple[set[Entity], set[Entity], set[Entity]]:
    """What is merged, which mentions are undecided, and which groups are."""
    every = {mention for clusters in annotators for mention in marked(clusters)}
    count = {mention: sum(mention in marked(clusters) for clusters in annotators) for mention in every}
    kept = {mention for mention in every if 2 * count[mention] > len(annotators)}
    tied = {mention for mention in every if 2 * count[mention] == len(annotators)}
    yes: dict[tuple[int, int], int] = {}
    no: dict[tuple[int, int], int] = {}
    for one, other in combinations(sorted(kept | tied), 2):
        voters = [clusters for clusters in annotators if {one, other} <= marked(clusters)]
        yes[one, other] = sum((one, other) in links_of(clusters) for clusters in voters)
        no[one, other] = len(voters) - yes[one, other]
    holding = {pair for pair in yes if yes[pair] > no[pair]}
    perhaps = {pair for pair in yes if yes[pair] >= no[pair] and yes[pair]}
    open_groups = {
        group
        for group in joined(kept | tied, perhaps)
        if any(no[pair] >= yes[pair] and no[pair] for pair in combinations(sorted(group), 2))
    }
    merged = {group & kept for group in joined(kept | tied, holding)} - {frozenset()}
    return merged, {frozenset([mention]) for mention in tied}, open_groups


several = st.lists(partitions(), min_size=2, max_size=5)


@given(several)
def test_the_majority_decides_and_the_rest_is_listed(annotators: list[Clusters]) -> None:
    made = merge(sides(*annotators), Rule(MAJORITY))
    merged, mentions, groups = by_majority(annotators)
    assert entities(made) == merged
    assert questions(made, MENTION) == mentions
    assert questions(made, ENTITY) == groups


@given(several)
def test_a_union_has_every_mention_and_every_link(annotators: list[Clusters]) -> None:
    made = merge(sides(*annotators), Rule(UNION))
    every = {mention for clusters in annotators for mention in marked(clusters)}
    links = {link for clusters in annotators for link in links_of(clusters)}
    assert entities(made) == joined(every, links)
    assert not made.cases


@given(several, st.data())
def test_a_trusted_annotator_is_followed(annotators: list[Clusters], data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(annotators) - 1))
    made = merge(sides(*annotators), Rule(TRUSTED, NAMES[number]))
    assert entities(made) == {frozenset(cluster) for cluster in annotators[number]}
    assert not made.cases


@given(several, st.data())
def test_a_trusted_annotator_decides_what_the_majority_leaves(
    annotators: list[Clusters], data: st.DataObject
) -> None:
    number = data.draw(st.integers(0, len(annotators) - 1))
    alone = merge(sides(*annotators), Rule(MAJORITY))
    made = merge(sides(*annotators), Rule(MAJORITY, NAMES[number]))
    assert not questions(made, MENTION)
    for mention in questions(alone, MENTION):
        assert any(mention <= entity for entity in entities(made)) == (mention <= marked(annotators[number]))
    for group in questions(made, ENTITY):
        assert not group <= marked(annotators[number])


@given(partitions(), st.integers(2, 20))
def test_those_who_agree_are_merged_to_what_each_said(clusters: Clusters, count: int) -> None:
    for rule in (Rule(MAJORITY), Rule(UNION), Rule(TRUSTED, "a1")):
        made = merge(sides(*[clusters] * count), rule)
        assert entities(made) == {frozenset(cluster) for cluster in clusters}
        assert not made.cases


def spans() -> st.SearchStrategy[Spans]:
    """Entities of distinct spans of up to three words."""
    span = st.tuples(st.integers(0, 5), st.integers(1, 3)).map(lambda each: (each[0], sum(each)))
    labelled = st.dictionaries(span, st.integers(0, 3), max_size=8)

    def by_label(found: dict[tuple[int, int], int]) -> Spans:
        return [[span for span, label in found.items() if label == each] for each in {*found.values()}]

    return labelled.map(by_label)


def of_spans(found: Spans) -> Document:
    made = [Cluster(str(i), tuple(sorted(Mention.at(*s) for s in some))) for i, some in enumerate(found)]
    return Document.of("d", ["w"] * WORDS, [(0, WORDS)], made)


@given(st.lists(spans(), min_size=2, max_size=4), st.randoms(use_true_random=False))
def test_the_order_of_annotators_changes_nothing(found: list[Spans], random: object) -> None:
    by = dict(zip(NAMES, map(of_spans, found), strict=False))
    order = [*by]
    random.shuffle(order)  # type: ignore[attr-defined]
    for rule in (Rule(MAJORITY), Rule(UNION)):
        one, other = (
            merge(Sides(document([]), {name: by[name] for name in names}), rule) for names in (by, order)
        )
        assert one.document == other.document
        assert [(c.kind, c.parts, dict(c.answers)) for c in one.cases] == [
            (c.kind, c.parts, dict(c.answers)) for c in other.cases
        ]


@given(st.lists(spans(), min_size=2, max_size=4))
def test_each_mention_becomes_one_mention(found: list[Spans]) -> None:
    made = merge(Sides(document([]), dict(zip(NAMES, map(of_spans, found), strict=False))), Rule(UNION))
    own = [mention for each in made.markings for mention in {*each.candidate.by.values()}]
    assert len(own) == len({*own})
    assert {*own} == {Mention.at(*span) for some in found for cluster in some for span in cluster}
    merged = [mention for cluster in made.document.clusters for mention in cluster.mentions]
    assert len(merged) == len({*merged}) == len(made.markings)


@given(several)
def test_what_is_decided_is_not_asked_again(annotators: list[Clusters]) -> None:
    given_ = sides(*annotators)
    made = merge(given_, Rule(MAJORITY))
    decisions = [
        Decision(case.kind, "d", case.parts, "yes" if case.kind == MENTION else _first_apart(case.parts))
        for case in made.cases
    ]
    again = merge(given_, Rule(MAJORITY), decisions)
    assert not again.cases
    for case in made.cases:
        if case.kind == ENTITY:
            first, *others = [{mention.start for mention in part} for part in case.parts]
            assert any(
                first <= entity and not any(entity & other for other in others) for entity in entities(again)
            )


def _first_apart(parts: tuple[tuple[Mention, ...], ...]) -> str:
    """Answer that the first part is one entity, and all others are another."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: len(parts)]
    return f"{letters[0]} | {' '.join(letters[1:])}"


def test_an_annotators_name_is_an_answer() -> None:
    given_ = sides([[0, 1, 2]], [[0], [1], [2]])
    (case,) = merge(given_, Rule(MAJORITY)).cases
    assert dict(case.answers) == {"a0": "A B C", "a1": "A | B | C"}
    assert entities(merge(given_, Rule(MAJORITY))) == {frozenset([n]) for n in range(3)}
    for name, expected in (("a0", {frozenset([0, 1, 2])}), ("a1", {frozenset([n]) for n in range(3)})):
        made = merge(given_, Rule(MAJORITY), [Decision(ENTITY, "d", case.parts, name)])
        assert entities(made) == expected
        assert not made.cases


def test_votes_that_contradict_each_other_are_a_case() -> None:
    made = merge(sides([[0, 1, 2]], [[0, 1], [2]], [[1, 2], [0]]), Rule(MAJORITY))
    (case,) = made.cases
    assert case.kind == ENTITY
    assert dict(case.answers) == {"a0": "A B C", "a1": "A B | C", "a2": "A | B C"}
    assert case.meanwhile == "A B C"


def test_who_lacks_a_mention_has_no_opinion_about_its_links() -> None:
    made = merge(sides([[0, 1]], [[0, 1]], [[0]]), Rule(MAJORITY))
    assert entities(made) == {frozenset([0, 1])}
    assert not made.cases


@pytest.mark.parametrize(("count", "kept"), [(1, False), (2, None), (3, True)])
def test_more_than_half_keep_a_mention(count: int, kept: bool | None) -> None:
    made = merge(sides(*[[[0]]] * count, *[[]] * (4 - count)), Rule(MAJORITY))
    assert entities(made) == ({frozenset([0])} if kept else set())
    assert len(made.cases) == (kept is None)


def test_words_are_those_that_most_chose() -> None:
    long, short = of_spans([[(0, 3)]]), of_spans([[(0, 2)]])
    made = merge(Sides(document([]), {"a": short, "b": long, "c": short}), Rule(MAJORITY))
    assert made.document.mentions == [Mention.at(0, 2)]
    assert not made.cases


def test_words_that_equally_many_chose_are_asked_for() -> None:
    long, short = of_spans([[(0, 3)]]), of_spans([[(0, 2)]])
    given_ = Sides(document([]), {"a": short, "b": long})
    made = merge(given_, Rule(MAJORITY))
    assert made.document.mentions == [Mention.at(0, 3)]
    (case,) = made.cases
    assert dict(case.answers) == {"a": "B", "b": "A"}
    for answer in ("B", "b ", "a"):
        decided = merge(given_, Rule(MAJORITY), [Decision(case.kind, "d", case.parts, answer.strip())])
        expected = Mention.at(0, 3) if answer == "b " else Mention.at(0, 2)
        assert decided.document.mentions == [expected], answer


def test_an_annotator_with_two_mentions_keeps_them_apart() -> None:
    by = {"a": of_spans([[(0, 1)], [(0, 3)]]), "b": of_spans([[(0, 2)]])}
    made = merge(Sides(document([]), by), Rule(UNION))
    assert len(made.document.mentions) == 3


def typed(kind: str, id_: str) -> Document:
    mention = Mention(((0, 1),), head=0, type=kind)
    return Document.of("d", ["w"] * WORDS, [(0, WORDS)], [Cluster(id_, (mention,), kind)])


def test_types_and_names_are_those_of_most_or_of_the_trusted_one() -> None:
    by = {"a": typed("person", "7"), "b": typed("place", "9"), "c": typed("place", "9")}
    most = merge(Sides(document([]), by), Rule(MAJORITY))
    (cluster,) = most.document.clusters
    assert (cluster.id, cluster.type, cluster.mentions[0].type) == ("9", "place", "place")
    assert not most.notices
    (cluster,) = merge(Sides(document([]), by), Rule(TRUSTED, "a")).document.clusters
    assert (cluster.id, cluster.type, cluster.mentions[0].type) == ("7", "person", "person")


def test_types_that_are_tied_are_said() -> None:
    made = merge(Sides(document([]), {"a": typed("place", "1"), "b": typed("person", "1")}), Rule(MAJORITY))
    assert made.document.clusters[0].type == "person"
    assert made.notices == (
        "d: 1 entity with as many votes for one type as for another; the first in the alphabet is taken",
    )
