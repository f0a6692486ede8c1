"""Matching by minimum spans, heads and MIN: one pairing, one to one, the best by preference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import referee
from referee import Cluster, Document, Mention, Protocol, ProtocolError, score
from referee.arrays import IntArray
from referee.language.trees.phrase_trees import Trees
from referee.language.trees.treebank import read_penn
from referee.matching.matchings import (
    FROM_TREES,
    MATCHINGS,
    _Mentions,
    annotated,
    exact,
    head,
    mina,
    mina_of_coval,
)
from referee.model import Chains, Span

Spans = list[Span]
Pairs = set[tuple[Span, Span]]
LENGTH = 12
spans = st.tuples(st.integers(0, LENGTH - 1), st.integers(1, 5)).map(lambda s: (s[0], min(sum(s), LENGTH)))
mentions = st.lists(spans, max_size=7)


def chains(*clusters: Sequence[Span | Mention], length: int = LENGTH) -> Chains:
    made = [[m if isinstance(m, Mention) else Mention.at(*m) for m in cluster] for cluster in clusters]
    found = tuple(Cluster(str(i), tuple(cluster)) for i, cluster in enumerate(made))
    return Chains.of([Document.of("d", ("w",) * length, ((0, length),), found)])


def pairs(numbers: tuple[IntArray, IntArray], key: Spans, response: Spans) -> Pairs:
    """Read the pairing off the numbers."""
    return {
        (k, r)
        for k, a in zip(key, numbers[0].tolist(), strict=True)
        for r, b in zip(response, numbers[1].tolist(), strict=True)
        if a == b
    }


def preferred(key: Spans, response: Spans, identity: dict[tuple[int, int], int]) -> Pairs:
    """Pair by the rules, one pair at a time: same span, largest overlap, fewest tokens over, order."""
    left, right, found = sorted(set(key)), sorted(set(response)), Pairs()

    def cost(
        k: tuple[int, int], r: tuple[int, int]
    ) -> tuple[bool, int, int, tuple[int, int], tuple[int, int]]:
        ours, theirs = set(range(*k)), set(range(*r))
        return k != r, -len(ours & theirs), len(ours ^ theirs), k, r

    while options := [(k, r) for k in left for r in right if identity[k] == identity[r]]:
        k, r = min(options, key=lambda pair: cost(*pair))
        found.add((k, r))
        left.remove(k)
        right.remove(r)
    return found


@given(mentions, mentions, st.lists(st.integers(0, 3), min_size=LENGTH * 6, max_size=LENGTH * 6))
def test_competing_mentions_are_paired_one_to_one_by_preference(
    key: Spans, response: Spans, groups: list[int]
) -> None:
    identity = {span: groups[span[0] * 6 + span[1] - span[0]] for span in {*key, *response}}
    found = _Mentions.of(chains(key), chains(response))
    one_sided = np.flatnonzero(found.in_key != found.in_response)
    codes = np.array([identity[found.spans(row)[0]] for row in one_sided.tolist()], np.int64)
    numbers = found.paired(one_sided, codes)
    assert pairs(numbers, key, response) == preferred(key, response, identity)


@given(mentions, mentions)
def test_repeated_mentions_keep_one_number_and_others_their_own(key: Spans, response: Spans) -> None:
    trees = read_penn([b"(S " + b" ".join([b"(NP (NN w))"] * LENGTH) + b")"])
    for matching in (mina, head):
        for side, spans in zip(matching(chains(key), chains(response), trees), (key, response), strict=True):
            numbers = dict(zip(spans, side.tolist(), strict=True))
            assert len(set(numbers.values())) == len(numbers)
            assert [numbers[span] for span in spans] == side.tolist()


@given(mentions, mentions)
def test_what_matches_exactly_matches_always(key: Spans, response: Spans) -> None:
    trees = read_penn([b"(S " + b" ".join([b"(NP (NN w))"] * LENGTH) + b")"])
    same = {(k, r) for k, r in pairs(exact(chains(key), chains(response)), key, response)}
    for matching in MATCHINGS.values():
        assert same <= pairs(matching.number(chains(key), chains(response), trees), key, response)


# Example 1 of the paper under its gold tree (Figure 1), in one sentence with its second mention
PRESENCE = read_penn([
    b"(S (NP (DT This) (NNP News) (NNP Corp.)) (VP (VBZ has) (NP (DT an) (JJ extensive) (NN presence)) (, ,)"
    b" (ADVP (IN of) (NN course)) (PP (IN in) (NP (DT this) (NN country)))) (. .))"
    b"\n(S (NP (DT That) (NN presence)) (VP (MD may) (VP (VB be) (VP (VBG expanding)))) (. .))"
])  # fmt: skip


def test_example_1_is_the_same_mention_under_mina_and_head() -> None:
    gold, system, pronoun = (4, 7), (4, 13), (14, 16)
    for matching in (mina, head):
        numbers = matching(chains([gold, pronoun], length=20), chains([system, pronoun], length=20), PRESENCE)
        assert numbers[0].tolist() == numbers[1].tolist()
    assert exact(chains([gold]), chains([system]))[0] != exact(chains([gold]), chains([system]))[1]


def test_news_corp_is_not_the_presence() -> None:
    numbers = mina(chains([(4, 7)], length=20), chains([(0, 3)], length=20), PRESENCE)
    assert numbers[0].tolist() != numbers[1].tolist()


def test_of_two_competitors_the_larger_overlap_wins_then_the_tighter_then_the_first() -> None:
    def settled(key: Spans, response: Spans) -> Pairs:
        found = _Mentions.of(chains(key), chains(response))
        rows = np.flatnonzero(found.in_key != found.in_response)
        return pairs(found.paired(rows, np.zeros(rows.size, np.int64)), key, response)

    assert settled([(0, 4), (2, 9)], [(2, 8)]) == {((2, 9), (2, 8))}
    assert settled([(0, 10), (3, 9)], [(4, 8)]) == {((3, 9), (4, 8))}
    assert settled([(0, 4), (2, 6)], [(2, 4)]) == {((0, 4), (2, 4))}
    assert settled([(2, 4)], [(0, 4), (2, 6)]) == {((2, 4), (0, 4))}


def with_minimum(start: int, end: int, *minimum: tuple[int, int]) -> Mention:
    return Mention(((start, end),), minimum)


@pytest.mark.parametrize(
    ("response", "matches"),
    [
        ((2, 8), True),
        ((4, 5), True),
        ((3, 6), True),
        ((2, 5), True),
        ((2, 4), False),
        ((2, 9), False),
        ((1, 8), False),
    ],
)
def test_min_must_be_contained_and_the_maximum_not_left(response: tuple[int, int], matches: bool) -> None:
    numbers = annotated(chains([with_minimum(2, 8, (4, 5))]), chains([response]))
    assert (numbers[0] == numbers[1]).all() == matches


def test_a_mention_without_min_must_be_found_whole() -> None:
    numbers = annotated(chains([(2, 8), with_minimum(9, 11, (10, 11))]), chains([(2, 7), (10, 11)]))
    assert pairs(numbers, [(2, 8), (9, 11)], [(2, 7), (10, 11)]) == {((9, 11), (10, 11))}


def test_min_of_several_pieces_and_discontinuous_responses() -> None:
    key = chains([with_minimum(0, 9, (1, 2), (5, 6))])
    for response, matches in ((Mention(((1, 3), (5, 6))), True), (Mention(((1, 3), (6, 7))), False)):
        numbers = annotated(key, chains([response]))
        assert (numbers[0] == numbers[1]).all() == matches


@given(mentions, mentions)
def test_min_is_one_to_one(key: Spans, response: Spans) -> None:
    marked = [with_minimum(start, end, (start, start + 1)) for start, end in key]
    numbers = annotated(chains(list(marked)), chains(response))
    found = pairs(numbers, key, response)
    assert len({k for k, _ in found}) == len(found) == len({r for _, r in found})
    assert all(k[0] == r[0] and r[1] <= k[1] for k, r in found)


def test_discontinuous_mentions_keep_their_maximum_span() -> None:
    both = Mention(((4, 7), (9, 10)))
    alike = mina(chains([both], length=20), chains([both], length=20), PRESENCE)
    other = mina(chains([both], length=20), chains([(4, 7)], length=20), PRESENCE)
    assert alike[0] == alike[1]
    assert other[0] != other[1]


@pytest.mark.parametrize("match", FROM_TREES)
def test_without_trees_there_is_no_fall_back(match: str) -> None:
    with pytest.raises(ProtocolError, match=r"needs the key's (constituency|parse) trees"):
        MATCHINGS[match].number(chains([(0, 2)]), chains([(0, 2)]), None)
    with pytest.raises(ProtocolError, match="bare clusters can only be matched exactly"):
        score([["a"]], [["a"]], protocol=Protocol(match=match))


def test_a_tree_that_cannot_be_read_leaves_maximum_spans() -> None:
    bad: Trees = read_penn([b"(S (NP (DT the) (NN end)"], skip_bad=True)
    for matching in (mina, head):
        for key, response in permutations([(0, 2), (1, 2)], 2):
            numbers = matching(chains([key], length=2), chains([response], length=2), bad)
            assert numbers[0] != numbers[1]


class TestCoval:
    """Many to many, by runs of words: what figures published with coval were made with."""

    TREES = read_penn(
        [
            b"(S (NP (NP (DT the) (NN man)) (PP (IN of) (NP (DT the) (NN house))))"
            b" (VP (VBD saw) (NP (DT a) (ADJP (RB very) (JJ old)) (NN dog)) (NP (PRP it))))"
        ]
    )

    def numbers(self, key: Spans, response: Spans) -> Pairs:
        return pairs(mina_of_coval(chains(key), chains(response), self.TREES), key, response)

    def test_several_may_be_the_same(self) -> None:
        whole, cut, least = (0, 5), (0, 3), (0, 2)
        assert self.numbers([whole], [cut, least]) == {(whole, cut), (whole, least)}
        assert self.numbers([whole, least], [whole, cut]) == {
            (whole, whole), (whole, cut), (least, whole), (least, cut),
        }  # fmt: skip

    def test_a_run_of_words_is_a_terminal(self) -> None:
        assert self.numbers([(6, 10)], [(9, 10)]) == {((6, 10), (9, 10))}  # "dog"; MINA has "a … dog"

    def test_mentions_of_several_spans_are_compared_as_they_are(self) -> None:
        split, other = Mention(((0, 2), (9, 10))), Mention(((0, 2), (10, 11)))
        key, response = mina_of_coval(chains([split, (0, 2)]), chains([split, other]), self.TREES)
        assert key[0] == response[0]
        assert len({*key.tolist(), *response.tolist()}) == 3

    def test_it_needs_trees(self) -> None:
        with pytest.raises(ProtocolError, match=r"needs the key's (constituency|parse) trees"):
            mina_of_coval(chains([(0, 1)]), chains([(0, 1)]))

    def test_recall_and_precision_have_numerators_of_their_own(self) -> None:
        words = ("the", "man", "of", "the", "house", "saw", "a", "very", "old", "dog", "it")
        parse = ("(S(NP(NP*", "*)", "(PP*", "(NP*", "*)))", "(VP*", "(NP*", "(ADJP*", "*)", "*)", "(NP*)))")
        layers = {"parse": parse, "pos": ("DT", "NN", "IN", "DT", "NN", "VBD", "DT", "RB", "JJ", "NN", "PRP")}

        def document(
            *clusters: Spans, layers: Mapping[str, tuple[str, ...]] = MappingProxyType({})
        ) -> Document:
            made = [Cluster(str(i), tuple(Mention.at(*span) for span in c)) for i, c in enumerate(clusters)]
            return Document.of("d", words, ((0, 11),), tuple(made), layers=layers)

        key = document([(0, 5), (10, 11)], layers=layers)
        response = document([(0, 5), (0, 2), (10, 11)])
        scored = score([key], [response], protocol=Protocol(match="mina-coval"))
        assert (scored.muc.recall, scored.muc.precision) == (1, 1)  # both "the man" are found
        assert score([key], [response], protocol=Protocol(match="mina")).muc.precision == 0.5

    def test_documents_count_together_as_they_do_alone(self) -> None:
        """Also mentions far from the beginning of a text that is not the first."""
        sample = Path(referee.__file__).parent / "sample"
        key, response = (list(referee.read(sample / f"{name}.conll")) for name in ("key", "alpha"))
        together, *alone = (
            score(keys, responses, protocol=Protocol(match="mina-coval"))
            for keys, responses in [
                (key, response),
                *(([k], [r]) for k, r in zip(key, response, strict=True)),
            ]
        )
        sums = [sum(column) for column in zip(*(one.muc.counts.values() for one in alone), strict=True)]
        assert [*together.muc.counts.values()] == sums
        assert together.muc.f1 > score(key, response, protocol=Protocol(match="exact")).muc.f1 * 0.99


def test_a_mention_of_several_spans_is_none_of_the_plain_ones() -> None:
    split = Mention(((0, 1), (3, 4)))
    plain = [(0, end) for end in range(1, LENGTH + 1)]
    key, response = exact(chains(plain), chains([split]))
    assert response[0] not in key


def test_offsets_beyond_any_text_are_told_apart() -> None:
    """In 64 bits the product of start and number of ends would be the same for these two."""
    end = 2**33 - 1
    zero, one = np.zeros(1, np.int64), np.array([end])
    sides = [Chains(zero, np.array([start]), one, zero, zero, one) for start in (0, 2**31)]
    key, response = exact(sides[0], sides[1])
    assert key[0] != response[0]


def test_under_the_matching_of_coval_one_mention_may_be_the_same_as_several(tmp_path: Path) -> None:
    """Both key mentions have the minimum span "the end": the response finds both, and is wrong in none."""
    (tmp_path / "d.ptb").write_text(
        "(S (NP (NP (DT the) (NN end)) (PP (IN of) (NP (NN it)))))", encoding="utf-8"
    )
    words = ("the", "end", "of", "it")
    sides = [
        Document.of(
            "d", words, [(0, 4)], [Cluster(str(i), (Mention.at(*span),)) for i, span in enumerate(spans)]
        )
        for spans in ([(0, 2), (0, 4)], [(0, 4)])
    ]
    counts = {}
    for match in ("mina", "mina-coval"):
        result = score(
            sides[0], sides[1], protocol=Protocol(match=match), metric="b_cubed", parses=tmp_path / "d.ptb"
        )
        counts[match] = result.b_cubed.counts
    assert counts["mina"]["recall_numerator"] == 1
    assert counts["mina-coval"]["recall_numerator"] == 2
    assert counts["mina-coval"]["precision_numerator"] == 1


def test_under_the_matching_of_coval_mentions_with_gaps_keep_their_spans() -> None:
    """Two mentions of several spans, in different rows of both sides, are the same only if all spans are."""
    one, other = Mention(((4, 6), (9, 10))), Mention(((4, 5), (9, 10)))
    key = chains([(0, 1), (2, 3), one], length=20)
    response = chains([(0, 1), other, (2, 3), one], length=20)
    ours, theirs = mina_of_coval(key, response, PRESENCE)
    assert ours[2] == theirs[3]
    assert theirs[1] not in ours


def test_the_largest_overlap_comes_before_the_fewest_words_left_over() -> None:
    """Six words in common and two over, against five in common and one over."""
    mentions = _Mentions.of(chains([(2, 8)]), chains([(0, 8), (3, 8)]))
    key, response = mentions.paired(np.arange(3), np.zeros(3, np.int64))
    assert key[0] == response[0] != response[1]
