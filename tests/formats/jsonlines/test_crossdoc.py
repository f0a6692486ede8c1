"""Cross-document JSON lines: SciCo's hierarchy, several lines, and what is said of each document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damage import ANYTHING, read_or_refuse
from referee import Cluster, Corpus, Document, FormatError, Mention, formats
from referee.model import Relation, Text, Zero
from referee.model.mentions import HIERARCHY

SCICO: dict[str, Any] = {  # all fields of the published files, with a text of our own
    "flatten_tokens": ["node", "labels", "labels", "of", "nodes"],
    "flatten_mentions": [[0, 1, 4], [2, 4, 4], [2, 2, 9]],
    "tokens": [["node", "labels"], ["labels", "of", "nodes"]],
    "doc_ids": [101, 101],
    "metadata": [{"title": "a"}, {"title": "b"}],
    "sentences": [[[0, 1]], [[0, 2]]],
    "mentions": [[0, 0, 1, 4], [1, 0, 2, 4], [1, 0, 0, 9]],
    "relations": [[9, 4]],
    "id": 7,
    "source": "curated",
}


def put(folder: Path, *lines: object) -> Path:
    path = folder / "x.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def clusters(read: Corpus) -> list[list[str]]:
    return [[cluster.id for cluster in document.clusters] for document in read]


def test_scicos_paragraphs_and_hierarchy_are_read(tmp_path: Path) -> None:
    read = formats.read(put(tmp_path, SCICO))
    assert read.ids == ["7/101#0", "7/101#1"]  # a paper has several paragraphs
    assert clusters(read) == [["4"], ["4", "9"]]
    assert [document.relations for document in read] == [(Relation(HIERARCHY, "4", ("9",)),), ()]
    formats.write(read, tmp_path / "y.jsonl", cross_document=True)
    assert list(formats.read(tmp_path / "y.jsonl")) == list(read)


def test_a_relation_to_a_concept_without_mentions_is_kept(tmp_path: Path) -> None:
    read = formats.read(put(tmp_path, SCICO | {"relations": [[4, 55]]}))
    assert read.document(0).relations == (Relation(HIERARCHY, "55", ("4",)),)


def test_clusters_of_several_lines_are_apart(tmp_path: Path) -> None:
    read = formats.read(put(tmp_path, SCICO, SCICO | {"id": 8}, SCICO | {"id": 9}))
    assert clusters(read) == [["4"], ["4", "9"], ["2:4"], ["2:4", "2:9"], ["4:4"], ["4:4", "4:9"]]
    assert read.document(2).relations == (Relation(HIERARCHY, "2:4", ("2:9",)),)


def test_clusters_of_lines_are_apart_even_if_their_names_look_alike(tmp_path: Path) -> None:
    line = {"doc_ids": ["a"], "tokens": [["w"]], "mentions": [["a", 0, 0, "1:x"]]}
    read = formats.read(put(tmp_path, line, line | {"doc_ids": ["b"], "mentions": [[0, 0, 0, "x"]]}))
    assert clusters(read) == [["1:x"], [":1:x"]]


def test_documents_of_one_name_are_written_by_number(tmp_path: Path) -> None:
    twice = Document.of("d", ("a",), ((0, 1),), (Cluster("c", (Mention.at(0, 1),)),))
    formats.write([twice, twice], tmp_path / "x.jsonl", cross_document=True)
    read = formats.read(tmp_path / "x.jsonl")
    assert read.ids == ["d#0", "d#1"]
    assert clusters(read) == [["c"], ["c"]]


def test_clusters_of_one_name_in_a_document_become_one(tmp_path: Path) -> None:
    typed = Mention(((0, 1),), type="event", head=0)
    made = Document.of(
        "d", ("a", "b"), ((0, 2),), (Cluster("c", (typed,)), Cluster("c", (Mention.at(1, 2),), "t"))
    )
    formats.write([made], tmp_path / "x.jsonl", cross_document=True)
    (cluster,) = formats.read(tmp_path / "x.jsonl").document(0).clusters
    assert (cluster.type, [(m.spans, m.type, m.head) for m in cluster.mentions]) == (
        "t", [(((0, 1),), "event", 0), (((1, 2),), None, None)],
    )  # fmt: skip


def test_mentions_of_words_that_are_not_written_are_kept(tmp_path: Path) -> None:
    text = Text("d", ("a", "b", "pro"), ((0, 2),), zeros=(Zero(1),), topic="t")
    made = Document(text, (Cluster("c", (Mention.at(2, 3),)),))
    formats.write([made], tmp_path / "x.jsonl", cross_document=True)
    fields = json.loads((tmp_path / "x.jsonl").read_text(encoding="utf-8"))
    assert fields["tokens"] == [["a", "b"]]
    assert fields["documents"] == [{"zeros": [{"word": "pro", "before": 1}]}]
    assert list(formats.read(tmp_path / "x.jsonl")) == [made]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"documents": [{}]}, "documents must be a list, as long as doc_ids"),
        ({"documents": [{}, 7]}, "documents must be a list of objects"),
        ({"documents": [{"mention_types": [["a", "b"]]}, {}]}, "mention_types do not fit the clusters"),
        ({"documents": [{"mention_heads": [[5]]}, {}]}, "mention_heads do not fit the clusters"),
        ({"documents": [{"zeros": [{}]}, {}]}, "a field has a wrong value"),
        ({"relations": [[1]]}, r"relations are pairs of clusters, \[general, special\]"),
        ({"relations": {}}, "relations are pairs of clusters"),
    ],
)
def test_broken_fields_are_refused_with_their_line(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    with pytest.raises(FormatError, match=rf"x\.jsonl:2: {message}"):
        formats.read(put(tmp_path, SCICO, SCICO | change))


INNER = st.sampled_from([
    "zeros", "sentence_spans", "text", "characters", "cut", "layout", "relations", "cluster_types", "pos",
    "minimum_spans", "mention_heads", "mention_types", "mention_scores", "link_scores", "head",
    "speakers", "topic",
])  # fmt: skip


@given(field=INNER, value=ANYTHING)
def test_any_wrong_value_is_an_error_in_words(
    tmp_path_factory: pytest.TempPathFactory, field: str, value: object
) -> None:
    read_or_refuse(put(tmp_path_factory.mktemp("wrong"), SCICO | {"documents": [{field: value}, {}]}))


@given(field=st.sampled_from([*SCICO, "layers", "topics", "documents"]), value=ANYTHING)
def test_any_wrong_field_of_the_line_is_an_error_in_words(
    tmp_path_factory: pytest.TempPathFactory, field: str, value: object
) -> None:
    read_or_refuse(put(tmp_path_factory.mktemp("wrong"), SCICO | {field: value}))
