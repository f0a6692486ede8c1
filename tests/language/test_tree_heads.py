"""Heads of mentions in dependency trees, by the rule that gave CorefUD's mentions theirs."""

from __future__ import annotations

import pytest

from corpora import corpus
from referee import formats
from referee.language.tree_heads import TreeHeads
from referee.model import NO_WORD, Text, Zero

#            the dog of  the man barked and ran
TREE = ("1", "5", "4", "4", "1", "-", "7", "5")


def text(zeros: tuple[Zero, ...] = (), deps: tuple[str, ...] = ()) -> Text:
    """Make a text of one sentence."""
    words = ("the", "dog", "of", "the", "man", "barked", "and", "ran", *["_"] * len(zeros))
    layers = {"head": TREE + ("-",) * len(zeros)} | ({"deps": deps} if deps else {})
    return Text("d", words, ((0, 8),), layers, zeros=zeros)


@pytest.mark.parametrize(
    ("spans", "head"),
    [
        (((0, 5),), 1),  # the only word whose parent is outside
        (((3, 4),), 3),
        (((0, 1), (2, 5)), 0),  # two of them, neither above the other: the first
        (((0, 1), (5, 8)), 5),  # `barked` is above `the`
        (((1, 2), (6, 8)), 1),  # both below `barked`, which is no part of it
    ],
)
def test_the_head_is_the_word_on_top(spans: tuple[tuple[int, int], ...], head: int) -> None:
    assert TreeHeads(text()).head(spans) == head


def test_enhanced_parents_decide_between_several() -> None:
    deps = ("2:det|8:x", "6:nsubj", "5:case", "5:det", "2:nmod", "0:root", "8:cc", "6:conj")
    spans = ((0, 1), (6, 8))
    assert TreeHeads(text()).head(spans) == 0
    assert TreeHeads(text(deps=deps)).head(spans) == 7  # `the` depends on `ran` as well


@pytest.mark.parametrize(("governor", "head"), [(1, 1), (NO_WORD, 8), (5, 8)])
def test_zeros_have_enhanced_parents_alone(governor: int, head: int) -> None:
    zero = Zero(0, 1, 0, ((governor, "dep"),))
    assert TreeHeads(text(zeros=(zero,))).head(((0, 2), (8, 9))) == head


def test_the_rule_gives_the_heads_that_corefud_has() -> None:
    for path in sorted(corpus("corefud").glob("*.gz")):
        right = mentions = 0
        for document in formats.read(path):
            trees = TreeHeads(document.text)
            for mention in document.mentions:
                mentions += 1
                right += mention.head is None or trees.head(mention.spans) == mention.head
        assert right / mentions > 0.99, path
