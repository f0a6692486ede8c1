"""Formats of which each document is a file: one goes to the file named, several to a folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from referee import Cluster, FormatError, Mention, read, write
from referee.cli import main
from referee.model import cut_text

ANN = [Cluster("1", (Mention.at(0, 3),))]


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_one_document_is_a_file_and_several_a_folder(tmp_path: Path) -> None:
    first, second = cut_text("x/1", "Ann", ANN), cut_text("y: 100%", "Ann", ANN)
    write([first], tmp_path / "one.ann")
    write([first, second], tmp_path / "two.ann")
    write([first], tmp_path / "three", "brat")
    assert names(tmp_path) == [
        "one.ann", "one.txt", "three/x%2F1.ann", "three/x%2F1.txt",
        "two.ann/x%2F1.ann", "two.ann/x%2F1.txt", "two.ann/y%3A 100%25.ann", "two.ann/y%3A 100%25.txt",
    ]  # fmt: skip
    assert read(tmp_path / "one").ids == ["one"]
    assert read(tmp_path / "two.ann").ids == ["x/1", "y: 100%"]
    write([second], tmp_path / "two.ann")  # a folder stays one
    assert read(tmp_path / "two.ann").ids == ["x/1", "y: 100%"]
    write([], tmp_path / "none.ann")
    assert (tmp_path / "none.ann").is_dir()


def test_two_documents_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="two documents are called 'A'; give them other names"):
        write([cut_text("a", "Ann"), cut_text("A", "Ann")], tmp_path / "two", "webanno")


def test_a_file_in_the_way_is_said(tmp_path: Path) -> None:
    (tmp_path / "two.tsv").write_text("", encoding="utf-8")
    with pytest.raises(
        FormatError, match=r"two\.tsv: WebAnno TSV holds one document per file, and this folder"
    ):
        write([cut_text("a", "Ann"), cut_text("b", "Ann")], tmp_path / "two.tsv")


def test_standard_output_takes_one_document_of_one_file(tmp_path: Path) -> None:
    write([cut_text("a", "Ann", ANN)], tmp_path / "a.jsonl")
    write([cut_text("a", "Ann", ANN), cut_text("b", "Ann")], tmp_path / "b.jsonl")
    out = CliRunner().invoke(main, ["convert", str(tmp_path / "a.jsonl"), "-", "--to", "webanno"])
    assert "1-1\t0-3\tAnn\t*->1-1\t*[1]\t\n" in out.stdout
    several = CliRunner().invoke(main, ["convert", str(tmp_path / "b.jsonl"), "-", "--to", "webanno"])
    assert "WebAnno TSV holds one document per file; name a folder" in several.stderr
    pair = CliRunner().invoke(main, ["convert", str(tmp_path / "a.jsonl"), "-", "--to", "brat"])
    assert "brat needs several files; name one instead of standard output" in pair.stderr
