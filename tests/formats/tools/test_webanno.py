"""WebAnno TSV: parts of tokens, stacked chains, units of UTF-16, and what is wrong with a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import Cluster, Document, FormatError, Mention, read, write
from referee.model import Text, cut_text
from tool_specimens import WEBANNO, put

LAYER = "#T_CH=webanno.custom.PeopleLink|referenceType|referenceRelation"


def one(folder: Path, rows: str, layers: str = LAYER, version: str = "3.3") -> Document:
    put(folder, "a.tsv", f"#FORMAT=WebAnno TSV {version}\n{layers}\n\n\n{rows}")
    (document,) = read(folder / "a.tsv")
    return document


def spelled(document: Document) -> dict[str, list[str]]:
    return {c.id: [document.text.spelled(m.spans) for m in c.mentions] for c in document.clusters}


def test_words_sentences_and_characters(tmp_path: Path) -> None:
    (document,) = read(put(tmp_path, "story.tsv", WEBANNO))
    assert document.sentences == ((0, 7), (7, 17))
    assert not document.text.cut
    assert document.text.characters[:3] == ((0, 3), (4, 5), (6, 10))
    assert [cluster.id for cluster in document.clusters] == ["1", "2", "3"]


def test_parts_of_tokens_are_cut(tmp_path: Path) -> None:
    rows = (
        "#Text=Ann's hats\n1-1\t0-5\tAnn's\t_\t_\n1-1.1\t0-3\tAnn\tp[1]\t*->1-1\n1-1.2\t3-3\t\t*[3]\t*->3-1\n"
        "1-2\t6-10\thats\tp[1]|h[2]\t*->1-2|*->2-1\n1-2.1\t6-9\that\tq[2]\t*->2-2\n"
    )
    document = one(tmp_path, rows, version="3.2")
    assert document.words == ("Ann", "'s", "hat", "s")
    assert document.text.cut
    assert document.sentences == ((0, 4),)
    assert spelled(document) == {"1": ["Ann", "hats"], "2": ["hat", "hats"]}
    assert [m.type for m in document.clusters[1].mentions] == ["q", "h"]
    (notice,) = read(tmp_path / "a.tsv").notices
    assert notice.endswith("a.tsv:8: a link of chain 3 without text is skipped")
    write([document], tmp_path / "b.tsv")
    assert (tmp_path / "b.tsv").read_bytes() == (tmp_path / "a.tsv").read_bytes()


def test_parts_of_one_mention_come_in_any_order(tmp_path: Path) -> None:
    rows = "#Text=plays\n1-1\t0-5\tplays\t_\t_\n1-1.1\t3-5\tys\tp[1]\t*->1-1\n1-1.2\t1-4\tlay\tp[1]\t*->1-1\n"
    assert spelled(one(tmp_path, rows)) == {"1": ["lays"]}


def test_several_chain_layers_and_layers_without_features(tmp_path: Path) -> None:
    layers = (
        f"#T_SP=webanno.custom.Bare\n#T_SP=webanno.custom.Flag|\n{LAYER}\n{LAYER.replace('People', 'Things')}"
    )
    rows = "#Text=a b\n1-1\t0-1\ta\t_\t*\tp[1]\t*->1-1\t_\t_\n1-2\t2-3\tb\t*\t_\tp[1]\t*->1-2\tt[1]\tr->1-1\n"
    assert spelled(one(tmp_path, rows, layers)) == {"1-1": ["a", "b"], "2-1": ["b"]}


def test_texts_and_values_are_escaped(tmp_path: Path) -> None:
    text = Text("d", ("a\\b", "c\td", "e_f|", "\r"), ((0, 2), (2, 4)), cut=False)
    mention = Mention(((0, 2),), type="x_y|->[1]*;\\\t\n")
    document = Document(text, (Cluster("7", (mention, Mention.at(2, 3))),))
    write([document], tmp_path / "a.tsv")
    lines = (tmp_path / "a.tsv").read_text(encoding="utf-8").split("\n")
    assert lines[4:7] == [
        "#Text=a\\\\b c\\td",
        "1-1\t0-3\ta\\b\t*->7-1\tx\\_y\\|\\->\\[1\\]\\*\\;\\\\\\t\\n[7]\t",
        "1-2\t4-7\tc\\td\t*->7-1\tx\\_y\\|\\->\\[1\\]\\*\\;\\\\\\t\\n[7]\t",
    ]
    (again,) = read(tmp_path / "a.tsv")
    assert again.words == text.words
    assert again.sentences == text.sentences
    assert [(m.spans, m.type) for m in again.clusters[0].mentions] == [
        (((0, 2),), mention.type),
        (((2, 3),), None),
    ]


def test_a_sentence_of_several_lines_and_text_between_sentences(tmp_path: Path) -> None:
    text = cut_text("d", " one\n\ntwo. -- three ").text
    split = Text("d", text.words, ((0, 3), (5, 6)), running=text.running, characters=text.characters)
    write([Document(split, ())], tmp_path / "a.tsv")
    content = (tmp_path / "a.tsv").read_text(encoding="utf-8")
    assert "\n#Text=one\n#Text=\n#Text=two.\n1-1\t1-4\tone\t" in content
    (again,) = read(tmp_path / "a.tsv")
    assert again.words == text.words
    assert again.sentences == ((0, 3), (3, 5), (5, 6))
    assert again.text.characters == text.characters
    assert (again.text.running or "").split() == (text.running or "").split()


def test_text_without_words_stays_with_its_sentence(tmp_path: Path) -> None:
    text = Text("d", ("a", "b"), ((0, 1), (1, 2)), running="a (x) b !", characters=((0, 1), (6, 7)))
    write([Document(text, ())], tmp_path / "a.tsv")
    (again,) = read(tmp_path / "a.tsv")
    assert (again.words, again.text.running) == (("a", "b"), "a (x)\nb !")


def test_a_document_without_words(tmp_path: Path) -> None:
    write([Document(Text("d", (), ()), ())], tmp_path / "a.tsv")
    (document,) = read(tmp_path / "a.tsv")
    assert (document.words, document.sentences) == ((), ())


@pytest.mark.parametrize(
    ("rows", "line", "message"),
    [
        ("1-1\t0-1\ta\tp[1]\t*->1-1", 5, "the token 0-1 overlaps .* ends at 0"),
        ("#Text=a\n1-1\t0-1\tb\t_\t_", 6, "the token is 'b', but the text has 'a' there"),
        (
            "#Text=a\n1-1\t0-2\ta\t_\t_",
            6,
            "the token 0-2 overlaps .* ends at 1; offsets count units of UTF-16",
        ),
        ("#Text=a b\n1-1\t0-1\ta\t_\t_\n1-2\t0-1\tb\t_\t_", 7, "overlaps the one before it"),
        ("#Text=\U0001f60a\n1-1\t0-1\t\U0001f60a\t_\t_", 6, "1 is in the middle of a character"),
        (
            "#Text=a\n1-1\t0-1\ta\t_",
            6,
            "expected a token: SENTENCE-TOKEN, START-END, the token and 2 columns",
        ),
        ("#Text=a\n1-1\t0\ta\t_\t_", 6, "expected a token"),
        ("#Text=a\n1-1\t0-" + "9" * 50 + "\ta\t_\t_", 6, "expected a token"),
        ("#Text=a\n1-1\t0-1\ta\tp[1]\t_", 6, "expected coref->1-1 and type"),
        ("#Text=a\n1-1\t0-1\ta\tp[1]\t*->2-1", 6, "belong to two chains"),
        ("#Text=a\n1-1\t0-1\ta\tp[1]|p[2]\t*->1-1", 6, "stack different numbers of values"),
        ("#Text=a\n1-1\t0-1\ta\tp\t*->1-1", 6, "expected coref->1-1"),
        ("#Text=a\n1-1\t0-1\ta\t_\t_\n1-1.1\t0-2\ta\t_\t_", 7, "0-2 is not inside the token before it"),
        ("#Text=a\n1-1\t0-1\ta\t_\t_\n\n#Text=b\n2-1\t0-1\tb\t_\t_", 9, "begins at 0, but the text before"),
        ("#Text=a\n1-1\t99999999-100000000\ta\t_\t_", 6, "the sentence begins at 99999999, but"),
        ("#Text=a\n\n1-1\t0-1\ta\t_\t_", 6, "expected the tokens of a sentence"),
        ("#Text=a", 5, "a sentence without tokens; the file breaks off"),
        ("#Text=a\n" + LAYER, 6, "expected the tokens of a sentence"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, rows: str, line: int, message: str) -> None:
    with pytest.raises(FormatError, match=rf"a\.tsv:{line}: .*{message}"):
        one(tmp_path, rows)


def test_heads_that_are_not_read(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"a\.tsv:1: expected #FORMAT=WebAnno TSV 3\.2 or 3\.3"):
        one(tmp_path, "", version="3.0")
    with pytest.raises(
        FormatError, match=r"a\.tsv:2: a chain layer needs referenceRelation and referenceType"
    ):
        one(tmp_path, "", layers="#T_CH=x|referenceType")
