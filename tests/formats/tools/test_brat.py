"""brat: pairs of files, gaps, chains of several kinds, and what is wrong with them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee import Cluster, Document, FormatError, Mention, convert, read, write
from referee.cli import main
from referee.exceptions import SettingError
from referee.model import cut_text
from tool_specimens import BRAT, STORY, put


def one(folder: Path, annotation: str, text: str = STORY) -> Document:
    (folder / "a.txt").write_bytes(text.encode())
    (folder / "a.ann").write_bytes(annotation.encode())
    (document,) = read(folder / "a.ann")
    return document


def spelled(document: Document) -> dict[str, list[str]]:
    return {c.id: [document.text.spelled(m.spans) for m in c.mentions] for c in document.clusters}


@pytest.mark.parametrize("name", ["story", "story.ann", "story.txt", "story.txt+ann", "story.ann+txt", ""])
def test_a_pair_has_many_names(tmp_path: Path, name: str) -> None:
    put(tmp_path, "story.ann", BRAT)
    corpus = read(tmp_path / name)
    assert corpus.ids == ["story"]
    assert corpus.location(0) == f"{tmp_path}/story.ann:1"
    assert not corpus.named
    (notice,) = corpus.notices
    assert notice.endswith(":14: the relation 'Knows' does not mean coreference: kept but not read")


def test_a_folder_of_pairs_is_a_corpus(tmp_path: Path) -> None:
    put(tmp_path, "b.ann", BRAT)
    put(tmp_path, "a%2Fc.ann", "")  # nobody has annotated it yet
    (tmp_path / "annotation.conf").write_text("[entities]\n", encoding="utf-8")
    corpus = read(tmp_path)
    assert corpus.ids == ["a/c", "b"]
    assert corpus.empty_files == []
    assert corpus.document(0).clusters == ()
    assert corpus.document(0).text.running == STORY
    write(corpus, tmp_path / "out", "brat")
    names = ["a%2Fc.ann", "a%2Fc.txt", "b.ann", "b.txt"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == names
    assert (tmp_path / "out" / "b.ann").read_text(encoding="utf-8") == BRAT


def test_packed_files(tmp_path: Path) -> None:
    (tmp_path / "a.ann.gz").write_bytes(gzip.compress(BRAT.encode()))
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(STORY.encode()))
    assert read(tmp_path / "a.ann.gz").ids == ["a"]


def test_a_file_without_ending_is_itself(tmp_path: Path) -> None:
    put(tmp_path, "story.ann", BRAT)
    write([cut_text("other", "Ann")], tmp_path / "story", "jsonlines")
    assert read(tmp_path / "story").ids == ["other"]


def test_a_missing_text_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.ann").write_text(BRAT, encoding="utf-8")
    with pytest.raises(FormatError, match=r"a\.ann:1: there is no .*a\.txt, which has the text"):
        read(tmp_path / "a.ann")


def test_a_tab_in_the_text_is_text(tmp_path: Path) -> None:
    assert spelled(one(tmp_path, "T1\tA 0 7\tAnn\tLee\n", "Ann\tLee")) == {"T1": ["Ann\tLee"]}


def test_marks_with_gaps(tmp_path: Path) -> None:
    document = one(tmp_path, "T1\tA 24 33;50 55\tThe mayor found\nT2\tA 0 3;3 4\tAnn\n*\tEquiv T1 T2\n")
    assert [m.spans for m in document.clusters[0].mentions] == [((0, 1),), ((7, 9), (14, 15))]
    gap = Cluster("1", (Mention(((0, 1), (2, 3)), type="A"), Mention(((1, 3),))))
    write([Document(cut_text("d", "the old hat").text, (gap,))], tmp_path / "d.ann")
    lines = (tmp_path / "d.ann").read_text(encoding="utf-8").splitlines()
    assert lines == ["T1\tA 0 3;8 11\tthe hat", "T2\tMention 4 11\told hat", "*\tEquiv T1 T2"]
    assert read(tmp_path / "d.ann").document(0).clusters[0].mentions == gap.mentions


def test_chains_and_singletons(tmp_path: Path) -> None:
    marks = "T1\tA 0 3\tAnn\nT2\tA 11 14\ther\nT3\tA 45 48\tAnn\nT4\tB 56 58\tit\nT5\tB 50 55\tfound\n"
    assert spelled(one(tmp_path, marks)) == {
        "T1": ["Ann"], "T2": ["her"], "T3": ["Ann"], "T4": ["it"], "T5": ["found"],
    }  # fmt: skip
    events = marks + "E1\tB:T4\nE2\tB:T5 Theme:T4\nR1\tAnaphora Anaphor:T3 Antecedent:T1\n"
    assert spelled(one(tmp_path, events)) == {"T1": ["Ann", "Ann"], "T2": ["her"]}
    linked = events + "R2\tCoref Arg1:E1 Arg2:E2\n*\tEquiv T1 T2\n*\tAlias T1 T4\n"
    assert spelled(one(tmp_path, linked)) == {"T1": ["Ann", "her", "Ann"], "T5": ["found", "it"]}


def test_line_ends_count_as_they_are(tmp_path: Path) -> None:
    document = one(tmp_path, "T1\tA 0 8\tAnn Lee\r\n\r\n", "Ann\r\nLee\r\n")
    assert spelled(document) == {"T1": ["Ann\r\nLee"]}
    write([document], tmp_path / "b.ann")
    assert (tmp_path / "b.txt").read_bytes() == b"Ann\r\nLee\r\n"
    assert (tmp_path / "b.ann").read_bytes() == b"T1\tA 0 8\tAnn Lee\r\n\r\n"
    write([Document(document.text, document.clusters)], tmp_path / "b.ann")
    assert (tmp_path / "b.ann").read_bytes() == b"T1\tA 0 8\tAnn  Lee\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("T2\tA 0 99\tAnn", "the span 0-99 is empty, or not inside the text, which has 60 characters"),
        ("T2\tA 3 0\tAnn", "the span 3-0 is empty, or not inside"),
        ("T2\tA 3 3\t", "the span 3-3 is empty"),
        ("T2\tA 3 4\t", r"the span \(3, 4\) is white space alone"),
        ("T2\tA 0 3\tAmy", "T2 is 'Amy', but the text has 'Ann"),
        ("T2\tA 0 3\t" + "x" * 4000, "T2 is 'x{40}', but"),
        ("T2\tA 0\tAnn", "expected offsets such as '0 5' or '0 5;9 12', not '0'"),
        ("T2\tA 0 -3\tAnn", "expected offsets"),
        ("T2\tA 0 " + "9" * 5000, "expected offsets"),
        ("T2\tA 0 \u0663\tAnn", "expected offsets"),
        ("T2\t 0 3\tAnn", "T2 has no type"),
        ("T2", "expected offsets"),
        ("T1\tA 0 3\tAnn", "T1 occurs twice"),
        ("*\tEquiv T1 T9", "T9 is not a mark of this file"),
        ("*\tEquiv", "a relation without arguments"),
        ("R1\tCoref Arg1:T1 Arg2:E1", "E1 is not a mark of this file"),
        ("R1\tCoref T1 T1", "expected ROLE:NAME, such as Arg1:T1, not 'T1'"),
        ("E1\t", "expected ROLE:NAME"),
        ("word\t(1)", r"'word\t\(1\)' is not a line of brat"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(FormatError, match=rf"a\.ann:2: {message}"):
        one(tmp_path, f"T1\tA 11 14\ther\n{line}\n")


def test_encodings(tmp_path: Path) -> None:
    put(tmp_path, "a.ann", b"T1\tA 0 3\tAnn\nT2\tA 0 3\t\xff\n")
    with pytest.raises(FormatError, match=r"a\.ann:2: not UTF-8"):
        read(tmp_path / "a.ann")
    put(tmp_path, "b.ann", BRAT)
    (tmp_path / "b.txt").write_bytes(b"Ann\n\xe9")
    with pytest.raises(FormatError, match=r"b\.txt:2: not UTF-8"):
        read(tmp_path / "b.ann")
    with pytest.raises(
        FormatError, match="document d: it has bytes that are not UTF-8, which brat cannot hold"
    ):
        write([cut_text("d", "caf\udce9")], tmp_path / "c.ann")


def test_types_with_blanks_are_refused(tmp_path: Path) -> None:
    document = cut_text("d", "Ann", [Cluster("1", (Mention(((0, 3),), type="a person"),))])
    with pytest.raises(FormatError, match="the type 'a person' has white space or is empty"):
        write([document], tmp_path / "c.ann")


def test_commands_take_pairs(tmp_path: Path) -> None:
    put(tmp_path, "story.ann", BRAT)
    name = str(tmp_path / "story.txt+ann")
    jsonl = str(tmp_path / "story.jsonl")
    outputs = [
        CliRunner().invoke(main, arguments)
        for arguments in (
            ["convert", name, jsonl],
            ["score", name, jsonl],
            ["errors", name, jsonl],
            ["compare", name, jsonl, name],
            ["validate", name, "--key", jsonl],
            ["report", name, jsonl, "-o", str(tmp_path / "report.html")],
        )
    ]
    assert [output.exit_code for output in outputs] == [0] * 6, [output.output for output in outputs]
    assert "CoNLL                        100.00" in outputs[1].output


@pytest.mark.parametrize("name", ["CorefLink", "COREF_IDENT", "coref-rel"])
def test_more_names_of_coreference(name: str, tmp_path: Path) -> None:
    put(tmp_path, "a.ann", f"T1\tP 0 3\tAnn\nT2\tP 8 11\ther\nR1\t{name} Arg1:T2 Arg2:T1\n")
    (tmp_path / "a.txt").write_text("Ann saw her dog")
    assert [len(cluster.mentions) for cluster in read(tmp_path / "a.ann")[0].clusters] == [2]


def test_names_of_relations_may_be_given(tmp_path: Path) -> None:
    put(tmp_path, "a.ann", "T1\tP 0 3\tAnn\nT2\tP 8 11\ther\nR1\tSame_Person Arg1:T2 Arg2:T1\n")
    (tmp_path / "a.txt").write_text("Ann saw her dog")
    assert len(read(tmp_path / "a.ann")[0].clusters) == 2
    corpus = read(tmp_path / "a.ann", identity=["SamePerson"])
    assert len(corpus[0].clusters) == 1
    assert not corpus.notices
    with pytest.raises(SettingError, match="no relation is called Other, which identity= names"):
        read(tmp_path / "a.ann", identity=["SamePerson", "Other"])
    put(tmp_path, "b.conll", "#begin document (b); part 000\nb 0 0 x (1)\n\n#end document\n")
    with pytest.raises(SettingError, match="identity= names relations, which CoNLL does not have; brat"):
        read(tmp_path / "b.conll", identity=["Same"])
    for given in (corpus, {"tokens": ["x"], "clusters": []}):
        with pytest.raises(SettingError, match="identity= names relations in files"):
            convert(given, tmp_path / "c.jsonl", identity=["Same"])
