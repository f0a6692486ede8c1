from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora import corpus
from naive_trees import Node, forests, penn_text
from referee.arrays import IntArray
from referee.exceptions import FormatError
from referee.language.trees.phrase_trees import TreeError, Trees, code, spelled
from referee.language.trees.treebank import Cells, column_cells, first_misaligned, read_parse_bits, read_penn

INDENTS = (" ", "\n  ", "\n\t", " \r\n ")


def phrases(trees: Trees) -> list[tuple[str, int, int]]:
    return [
        (spelled(label), start, end)
        for label, start, end in zip(trees.label, trees.start, trees.end, strict=True)
    ]


def words(trees: Trees) -> list[str]:
    return [trees.words[token] for token in range(trees.tag.size)]


def tags(trees: Trees) -> list[str]:
    return [spelled(tag) for tag in trees.tag]


def column(cells: list[str]) -> tuple[bytes, Cells]:
    data = "\n".join(cells).encode()
    lengths = np.array([len(cell.encode()) for cell in cells], np.int64)
    end = np.cumsum(lengths + 1) - 1
    return data, (end - lengths, end)


def parse_bits(
    rows: list[tuple[str, str, str]],
    sentences: list[int],
    documents: list[int] | None = None,
    *,
    skip_bad: bool = False,
) -> Trees:
    data = "".join("\t".join(row) + "\n" for row in rows).encode()
    starts = np.array([0, *(1 + i for i, byte in enumerate(data) if byte == ord("\n"))][:-1], np.int64)
    word, tag, bits = column_cells(data, starts, [0, 1, 2])
    return read_parse_bits(
        data,
        words=word,
        tags=tag,
        bits=bits,
        sentences=np.array(sentences),
        documents=np.array(documents or [0, len(rows)]),
        skip_bad=skip_bad,
    )


class TestPenn:
    def test_phrases_words_and_tags(self) -> None:
        trees = read_penn(
            [b"(ROOT\n  (S\n    (NP-SBJ (PRP$ my) (NN dog))\n    (VP (VBZ barks))\n    (. .)))\n"]
        )
        assert phrases(trees) == [("ROOT", 0, 4), ("S", 0, 4), ("NP", 0, 2), ("VP", 2, 3)]
        assert words(trees) == ["my", "dog", "barks", "."]
        assert tags(trees) == ["PRP", "NN", "VBZ", "."]
        assert trees.parent.tolist() == [-1, 0, 1, 1]
        assert trees.holder.tolist() == [2, 2, 3, 1]
        assert trees.sentences.tolist() == [0, 4]

    @pytest.mark.parametrize("label", ["", "TOP", "ROOT", "S1"])
    def test_the_outer_label_may_be_any_or_none(self, label: str) -> None:
        trees = read_penn([f"({label} (NP (NN dog)))".encode()])
        assert phrases(trees) == [(label.rstrip("1"), 0, 1), ("NP", 0, 1)]

    def test_traces_and_what_holds_nothing_else_are_dropped(self) -> None:
        text = (
            b"(S (NP-SBJ-1 (-NONE- *T*-1)) (VP (VB go) (S (NP (-NONE- *)) (VP (-NONE- 0)))) (NP (NN home)))"
        )
        trees = read_penn([text])
        assert phrases(trees) == [("S", 0, 2), ("VP", 0, 1), ("NP", 1, 2)]
        assert words(trees) == ["go", "home"]
        assert trees.holder.tolist() == [1, 2]

    def test_brackets_in_words(self) -> None:
        trees = read_penn([rb"(NP (-LRB- -LRB-) (NNS friend-LRB-s-RRB-) (-RRB- -RRB-) (CD 1\/2))"])
        assert words(trees) == ["(", "friend(s)", ")", "1/2"]
        assert tags(trees) == ["-LRB-", "NNS", "-RRB-", "CD"]

    def test_long_tags_and_loose_spacing(self) -> None:
        trees = read_penn([b"(NP (DT   the) (NNP-NNPS-FUNNY-1\n\tDodgers ) (NN\tcap))"])
        assert words(trees) == ["the", "Dodgers", "cap"]
        assert tags(trees) == ["DT", "NNP", "NN"]

    def test_words_that_are_not_ascii(self) -> None:
        assert words(read_penn(["(NP (NNP Martínez) (NNP 北京))".encode()])) == ["Martínez", "北京"]

    def test_a_tree_may_be_one_word(self) -> None:
        trees = read_penn([b"(NN dog)\n(NP (NN cat))\n(UH oh)"])
        assert phrases(trees) == [("NP", 1, 2)]
        assert trees.holder.tolist() == [-1, 0, -1]
        assert trees.sentences.tolist() == [0, 1, 2, 3]

    def test_a_line_may_hold_several_trees(self) -> None:
        assert read_penn([b"(NP (NN a)) (NP (NN b))"]).sentences.tolist() == [0, 1, 2]

    def test_documents_are_numbered_through(self) -> None:
        trees = read_penn([b"(NP (NN a) (NN b))\n", b"", b"(NP (NN c))"])
        assert trees.documents.tolist() == [0, 2, 2, 3]
        assert trees.sentences.tolist() == [0, 2, 3]

    def test_no_trees(self) -> None:
        assert read_penn([]).documents.tolist() == [0]
        assert phrases(read_penn([b"\n", b""])) == []

    @given(forests(), st.sampled_from(INDENTS))
    def test_random_trees(self, forest: list[Node], indent: str) -> None:
        trees = read_penn([penn_text(forest, indent)])
        nodes = [node for tree in forest for node in tree.phrases()]
        assert phrases(trees) == [(node.base, node.start, node.end) for node in nodes]
        tokens = [token for tree in forest for token in tree.tokens()]
        assert words(trees) == [(token.word or "").replace("-LRB-", "(") for token in tokens]
        assert [-1 if p < 0 else id(nodes[p]) for p in trees.parent] == [
            parent_id(nodes, node) for node in nodes
        ]
        assert [id(nodes[h]) for h in trees.holder] == [parent_id(nodes, token) for token in tokens]
        assert trees.sentences.tolist() == [*(tree.start for tree in forest), forest[-1].end]
        for phrase, node in enumerate(nodes):
            first, count = trees.first_child[phrase], trees.children[phrase]
            inner = [id(nodes[child]) for child in trees.breadth_first[first : first + count]]
            expected = [child for child in node.children if child.word is None and child.start < child.end]
            assert inner == [id(child) for child in expected]


