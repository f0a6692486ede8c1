"""GAP's data becomes a corpus; decisions of systems are read; what is wrong is said with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

import referee
from corpora import corpus
from referee import FormatError, Mention, formats
from referee.formats.corpora.gap import GapCorpus, read_decisions
from referee.formats.io.opening import SeekableFile
from referee.formats.recognition import is_gap_decisions

HEADS = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL"
ROW = "v-1\tAnn met Bea, and she sang.\tshe\t17\tAnn\t0\tTRUE\tBea\t8\tFALSE\thttp://x"


def write(folder: Path, *rows: str, heads: str = HEADS) -> Path:
    path = folder / "gap.tsv"
    path.write_bytes("\n".join([heads, *rows, ""]).encode())
    return path


def test_a_row_is_a_document(tmp_path: Path) -> None:
    read = referee.read(write(tmp_path, ROW, ROW.replace("v-1", "v-2").replace("TRUE", "FALSE")))
    assert isinstance(read, GapCorpus)
    assert read.ids == ["v-1", "v-2"]
    first, second = read
    assert first.text.running == "Ann met Bea, and she sang."
    assert first.words == ("Ann", "met", "Bea", ",", "and", "she", "sang", ".")
    assert {c.id: c.mentions for c in first.clusters} == {
        "pronoun": (Mention.at(0, 1), Mention.at(5, 6)),
        "B": (Mention.at(2, 3),),
    }
    assert {c.id: c.mentions for c in second.clusters} == {
        "pronoun": (Mention.at(5, 6),),
        "A": (Mention.at(0, 1),),
        "B": (Mention.at(2, 3),),
    }
    assert read.examples[0].coreferent == (True, False)
    assert "GAP's own score" in read.notices[0]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (ROW.replace("\t17\t", "\t16\t"), "gap.tsv:2: 'she' is not at character 16 of the text"),
        (ROW.replace("\t17\t", "\t-9\t"), "gap.tsv:2: 'she' is not at character -9 of the text"),
        (ROW.replace("\t17\t", "\t" + "9" * 5000 + "\t"), "gap.tsv:2: 'she' is not at character 9"),
        (ROW.replace("\tBea\t8", "\t\t8"), "gap.tsv:2: '' is not at character 8"),
        (ROW.replace("TRUE", "YES"), "gap.tsv:2: A-coref and B-coref are TRUE or FALSE, not 'YES'"),
        (ROW.rpartition("\t")[0], "gap.tsv:2: expected 11 columns .* not 10"),
        (f"{ROW}\n{ROW}", "gap.tsv:3: the example v-1 occurs twice"),
    ],
)  # fmt: skip
def test_broken_rows_are_refused_with_their_line(tmp_path: Path, row: str, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        referee.read(write(tmp_path, row))


def test_odd_bytes_are_refused_with_their_line(tmp_path: Path) -> None:
    path = write(tmp_path, ROW)
    path.write_bytes(path.read_bytes().replace(b"sang", b"s\xe9ng"))
    with pytest.raises(FormatError, match=r"gap.tsv:2: not UTF-8"):
        referee.read(path)


@pytest.mark.parametrize(
    ("first", "taken"),
    [
        (b"v-1\tTRUE\tFALSE\nv-2", True),
        (b"\xef\xbb\xbfv-1\tfalse\ttrue\r\n", True),
        (b"ID\tA-coref\tB-coref\nv-1\tTRUE", True),
        (b"v-1\tTRUE\n", False),
        (b"1\tword\t(1)\n", False),
        (HEADS.encode(), False),
    ],
)
def test_decisions_are_recognised(first: bytes, taken: bool) -> None:
    assert is_gap_decisions(first) == taken


def test_decisions_are_read_and_the_first_counts(tmp_path: Path) -> None:
    path = tmp_path / "out.tsv"
    heads = "ID\tA-coref\tB-coref\n"
    path.write_text(f"{heads}v-1\tTRUE\tfalse\n\nv-1\tFALSE\tFALSE\nv-2\tTRUE\tmaybe\r\n", encoding="utf-8")
    answers, notices = read_decisions(SeekableFile(str(path)))
    assert answers == {"v-1": (True, False), "v-2": (True, None)}
    assert "out.tsv:4: v-1 is decided twice" in notices[0]
    assert "out.tsv:5: expected TRUE or FALSE twice, not 'TRUE maybe'" in notices[1]
    with pytest.raises(FormatError, match=r"out.tsv:1: decisions about GAP's names have no text"):
        formats.read(path)
    path.write_text("v-1\tTRUE\tFALSE\nv-2\tTRUE\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"out.tsv:2: expected 3 columns \(ID, A-coref, B-coref\), not 2"):
        read_decisions(SeekableFile(str(path)))


def test_an_ending_of_two_formats_is_that_of_the_one_that_is_written(tmp_path: Path) -> None:
    own = [name for name in formats.WRITABLE if ".tsv" in formats.FORMATS[name].suffixes]
    assert formats.format_of(tmp_path / "a.tsv") == (own[0] if own else "gap")


@pytest.mark.parametrize(("name", "texts"), [("gap-validation.tsv", 454), ("gap-development.tsv", 2000)])
def test_gap_itself_is_read_and_survives_conversion(tmp_path: Path, name: str, texts: int) -> None:
    read = referee.read(corpus("gap") / name)
    assert len(read) == texts
    referee.write(read, tmp_path / "a.jsonl")
    assert list(referee.read(tmp_path / "a.jsonl")) == list(read)
