"""LitBank's own files: mentions by sentence and word, and the text beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import Cluster, FormatError, Mention, read

MENTIONS = (
    "MENTION\tT0\t0\t0\t0\t1\tAnn Lee\tPER\tPROP\nMENTION\tT1\t1\t0\t1\t0\tShe\tPER\tPRON\n"
    "MENTION\tT2\t1\t2\t1\t3\ta captain\tPER\tNOM\nCOREF\tT0\tAnn_Lee-0\nCOREF\tT1\tAnn_Lee-0\nCOP\tT2\tT1\n"
)


def put(folder: Path, mentions: str = MENTIONS) -> Path:
    (folder / "x_brat.txt").write_text("Ann Lee slept .\nShe was a captain .\n", encoding="utf-8")
    (folder / "x_brat.ann").write_text(mentions, encoding="utf-8")
    return folder


@pytest.mark.parametrize("given", ["", "x_brat.ann"])
def test_mentions_and_their_entities_are_read(tmp_path: Path, given: str) -> None:
    corpus = read(put(tmp_path) / given)
    (document,) = corpus
    assert document.id == "x_brat"
    assert document.words == ("Ann", "Lee", "slept", ".", "She", "was", "a", "captain", ".")
    assert document.sentences == ((0, 4), (4, 9))
    assert document.clusters == (
        Cluster("Ann_Lee-0", (Mention.at(0, 2), Mention.at(4, 5)), "PER"),
        Cluster("T2", (Mention.at(6, 8),), "PER"),
    )
    assert any("ties of COP or APPOS are not identity" in notice for notice in corpus.notices)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("T0\t0\t0\t0\t1", "T0\t0\t0\t0\t9", r"ann:1: the text has no word 9 in sentence 0"),
        ("T0\t0\t0\t0\t1", "T0\t0\t1\t0\t0", r"ann:1: the mention T0 ends before it begins"),
        ("COREF\tT1", "COREF\tT9", "COREF names T9, which is not a mention"),
        ("COP\tT2", "LINK\tT2", "ann:6: neither MENTION"),
    ],
)
def test_broken_files_are_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        read(put(tmp_path, MENTIONS.replace(old, new)))


def test_the_text_must_be_there(tmp_path: Path) -> None:
    (put(tmp_path) / "x_brat.txt").unlink()
    with pytest.raises(FormatError, match=r"there is no x_brat\.txt"):
        read(tmp_path / "x_brat.ann")
