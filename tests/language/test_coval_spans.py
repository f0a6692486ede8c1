"""Minimum spans by coval's rules; each expectation was seen in coval's own output."""

from __future__ import annotations

import numpy as np
import pytest

from referee.arrays import IntArray
from referee.language.coval_spans import coval_spans
from referee.language.trees.phrase_trees import Trees
from referee.language.trees.treebank import read_penn


def located(tree: str, mention: str | None) -> tuple[Trees, list[str], int, int]:
    trees = read_penn([tree.encode()])
    words = [trees.words[token] for token in range(trees.tag.size)]
    wanted = mention.split() if mention else words
    start = next(i for i in range(len(words)) if words[i : i + len(wanted)] == wanted)
    return trees, words, start, start + len(wanted)


def minimum(tree: str, mention: str | None = None) -> str:
    trees, words, start, end = located(tree, mention)
    rows = coval_spans(trees, np.array([start]), np.array([end]))
    return " ".join(words[token] for token in rows[0])


BRIDGE = (
    "(S (NP (NP (DT the) (JJ old) (NN bridge)) (PP (IN over) (NP (NP (DT the) (NN river))"
    " (PP (IN near) (NP (NNP Oslo))))) (, ,)) (VP (VBD fell) (PP (IN into) (NP (PRP it)))) (. .))"
)
RULES = {
    "a phrase of one run": ("(NP (DT the) (JJ big) (NN dog))", None, "the big dog"),
    "the first phrase of several": (BRIDGE, "the old bridge over the river near Oslo ,", "the old bridge"),
    "a cut phrase is closed": (BRIDGE, "the old bridge over the river", "the old bridge"),
    "its first words are cut off": (BRIDGE, "bridge over the river", "bridge"),
    "a word of its own beside a phrase": ("(NP (NP (NNP John) (POS 's)) (NN dog))", None, "dog"),
    "a run and not all direct words": (
        "(NP (DT a) (ADJP (JJ deutsche) (VBN based)) (NN board))",
        None,
        "board",
    ),
    "IN is no head": ("(NP (IN of) (NP (NN man)))", None, "man"),
    "but is taken with one": ("(NP (IN about) (CD 5) (PP (IN of) (NP (PRP us))))", None, "about 5"),
    "a percent sign": ("(NP (NP (NN %)) (PP (IN of) (NP (PRP it))))", None, "%"),
    "a run before a phrase without a whole word": (
        "(NP (NNP U.S.) (NML (NN trade) (NN chief)))",
        None,
        "trade chief",
    ),
    "the phrases under another root": ("(PP (IN of) (NP (DT the) (NN man)))", None, "the man"),
    "a clause is a noun phrase if it has one": ("(S (NP (PRP they)) (VP (VBD left)))", None, "they"),
    "a clause with a verb": ("(S (VP (VBD left)) (. .))", None, "left"),
    "conjuncts at other depths": (
        "(NP (NP (NNP John)) (CC and) (NP (NP (DT the) (NN girl)) (PP (IN in) (NP (NNP Rome)))))",
        None,
        "John the girl",
    ),
    "only a determiner": ("(NP (DT this))", None, "this"),
    "a verb phrase": (BRIDGE, "fell into it", "fell"),
    "a dummy root is an NP": (BRIDGE, "Oslo , fell", "Oslo"),
    "deeper under unknown labels": ("(ADJP (ADVP (NP (CD two) (NNS years))) (JJ old))", None, "old"),
    "the first phrase met decides": ("(FRAG (ADVP (NP (CD two) (NNS years))))", None, "two years"),
}


@pytest.mark.parametrize(("tree", "mention", "words"), RULES.values(), ids=RULES.keys())
def test_rules(tree: str, mention: str | None, words: str) -> None:
    assert minimum(tree, mention) == words


def identities(tree: str, *spans: tuple[int, int]) -> list[int]:
    trees = read_penn([tree.encode()])
    starts, ends = (np.array(side, np.int64) for side in zip(*spans, strict=True))
    return [int(number) for number in coval_spans(trees, starts, ends).identity]


def test_equal_runs_are_one_identity() -> None:
    whole, cut, other = identities(BRIDGE, (0, 9), (0, 6), (4, 6))
    assert whole == cut != other


def test_the_position_of_a_run_depends_on_the_cut() -> None:
    tree = "(NP (DT the) (JJ old) (NML (NN trade) (NN policy)) (NN chief))"
    before_phrase, at_the_end = identities(tree, (0, 3), (0, 2))
    assert before_phrase != at_the_end  # the same words, numbered by what comes after them


def test_mentions_that_are_kept_whole_are_numbered_from_their_start() -> None:
    tree = "(S (NP (DT this)) (VP (VBZ is) (NP (DT this))))\n(NP (DT this))"
    first, last, other_sentence = identities(tree, (0, 1), (2, 3), (3, 4))
    assert first == last != other_sentence


def test_a_tree_that_cannot_be_read_leaves_maximum_spans() -> None:
    trees = read_penn([b"(NP (NP (NN a)) (PP (IN b) (NP (NN c)))"], skip_bad=True)
    rows = coval_spans(trees, np.array([0, 0]), np.array([3, 2]))
    assert [rows[0], rows[1]] == [(0, 1, 2), (0, 1)]
    assert rows.identity[0] != rows.identity[1]


def test_no_mentions() -> None:
    none: IntArray = np.empty(0, np.int64)
    assert coval_spans(read_penn([b"(NN a)"]), none, none).offsets.tolist() == [0]
