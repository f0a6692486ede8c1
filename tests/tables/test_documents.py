"""Documents, corpora and resolved texts as people see them: at a prompt, in a notebook, in data frames."""

from __future__ import annotations

from pathlib import Path

import pytest

import referee
from referee import Cluster, Document, DocumentCorpus, Mention
from referee.model import cut_text
from referee.resolvers.resolved import Resolved, ResolvedTexts
from referee.tables.documents import MENTION, mention_records

SAMPLE = Path(referee.__file__).parent / "sample"
KEY = referee.read(SAMPLE / "key.conll")


def nested() -> Document:
    """<b>Ann's</b> cat: a mention within a mention, in a text that looks like HTML."""
    outer, inner = Cluster("x", (Mention.at(0, 16),)), Cluster("y", (Mention.at(3, 8),))
    return cut_text("<i>", "<b>Ann's</b> cat slept", [outer, inner])


def test_a_document_shows_its_text_with_entities() -> None:
    shown = repr(KEY[0])
    assert shown.startswith("(nw/sample/harbour); part 000: 318 words, 35 entities, 88 mentions\n")
    assert "[The head of [the Port Ellery Harbour Authority]2]1" in shown
    assert "\n  1  Mr. Renn: The head" in shown
    assert repr(Document.of("d", (), (), ())) == "d: 0 words, 0 entities, 0 mentions"


def test_html_marks_nested_mentions_and_escapes_the_text() -> None:
    html = nested()._repr_html_()
    assert "<b>Ann" not in html
    assert "<i>" not in html
    assert html.count("<span") == html.count("</span>") == 4
    before_inner, _, rest = html.partition("</sub></span>")
    assert before_inner.count("<span") == 2
    assert "<sub>1</sub></span>" in rest


def test_html_of_a_long_document_is_cut_and_whole() -> None:
    everything = Cluster("1", tuple(Mention.at(n, 5000) for n in range(900)))
    html = Document.of("d", ["w"] * 5000, [(0, 5000)], [everything])._repr_html_()
    assert " more words" in html
    assert html.count("<span") == html.count("</span>")
    assert len(html) < 100_000


def test_a_corpus_shows_its_first_documents_in_a_notebook() -> None:
    assert repr(KEY).endswith("key.conll: 2 documents>")
    html = KEY._repr_html_()
    assert html.count("<tr>") == 3
    many = DocumentCorpus([Document.of(str(n), ("w",), ((0, 1),), ()) for n in range(100)])
    assert "… 85 more documents" in many._repr_html_()


def test_a_document_that_cannot_be_read_is_said_to_be_so(tmp_path: Path) -> None:
    whole = (SAMPLE / "key.conll").read_text(encoding="utf-8")
    (tmp_path / "a.conll").write_text(whole.replace("(2)", "(2", 1), encoding="utf-8")
    assert "cannot be read" in referee.read(tmp_path / "a.conll")._repr_html_()


def test_the_rows_are_mentions() -> None:
    heads, rows = mention_records([nested()])
    first, second = (dict(zip(heads, row, strict=True)) for row in rows)
    assert (first["document"], first["cluster"], first["spans"]) == ("<i>", "x", "0:11")
    assert (second["text"], second["start_character"], second["end_character"]) == ("Ann's", 3, 8)


def test_frames_of_documents_and_corpora() -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("polars")
    frame = KEY.to_frame()
    assert list(frame.columns) == list(MENTION)
    assert len(frame) == sum(len(cluster.mentions) for document in KEY for cluster in document.clusters)
    assert KEY[:1].to_polars()["text"][0] == "The head of the Port Ellery Harbour Authority"
    assert len(KEY[1].to_frame()) + len(KEY[0].to_frame()) == len(frame)


def test_resolved_texts_list_themselves_and_what_they_share() -> None:
    texts = ResolvedTexts(map(Resolved, KEY))
    assert repr(texts).startswith("2 resolved texts\n")
    assert repr(texts[0]) == repr(KEY[0])
    pair = [Document.of(name, ("Oslo",), ((0, 1),), (Cluster("o", (Mention.at(0, 1),)),)) for name in "ab"]
    linked = ResolvedTexts(map(Resolved, pair), linked=True)
    assert repr(linked).startswith("2 linked texts; entities and events in several of them: 1\n")
    assert ">Oslo</td>" in linked._repr_html_()
    assert list(linked.to_frame().document) == ["a", "b"]


def test_clusters_in_words_and_in_characters() -> None:
    running = Resolved(nested())
    assert running.clusters == [[(0, 11)], [(3, 6)]]
    assert [running.text[start:end] for [(start, end)] in running.clusters_in_characters] == [
        "<b>Ann's</b> cat",
        "Ann's",
    ]
    words = Resolved(KEY[0])
    spelled = [[words.text[start:end] for start, end in one] for one in words.clusters_in_characters]
    assert spelled == [[mention.text for mention in entity.mentions] for entity in words.entities]
    assert Resolved(Document.of("d", (), (), ())).clusters_in_characters == []
