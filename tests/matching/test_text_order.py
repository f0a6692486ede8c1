"""Zeros are the same in key and response if they are in the same position, whatever their numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import score
from referee.matching.aligned import Aligned
from referee.matching.protocol import Protocol
from referee.matching.text_order import TextOrder
from referee.model import Cluster, Document, DocumentCorpus, Mention, Text, Zero
from studies import analyse

WORDS = ("a", "b", "c", "d")


def document(zeros: list[Zero], *clusters: list[tuple[int, int]]) -> DocumentCorpus:
    """Make a corpus of one document: four words in two sentences, and zeros after them."""
    text = Text("d", (*WORDS, *["_"] * len(zeros)), ((0, 2), (2, 4)), zeros=tuple(zeros))
    made = [Cluster(str(i), tuple(Mention.at(*span) for span in own)) for i, own in enumerate(clusters)]
    return DocumentCorpus([Document(text, tuple(made))])


FIRST, LAST, NEXT = Zero(0, 1, 0), Zero(2, 1, 0), Zero(2, 1, 1)  # NEXT begins the second sentence


def test_a_zero_is_the_same_by_its_identity() -> None:
    key = document([NEXT], [(0, 1), (4, 5)])
    response = document([FIRST, LAST, NEXT], [(0, 1), (6, 7)])
    wrong = document([FIRST, LAST], [(0, 1), (4, 5)])  # the same number, another zero
    assert score(key, response).conll == 1
    assert score(key, wrong).muc.f1 == 0
    assert score(response, key).conll == 1


def test_a_zero_that_the_key_lacks_has_a_number_of_its_own() -> None:
    key = document([NEXT], [(0, 1), (4, 5)])
    response = document([FIRST, NEXT], [(0, 1), (4, 6)])
    aligned = Aligned.of(key, response, Protocol())
    batch = aligned.read(next(aligned.batches()))
    assert batch.response.parts.by_row() == {}
    assert (batch.response.start.tolist(), batch.response.end.tolist()) == ([0, 4], [1, 6])
    assert analyse(key, response).systems[0].name


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 1), st.integers(1, 30)), unique=True, max_size=8))
def test_numbers_follow_the_text(places: list[tuple[int, int, int]]) -> None:
    zeros = sorted((Zero(*(place[0], place[2], place[1])) for place in places), key=_position)
    lengths = np.array([4])
    order, other = TextOrder.pair((lengths, lengths), ([zeros], [zeros[::2]]))
    numbers = order.numbers(np.zeros(4 + len(zeros), np.int64), np.arange(4 + len(zeros))).tolist()
    positions = [(word + 1, -1, 0) for word in range(4)] + [_position(zero) for zero in zeros]
    assert sorted(range(len(numbers)), key=numbers.__getitem__) == sorted(
        range(len(positions)), key=positions.__getitem__
    )
    some = other.numbers(np.zeros(len(zeros[::2]), np.int64), 4 + np.arange(len(zeros[::2]))).tolist()
    assert some == numbers[4:][::2]


def _position(zero: Zero) -> tuple[int, int, int]:
    return zero.before, zero.sentence, zero.ordinal


def test_ids_are_decimal_numbers_for_the_official_scorer_alone() -> None:
    key, response = document([Zero(1, 1)], [(0, 1), (4, 5)]), document([Zero(1, 10)], [(0, 1), (4, 5)])
    linear = {"zeros": "linear", "match": "exact"}
    assert score(key, response, protocol=replace(Protocol.parse("crac"), **linear)).conll == 1
    assert score(key, response, protocol=replace(Protocol.parse("corefud"), **linear)).muc.f1 == 0


@pytest.mark.parametrize("name", ["conll", "crac", "corefud"])
def test_overlap_counts_zeros_by_their_identity(name: str) -> None:
    key = document([NEXT], [(0, 2), (4, 5)])
    response = document([FIRST, NEXT], [(0, 1), (5, 6)])
    counts = score(key, response, protocol=Protocol.parse(name), metric=["mention_overlap", "zeros"])
    assert [*counts.mention_overlap.counts.values()] == [2, 3, 2, 2]
    assert counts.zeros.counts["recall_denominator"] == 1