def parent_id(nodes: list[Node], child: Node) -> int:
    return next((id(node) for node in nodes if any(child is other for other in node.children)), -1)


MALFORMED = {
    "(NP (NN a)": "1 of its brackets never close",
    "(S (NP (NN a)": "2 of its brackets never close",
    "(NP (NN a)))": '")" is outside of all brackets',
    "(NP (NN))": 'the bracket "(NN" holds no words',
    "(NP ())": 'the bracket "(" holds no words',
    "(NP (NN New York))": 'the bracket "(NN" holds 2 words',
    "(NP the (NN dog))": '"the" has no part of speech',
    "(NP (NN dog) barks)": '"barks" has no part of speech',
    "(NP ( dog))": '"dog" has no part of speech',
    "(NP (NN dog)) cat": '"cat" is outside of all brackets',
}


class TestMalformedPenn:
    @pytest.mark.parametrize(("tree", "reason"), MALFORMED.items())
    @pytest.mark.parametrize("lines", ["", "(NP (NN x))\n(NP\n  (NN y))\n\n"])
    def test_the_error_says_what_and_where(self, tree: str, reason: str, lines: str) -> None:
        with pytest.raises(TreeError) as error:
            read_penn([b"(NP (NN x))", (lines + tree + "\n(NP (NN z))").encode()])
        assert isinstance(error.value, FormatError)
        assert error.value.reason == reason
        assert error.value.document == 1
        assert (error.value.sentence, error.value.line) == ((2, 5) if lines else (0, 1))
        assert str(error.value) == f"sentence {error.value.sentence + 1}: {reason}"

    @pytest.mark.parametrize("tree", MALFORMED)
    def test_skipping_keeps_the_words_and_all_other_trees(self, tree: str) -> None:
        good = b"(NP (NN x))\n(VP (VB y))\n"
        trees = read_penn([good, tree.encode() + b"\n" + good, good], skip_bad=True)
        assert [(error.document, error.sentence) for error in trees.bad] == [(1, 0)]
        assert [label for label, _, _ in phrases(trees) if label != "UNREAD"] == ["NP", "VP"] * 3
        assert trees.sentences.size == 8
        begin, end = trees.sentences[2:4].tolist()
        assert np.flatnonzero(trees.unread()).tolist() == list(range(begin, end))
        assert words(trees)[begin:end] == [word for word in ("a", "dog") if f"NN {word})" in tree]

    def test_faults_that_make_up_for_each_other_are_found(self) -> None:
        trees = read_penn([b"(NP (NN a)\n(NP (NN b)))\n(NP (NN c))"], skip_bad=True)
        assert [error.sentence for error in trees.bad] == [0, 1]
        assert words(trees) == ["a", "b", "c"]

    def test_an_unclosed_document_does_not_swallow_the_next(self) -> None:
        trees = read_penn([b"(NP (NN a)", b"(NP (NN b))"], skip_bad=True)
        assert [(error.document, error.line) for error in trees.bad] == [(0, 1)]
        assert trees.documents.tolist() == [0, 1, 2]

    @given(forests(), st.data())
    def test_any_change_of_a_character_is_read_or_refused(
        self, forest: list[Node], data: st.DataObject
    ) -> None:
        text = penn_text(forest, "\n ")
        place = data.draw(st.integers(0, len(text) - 1))
        put = data.draw(st.sampled_from([b"", b"(", b")", b" ", b"\n", b"x"]))
        broken = text[:place] + put + text[place + len(put) % 2 :]
        trees = read_penn([broken], skip_bad=True)
        if trees.bad:
            with pytest.raises(TreeError):
                read_penn([broken])
        assert trees.holder.size == trees.documents[-1]
        assert (trees.start < trees.end).all()


