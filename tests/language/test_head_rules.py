from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from naive_trees import Node, forests_and_spans, naive_pieces, naive_root, penn_text
from referee.language.head_rules import OTHER_PHRASES, RULES
from referee.language.minimum_spans import head_tokens
from referee.language.trees.phrase_trees import Trees
from referee.language.trees.treebank import read_penn


def head_token(trees: Trees, start: int, end: int) -> int:
    return int(head_tokens(trees, np.array([start]), np.array([end]))[0])


def head_word(tree: str, mention: str | None = None) -> str:
    """Find the head of some words of a tree, or of all of them."""
    trees = read_penn([tree.encode()])
    words = [trees.words[token] for token in range(trees.tag.size)]
    wanted = mention.split() if mention else words
    start = next(i for i in range(len(words)) if words[i : i + len(wanted)] == wanted)
    return words[head_token(trees, start, start + len(wanted))]


NOUN_PHRASES = {
    "the last word is POS": ("(NP (NP (NNP John)) (POS 's))", "'s"),
    "the last word is POS, though a noun comes later in a phrase": (
        "(NP (NNP John) (POS 's) (NX (NN dog)))",
        "'s",
    ),
    "first noun from the right": ("(NP (DT the) (NN trade) (NN policy) (JJ chief))", "policy"),
    "a comparative is as good as a noun": ("(NP (NN power) (JJR lower))", "lower"),
    "NX is as good as a noun": ("(NP (NN shop) (CC and) (NX (JJ big) (NN house)))", "house"),
    "NML is as good as a noun": ("(NP (DT the) (NML (NN trade) (NN policy)))", "policy"),
    "a noun wins over an NP": ("(NP (NP (NNP John) (POS 's)) (JJ big) (NN dog))", "dog"),
    "first NP from the left": ("(NP (NP (DT the) (NN man)) (PP (IN of) (NP (DT the) (NN house))))", "man"),
    "coordinated NPs": ("(NP (NP (NNP John)) (CC and) (NP (NNP Mary)))", "John"),
    "a flat coordination": ("(NP (NNP John) (CC and) (NNP Mary))", "Mary"),
    "first $, ADJP or PRN from the right": ("(NP (CD 5) ($ $) (CD 6))", "$"),
    "ADJP": ("(NP (DT the) (ADJP (RB very) (JJ rich)) (CD 6))", "rich"),
    "first CD from the right": ("(NP (CD 5) (JJ big) (CD 6) (JJ red))", "6"),
    "first JJ, JJS, RB or QP from the right": ("(NP (DT the) (JJ rich) (JJS richest) (IN of))", "richest"),
    "QP": ("(NP (JJ more) (QP (RB about) (CD 500)))", "about"),
    "the last word": ("(NP (DT all) (DT this))", "this"),
    "the last word that is not in another phrase": (
        "(NP (DT those) (SBAR (WHNP (WP who)) (S (VP (VBD came)))))",
        "those",
    ),
    "the last word is not a comma": ("(NP (PRP he) (PRP himself) (, ,))", "himself"),
    "an adjective phrase alone": ("(NP (DT the) (PP (IN in) (NP (NN power))))", "the"),
}


@pytest.mark.parametrize(("tree", "word"), NOUN_PHRASES.values(), ids=NOUN_PHRASES.keys())
def test_noun_phrases(tree: str, word: str) -> None:
    assert head_word(tree) == word


OTHERS = {
    "VP": ("(VP (MD will) (VP (VB go) (NP (NN home))))", "will"),
    "VP, past before modal": ("(VP (MD will) (VBD went))", "went"),
    "coordinated VPs": ("(VP (VP (VBD ran)) (CC and) (VP (VBD fell)))", "ran"),
    "S": ("(S (NP (PRP they)) (VP (VBD left)))", "left"),
    "PP": ("(PP (RB just) (IN before) (NP (NN noon)))", "before"),
    "PP, scanned from the right": ("(PP (IN out) (IN of) (NP (NN town)))", "of"),
    "SBAR": ("(SBAR (IN because) (S (NP (PRP they)) (VP (VBD left))))", "because"),
    "ADJP": ("(ADJP (RB very) (JJ big))", "big"),
    "ADJP with an amount": ("(ADJP ($ $) (CD 5))", "$"),
    "ADVP": ("(ADVP (RB very) (RB slowly))", "slowly"),
    "QP": ("(QP (JJR more) (IN than) (CD 500))", "than"),
    "WHNP": ("(WHNP (WP$ whose) (NN car))", "whose"),
    "coordinated PPs": ("(PP (PP (IN in) (NP (NN town))) (CC or) (PP (IN at) (NP (NN sea))))", "in"),
    "coordination with a comma": ("(UCP (NP (NN town)) (, ,) (CC and) (ADVP (RB here)))", "town"),
    "FRAG, the last child": ("(FRAG (NP (NN town)) (ADVP (RB here)))", "here"),
    "PRN, the first child but punctuation": ("(PRN (-LRB- -LRB-) (NP (NN town)) (-RRB- -RRB-))", "town"),
    "a label without rule": ("(ROOT (NP (NN town)) (VP (VBD fell)))", "town"),
    "only punctuation": ("(PRN (: --) (, ,))", "--"),
}


