"""MUC's SGML: mentions, clusters, MIN, and what is wrong with a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import Document, FormatError, Protocol, read, score, write

DATA = Path(__file__).parents[2] / "data" / "muc"
KEY, RESPONSE = DATA / "key.sgm", DATA / "response.sgm"


def one(folder: Path, markup: str) -> Document:
    path = folder / "file.sgm"
    path.write_text(f"<DOC>\n<TEXT>{markup}</TEXT></DOC>\n", encoding="utf-8")
    (document,) = read(path)
    return document


def spelled(document: Document) -> dict[str, list[tuple[str, str | None]]]:
    spelled = document.text.spelled
    return {
        cluster.id: [(spelled(m.spans), spelled(m.minimum) if m.minimum else None) for m in cluster.mentions]
        for cluster in document.clusters
    }


def test_mentions_clusters_and_minimum_spans() -> None:
    (document,) = read(KEY)
    assert document.id == "harbour-01"
    assert spelled(document) == {
        "1": [("Ferry", None)],
        "2": [("The dock workers' unions, which had struck for a week,", "unions"), ("They", None)],
        "4": [("Ellen Marsh", None), ("Ellen Marsh, the mayor", "Ellen Marsh"), ("her", None)],
        "7": [("a fair offer of 3 < 4 %", "offer")],
    }
    assert (document.text.running or "").startswith("harbour-01 Ferry & dock strike ends")


def test_min_forgives_what_exact_does_not() -> None:
    exact = score(KEY, RESPONSE)
    least = score(KEY, RESPONSE, protocol=Protocol(match="min"))
    assert exact.mentions.counts["recall_numerator"] == 3
    assert least.mentions.counts["recall_numerator"] == 4  # "The dock workers' unions", but not "a fair"
    assert least.muc.recall > exact.muc.recall
    assert "match:min|" in least.signature


def test_a_key_in_characters_and_a_response_in_tokens(tmp_path: Path) -> None:
    write(read(RESPONSE), tmp_path / "response.conll")
    least = score(KEY, tmp_path / "response.conll", protocol=Protocol(match="min"))
    assert (
        least.to_dict()["scores"] == score(KEY, RESPONSE, protocol=Protocol(match="min")).to_dict()["scores"]
    )


def test_several_documents_and_names(tmp_path: Path) -> None:
    path = tmp_path / "two.sgml"
    path.write_text(
        '<DOC><DOCNO> a </DOCNO><COREF ID="1">x</COREF></DOC><DOC><COREF ID="1">y</COREF>', encoding="utf-8"
    )
    assert [document.id for document in read(path)] == ["a", "two#2"]


def test_attributes_without_quotes_lower_case_and_broken_neighbours(tmp_path: Path) -> None:
    document = one(
        tmp_path,
        "<s>1 < 2 &nbsp; <coref id=1 min='dog'>the dog<br></coref> </p> <COREF ID=2 REF=1>it</COREF>",
    )
    assert spelled(document) == {"1": [("the dog", "dog"), ("it", None)]}


@pytest.mark.parametrize(
    ("minimum", "found"),
    [
        ("cat", "cat"),
        ("dog|cat", "cat"),
        ("CAT", "cat"),
        ("fat\ncat", "fat cat"),
        ("at", "at"),
        ("cow", None),
    ],
)
def test_min_is_looked_for_in_words_first(tmp_path: Path, minimum: str, found: str | None) -> None:
    document = one(tmp_path, f'<COREF ID="1" MIN="{minimum}">at the concat fat cat</COREF>')
    assert spelled(document)["1"] == [("at the concat fat cat", found)]


def test_what_is_passed_over_is_said(tmp_path: Path) -> None:
    one(
        tmp_path,
        '<COREF ID="1" MIN="cow">cat</COREF>\n<COREF ID="2" REF="9">it</COREF><COREF ID="3"> </COREF>',
    )
    notices = read(tmp_path / "file.sgm").notices
    assert [notice.split(": ", 1)[1] for notice in notices] == [
        "MIN 'cow' is not in 'cat', and left out",
        "a COREF tag without text is skipped",
        "REF 9 does not name a mention and is skipped",
    ]
    assert notices[1].startswith(f"{tmp_path / 'file.sgm'}:3")


@pytest.mark.parametrize(
    ("markup", "message"),
    [
        ("\n<COREF ID='1'>a", "file.sgm:3: this COREF tag never closes"),
        ("a</COREF>", "file.sgm:2: a COREF tag closes that was never opened"),
    ],
)
def test_broken_tags_are_refused_with_their_line(tmp_path: Path, markup: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        one(tmp_path, markup)


def test_mentions_without_an_id_stay_apart(tmp_path: Path) -> None:
    """They were called after their line, so that those of one line became one entity."""
    path = tmp_path / "a.sgm"
    path.write_text("<DOC><DOCNO> a </DOCNO><COREF>Ann</COREF> met <COREF>Bob</COREF></DOC>\n")
    (document,) = read(path)
    assert [len(cluster.mentions) for cluster in document.clusters] == [1, 1]