def test_an_error_travels_between_processes() -> None:
    error = TreeError("it is broken", document=1, sentence=2, line=3)
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.__dict__) == (str(error), error.__dict__)


def test_deep_trees_take_no_longer() -> None:
    depth = 100_000
    texts = [b"(NP " * depth + leaves + b")" * depth for leaves in (b"(NN a) (NN b)", b"(-NONE- *)")]
    trees = read_penn(texts)
    assert trees.label.size == depth
    assert trees.holder.tolist() == [depth - 1, depth - 1]


class TestParseBits:
    ROWS = (("This", "DT", "(TOP(S(NP*"), ("News", "NNP", "*)"), ("grows", "VBZ", "(VP*"), (".", ".", "*)))"))

    def test_phrases_words_and_tags(self) -> None:
        trees = parse_bits(list(self.ROWS), [0, 4])
        assert phrases(trees) == [("TOP", 0, 4), ("S", 0, 4), ("NP", 0, 2), ("VP", 2, 4)]
        assert words(trees) == ["This", "News", "grows", "."]
        assert tags(trees) == ["DT", "NNP", "VBZ", "."]
        assert trees.holder.tolist() == [2, 2, 3, 3]

    @given(forests())
    def test_the_same_trees_as_in_brackets(self, forest: list[Node]) -> None:
        forest = [tree for tree in forest if tree.start < tree.end]
        bits = [cell for tree in forest for cell in tree.bits()]
        tokens = [token for tree in forest for token in tree.tokens()]
        rows = [(token.word or "", token.label, cell) for token, cell in zip(tokens, bits, strict=True)]
        sentences = [0, *(tree.end for tree in forest)]
        ours, theirs = parse_bits(rows, sentences), read_penn([penn_text(forest)])
        for name in ("tag", "holder", "label", "start", "end", "parent", "breadth_first", "sentences"):
            assert getattr(ours, name).tolist() == getattr(theirs, name).tolist()

    @pytest.mark.parametrize(
        ("cells", "reason"),
        [
            (["(NP*", "*"], "1 of its brackets never close"),
            (["(NP*)", "*)"], '"*)" closes a bracket that is not open'),
            (["(NP*", ")"], 'the parse ")" should have one asterisk'),
            (["(NP**", "*)"], 'the parse "(NP**" should have one asterisk'),
            (["(NP**", ")"], 'the parse "(NP**" should have one asterisk'),
            (["-", "-"], 'the parse "-" should have one asterisk'),
            (["", "*"], 'the parse "" should have one asterisk'),
        ],
    )
    def test_malformed(self, cells: list[str], reason: str) -> None:
        good = [("x", "NN", "(NP*)")]
        rows = good * 2 + [("w", "NN", cell) for cell in cells] + good
        sentences, documents = [0, 1, 2, 4, 5], [0, 1, 5]
        with pytest.raises(TreeError) as error:
            parse_bits(rows, sentences, documents)
        assert error.value.reason == reason
        assert (error.value.document, error.value.sentence, error.value.token) == (1, 1, 1)
        trees = parse_bits(rows, sentences, documents, skip_bad=True)
        assert [phrase for phrase in phrases(trees) if phrase[0] == "NP"] == [
            ("NP", i, i + 1) for i in (0, 1, 4)
        ]
        assert trees.unread().tolist() == [False, False, True, True, False]
        assert [error.reason for error in trees.bad] == [reason]


