"""FCC's and HyperCoref's tables of tokens and mentions."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damage import edits, read_or_refuse
from referee import Corpus, FormatError, formats

TOKENS = """doc-id,sentence-idx,token-idx,token
d1,1,0,Later
d1,0,0,They
d1,0,1,won
d1,0,2,"the, final"
d2,0,0,The
d2,0,1,victory
d2,0,2,came
"""
DOCUMENTS = "doc-id,collection,publish-date,seminal-event\nd1,cup,2018-07-15,final\nd2,cup,,\n"
ACTIONS = """doc-id,mention-id,sentence-idx,token-idx-from,token-idx-to,event,mention-type
d1,0,0,1,3,e1,ACTION
d1,1,1,0.0,1.0,other_event,
d2,0,0,1,2,e1,
d2,1,0,2,3,other_event,
"""
SENTENCES = "doc-id,mention-id,sentence-idx,event\nd1,0,0,e1\nd2,0,0,e1\n"
LINKS = """,url-normalized,to-url,to-url-normalized,sentence-idx,token-idx-from,token-idx-to
0,x.com/a,https://x.com/z?q=1,x.com/z,0,0,2
1,x.com/b,http://x.com/z,x.com/z,0,1,2
"""
LINK_TOKENS = """url-normalized,sentence-idx,token-idx,token
x.com/a,0,0,Storm
x.com/a,0,1,hit
x.com/b,0,0,The
x.com/b,0,1,storm
"""


def put(folder: Path, **files: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, words in files.items():
        (folder / f"{name}.csv").write_text(words, encoding="utf-8")


def spans(read: Corpus) -> list[dict[str, list[tuple[int, int]]]]:
    return [{c.id: [(m.start, m.end) for m in c.mentions] for c in d.clusters} for d in read]


def actions(folder: Path, **changed: str) -> Path:
    put(
        folder,
        **{"tokens": TOKENS, "documents": DOCUMENTS, "cross_subtopic_mentions_action": ACTIONS} | changed,
    )
    return folder / "cross_subtopic_mentions_action.csv"


def test_actions_are_read_in_the_order_of_sentences_and_tokens(tmp_path: Path) -> None:
    read = formats.read(actions(tmp_path))
    assert read.cross_document
    assert [d.words for d in read] == [("They", "won", "the, final", "Later"), ("The", "victory", "came")]
    assert read.document(0).sentences == ((0, 3), (3, 4))
    assert spans(read) == [
        {"e1": [(1, 3)], "other_event in d1": [(3, 4)]}, {"e1": [(1, 2)], "other_event in d2": [(2, 3)]},
    ]  # fmt: skip
    assert spans(read.of_kind("events")) == [{"e1": [(1, 3)]}, {"e1": [(1, 2)]}]
    assert [read.topic_of(number) for number in (0, 1)] == [
        ("football_tournaments", "final"), ("football_tournaments", "singleton_subtopic_d2"),
    ]  # fmt: skip
    assert [m.type for c in read.document(0).clusters for m in c.mentions] == ["ACTION", None]


def test_a_folder_of_fcc_is_read_by_sentences(tmp_path: Path) -> None:
    put(tmp_path, tokens=TOKENS, documents=DOCUMENTS, mentions_cross_subtopic=SENTENCES)
    assert spans(formats.read(tmp_path)) == [{"e1": [(0, 3)]}, {"e1": [(0, 3)]}]


@pytest.mark.parametrize("name", ["2020_FCC_cleaned/train", "2020_FCC-T", "2020_FCC-T/train"])
def test_tokens_lie_above_or_in_the_same_part_beside(tmp_path: Path, name: str) -> None:
    actions(tmp_path / "2020_FCC-T" / "train" / "with_stacked_actions")
    path = tmp_path / "2020_FCC-T" / "train" / "with_stacked_actions"
    (tmp_path / name).mkdir(exist_ok=True, parents=True)
    (path / "tokens.csv").rename(tmp_path / name / "tokens.csv")
    assert len(formats.read(path / "cross_subtopic_mentions_action.csv")) == 2


def test_without_tokens_the_error_says_so(tmp_path: Path) -> None:
    path = actions(tmp_path)
    (tmp_path / "tokens.csv").unlink()
    with pytest.raises(FormatError, match=r"action\.csv: .* there is no tokens\.csv beside or above it"):
        formats.read(path)


def test_hyperlinks_to_one_page_are_a_cluster(tmp_path: Path) -> None:
    put(tmp_path, tokens=LINK_TOKENS, hyperlinks=LINKS)
    read = formats.read(tmp_path / "hyperlinks.csv")
    assert spans(read) == [{"x.com/z": [(0, 2)]}, {"x.com/z": [(1, 2)]}]
    assert read.ids == ["x.com/a", "x.com/b"]
    assert read.topic_of(0) == ("hyperlinks", None)


def test_parquet_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "hyperlinks.parquet").write_bytes(b"PAR1\x15\x04")
    with pytest.raises(FormatError, match=r"hyperlinks\.parquet: Parquet is not read; make tables of it"):
        formats.read(tmp_path / "hyperlinks.parquet")


BROKEN = [
    ("d1,0,0,1,3", "d1,0,5,1,3", r"action\.csv:2: the document has no sentence 5"),
    ("d1,0,0,1,3", "d1,0,0,1,4", r"action\.csv:2: tokens 1 to 3 are not in sentence 0"),
    ("d1,0,0,1,3", "d1,0,0,1,1", r"action\.csv:2: tokens 1 to 0 are not in sentence 0"),
    ("d1,0,0,1,3", "d1,0,0,one,3", r"action\.csv:2: token-idx-from must be a whole number, not 'one'"),
    ("d1,0,0,1,3", "d1,0,0,99999999999999999999,3", "token-idx-from must be a whole number"),
    ("d2,0,0,1,2,e1,", "d9,0,0,1,2,e1,", r"action\.csv:4: document d9 is not in .*tokens\.csv"),
    ("d2,0,0,1,2,e1,", "d2,0,0,1,2,,", r"action\.csv:4: has no event or to-url-normalized"),
    ("d2,0,0,1,2,e1,", "d2,0,0", r"action\.csv:4: the row has more or fewer columns than the header"),
    ("d2,0,0,1,2,e1,", "d2,0,0,1,2,e1,x,y", r"action\.csv:4: the row has more or fewer columns"),
]


@pytest.mark.parametrize(("old", "new", "message"), BROKEN)
def test_broken_rows_are_refused_with_their_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in ACTIONS
    path = actions(tmp_path, cross_subtopic_mentions_action=ACTIONS.replace(old, new, 1))
    with pytest.raises(FormatError, match=message):
        formats.read(path)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (TOKENS + "d1,0,1,again\n", r"tokens\.csv:9: token 1 of sentence 0 occurs twice"),
        (TOKENS.replace("token-idx", "number"), r"tokens\.csv:1: the table has no column token-idx"),
        (TOKENS.replace("d2,0,1", ",0,1"), r"tokens\.csv:7: has no doc-id or url-normalized"),
        (TOKENS + "d1,0,7," + "x" * 200_000 + "\n", r"tokens\.csv:9: not CSV: field larger than"),
    ],
)
def test_broken_tokens_are_refused_with_their_line(tmp_path: Path, words: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        formats.read(actions(tmp_path, tokens=words))


def test_bad_bytes_are_refused_with_their_line(tmp_path: Path) -> None:
    path = actions(tmp_path)
    (tmp_path / "tokens.csv").write_bytes(TOKENS.encode().replace(b"came", b"\xe9t\xe9"))
    with pytest.raises(FormatError, match=r"tokens\.csv:8: not UTF-8"):
        formats.read(path)


@given(st.data())
def test_any_damage_is_an_error_in_words(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = actions(tmp_path_factory.mktemp("damaged"))
    victim = path.with_name(data.draw(st.sampled_from(["tokens.csv", "documents.csv", path.name])))
    victim.write_text(data.draw(edits(victim.read_text(encoding="utf-8"), ',"\n0ad-')), encoding="utf-8")
    read_or_refuse(path)
