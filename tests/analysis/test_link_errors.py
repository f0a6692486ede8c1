"""Link errors: the paper's example, the counts that MUC must agree with, and a brute-force oracle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import referee
from referee.analysis.antecedents import read_antecedents
from referee.analysis.link_errors import SIDES, TREES, LinkError
from referee.analysis.shared_errors import common_errors, recovered, with_boundaries
from referee.exceptions import FormatError, RefereeError
from referee.language.mention_types import Described, describe
from referee.matching.protocol import Protocol
from referee.model import Cluster, Document, DocumentCorpus, Mention, cut_text
from studies import analyse

LENGTH = 12
TAGS = ("NNP", "VBZ", "PRP", "VBZ", "DT", "NN", "CC", "PRP$", "NN", "DT", "NNS", "NNP")
WORDS = ("Obama", "says", "he", "is", "the", "president", "and", "his", "term", "this", "days", "Ohio")
OBAMA, HE, PRESIDENT, HIS = Mention.at(0, 1), Mention.at(2, 3), Mention.at(4, 6), Mention.at(7, 8)
SPURIOUS = Mention.at(8, 9), Mention.at(10, 11)

Clusters = list[list[Mention]]


def document(clusters: Sequence[Sequence[Mention]], id_: str = "d") -> Document:
    named = tuple(Cluster(str(number), tuple(mentions)) for number, mentions in enumerate(clusters))
    return Document.of(id_, WORDS, ((0, LENGTH),), named, {"pos": TAGS})


def corpus(*clusters: Sequence[Sequence[Mention]]) -> DocumentCorpus:
    return DocumentCorpus([document(each, f"d{number}") for number, each in enumerate(clusters)])


def texts(errors: Sequence[LinkError]) -> list[tuple[str, str]]:
    return [(error.anaphor.text, error.antecedent.text) for error in errors]


@pytest.mark.parametrize(
    ("tree", "error"),
    [("distance", ("the president", "he")), ("accessibility", ("the president", "Obama"))],
)
def test_obama_example_of_sections_2_and_3(tree: str, error: tuple[str, str]) -> None:
    key = corpus([[OBAMA, HE, PRESIDENT, HIS]])
    response = corpus([[OBAMA, HE], [PRESIDENT, HIS, SPURIOUS[0]], [SPURIOUS[1]]])
    study = analyse(key, [response], spanning_tree=tree)
    assert texts(study.systems[0].recall) == [error]
    assert len(study.maximum) == 3
    assert texts(study.systems[0].precision) == [
        ("term", "the president" if tree == "accessibility" else "his")
    ]


def test_an_error_says_all_about_itself() -> None:
    key = corpus([], [SPURIOUS, [OBAMA, HE, PRESIDENT, HIS]])
    response = corpus([], [[OBAMA, HE], [PRESIDENT, HIS], SPURIOUS])
    (error,) = analyse(key, [response], names=["mine"]).systems[0].recall
    assert (error.document, error.side, error.system, error.entity) == ("d1", "recall", "mine", 1)
    assert error.types == ("noun", "name")
    assert error.anaphor.head_word == "president"


mentions = st.builds(
    lambda start, size: Mention.at(start, min(start + size, LENGTH)),
    st.integers(0, LENGTH - 1), st.integers(1, 3),
)  # fmt: skip
# Mentions recur within and between clusters: the reference scorer has rules for that, and so have we.
with_repeats = st.lists(st.lists(mentions, min_size=1, max_size=6), max_size=4)
without_repeats = st.lists(st.tuples(mentions, st.integers(0, 3)), max_size=14, unique_by=lambda m: m[0]).map(
    lambda pairs: [[m for m, n in pairs if n == number] for number in sorted({n for _, n in pairs})]
)


def first_of_all(entity: Sequence[Described]) -> list[int]:
    return [0] * (len(entity) - 1)


@pytest.mark.parametrize("tree", [*TREES.values(), first_of_all])
@pytest.mark.parametrize("singletons", ["keep", "drop"])
@given(
    keys=st.lists(with_repeats, min_size=3, max_size=3),
    responses=st.lists(with_repeats, min_size=3, max_size=3),
)
def test_errors_are_what_muc_misses(tree, singletons, keys, responses) -> None:  # type: ignore[no-untyped-def]
    key, response, protocol = corpus(*keys), corpus(*responses), Protocol(singletons=singletons)
    counts = referee.score(key, response, metric=["muc"], protocol=protocol).muc.counts
    study = analyse(key, [response], spanning_tree=tree, protocol=protocol)
    (system,) = study.systems
    assert len(system.recall) == counts["recall_denominator"] - counts["recall_numerator"]
    assert len(system.precision) == counts["precision_denominator"] - counts["precision_numerator"]
    assert len(study.maximum) == counts["recall_denominator"]
    assert sum(system.decisions.values()) == counts["precision_denominator"]


@given(with_repeats, with_repeats)
def test_errors_of_each_unit_are_what_muc_misses_there(key: Clusters, response: Clusters) -> None:
    result = referee.score(corpus(key, response), corpus(response, key), metric=["muc"])
    (system,) = analyse(corpus(key, response), [corpus(response, key)]).systems
    for side, (numerator, denominator) in zip(SIDES, ((0, 1), (2, 3)), strict=True):
        found = Counter(error.document for error in system.errors(side))
        for unit, counts in zip(result.units, result.counts["muc"], strict=True):
            assert found[unit] == counts[denominator] - counts[numerator]


@pytest.mark.parametrize("singletons", ["keep", "drop"])
@given(
    keys=st.lists(with_repeats, min_size=2, max_size=3),
    responses=st.lists(with_repeats, min_size=2, max_size=3),
)
def test_errors_across_documents_are_what_muc_misses(singletons, keys, responses) -> None:  # type: ignore[no-untyped-def]
    keys, responses = keys[: len(responses)], responses[: len(keys)]
    key, response = (
        DocumentCorpus(corpus(*side).documents, cross_document=True) for side in (keys, responses)
    )  # clusters of one number are one entity
    protocol = Protocol(scope="corpus", singletons=singletons)
    counts = referee.score(key, response, metric=["muc"], protocol=protocol).muc.counts
    (system,) = analyse(key, [response], protocol=protocol).systems
    assert len(system.recall) == counts["recall_denominator"] - counts["recall_numerator"]
    assert len(system.precision) == counts["precision_denominator"] - counts["precision_numerator"]


def test_mentions_are_ordered_by_document_then_position() -> None:
    key = DocumentCorpus(corpus([[PRESIDENT]], [[OBAMA, HE]]).documents, cross_document=True)
    response = DocumentCorpus(corpus([], []).documents, cross_document=True)
    study = analyse(key, [response], protocol=Protocol(scope="corpus"))
    assert study.units == ["corpus"]
    links = [(e.anaphor.text, e.document, e.antecedent.text, e.antecedent.document_id) for e in study.maximum]
    assert links == [("Obama", "d1", "the president", "d0"), ("he", "d1", "Obama", "d1")]


def oracle(entities: Clusters, others: Clusters, tree: str) -> set[tuple[Mention, Mention]]:
    """Follow §2 and §3.1 to the letter, with sets of links."""
    kept = {frozenset(pair) for other in others for pair in combinations(other, 2)}
    errors = set()
    for entity in map(sorted, entities):
        for place, anaphor in enumerate(entity):
            before = entity[:place]
            if not before or any(frozenset((anaphor, other)) in kept for other in before):
                continue
            described = {m: kind(m) for m in entity}
            antecedent = before[-1]
            if tree == "accessibility" and described[anaphor] != "pronoun":
                for wanted in ("noun", "name"):
                    antecedent = next((m for m in reversed(before) if described[m] == wanted), antecedent)
            errors.add((anaphor, antecedent))
    return errors


def kind(mention: Mention) -> str:
    (described,) = describe(document([]), [mention])
    return "pronoun" if described.type == "demonstrative" else described.type


@pytest.mark.parametrize("tree", TREES)
@given(key=without_repeats, response=without_repeats)
def test_errors_are_those_of_the_definition(tree: str, key: Clusters, response: Clusters) -> None:
    (system,) = analyse(corpus(key), [corpus(response)], spanning_tree=tree).systems
    recall = {(error.anaphor.mention, error.antecedent.mention) for error in system.recall}
    precision = {(error.anaphor.mention, error.antecedent.mention) for error in system.precision}
    assert recall == oracle(key, response, tree)
    assert precision == oracle(response, key, tree)


@given(with_repeats, st.lists(with_repeats, min_size=1, max_size=3))
def test_shared_and_unique_errors_add_up(key: Clusters, responses: list[Clusters]) -> None:
    study = analyse(corpus(key), [corpus(each) for each in responses], names=list("abc"[: len(responses)]))
    for side in SIDES:
        shared = study.shared[side]
        for system in study.systems:
            assert sum(len(found) for names, found in shared.items() if system.name in names) == len(
                system.errors(side)
            )
        links = [Counter(error.link for error in system.errors(side)) for system in study.systems]
        every, common = Counter[object](), links[0]
        for each in links:
            every |= each
            common &= each
        assert sum(map(len, shared.values())) == every.total()
        assert Counter(error.link for error in common_errors(study, side)) == common


@given(without_repeats, without_repeats, without_repeats)
def test_a_recovered_link_is_in_one_cluster_of_the_other_system(
    a: Clusters, b: Clusters, c: Clusters
) -> None:
    study = analyse(corpus(a), [corpus(b), corpus(c)], names=["b", "c"])
    missed = study.systems[0].recall
    together = {frozenset(pair) for cluster in c for pair in combinations(cluster, 2)}
    expected = [e for e in missed if frozenset((e.anaphor.mention, e.antecedent.mention)) in together]
    assert recovered(study, missed, study.systems[1]) == expected
    spans = [{mention for cluster in side for mention in cluster} for side in (b, c)]
    found = [e for e in missed if any({e.anaphor.mention, e.antecedent.mention} <= side for side in spans)]
    assert with_boundaries(study, missed, study.systems) == found


def test_precision_errors_from_a_systems_own_antecedents() -> None:
    key = corpus([[OBAMA, HE], [PRESIDENT, HIS]])
    response = corpus([[OBAMA, HE, PRESIDENT, HIS]])
    own = {("d0", HE): OBAMA, ("d0", PRESIDENT): OBAMA, ("d0", HIS): HE}
    study = analyse(key, [response], antecedents=[own])
    (system,) = study.systems
    assert texts(system.precision) == [("the president", "Obama"), ("his", "he")]
    assert system.precision_from == "antecedents"
    assert sum(system.decisions.values()) == 3
    (by_tree,) = analyse(key, [response]).systems
    assert len(by_tree.precision) == 1  # his has a right antecedent, which a tree prefers
    assert by_tree.precision_from == "accessibility"


def test_a_decision_between_two_spurious_mentions_is_wrong() -> None:
    key = corpus([[OBAMA, HE]], [[OBAMA, HE]])
    response = corpus([[OBAMA, HE]], [[OBAMA, HE], [*SPURIOUS, HIS]])
    own = {("d1", SPURIOUS[1]): SPURIOUS[0], ("d1", SPURIOUS[0]): HIS, ("d1", HE): OBAMA}
    (system,) = analyse(key, response, antecedents=[own]).systems
    assert texts(system.precision) == [("term", "his"), ("days", "term")]
    assert {error.document for error in system.precision} == {"d1"}
    assert sum(system.decisions.values()) == 3


def test_a_decision_counts_in_its_own_document_only() -> None:
    key = corpus([[OBAMA, HE]], [[OBAMA], [HE]])
    response = corpus([[OBAMA, HE]], [[OBAMA, HE]])
    for document, wrong in (("d0", 0), ("d1", 1)):
        (system,) = analyse(key, response, antecedents=[{(document, HE): OBAMA}]).systems
        assert len(system.precision) == wrong
        assert [error.entity for error in system.precision] == [0] * wrong


def test_right_decisions_are_typed_by_the_same_tree_as_wrong_ones() -> None:
    same = corpus([[OBAMA, HE, PRESIDENT, HIS]])
    by_tree = {tree: analyse(same, [same], spanning_tree=tree).systems[0].decisions for tree in TREES}
    assert by_tree["distance"][("noun", "pronoun")] == 1
    assert by_tree["accessibility"] == Counter([("pronoun", "name"), ("noun", "name"), ("pronoun", "noun")])


def test_decisions_that_the_entities_do_not_bear_out_are_left_out_and_counted() -> None:
    key = corpus([[OBAMA, HE]])
    own = {("d0", HE): OBAMA, ("d0", HIS): OBAMA, ("elsewhere", HE): OBAMA}
    study = analyse(key, [corpus([[OBAMA, HE], [HIS]])], antecedents=[own])
    assert study.systems[0].precision == ()
    assert any("2 of 3 antecedent decisions" in notice for notice in study.notices)


def test_antecedents_are_read_from_lines_of_three_columns(tmp_path: Path) -> None:
    lines = "(nw/x); part 000\t(4, 5)\t(0, 0)\n\n(nw/x); part 001\t(7, 7)\t(2, 2)\n"
    (tmp_path / "own.antecedents").write_text(lines)
    assert read_antecedents(tmp_path / "own.antecedents") == {
        ("(nw/x); part 000", PRESIDENT): OBAMA,
        ("(nw/x); part 001", HIS): HE,
    }


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("d (1, 2) (0, 0)", "1 column,"),
        ("d\t(1, 2)\tfoo", "'foo' is not a mention"),
        ("d\t(2, 1)\t(0, 0)", "is not a mention"),
        ("d\t(4, 5)\t(1, 1)", "another antecedent already"),
    ],
)
def test_bad_antecedents_are_named_by_line(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "bad"
    path.write_text(f"d\t(4, 5)\t(0, 0)\n{line}\n", encoding="utf-8")
    with pytest.raises(FormatError, match=f":2: .*{message.replace('(', '.')}"):
        read_antecedents(path)


@pytest.mark.parametrize(
    ("tree", "message"),
    [(lambda _: [], "one for each mention"), (lambda entity: range(1, len(entity)), "must be one of 0")],
)
def test_a_tree_that_is_none_is_refused(tree, message) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(RefereeError, match=message):
        analyse(corpus([[OBAMA, HE, HIS]]), [corpus([])], spanning_tree=tree)


def test_unknown_tree() -> None:
    with pytest.raises(RefereeError, match="no tree 'nearest'; choose from accessibility, distance"):
        analyse(corpus([[OBAMA, HE]]), [corpus([])], spanning_tree="nearest")


def test_a_category_of_ones_own() -> None:
    key = corpus([[OBAMA, HE, PRESIDENT, HIS]])
    study = analyse(
        key, [corpus([])], mention_type=lambda mention: "long" if len(mention.words) > 1 else "short"
    )
    assert Counter(error.types for error in study.maximum) == Counter(
        [("short", "short"), ("long", "short"), ("short", "long")]
    )


def test_discontinuous_mentions_are_told_from_plain_ones() -> None:
    split = Mention(((0, 1), (4, 6)))
    key = corpus([[HE, split, Mention.at(0, 6)]])
    (system,) = analyse(key, [corpus([[HE, Mention.at(0, 6)]])]).systems
    (error,) = system.recall
    assert (error.anaphor.mention, error.antecedent.mention) == (Mention.at(0, 6), split)
    assert error.antecedent.text == "Obama the president"


def test_discontinuous_mentions_with_the_same_edges_are_told_apart_on_either_side() -> None:
    one, other = Mention(((0, 1), (4, 6))), Mention(((0, 2), (5, 6)))
    key, response = corpus([[HE, HIS]], [[HE, HIS, one]]), corpus([[HE, HIS]], [[HIS, HE, one, other, OBAMA]])
    study = analyse(key, response, spanning_tree="distance")
    assert [each.mention for each in study.mentions] == [HE, HIS, one, HE, HIS]
    shown = [each.mention for each in study.systems[0].mentions]
    assert shown == [HE, HIS, *sorted([OBAMA, one, other], key=lambda m: (m.start, m.end, m != one)), HE, HIS]
    assert [m.text for m in study.systems[0].mentions[2:5]] == [
        " ".join(w for a, b in m.spans for w in WORDS[a:b]) for m in shown[2:5]
    ]


def test_a_response_longer_than_the_key_is_noticed() -> None:
    longer = document([[HE, Mention.at(13, 14)]], "d0").with_text(words=(*WORDS, "more", "words"))
    study = analyse(corpus([[OBAMA, HE]]), [DocumentCorpus([longer])])
    assert any("positions may not correspond" in notice for notice in study.notices)
    assert study.systems[0].mentions[1].type == "untyped"


def test_tokens_and_characters_are_compared_in_characters() -> None:
    key = corpus([[OBAMA, HE]])
    running = cut_text("d0", " ".join(WORDS), [Cluster("0", (Mention.at(0, 5), Mention.at(14, 17)))])
    study = analyse(key, [DocumentCorpus([running]), corpus([[OBAMA, HE]])], names=["text", "tokens"])
    text, tokens = study.systems
    assert [(error.anaphor.text, error.antecedent.text) for error in text.recall] == [("he", "Obama")]
    assert not tokens.recall
    assert [mention.type for mention in study.mentions] == ["name", "pronoun"]  # told in the key's words
