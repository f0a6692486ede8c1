"""The Gun Violence Corpus: its columns, its date rows, and the chain that is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from damage import edits, read_or_refuse
from referee import Corpus, FormatError, Protocol, formats, score
from referee.formats.recognition import is_gvc

GOLD = """#begin document (aa1);
aa1.DCT\t2017-03-16\tDCT\t-
aa1.t1.1\tRobbery\tTITLE\t(22)
aa1.t1.2\treported\tTITLE\t-
aa1.b1.1\tSomebody\tBODY\t-
aa1.b1.2\tNEWLINE\tBODY\t-
aa1.b1.3\tcarried\tBODY\t(22
aa1.b1.4\tNEWLINE\tBODY\t-
aa1.b1.5\toff\tBODY\t22)
aa1.b2.0\tNews\tBODY\t(0)
aa1.b2.1\tspread\tBODY\t(0)
#end document
#begin document (bb2);
bb2.DCT\t2017-03-17\tDCT\t-
bb2.1.0\tTheft\tTITLE\t(22)
bb2.1.0\tTalks\tBODY\t(0)
bb2.1.1\tbegan\tBODY\t(7)
#end document
"""


def put(folder: Path, words: str = GOLD, *, incidents: str = "doc-id,event-id\naa1,500\n") -> Path:
    path = folder / "gold.conll"
    path.write_text(words, encoding="utf-8")
    if incidents:
        (folder / "gvc_doc_to_event.csv").write_text(incidents, encoding="utf-8")
    return path


def spans(read: Corpus) -> list[dict[str, list[tuple[int, int]]]]:
    return [{c.id: [(m.start, m.end) for m in c.mentions] for c in d.clusters} for d in read]


def test_words_sentences_and_chains_are_read(tmp_path: Path) -> None:
    read = formats.read(put(tmp_path))
    assert read.cross_document
    first, second = read
    assert read.ids == ["aa1", "bb2"]
    assert first.words == ("Robbery", "reported", "Somebody", "carried", "off", "News", "spread")
    assert first.sentences == ((0, 2), (2, 5), (5, 7))
    assert second.sentences == ((0, 1), (1, 3))  # a title and a body may both have a sentence 1
    assert spans(read) == [
        {"22": [(0, 1), (3, 5)], "0 in aa1": [(5, 6), (6, 7)]},
        {"22": [(0, 1)], "0 in bb2": [(1, 2)], "7": [(2, 3)]},
    ]
    assert [read.topic_of(number) for number in (0, 1)] == [("gun_violence", "500"), ("gun_violence", None)]


def test_chain_0_joins_no_documents_and_events_leave_it_out(tmp_path: Path) -> None:
    read = formats.read(put(tmp_path))
    assert any("'0' stands for any other event" in notice for notice in read.notices)
    events = read.of_kind("events")
    assert spans(events) == [{"22": [(0, 1), (3, 5)]}, {"22": [(0, 1)], "7": [(2, 3)]}]
    assert events.cross_document
    assert not any("stands for any other event" in notice for notice in events.notices)
    assert read.of_kind("all") is read


def test_document_scope_counts_as_the_plain_columns_do(tmp_path: Path) -> None:
    read = formats.read(put(tmp_path))
    plain = GOLD.replace("DCT", "x").replace("TITLE", "x").replace("BODY", "x")  # no longer recognised
    (tmp_path / "plain.conll").write_text(plain, encoding="utf-8")
    before = formats.read(tmp_path / "plain.conll")
    assert not before.cross_document
    scores = [score(corpus, corpus, protocol=Protocol()).counts for corpus in (read, before)]
    assert {name: counts.tolist() for name, counts in scores[0].items()} == {
        name: counts.tolist() for name, counts in scores[1].items()
    }


def test_verbose_columns_give_types(tmp_path: Path) -> None:
    rows = [line.split("\t") for line in GOLD.splitlines()]
    verbose = "\n".join(
        "\t".join([*row[:3], "500.b:theft.p1" if row[-1] != "-" else "-", row[3]]) if len(row) > 1 else row[0]
        for row in rows
    )
    read = formats.read(put(tmp_path, verbose + "\n"))
    assert {mention.type for cluster in read.document(0).clusters for mention in cluster.mentions} == {
        "b:theft"
    }
    assert spans(read) == spans(formats.read(put(tmp_path)))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "aa1.b1.1\tSomebody",
            "aa1b1\tSomebody",
            r"gold\.conll:5: a token is named DOCUMENT.SENTENCE.NUMBER",
        ),
        ("Somebody\tBODY\t-", "Somebody\tBODY\t-\t-\t-", r"gold\.conll:5: expected a token, a word, DCT"),
        (
            "aa1.b1.2\tNEWLINE\tBODY\t-",
            "aa1.b1.2\tNEWLINE\tBODY\t(5)",
            r"gold\.conll:6: a mention of chain 5",
        ),
        ("off\tBODY\t22)", "off\tBODY\t-", r"gold\.conll:7: cluster 22 is opened but never closed"),
        ("off\tBODY\t22)", "off\tBODY\t22)|9)", "cluster 9 is closed but never opened"),
    ],
)
def test_broken_rows_are_refused_with_their_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GOLD
    with pytest.raises(FormatError, match=message):
        formats.read(put(tmp_path, GOLD.replace(old, new, 1)))


def test_a_list_of_incidents_without_its_columns_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"gvc_doc_to_event\.csv:1: the table has no column doc-id"):
        formats.read(put(tmp_path, incidents="a,b\n1,2\n"))


def test_other_conll_is_not_taken_for_it() -> None:
    assert is_gvc(GOLD.encode())
    assert not is_gvc(b"#begin document (a);\nx.1.0\tword\tBODY\t-\n")
    assert not is_gvc(b"#begin document (a); part 000\na\t0\t0\tDCT\t-\n")


@given(edits(GOLD, "()|\t\n0aT.-"))
def test_any_damage_is_an_error_in_words(tmp_path_factory: pytest.TempPathFactory, words: str) -> None:
    read_or_refuse(put(tmp_path_factory.mktemp("damaged"), words, incidents=""))
