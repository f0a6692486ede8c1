"""Mentions in words as characters, and in characters as words: those that cover them, at every border."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import Cluster, Document, Mention
from referee.matching.characters import chains_in_characters, in_words
from referee.model import Chains, Span

EDGES = [np.array([0, 3, 5, 9])]  # of three words


def chains(*spans: Span, length: int = 3) -> Chains:
    mention = Mention(spans, minimum=spans[:1])
    return Chains.of([Document.of("d", ("w",) * length, ((0, length),), (Cluster("1", (mention,)),))])


def told(made: Chains) -> list[Span]:
    return [*made.parts.by_row().get(0, ((int(made.start[0]), int(made.end[0])),))]


@pytest.mark.parametrize(
    ("characters", "words"),
    [
        ([(0, 1)], [(0, 1)]), ([(0, 3)], [(0, 1)]), ([(2, 4)], [(0, 2)]), ([(3, 5)], [(1, 2)]),
        ([(4, 6)], [(1, 3)]), ([(8, 9)], [(2, 3)]), ([(8, 12)], [(2, 3)]), ([(10, 12)], [(2, 3)]),
        ([(0, 1), (5, 6)], [(0, 1), (2, 3)]), ([(0, 1), (3, 4)], [(0, 2)]),  # touch in words
    ],
)  # fmt: skip
def test_words_cover_their_characters(characters: list[Span], words: list[Span]) -> None:
    made = in_words(chains(*characters, length=12), EDGES)
    assert told(made) == words
    assert not made.minimums.by_row()


def test_of_a_text_without_words_a_mention_is_the_first_word() -> None:
    assert told(in_words(chains((0, 1)), [np.array([0])])) == [(0, 1)]


@given(
    st.lists(st.integers(0, 3), min_size=3, max_size=3),
    st.sampled_from([(a, b) for a in range(3) for b in range(a + 1, 4)]),
)
def test_characters_are_those_of_the_words(sizes: list[int], span: Span) -> None:
    edges = np.cumsum([0, *sizes])
    made = chains_in_characters(chains(span), [edges])
    start = int(edges[span[0]])
    expected = (start, max(int(edges[span[1]]), start + 1))
    assert told(made) == [expected]
    assert made.minimums.by_row() == {0: (expected,)}
    assert made.lengths.tolist() == [edges[-1]]