@pytest.mark.parametrize(("tree", "word"), OTHERS.values(), ids=OTHERS.keys())
def test_other_phrases(tree: str, word: str) -> None:
    assert head_word(tree) == word


# Where a search starts, and a label it looks for (Collins 1999, appendix A; Moosavi et al. 2019, section 3).
FROM_THE_LEFT = (
    "ADJP/JJ INTJ/UH NAC/NN PRN/FW QP/CD S/VP SBAR/IN SBARQ/SQ SINV/VBD SQ/MD VP/VBD WHADJP/JJ WHNP/WP"
    " NP/NP NML/NP"
)
FROM_THE_RIGHT = (
    "ADVP/RB CONJP/IN FRAG/FW LST/LS PP/IN PRT/RP RRC/VP UCP/FW WHADVP/WRB WHPP/IN"
    " NP/NN NP/POS NP/ADJP NP/$ NP/CD NP/JJ NP/QP NP/FW NML/NN NX/NNS MWU/NN"
)


@pytest.mark.parametrize("rule", FROM_THE_LEFT.split())
def test_searches_from_the_left(rule: str) -> None:
    phrase, child = rule.split("/")
    assert head_word(f"({phrase} ({child} one) ({child} two))") == "one"


@pytest.mark.parametrize("rule", FROM_THE_RIGHT.split())
def test_searches_from_the_right(rule: str) -> None:
    phrase, child = rule.split("/")
    assert head_word(f"({phrase} ({child} one) ({child} two))") == "two"


def test_every_rule_has_its_side_tested() -> None:
    assert {rule.split("/")[0] for rule in f"{FROM_THE_LEFT} {FROM_THE_RIGHT}".split()} == {*RULES} - {"X"}


def test_a_dummy_root_has_its_first_verb() -> None:
    assert head_word("(S (VP (VBD ran) (PP (IN up))) (VP (VBD fell)) (. .))", "ran up fell") == "ran"


SENTENCE = (
    "(S (NP (NP (NNP Pierce) (NNP College)) (PP (IN in) (NP (NNP LA))))"
    " (VP (VP (VBD sheltered)) (CC and) (VP (VBD fed) (NP (DT the) (JJ big) (NNS horses)))) (. .))"
)


@pytest.mark.parametrize(
    ("mention", "word"),
    [
        ("big horses", "horses"),
        ("Pierce College in", "College"),
        ("Pierce College in LA sheltered", "College"),
        ("sheltered and", "sheltered"),
        ("and fed the", "fed"),
        ("horses .", "horses"),
        ("sheltered and fed the big horses .", "sheltered"),
        ("the big", "big"),
        ("College", "College"),
    ],
)
def test_a_dummy_root_is_searched_as_noun_phrase_and_then_as_verb_phrase(mention: str, word: str) -> None:
    assert head_word(SENTENCE, mention) == word


def naive_head(node: Node) -> int:
    """Follow the rules child by child."""
    while node.word is None:
        node = naive_head_child(node.base, [child for child in node.children if child.start < child.end])
    return node.start


def naive_head_child(label: str, children: list[Node]) -> Node:
    marks = {",", ".", "-LRB-"}
    nominal = label in ("NP", "NML", "NX", "X")
    words = [child for child in children if child.word is not None]
    if nominal and words and words[-1].label == "POS":
        return words[-1]
    for side, names in RULES.get(label, ()):
        for child in children[::side]:
            if child.base.rstrip("$") in names.split():
                return child if nominal else naive_first_conjunct(children, child)
    rest = [child for child in children if child.base not in marks] or children
    if nominal:
        return next((word for word in reversed(words) if word in rest), rest[-1])
    side, _ = OTHER_PHRASES.get(label, (1, ""))
    return naive_first_conjunct(children, rest[::side][0])


def naive_first_conjunct(children: list[Node], child: Node) -> Node:
    index = next(i for i, other in enumerate(children) if other is child)
    if index < 2 or children[index - 1].base != "CC":
        return child
    before = children[: index - 1]
    return next((other for other in reversed(before) if other.base not in {",", ".", "-LRB-"}), before[0])


@given(forests_and_spans())
def test_random_trees(case: tuple[list[Node], list[tuple[int, int]]]) -> None:
    forest, spans = case
    trees = read_penn([penn_text(forest)])
    for start, end in spans:
        root = naive_root(forest, start, end)
        pieces = [piece for tree in forest for piece in naive_pieces(tree, start, end)]
        expected = start if end - start == 1 else naive_head(root or naive_head_child("X", pieces))
        assert head_token(trees, start, end) == expected


def test_the_first_phrase_of_all_is_searched_by_its_own_rule() -> None:
    assert head_token(read_penn([b"(PP (IN in) (NP (NN town)))"]), 0, 2) == 0


def test_two_whole_trees_are_searched_from_the_right() -> None:
    assert head_token(read_penn([b"(FRAG (UH oh))\n(FRAG (UH ah))"]), 0, 2) == 1
