"""Minimum spans, with every example of Moosavi et al. (2019).

The text of the paper gives the words and the minimum spans of its examples, and the grammar of some trees;
where it shows no tree, the one here is the plainest that fits what is said of it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from corpora import corpus
from naive_trees import Node, forests_and_spans, naive_mina, penn_text
from referee.arrays import IntArray
from referee.formats import read
from referee.language.minimum_spans import head_tokens, mina_spans, reasons
from referee.language.trees.phrase_trees import Trees, code
from referee.language.trees.treebank import read_penn


def mina_span(trees: Trees, start: int, end: int) -> tuple[int, ...]:
    return mina_spans(trees, np.array([start]), np.array([end]))[0]


def head_token(trees: Trees, start: int, end: int) -> int:
    return int(head_tokens(trees, np.array([start]), np.array([end]))[0])


Case = tuple[list[Node], list[tuple[int, int]]]


def locate(tree: str, mention: str | None) -> tuple[Trees, list[str], int, int]:
    trees = read_penn([tree.encode()])
    words = [trees.words[token] for token in range(trees.tag.size)]
    wanted = mention.split() if mention else words
    start = next(i for i in range(len(words)) if words[i : i + len(wanted)] == wanted)
    return trees, words, start, start + len(wanted)


def minimum(tree: str, mention: str | None = None) -> str:
    """Find the minimum span of some words of a tree, or of all of them, as words."""
    trees, words, start, end = locate(tree, mention)
    return " ".join(words[token] for token in mina_span(trees, start, end))


FIGURE_1 = """
(TOP (S (NP (DT This) (NNP News) (NNP Corp.))
        (VP (VBZ has)
            (NP (DT an) (JJ extensive) (NN presence))
            (, ,)
            (ADVP (IN of) (NN course))
            (PP (IN in) (NP (DT this) (NN country))))
        (. .)))"""
FIGURE_2 = """
(TOP (S (NP (DT This) (NNP News) (NNP Corp.))
        (VP (VBZ has)
            (NP (NP (DT an) (JJ extensive) (NN presence))
                (, ,)
                (PP (IN of) (NP (NN course)))
                (PP (IN in) (NP (DT this) (NN country)))))
        (. .)))"""
LONGER = "an extensive presence , of course in this country"


class TestExample1:
    @pytest.mark.parametrize("tree", [FIGURE_1, FIGURE_2], ids=["gold", "system"])
    @pytest.mark.parametrize("mention", ["an extensive presence", LONGER])
    def test_both_boundaries_have_one_minimum_span(self, tree: str, mention: str) -> None:
        assert minimum(tree, mention) == "an extensive presence"

    def test_they_are_the_same_mention(self) -> None:
        trees = read_penn([FIGURE_1.encode()])
        found = mina_spans(trees, np.array([4, 4, 0]), np.array([7, 13, 3]))
        assert found.identity[0] == found.identity[1] != found.identity[2]


FIGURES = {
    "Figure 3, NP -> NP PP PP": (
        "(NP (NP (DT the) (NN president)) (PP (IN of) (NP (NNP France))) (PP (IN in) (NP (NNP Rome))))",
        "the president",
    ),
    "Figure 4, nested": (
        "(NP (NP (NP (DT the) (NN board)) (PP (IN of) (NP (NNS directors))))"
        " (SBAR (WHNP (WDT that)) (S (VP (VBD met)))))",
        "the board",
    ),
    "Figure 5, apposition": (
        "(NP (NP (NNP Jane) (NNP Doe)) (, ,) (NP (DT the) (JJ new) (NN chair)) (, ,))",
        "Jane Doe the new chair",
    ),
    "Figure 6, conjunction": (
        "(NP (NP (DT the) (NN man)) (PRN (-LRB- -LRB-) (ADVP (RB here)) (-RRB- -RRB-)) (CC and)"
        " (NP (DT the) (NN dog)))",
        "the man the dog",
    ),
    "Figure 9, MINA has the MIN, many, and the head, companies": (
        "(NP (NP (JJ many) (NNS companies)) (PP (IN in) (NP (DT the) (NN industry))))",
        "many companies",
    ),
    "Figure 10, a wrong parse hides attendants": (
        "(NP (NP (NNP American)) (PP (IN 's) (NP (NN flight) (NNS attendants))))",
        "American",
    ),
    "Figure 11, a wrong parse hides time": (
        "(NP (NP (DT the) (JJ first)) (SBAR (S (NP (NN time)) (NP (PRP they)) (VP (VBD came)))))",
        "the first",
    ),
    "Figure 12, left": ("(NP (NP (DT a) (NN variety)) (PP (IN of) (NP (NNS securities))))", "a variety"),
    "Figure 12, right": (
        "(NP (NP (QP ($ $) (CD 2.5) (CD million))) (PP (IN in) (NP (NN cash))))",
        "$ 2.5 million",
    ),
    "footnote 6, ours is an ADJP": ("(ADJP (PRP ours))", "ours"),
    "section 8, a terminal node is not split": (
        "(NP (NP (DT a) (ADJP (NP (JJ deutsche) (NN mark)) (VBN based)) (NN currency) (NN board))"
        " (SBAR (WHADVP (WRB where)) (S (NP (PRP we)) (VP (VBP have)"
        " (NP (NP (DT a) (JJ foreign) (NN governor)) (PP (IN on) (NP (DT the) (NN board))))))))",
        "a currency board",
    ),
}


@pytest.mark.parametrize(("tree", "words"), FIGURES.values(), ids=FIGURES.keys())
def test_figures(tree: str, words: str) -> None:
    assert minimum(tree) == words


def test_figure_9_the_head_is_not_the_min() -> None:
    trees = read_penn([FIGURES["Figure 9, MINA has the MIN, many, and the head, companies"][0].encode()])
    assert trees.words[head_token(trees, 0, trees.tag.size)] == "companies"


EXAMPLES = {
    "2, a wrong apposition": (
        "(S (PP (IN with) (NP (DT the) (NNP Netherlands))) (, ,)"
        " (PP (VBG owing) (, ,) (PP (IN in) (NP (NN part))) (, ,) (PP (TO to) (NP (NNP it)))))",
        "the Netherlands",
        "the Netherlands , owing ,",
    ),
    "3, a comma at the end": (
        "(S (NP (NP (NNP Le) (NNP Courrier) (NNP du) (NNP Sud)) (, ,)"
        " (VP (VBN published) (PP (IN by) (NP (NNP Quebecor)))) (, ,)) (VP (VBZ is)))",
        "Le Courrier du Sud",
        "Le Courrier du Sud ,",
    ),
    "4, a verb at the end": (
        "(S (NP (NNP Pierce) (NNP College)) (VP (VBD sheltered) (CC and) (VBD fed) (NP (NNS horses))))",
        "Pierce College",
        "Pierce College sheltered",
    ),
    "4, the verb a phrase": (
        "(S (NP (NNP Pierce) (NNP College))"
        " (VP (VP (VBD sheltered)) (CC and) (VP (VBD fed) (NP (NNS horses)))))",
        "Pierce College",
        "Pierce College sheltered",
    ),
    "5, quotation marks": (
        "(PP (TO to) (NP (`` ``) (NP (NNP Investment) (NNP Canada)) ('' '')))",
        "`` Investment Canada ''",
        "Investment Canada",
    ),
    "6, a number in front": (
        "(S (NP (QP (RB nearly) (CD 6.8) (CD million)) (NNS Canadians)) (VP (VBD listed)))",
        "nearly 6.8 million Canadians",
        "Canadians",
    ),
}


@pytest.mark.parametrize(("tree", "key", "response"), EXAMPLES.values(), ids=EXAMPLES.keys())
def test_examples_2_to_6_of_the_analysis(tree: str, key: str, response: str) -> None:
    assert minimum(tree, key) == minimum(tree, response)


class TestCoordination:
    TREE = "(NP (NP (NNP John)) (CC and) (NP (NNP Mary)))"

    def test_all_three_mentions_differ(self) -> None:
        assert {minimum(self.TREE, mention) for mention in ("John and Mary", "John", "Mary")} == {
            "John Mary", "John", "Mary",
        }  # fmt: skip

    def test_a_flat_one_is_not_split(self) -> None:
        assert minimum("(NP (NNP John) (CC and) (NNP Mary))") == "John and Mary"

    def test_conjuncts_at_other_depths_are_left_out(self) -> None:
        tree = "(NP (NP (NNP John)) (CC and) (NP (NP (DT the) (NN girl)) (PP (IN from) (NP (NNP Rome)))))"
        assert minimum(tree) == "John"


VERBS = {
    "(VP (VBD grew) (PP (IN by) (NP (CD 5) (NN %))))": "grew",
    "(VP (VP (VBD ran) (ADVP (RB off))) (CC and) (VP (VBD fell)))": "ran fell",
    "(S (VP (TO to) (VP (VB go) (NP (NN home)))))": "to",
    "(VP (NP (NN home)) (VP (VBD ran)))": "ran",
}


@pytest.mark.parametrize(("tree", "words"), VERBS.items())
def test_verb_phrases(tree: str, words: str) -> None:
    assert minimum(tree) == words


RULES = {
    "words beside a phrase win over it": ("(NP (NP (NNP John) (POS 's)) (JJ big) (NN dog))", "big dog"),
    "NML, QP and NX are searched": (
        "(NP (DT the) (NML (NP (PP (IN of)) (NX (NN dog)))) (QP (PP (IN x))))",
        "dog",
    ),
    "function tags do not count": ("(NP-SBJ (NP-1 (NN dog)) (PP-LOC (IN in) (NP (NN town))))", "dog"),
    "only determiners": ("(NP (PDT all) (DT the) (PP (IN of) (NP (PRP us))))", "all the"),
    "nothing but a determiner": ("(NP (DT this) (DT all))", "this all"),
    "a determiner above nothing acceptable": ("(NP (DT the) (ADJP (JJ rich)))", "the rich"),
    "a prepositional phrase": ("(PP (IN of) (NP (DT the) (NN man)))", "of the man"),
    "a clause": ("(S (NP (PRP they)) (VP (VBD left)))", "they left"),
    "a quantifier phrase": ("(QP (RB about) (NP (CD 500)))", "about 500"),
    "a noun phrase inside another label": (
        "(ROOT (FRAG (NP (NP (NN dog)) (PP (IN in) (NP (NN town))))))",
        "dog",
    ),
    "the highest noun phrase": ("(NP (ADJP (NP (NN dog) (PP (IN in) (NP (NN town))))))", "dog in town"),
}


@pytest.mark.parametrize(("tree", "words"), RULES.values(), ids=RULES.keys())
def test_rules(tree: str, words: str) -> None:
    assert minimum(tree) == words


MARKS = (",", ".", ":", "``", "''", '"', "-LRB-", "-RRB-", "(", ")", "HYPH", "NFP")


@pytest.mark.parametrize("tag", [*MARKS, "DT", "CC"])
def test_what_is_no_word_makes_no_terminal_node(tag: str) -> None:
    trees = read_penn([b"(NP (NP (NN cat)) (NN x) (NP (NN dog)) (NN x))"])
    assert mina_span(trees, 0, 4) == (1, 3)
    trees = replace(trees, tag=np.where(trees.holder == 0, code(tag), trees.tag))
    assert mina_span(trees, 0, 4) == (0, 2)


SENTENCE = (
    "(S (NP (NP (DT the) (NN man)) (PP (IN of) (NP (DT the) (NN house))))"
    " (VP (VP (VBD sat)) (CC and) (VP (VBD gave) (NP (PRP him)) (NP (DT the) (NML (NN toy)) (NN ball))))"
    " (. .))"
)


@pytest.mark.parametrize(
    ("mention", "words"),
    [
        ("the man of", "the man"),
        ("man of the house", "man of the house"),  # "the man" is cut, and a PP is not searched
        ("toy ball", "toy ball"),  # NML alone does not make X a noun phrase
        ("him the", "him"),
        ("him the toy ball", "him the ball"),
        ("sat and", "sat"),
        ("and gave him the toy ball .", "gave"),
        ("house sat", "sat"),
        ("of the house sat and gave him the toy ball", "sat gave"),
        ("the man of the house sat and gave him the toy ball", "the man"),
        ("and gave", "and gave"),
    ],
)
def test_dummy_roots(mention: str, words: str) -> None:
    assert minimum(SENTENCE, mention) == words


ATTACHMENT = (
    "(S (NP (NP (DT the) (JJ old) (NN bridge)) (PP (IN over) (NP (NP (DT the) (NN river))"
    " (PP (IN near) (NP (NP (NNP Oslo)) (SBAR (NP (WDT that)) (S (VP (VBD froze)))))))))"
    " (VP (VBD fell) (PP (IN into) (NP (NP (DT the) (NN water)) (PP (IN below) (NP (PRP it)))))"
    " (ADVP (RB then))))"
)


@pytest.mark.parametrize(
    ("mention", "words"),
    [
        ("the old bridge over the river near Oslo that froze", "the old bridge"),
        ("the old bridge over the river near Oslo that", "the old bridge"),
        ("the old bridge over the river near Oslo", "the old bridge"),
        ("the old bridge over the river near", "the old bridge"),
        ("the old bridge over the river", "the old bridge"),
        ("the old bridge over", "the old bridge"),
        ("the river near Oslo that", "the river"),
        ("Oslo that", "Oslo"),
        ("over the river near Oslo", "the river"),  # beside it Oslo is two deeper
        ("bridge over the river near Oslo", "the river"),  # "bridge" is cut out of its phrase, a word of X
        ("the water below", "the water"),
        ("fell into the water", "the water"),  # X has an NP, though it is deep in the VP
        ("fell into", "fell into"),
        ("near Oslo that froze fell", "near Oslo that froze fell"),
    ],
)
def test_a_piece_keeps_its_depth_under_the_smallest_phrase_around(mention: str, words: str) -> None:
    assert minimum(ATTACHMENT, mention) == words


def test_pieces_at_one_depth_are_taken_together() -> None:
    tree = (
        "(NP (NP (NNP John)) (, ,) (NP (NNP Mary)) (CC and) (NP (NP (NNP Ann)) (PP (IN of) (NP (NNP Bonn)))))"
    )
    assert minimum(tree, "John , Mary and Ann of") == "John Mary"
    assert minimum(tree, "John , Mary and") == "John Mary"


def test_one_piece_below_x_is_searched_further_down() -> None:
    tree = (
        "(NP (NP (NP (NN king)) (PP (IN of) (NP (NNS hearts))))"
        " (VP (VBN dealt) (PP (IN by) (NP (NP (NN hand)) (PP (IN to) (NP (PRP us)))))))"
    )
    assert minimum(tree, "king of hearts dealt by hand") == "king"  # at depth 2; "hand" is at 4
    assert minimum(tree, "hearts dealt by hand") == "hearts"  # both in pieces of their own


def test_a_mention_over_two_sentences() -> None:
    assert minimum("(NP (NN dog))\n(NP (NP (NN cat)) (PP (IN in) (NP (NN town))))", "dog cat in") == "dog cat"


def test_pieces_of_several_sentences_are_at_depth_1() -> None:
    trees = read_penn([b"(NP (NP (NN dog)) (PP (IN of) (NP (PRP us))))\n(S (NP (NN cat)) (VP (VBD sat)))"])
    starts, ends = np.array([0]), np.array([4])
    found = mina_spans(trees, starts, ends)
    assert found[0] == (3,)  # the first sentence is a piece itself, with "dog" one deeper
    assert found.depth.tolist() == [1]


def test_sentences_that_were_skipped_give_maximum_spans() -> None:
    trees = read_penn(
        [b"(NP (NP (NN a)) (PP (IN b) (NP (NN c)))\n(NP (NP (NN a)) (PP (IN b) (NP (NN c))))"], skip_bad=True
    )
    assert mina_span(trees, 0, 3) == (0, 1, 2)
    assert mina_span(trees, 0, 2) == (0, 1)
    assert mina_span(trees, 3, 6) == (3,)
    starts, ends = np.array([0, 3]), np.array([3, 6])
    assert reasons(trees, starts, ends, mina_spans(trees, starts, ends)) == [
        "whole: the tree cannot be read",
        "NP terminal at depth 1",
    ]


def test_no_mentions_and_no_phrases() -> None:
    none: IntArray = np.empty(0, np.int64)
    trees = read_penn([b"(NN a)\n(NN b)"])
    assert mina_spans(trees, none, none).offsets.tolist() == [0]
    assert head_tokens(trees, none, none).tolist() == []
    assert mina_span(trees, 0, 2) == (0, 1)
    assert head_token(trees, 0, 2) == 1


def test_reasons() -> None:
    trees = read_penn([SENTENCE.encode() + b"\n(ADJP (RB very) (JJ old))"])
    starts = np.array([0, 0, 3, 0, 8, 2, 10, 13])
    ends = np.array([1, 2, 5, 5, 10, 6, 12, 15])
    assert reasons(trees, starts, ends, mina_spans(trees, starts, ends)) == [
        "one word",
        "NP terminal at depth 0",
        "NP terminal at depth 0",
        "NP terminal at depth 1",
        "not a constituent: X over 2 pieces, terminal at depth 1",
        "not a constituent: X over 2 pieces, terminal at depth 2",
        "not a constituent: X over 2 pieces, whole: nothing acceptable",
        "whole: nothing acceptable in ADJP",
    ]


@given(forests_and_spans())
def test_the_arrays_follow_algorithm_1(case: Case) -> None:
    forest, spans = case
    trees = read_penn([penn_text(forest)])
    found = mina_spans(trees, np.array([start for start, _ in spans]), np.array([end for _, end in spans]))
    expected = [naive_mina(forest, start, end) for start, end in spans]
    assert [found[mention] for mention in range(len(spans))] == expected
    assert all(root < 0 for root, (start, end) in zip(found.root, spans, strict=True) if end == start + 1)


@given(forests_and_spans())
def test_a_minimum_span_is_part_of_its_mention_and_has_its_own_identity(case: Case) -> None:
    forest, spans = case
    trees = read_penn([penn_text(forest)])
    starts, ends = np.array([start for start, _ in spans]), np.array([end for _, end in spans])
    found = mina_spans(trees, starts, ends)
    rows = [found[mention] for mention in range(len(spans))]
    for (start, end), row in zip(spans, rows, strict=True):
        assert row
        assert set(row) <= set(range(start, end))
        assert sorted(set(row)) == list(row)
    for mention, row in enumerate(rows):
        assert (found.identity == found.identity[mention]).tolist() == [row == other for other in rows]
    assert ((starts <= head_tokens(trees, starts, ends)) & (head_tokens(trees, starts, ends) < ends)).all()


@given(forests_and_spans())
def test_the_minimum_span_of_one_terminal_node_is_its_own_minimum_span(case: Case) -> None:
    forest, spans = case
    trees = read_penn([penn_text(forest)])
    for start, end in spans:
        row = mina_span(trees, start, end)
        one_node = len({int(trees.holder[token]) for token in row}) == 1
        if one_node and row[-1] - row[0] + 1 == len(row):
            assert mina_span(trees, row[0], row[-1] + 1) == row


@given(forests_and_spans())
def test_what_surrounds_a_phrase_does_not_change_its_minimum_span(case: Case) -> None:
    forest, _ = case
    trees = read_penn([penn_text(forest)])
    for tree in forest:
        for node in tree.phrases():
            if node.base in ("NP", "VP"):
                alone = read_penn([b"(TOP " + penn_text([node]) + b")"])
                row = mina_span(alone, 0, node.end - node.start)
                chain = [n for n in tree.phrases() if (n.start, n.end) == (node.start, node.end)]
                highest = next(n for n in chain if n.base in ("NP", "VP"))
                if highest is node:
                    assert tuple(node.start + token for token in row) == mina_span(
                        trees, node.start, node.end
                    )


def test_ontogum() -> None:
    folders = [corpus("ontogum") / part / "conll" for part in ("train", "dev")]
    files = [file for folder in folders for file in sorted((folder.parent / "ptb").iterdir())]
    trees = read_penn([file.read_bytes() for file in files])
    chains = read(*folders).chains(range(len(files)))
    first = trees.documents[chains.document]
    assert np.array_equal(chains.lengths, np.diff(trees.documents))
    starts, ends = np.unique([first + chains.start, first + chains.end], axis=1)
    found = mina_spans(trees, starts, ends)
    sharing = np.unique(found.identity, return_counts=True)[1]
    assert sharing[sharing > 1].sum() < 0.0025 * starts.size
    lengths = np.diff(found.offsets)
    assert (ends - starts).mean() == pytest.approx(2.09, abs=0.005)
    assert lengths.mean() == pytest.approx(1.54, abs=0.005)
    assert (lengths > 3).mean() == pytest.approx(0.0348, abs=0.0001)


def test_a_mention_that_is_the_first_phrase_of_all() -> None:
    trees = read_penn([b"(NP (NP (DT the) (NN end)) (PP (IN of) (NP (NN it))))"])
    spans = mina_spans(trees, np.array([0]), np.array([4]))
    assert (spans[0], spans.depth.tolist(), spans.root.tolist()) == ((0, 1), [1], [0])
