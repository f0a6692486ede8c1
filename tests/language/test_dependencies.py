"""Heads from dependency trees."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora import corpus
from referee import FormatError, Protocol, read, score
from referee.language.dependencies import read_conllu
from referee.language.span_survey import minimum_spans

# The end of it nears: "end" depends on "nears", "The" and "it" on "end", "of" on "it".
HEADS = {"The": 2, "end": 5, "of": 4, "it": 2, "nears": 0}


def conllu(heads: Mapping[str, object]) -> str:
    rows = [f"{i}\t{word}\t_\t_\t_\t_\t{head}\tdep\t_\t_" for i, (word, head) in enumerate(heads.items(), 1)]
    extra = ["# text = …", "1-2\tTheend" + "\t_" * 8, "2.1\tempty" + "\t_" * 8]
    return "\n".join([*extra, *rows, "", ""])


def write(folder: Path, cells: str, name: str) -> Path:
    rows = [f"{i}\t{word}\t{cell}" for i, (word, cell) in enumerate(zip(HEADS, cells.split(), strict=True))]
    path = folder / f"{name}.conll"
    path.write_text("\n".join(["#begin document doc", *rows, "", "#end document", ""]), encoding="utf-8")
    return path


def test_the_word_nearest_to_the_root_is_the_head() -> None:
    trees = read_conllu([("a", conllu(HEADS).encode()), ("b", conllu(HEADS).encode())])
    assert trees.documents.tolist() == [0, 5, 10]
    assert trees.depth.tolist() == [2, 1, 3, 2, 0] * 2
    starts, ends = np.array([0, 2, 0, 5, 8]), np.array([4, 4, 5, 9, 10])
    assert trees.heads(starts, ends).tolist() == [1, 3, 4, 6, 9]


@given(st.lists(st.integers(0, 30), min_size=1, max_size=12), st.data())
def test_heads_are_those_of_a_walk_up_each_word(draws: list[int], data: st.DataObject) -> None:
    heads = [draw % (i + 1) for i, draw in enumerate(draws)]  # on an earlier word, or the root
    trees = read_conllu([("a", conllu({f"w{i}": head for i, head in enumerate(heads)}).encode())])

    def depth(word: int) -> int:
        return 0 if heads[word] == 0 else 1 + depth(heads[word] - 1)

    start = data.draw(st.integers(0, len(heads) - 1))
    end = data.draw(st.integers(start + 1, len(heads)))
    expected = min(range(start, end), key=lambda word: (depth(word), word))
    assert trees.heads(np.array([start]), np.array([end])).tolist() == [expected]


def test_scoring_by_heads_out_of_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "trees"
    folder.mkdir()
    (folder / "doc.conllu").write_text(conllu(HEADS), encoding="utf-8")
    key, response = write(tmp_path, "(0 - - 0) (0)", "key"), write(tmp_path, "(0 0) - - (0)", "response")
    assert score(key, response).muc.f1 == 0
    assert score(key, response, protocol=Protocol(match="head"), parses=folder).muc.f1 == 1
    assert [span.minimum_words for span in minimum_spans(read(key), "head", folder)] == ["end", "nears"]
    with pytest.raises(FormatError, match="no file of trees"):
        score(key, response, protocol=Protocol(match="mina"), parses=folder)
    (folder / "doc.conllu").write_text(conllu(HEADS).replace("nears", "comes"), encoding="utf-8")
    with pytest.raises(FormatError, match=r"sentence 1 of doc does not align with the key: .* comes'"):
        score(key, response, protocol=Protocol(match="head"), parses=folder)


TWO = """#begin document one
The\t(0
end\t0)
#end document
#begin document two
It\t(0)
ended\t-
#end document
"""
TREES = [conllu({"The": 2, "end": 0}), conllu({"It": 2, "ended": 0})]


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_one_file_has_the_trees_of_many_documents(tmp_path: Path, named: bool, ends: str) -> None:
    (tmp_path / "key.conll").write_text(TWO, encoding="utf-8")
    parts = list(zip(("one", "two"), TREES, strict=True))
    lines = [(f"# newdoc id = {name}\n" if named else "") + tree for name, tree in parts]
    text = "".join(reversed(lines) if named else lines)  # names decide, where there are any
    path = tmp_path / "trees.conllu"
    path.write_bytes(text.replace("\n", ends).encode())
    found = list(minimum_spans(read(tmp_path / "key.conll"), "head", path))
    assert [span.minimum_words for span in found] == ["end", "It"]


def test_one_file_may_have_more_documents_than_the_key(tmp_path: Path) -> None:
    (tmp_path / "key.conll").write_text(TWO[TWO.index("#begin document two") :], encoding="utf-8")
    path = tmp_path / "trees.conllu"
    path.write_text("".join(f"# newdoc id = {n}\n{t}" for n, t in zip(("one", "two"), TREES, strict=True)))
    assert [s.minimum_words for s in minimum_spans(read(tmp_path / "key.conll"), "head", path)] == ["It"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# newdoc id = one\n" + "".join(TREES), r"no line '# newdoc id = two', which other documents have"),
        (
            conllu({"The": 2, "end": 0, "It": 2}),
            r"conllu:\d+: the file does not align with the key: a document",
        ),
        (
            TREES[0] + TREES[1].replace("\t0\t", "\t9\t"),
            r"trees\.conllu:10: word 2 of this sentence depends on '9'",
        ),
        (TREES[0], "sentence 1 of two does not align with the key"),
    ],
)
def test_a_common_file_that_does_not_fit_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "key.conll").write_text(TWO, encoding="utf-8")
    (tmp_path / "trees.conllu").write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        list(minimum_spans(read(tmp_path / "key.conll"), "head", tmp_path / "trees.conllu"))


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        ({"a": 7}, "a:4: word 1 of this sentence depends on '7', which is not a word of it"),
        ({"a": "_"}, "depends on '_', which is not a word of it"),
        ({"a": 2, "b": 1}, "a:4: word 1 of this sentence does not lead up to a word whose HEAD is 0"),
        ({"a": 0, "b": 3, "c": 2}, "a:4: word 2 of this sentence does not lead up"),
    ],
)
def test_what_is_no_tree_is_refused(heads: dict[str, object], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_conllu([("a", conllu(heads).encode())])


def test_rows_that_are_too_short_are_refused() -> None:
    with pytest.raises(FormatError, match="a:1: CoNLL-U has ten columns, but this line has 2"):
        read_conllu([("a", b"1\tword\n")])


def test_ontogum_has_dependencies_for_every_document() -> None:
    folder = corpus("ontogum") / "dev"
    key = read(folder / "conll")
    found = list(minimum_spans(key, "head", folder / "conllu"))
    phrases = list(minimum_spans(key, "head", folder / "ptb"))
    same = sum(a.tokens == b.tokens for a, b in zip(found, phrases, strict=True)) / len(found)
    assert same > 0.9  # the two kinds of tree mostly agree on heads
