"""Knowtator's XML: chains of marks, and the text in another folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import Corpus, FormatError, read

TEXT = "Ann \U0001f60a took her old hat . It fits ."


def annotation(id_: str, kind: str, *spans: tuple[int, int, str]) -> str:
    inside = "".join(f'<span start="{a}" end="{b}">{words}</span>' for a, b, words in spans)
    return f'<annotation id="{id_}"><class id="{kind}" label="{kind}"/>{inside}</annotation>'


MARKS = [
    annotation("0", "IDENTITY chain", (0, 3, "Ann")),
    annotation("a", "Noun Phrase", (0, 3, "Ann")),
    annotation("b", "Noun Phrase", (12, 15, "her")),
    annotation("1", "IDENTITY chain", (12, 23, "her old hat")),
    annotation("c", "Noun Phrase", (12, 15, "her"), (20, 23, "hat")),
    annotation("d", "Noun Phrase", (26, 28, "It")),
    annotation("e", "Nonreferential pronoun", (26, 28, "It")),
]
LINKS = [("0", "a"), ("0", "b"), ("1", "c"), ("1", "d")]


def opened(folder: Path, marks: list[str] = MARKS, links: list[tuple[str, str]] = LINKS) -> Corpus:
    (folder / "articles" / "txt").mkdir(parents=True, exist_ok=True)
    (folder / "articles" / "txt" / "7.txt").write_text(TEXT, encoding="utf-8")
    names = [mark.split('"')[1] for mark in marks]
    vertices = "".join(f'<vertex annotation="{name}" id="n{name}"/>' for name in names)
    triples = "".join(
        f'<triple subject="n{one}" property="Coreferring strings" object="n{two}" id="t"/>'
        for one, two in links
    )
    other = '<triple subject="na" property="APPOS Head" object="nb"/>'
    path = folder / "coreference" / "knowtator" / "7.xml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        '<?xml version="1.0"?>\n<knowtator-project>\n<document id="7" text-file="7.txt">\n'
        + "\n".join(marks)
        + f'\n<graph-space id="g">{vertices}{other}{triples}</graph-space></document></knowtator-project>',
        encoding="utf-8",
    )
    return read(path.parent)


def test_chains_are_clusters_and_gaps_are_kept(tmp_path: Path) -> None:
    corpus = opened(tmp_path)
    (document,) = corpus
    spelled = [[document.text.spelled(m.spans) for m in c.mentions] for c in document.clusters]
    assert spelled == [["Ann", "her"], ["her hat", "It"]]
    assert [m.spans for m in document.clusters[1].mentions] == [((3, 4), (5, 6)), ((7, 8),)]
    assert (document.id, document.text.running) == ("7", TEXT)
    assert corpus.notices[0].endswith("marks in no chain are left out: Nonreferential pronoun")


@pytest.mark.parametrize(
    ("marks", "links", "message"),
    [
        (MARKS, [("0", "z")], r"7\.xml:11: a relation of annotations that do not exist"),
        (
            [*MARKS[:1], annotation("a", "x", (1, 3, "Ann"))],
            [("0", "a")],
            "the span is 'Ann', but the text has",
        ),
        ([*MARKS[:1], annotation("a", "x", (5, 9, "x"))], [("0", "a")], "in the middle of a character"),
        ([*MARKS[:1], annotation("a", "x")], [("0", "a")], "a mention without a span"),
    ],
)
def test_what_does_not_fit_is_refused(
    marks: list[str], links: list[tuple[str, str]], message: str, tmp_path: Path
) -> None:
    with pytest.raises(FormatError, match=message):
        opened(tmp_path, marks, links)


def test_without_its_text_it_is_refused(tmp_path: Path) -> None:
    opened(tmp_path)
    (tmp_path / "articles" / "txt" / "7.txt").unlink()
    with pytest.raises(FormatError, match=r"7\.xml:3: there is no 7\.txt, which has the text"):
        read(tmp_path / "coreference")
