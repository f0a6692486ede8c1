"""What is written is what was read: CoNLL byte for byte, JSON lines with all that a document can have."""

from __future__ import annotations

import io
import json
from dataclasses import fields, replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpora import corpus
from referee import Cluster, Document, FormatError, Mention, formats
from referee.formats.conll import writing as conll_writing
from referee.formats.jsonlines import writing as jsonlines_writing
from referee.model import Relation, Text, Zero, cut_text
from referee.model.layers import heads_in_sentences

CONLL = {
    "litbank": "#begin document (b); part 0\n"
    "b\t0\t0\ta\t_\t\nb\t0\t1\tx\t_\t(1)\nb\t0\t2\t(\t_\t\n\n#end document\n",
    "no name": "# begin document \n0\ta\t(1)\n1\tb\t_\n\n2\tc\t(1)\n# end document\n",
    "crlf": "#begin document d\r\na\t(1|(2\r\nb\t2)1)\r\n\r\n#end document\r\n",
    "comments": "# a licence\n\n"
    "#begin document d\n# sent 1\na (1)\n\n\n# sent 2\nb *\nc (1) \n#end document\n\n\n",
    "open end": "#begin document d\na\t(1)|(2)\nb\t(2|(1)\nc\t2)",
    "one column": "#begin document d\na\t(1)\nb\nc\t-\n#end document\n",
    "spaces": "#begin document d\n   0   a    (1)   \n   1   b    -\n#end document\n",
    "nothing": "#begin document d\n#end document\n",
    "two": "#begin document d\na\t(1)\n#end document\n\n#begin document e\nb\t_\n#end document\n",
    "odd order": "#begin document d\na\t(12|(0)\nb\t12)\nc\t(3|(4\nd\t3)|(5)|4)\n#end document\n",
}


def written(documents: list[Document]) -> str:
    out = io.StringIO()
    conll_writing.write(documents, out)
    return out.getvalue()


def through_json(path: Path, documents: list[Document]) -> list[Document]:
    formats.write(documents, path)
    return list(formats.read(path))


@pytest.mark.parametrize("kind", CONLL)
def test_conll_comes_out_as_it_went_in(tmp_path: Path, kind: str) -> None:
    (tmp_path / "a.conll").write_bytes(CONLL[kind].encode())
    documents = list(formats.read(tmp_path / "a.conll"))
    expected = CONLL[kind] if CONLL[kind].endswith("\n") else CONLL[kind] + "\n"
    assert written(documents) == expected
    assert written(through_json(tmp_path / "a.jsonl", documents)) == expected


@pytest.mark.parametrize("name", ["litbank", "ontogum"])
def test_corpora_come_out_byte_for_byte(tmp_path: Path, name: str) -> None:
    files = sorted(corpus(name).rglob("*.conll"))
    assert files
    for number, file in enumerate(files):
        documents = list(formats.read(file))
        before = file.read_bytes()
        assert written(documents).encode("utf-8", "surrogateescape") == before, file
        if number % 5 == 0:
            again = through_json(tmp_path / "a.jsonl", documents)
            assert written(again).encode("utf-8", "surrogateescape") == before, file


def test_new_clusters_change_their_cells_alone(tmp_path: Path) -> None:
    (tmp_path / "a.conll").write_text(CONLL["litbank"], encoding="utf-8")
    (document,) = formats.read(tmp_path / "a.conll")
    clusters = (Cluster("7", (Mention.at(0, 2), Mention.at(2, 3))),)
    changed = written([replace(document, clusters=clusters)])
    assert changed == CONLL["litbank"].replace("a\t_\t\n", "a\t_\t(7\n").replace("(1)", "7)").replace(
        "(\t_\t\n", "(\t_\t(7)\n"
    )
    emptied = written([replace(document, clusters=())])
    assert emptied == CONLL["litbank"].replace("(1)", "-")
    (tmp_path / "b.conll").write_text(CONLL["one column"], encoding="utf-8")
    (document,) = formats.read(tmp_path / "b.conll")
    assert "\nb\t(7)\n" in written([replace(document, clusters=(Cluster("7", (Mention.at(1, 2),)),))])