class TestColumns:
    @pytest.mark.parametrize("separator", ["\t", " ", "    "])
    def test_cells(self, separator: str) -> None:
        rows = [["bc/x", "0", "word", "(NP*"], [], ["bc/x", "1", "ß", "*)"], ["short"]]
        lines = [separator.join(row) for row in rows]
        data = "\n".join(lines).encode()
        starts = np.array([0, len(lines[0]) + 2, len(data) - 5])
        (begin, end), (bits, bits_end) = column_cells(data, starts, [2, 3])
        assert [data[b:e].decode() for b, e in zip(begin, end, strict=True)] == ["word", "ß", ""]
        assert [data[b:e].decode() for b, e in zip(bits, bits_end, strict=True)] == ["(NP*", "*)", ""]

    def test_rows_with_and_without_tabs(self) -> None:
        data = b"a b  c\n# comment\twith tabs\nd\te f\tg\n h i\n"
        ((begin, end),) = column_cells(data, np.array([0, 26, 34]), [1])
        assert [data[b:e] for b, e in zip(begin, end, strict=True)] == [b"b", b"e f", b"i"]

    def test_tabs_keep_empty_cells(self) -> None:
        begin, end = column_cells(b"379\t\t_\n", np.array([0]), [1])[0]
        assert begin.tolist() == end.tolist()


class TestAlignment:
    TREES = b"(NP (DT the) (NNS friend-LRB-s-RRB-) (CC and) (NN internationalisation))"

    @pytest.mark.parametrize(
        ("cells", "first"),
        [
            (["the", "friend(s)", "and", "internationalisation"], None),
            (["the", "friend-LRB-s-RRB-", "and", "internationalisation"], None),
            (["the", "", "and", "internationalisation"], None),
            (["the", "friend(s)", "and", "internationalization"], 3),
            (["the", "friend(s)", "et", "internationalisation"], 2),
            (["The", "friends", "and", "internationalisation"], 0),
            (["the", "friend[s]", "and", "internationalisation"], 1),
        ],
    )
    def test_the_first_word_that_differs(self, cells: list[str], first: int | None) -> None:
        assert first_misaligned(read_penn([self.TREES]), *column(cells)) == first


@pytest.mark.parametrize("label", ["NP", "-LRB-", "WHADVP", "``", "$"])
def test_codes_spell_labels(label: str) -> None:
    assert spelled(code(label)) == label


def test_ontogum_is_read_whole() -> None:
    files = sorted((corpus("ontogum") / "dev" / "ptb").glob("*.ptb"))
    trees = read_penn([file.read_bytes() for file in files])
    for number, file in enumerate(files):
        data = (file.parent.parent / "conll" / f"{file.stem}.conll").read_bytes()
        text = np.frombuffer(data, np.uint8)
        lines: IntArray = np.append(0, np.flatnonzero(text == ord("\n"))[:-1] + 1)
        rows = lines[text[lines] != ord("#")]
        first, last = trees.documents[number : number + 2].tolist()
        assert last - first == rows.size
        alone = read_penn([file.read_bytes()])
        assert first_misaligned(alone, data, column_cells(data, rows, [1])[0]) is None
        assert np.array_equal(alone.tag, trees.tag[first:last])
