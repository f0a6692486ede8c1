"""CoNLL-U that is not as it should be: what is refused, and what is passed over with a word."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from made_conllu import conllu, opened_conllu
from referee.cli import main
from referee.exceptions import FormatError

COLUMNS = "\t_" * 7
RANGE = conllu("a b{(x)}").replace("2\tb", "{1}\tb" + COLUMNS + "\t_\n2\tb")
IN_ORDER = "is not in its order"

# The first row is on line 4. What the official scorer refuses:
REFUSED = {
    "closed, never opened": (conllu("a b{x)}"), 5, "entity x is closed but never opened"),
    "closed once too often": (conllu("a{(x--1} b{x)x)}"), 5, "entity x is closed but never opened"),
    "head is empty": (conllu("a{(x--)} b"), 4, "head '', which is not a number"),
    "head shifted by a hyphen": (conllu("a{(x-1--1)}"), 4, "head '', which is not a number"),
    "head is not a number": (conllu("a{(x--b)}"), 4, "head 'b', which is not a number"),
    "head beyond the mention": (conllu("a{(x--3} b{x)}"), 4, "head 3 of a mention of x is beyond its 2"),
    "huge head": (conllu("a{(x--" + "9" * 5000 + "} b{x)}"), 4, "is beyond its 2 words"),
    "no name": (conllu("a{(-person-1)}"), 4, "names no entity"),
    "brackets around nothing": (conllu("a b{()}"), 5, r"'\(\)' in Entity has no name between its brackets"),
    "opening before closing": (conllu("a{(a--1} b{(b--1a)}"), 5, "head '1a', which is not a number"),
    "over a sentence": (conllu("a{(x--1} | b{x)}"), 7, "a mention of x runs over the end of its sentence"),
    "part without a first": (conllu("a b{(x[2/2]--1)}"), 5, r"part \[2/2\] of a mention of x comes without"),
    "two broken at once": (
        conllu("a{(x[1/2]--2)} b{(x[1/2]--2)} c d{(x[2/2]--2)}"), 7, "discontinuous mentions of x are mixed",
    ),
    "part closed, whole opened": (conllu("a{(x--1} b{x[2/2])}"), 5, "discontinuous mentions of x are mixed"),
    "no header": (conllu("a{(x)}", header=""), 3, "Entity= without a header; put '# global.Entity"),
    "deps without node": (conllu("a *5.1:nsubj{(x--1)}"), 5, "DEPS names 5.1, which is not a node"),
    "deps without word": (conllu("a *7:nsubj{(x--1)}"), 5, "DEPS names 7, which is not a node"),
    "no number": (conllu("a b").replace("2\tb", "x\tb"), 5, "'x' is not an ID of CoNLL-U"),
    "blanks for tabs": (conllu("a b").replace("2\tb\t", "2 b "), 5, "'2 b _' is not an ID"),
    "number left out": (conllu("a b").replace("2\tb", "3\tb"), 5, "word 3 comes where word 2"),
    "number again": (conllu("a b").replace("2\tb", "1\tb"), 5, "word 1 comes where word 2"),
    "empty node too late": (conllu("a b *1:dep").replace("2.1", "1.1"), 6, f"the empty node 1.1 {IN_ORDER}"),
    "empty node again": (conllu("a *1:x *1:x").replace("1.2", "1.1"), 6, f"the empty node 1.1 {IN_ORDER}"),
}  # fmt: skip
# What it passes over:
PASSED_OVER = {
    "never closed": (conllu("a{(x--1} b{(x--1)} c{(y)}"), 4, "entity x is opened but never closed", 2),
    "no bracket": (conllu("a{x} b{(x)}"), 4, "'x' in Entity has no bracket", 1),
    "twice": (conllu("a{Entity=(x)|Entity=(y)}"), 4, "Entity occurs twice; the last one counts", 1),
    "on a range": (conllu("a b").replace("1\ta", f"1-2\tab{COLUMNS}\tEntity=(x)\n1\ta"), 4, "on a range", 0),
    "range too late": (RANGE.replace("{1}", "1-2"), 5, "the range 1-2 does not begin", 1),
    "range too long": (RANGE.replace("{1}", "2-3"), 5, "the range of words runs over the end", 1),
    "part left": (conllu("a{(x[1/2]--2)} b{(x)}"), 4, "a mention of x has 1 of 2 parts", 2),
    "few columns": (conllu("a b{(x)}").replace("1\tdep\t", "1\t"), 5, "ten columns, but this line has 9", 0),
    "no written word": (conllu("a{(x)} | *{(x)} | b"), 7, "the sentence has no written word", 1),
    "minimum outside": (conllu("a{(x-9)}", header="eid-minspan"), 4, "the minimum span '9' is not inside", 1),
    "relation of nothing": (conllu("a{Bridge=y<x|Entity=(x)}"), 4, "Bridge names the entity y, which", 1),
    "no relation": (conllu("a{Bridge=x|Entity=(x)}"), 4, "'x' is not a relation such as e1<e5", 1),
    "same sent_id": (conllu("a | b{(x)}").replace("d-2", "d-1"), 6, "has the same sent_id d-1", 1),
    "a zone": (conllu("a{(x)}").replace("d-1", "d/1"), 3, "the sent_id d/1 has a slash", 1),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(tmp_path: Path, case: str) -> None:
    text, line, message = REFUSED[case]
    corpus = opened_conllu(tmp_path, text)
    where = rf"file\.conllu:{line}: .*{message}.*; correct the file"
    with pytest.raises(FormatError, match=where):
        corpus.chains([0])
    with pytest.raises(FormatError, match=where):
        corpus.document(0)
    assert line in [number for number, _ in corpus.flaws(0)]
    corpus.salvage(0)


@pytest.mark.parametrize("case", PASSED_OVER)
def test_what_is_passed_over(tmp_path: Path, case: str) -> None:
    text, line, message, mentions = PASSED_OVER[case]
    corpus = opened_conllu(tmp_path, text)
    chains = corpus.chains([0])
    assert chains.start.size == mentions == sum(len(c.mentions) for c in corpus.document(0).clusters)
    assert all(f"file.conllu:{line}: " in notice and message in notice for notice in chains.notices)
    assert [number for number, what in corpus.flaws(0) if message in what] == [line]
    strict = opened_conllu(tmp_path, text, strict=True)
    for read in (lambda: strict.chains([0]), lambda: strict.document(0)):
        with pytest.raises(FormatError, match=rf"file\.conllu:{line}: .*; strict refuses it"):
            read()


def test_a_wrong_head_is_no_matter_of_mentions(tmp_path: Path) -> None:
    """HEAD counts in no score; who asks for trees is told."""
    for wrong in ("3", "x", "-1", "9" * 5000):
        text = conllu("a b{(x)}").replace("\t1\tdep", f"\t{wrong}\tdep")
        corpus = opened_conllu(tmp_path, text)
        assert corpus.chains([0]).start.size == 1
        with pytest.raises(
            FormatError, match=r"file\.conllu:5: HEAD is '.*', which is not a word of the sentence"
        ):
            corpus.document(0)


def test_no_head_is_no_tree(tmp_path: Path) -> None:
    text = conllu("a b{(x)}").replace("\t1\tdep", "\t_\tdep")
    assert opened_conllu(tmp_path, text).document(0).layers["head"] == ("-", "-")
    assert "head" not in opened_conllu(tmp_path, text.replace("0\troot", "_\t_")).document(0).layers


def test_validation_lists_everything(tmp_path: Path) -> None:
    path = tmp_path / "file.conllu"
    path.write_text(conllu("a{x)} b{(y--1} c") + conllu("d{(z--4} e{z)z)}", "e"), encoding="utf-8")
    shown = CliRunner().invoke(main, ["validate", str(path)])
    assert shown.exit_code == 1
    listed = [
        line.rsplit("file.conllu:", 1)[-1] for line in shown.output.splitlines() if "file.conllu:" in line
    ]
    assert listed == [
        "4: entity x is closed but never opened",
        "5: entity y is opened but never closed",
        "11: the head 4 of a mention of z is beyond its 2 words",
        "12: entity z is closed but never opened",
    ]


def test_lines_that_are_cut_off(tmp_path: Path) -> None:
    """However a file is cut, it is read or refused by a line of its own."""
    text = conllu("a{(x--1} * b{x)(y[1/2]--2)} c{(y[2/2]--2)} | d{(x)}")
    for length in range(len(text)):
        corpus = opened_conllu(tmp_path, text[:length])
        try:
            for document in corpus:
                assert document.layout[1] == text[:length]
        except FormatError as error:
            assert "file.conllu:" in str(error)  # noqa: PT017 either way