def test_names_are_written_where_they_are_needed(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.conll").write_text(CONLL["no name"], encoding="utf-8")
    documents = list(formats.read(tmp_path))
    (tmp_path / "c.conll").write_text(written(documents), encoding="utf-8")
    assert formats.read(tmp_path / "c.conll").ids == ["a", "b"]
    (tmp_path / "e.conll").write_text(CONLL["comments"], encoding="utf-8")
    renamed = formats.read(tmp_path / "e.conll").document(0).with_text(id="other")
    assert written([renamed]) == CONLL["comments"].replace("document d", "document other")
    (tmp_path / "d.conll").write_text("x\t(1)\n", encoding="utf-8")
    (document,) = formats.read(tmp_path / "d.conll")
    assert written([document]) == "#begin document d\nx\t(1)\n#end document\n"


def test_zeros_are_refused_by_conll_and_named_by_convert(tmp_path: Path) -> None:
    text = Text("d", ("a", "b", "pro"), ((0, 2),), zeros=(Zero(1),))
    with pytest.raises(FormatError, match="a word that is not written, which CoNLL cannot hold"):
        formats.write([Document(text, (Cluster("1", (Mention.at(2, 3),)),))], tmp_path / "a.conll")
    formats.write([Document(text, (Cluster("1", (Mention.at(0, 1),)),))], tmp_path / "a.conll")
    assert formats.read(tmp_path / "a.conll").document(0).words == ("a", "b")


@pytest.mark.parametrize("form", ["conll", "corpus-conll", "jsonlines"])
def test_words_in_no_sentence_are_kept(tmp_path: Path, form: str) -> None:
    text = Text("d", tuple("abcdef"), ((1, 3), (4, 5)), topic="1")
    document = Document(text, (Cluster("1", (Mention.at(1, 2), Mention.at(3, 4), Mention.at(5, 6))),))
    formats.write([document], tmp_path / "a", form)
    (again,) = formats.read(tmp_path / "a")
    assert again.words == document.words
    assert again.mentions == document.mentions
    assert {(1, 3), (4, 5)} <= set(again.sentences)


NAMES = st.text("abé0 \udce9", min_size=1, max_size=4)


@st.composite
def spans(draw: st.DrawFn, length: int) -> tuple[tuple[int, int], ...]:
    edges = sorted(draw(st.sets(st.integers(0, length), min_size=2, max_size=4)))
    return tuple(zip(edges[::2], edges[1::2], strict=False))


@st.composite
def mentions(draw: st.DrawFn, length: int) -> Mention:
    own = draw(spans(length))
    words = [word for start, end in own for word in range(start, end)]
    least = draw(st.none() | st.sampled_from(words))
    return Mention(
        own,
        minimum=None if least is None else ((least, least + 1),),
        head=draw(st.none() | st.sampled_from(words)),
        type=draw(st.none() | NAMES),
        score=draw(st.none() | st.floats(allow_nan=False)),
    )


@st.composite
def annotated(draw: st.DrawFn, text: Text) -> Document:
    ids = draw(st.lists(NAMES, unique=True, max_size=3)) if text.words else []
    some = st.lists(mentions(len(text.words)), min_size=1, max_size=3).map(tuple)
    clusters = tuple(Cluster(id_, draw(some), draw(st.none() | NAMES)) for id_ in ids)
    named = (clusters[0].mentions[-1].spans, tuple(c.mentions[-1].spans for c in clusters[1:])) if ids else ()
    relations = (
        (Relation("bridging", ids[0], tuple(ids[1:]), draw(st.just("") | NAMES), *named),) if ids else ()
    )
    return Document(text, clusters, relations, tuple(draw(st.lists(NAMES, max_size=2))))


@st.composite
def texts(draw: st.DrawFn) -> Text:
    written_words = draw(st.lists(NAMES, max_size=7))
    length = len(written_words)
    cuts = sorted({0, length, *draw(st.sets(st.integers(0, length), max_size=2))})
    sentences = tuple(pairwise(cuts))
    if draw(st.booleans()):
        sentences = sentences[1:]  # words outside of sentences
    small = st.integers(0, 2)
    governors = st.lists(st.tuples(st.integers(-1, length), NAMES), max_size=2).map(tuple)
    zeros = tuple(
        Zero(draw(st.integers(0, length)), draw(small), draw(small), draw(governors))
        for _ in range(draw(small))
    )
    words = (*written_words, *("pro" for _ in zeros))
    layers = {
        name: tuple(draw(st.lists(NAMES, min_size=len(words), max_size=len(words))))
        for name in draw(st.sets(st.sampled_from(["pos", "speaker", "row", "own layer"])))
    }
    if draw(st.booleans()):
        layers["head"] = ("-",) * len(words)
    running = " ".join(written_words) if draw(st.booleans()) else None
    starts = [sum(len(word) + 1 for word in written_words[:i]) for i in range(length)]
    characters = tuple((start, start + len(word)) for start, word in zip(starts, written_words, strict=True))
    return Text(
        draw(NAMES), words, sentences, layers, running, characters if running is not None else (),
        cut=running is not None and draw(st.booleans()), zeros=zeros,
        topic=draw(st.none() | NAMES), subtopic=draw(st.none() | NAMES),
    )  # fmt: skip


def everything(document: Document) -> dict[str, object]:
    """Take a document apart, with what does not count for equality."""
    kept = [[(m.spans, m.minimum, m.head, m.type, m.score) for m in c.mentions] for c in document.clusters]
    return {field.name: getattr(document, field.name) for field in fields(document)} | {"mentions": kept}


def again(document: Document, path: Path) -> Document:
    formats.write([document], path)
    (found,) = formats.read(path)
    return found


@settings(max_examples=80)
@given(st.data())
def test_json_lines_hold_all_of_the_model(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    document = data.draw(texts().flatmap(annotated))
    path = tmp_path_factory.getbasetemp() / "model.jsonl"
    assert everything(again(document, path)) == everything(document)


@settings(max_examples=80)
@given(st.lists(texts().flatmap(annotated), max_size=3, unique_by=lambda document: document.id))
def test_cross_document_json_lines_hold_all_of_the_model(
    tmp_path_factory: pytest.TempPathFactory, documents: list[Document]
) -> None:
    path = tmp_path_factory.getbasetemp() / "crossdoc.jsonl"
    formats.write(documents, path, cross_document=True)
    assert list(map(everything, formats.read(path))) == list(map(everything, documents))


@given(st.data())
def test_running_texts_keep_heads_types_and_scores(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    bare = cut_text("d", "New York's old mayor; he, Ann and it")
    document = data.draw(annotated(bare.text))
    path = tmp_path_factory.getbasetemp() / "running.jsonl"
    found = again(document, path)
    assert everything(found) == everything(document)
    assert "sentences" not in json.loads(path.read_text(encoding="utf-8"))


def test_heads_are_numbered_as_in_conllu(tmp_path: Path) -> None:
    heads = ("1", "-", "3", "-", "3")
    document = Document.of("d", tuple("abcde"), ((0, 2), (2, 5)), (), {"head": heads})
    assert json.loads(_line(document))["head"] == [["2", "0"], ["2", "0", "2"]]
    assert again(document, tmp_path / "a.jsonl").layers["head"] == heads
    formats.write([document.with_text(topic="t")], tmp_path / "b.jsonl", cross_document=True)
    (found,) = formats.read(tmp_path / "b.jsonl")
    assert found.layers["head"] == heads
    assert list(heads_in_sentences(heads, document.sentences)) == ["2", "0", "2", "0", "2"]


def _line(document: Document) -> str:
    out = io.StringIO()
    jsonlines_writing.write([document], out)
    return out.getvalue()


def test_absent_fields_are_absent() -> None:
    document = Document.of("d", ("a",), ((0, 1),), (Cluster("0", (Mention.at(0, 1),)),))
    assert json.loads(_line(document)) == {"doc_key": "d", "sentences": [["a"]], "clusters": [[[0, 0]]]}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("cluster_ids", ["a"]),
        ("cluster_types", 7),
        ("mention_heads", [[0], []]),
        ("mention_heads", [[1], [1]]),
        ("mention_scores", [["much"], [None]]),
        ("link_scores", [["much"], [None]]),
        ("mention_types", [["x", "y"], []]),
        ("relations", [{}]),
        ("relations", 3),
        ("zeros", [7]),
        ("characters", [[0]]),
        ("sentence_spans", [[0]]),
    ],
)
def test_fields_that_do_not_fit_are_refused(tmp_path: Path, field: str, value: object) -> None:
    line = {"sentences": [["a", "b"]], "clusters": [[[0, 0]], [[1, 1]]], field: value}
    (tmp_path / "a.jsonl").write_text(json.dumps(line), encoding="utf-8")
    with pytest.raises(FormatError, match=rf"a.jsonl:1: ({field} do not fit|a field has a wrong value)"):
        formats.read(tmp_path / "a.jsonl").document(0)
