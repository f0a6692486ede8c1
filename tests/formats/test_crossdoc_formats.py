"""Cross-document CoNLL and JSON lines: what public systems write, and what is read back."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import Cluster, Corpus, Document, FormatError, Mention, Protocol, formats, score
from referee.exceptions import SettingError
from referee.formats import FORMATS
from referee.formats.conll import crossdoc as crossdoc_conll
from referee.formats.jsonlines import crossdoc as crossdoc_json_writing
from small_corpora import Place, cat_xml, corpus

DOCUMENTS = ["1_ecb_1", "1_ecbplus_2", "2_ecb_3"]
PUBLIC = """#begin document dev_events
12\t12_0\t12_1ecb.xml\t0\t1\tIndia\tTrue\t(16)
12\t12_0\t12_1ecb.xml\t0\t2\tsank\tTrue\t(17
12\t12_0\t12_1ecb.xml\t0\t3\tit\tTrue\t17)
12\t12_1\t12_2ecbplus.xml\t1\t30\tThe\tTrue\t-
12\t12_1\t12_2ecbplus.xml\t1\t31\tsinking\tTrue\t(17)
12\t12_1\t12_2ecbplus.xml\t2\t40\tnews\tFalse\t(17)
12\t12_1\t12_2ecbplus.xml\t4\t50\tends\tTrue\t-
#end document"""


def read(tmp_path: Path, words: str, name: str = "response.conll") -> Corpus:
    path = tmp_path / name
    path.write_text(words, encoding="utf-8")
    return formats.read(path)


def contents(read: Corpus) -> list[tuple[object, ...]]:
    """Everything but the clusters' names; these as the sets of mentions that they join."""
    return [(d.id, d.text.topic, d.text.subtopic, d.words, d.sentences) for d in read]


def chains(read: Corpus) -> set[frozenset[tuple[str, Mention]]]:
    found: dict[str, set[tuple[str, Mention]]] = {}
    for document in read:
        for cluster in document.clusters:
            found.setdefault(cluster.id, set()).update((document.id, m) for m in cluster.mentions)
    return {frozenset(mentions) for mentions in found.values()}


def test_the_columns_of_public_systems_are_read(tmp_path: Path) -> None:
    found = read(tmp_path, PUBLIC)
    assert found.cross_document
    first, second = found
    assert (first.id, first.text.topic, first.text.subtopic) == ("12_1ecb.xml", "12", "0")
    assert second.words == ("The", "sinking", "ends")  # rows that are not curated are left out
    assert second.sentences == ((0, 2), (2, 3))
    assert chains(found) == {
        frozenset({("12_1ecb.xml", Mention.at(0, 1))}),
        frozenset({("12_1ecb.xml", Mention.at(1, 3)), ("12_2ecbplus.xml", Mention.at(1, 2))}),
    }
    assert any("1 mention in rows that are not curated left out" in notice for notice in found.notices)


@pytest.mark.parametrize(("dropped", "topic", "subtopic"), [(1, "12", None), (2, None, None)])
def test_files_without_subtopics_or_topics_are_read(
    tmp_path: Path, dropped: int, topic: str | None, subtopic: str | None
) -> None:
    rows = [line.split("\t") for line in PUBLIC.splitlines()]
    kept = [row if len(row) == 1 else row[: 2 - dropped] + row[2:] for row in rows]
    found = read(tmp_path, "\n".join("\t".join(row) for row in kept))
    assert [(d.id, d.text.topic, d.text.subtopic) for d in found] == [
        ("12_1ecb.xml", topic, subtopic), ("12_2ecbplus.xml", topic, subtopic),
    ]  # fmt: skip
    assert len(chains(found)) == 2


def test_clusters_of_two_blocks_are_two(tmp_path: Path) -> None:
    blocks = PUBLIC + "\n" + PUBLIC.replace("12_", "13_").replace("12\t", "13\t")
    assert len(chains(read(tmp_path, blocks))) == 4


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("30\tThe\tTrue", "30\tThe\tMaybe", r"response.conll:5: expected topic, subtopic, document"),
        ("it\tTrue\t17)", "it\tTrue\t-", r"response.conll:3: a mention of cluster 17 runs into another"),
        ("(16)", "16)", "cluster 16 is closed but never opened"),
    ],
)
def test_broken_rows_are_refused_with_their_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    words = PUBLIC.replace(old, new)
    if "runs into" in message:
        words = words.replace("The\tTrue\t-", "The\tTrue\t17)")
    with pytest.raises(FormatError, match=message):
        read(tmp_path, words)


places = st.tuples(st.sampled_from(DOCUMENTS), st.integers(0, 5))


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    labels = draw(st.dictionaries(places, st.sampled_from(["a b", "c", "7"]), max_size=10))
    clusters: dict[str, list[Place]] = {}
    for place, label in labels.items():
        clusters.setdefault(label, []).append(place)
    return corpus(clusters, DOCUMENTS)


def written(made: Corpus, form: str) -> str:
    out = io.StringIO()
    write = FORMATS[form].write
    assert write is not None
    write(iter(made), out)
    return out.getvalue()


@pytest.mark.parametrize("form", ["corpus-conll", "crossdoc-jsonlines"])
@given(made=corpora())
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, form: str, made: Corpus
) -> None:
    ending = "conll" if form.endswith("conll") else "jsonl"
    again = read(tmp_path_factory.mktemp("again"), written(made, form), f"x.{ending}")
    assert contents(again) == contents(made)
    assert chains(again) == chains(made)


@given(made=corpora())
def test_topic_level_files_keep_all_links_within_topics(
    tmp_path_factory: pytest.TempPathFactory, made: Corpus
) -> None:
    words = written(made, "topic-conll")
    assert words.count("#begin document") == 2
    again = read(tmp_path_factory.mktemp("topics"), words)
    by_topic = Protocol(scope="topic")
    assert score(made, again, protocol=by_topic, metric=("links",)).links.f1 in (0.0, 1.0)
    counts = [
        score(key, made, protocol=by_topic, metric="mentions").counts["mentions"] for key in (again, made)
    ]
    assert counts[0].sum() == counts[1].sum()


def test_names_come_back(tmp_path: Path) -> None:
    cluster = (Cluster("Ann-1", (Mention.at(0, 1),)),)
    documents = [
        Document.of(name, ("Ann", "slept"), ((0, 2),), cluster, topic=topic, subtopic="s u")
        for name, topic in (("A page's title", "t one"), ("A_page's_title", "t one"), ("c", "d"))
    ]
    formats.write(documents[:2], tmp_path / "x.conll", "corpus-conll", cross_document=True)
    again = formats.read(tmp_path / "x.conll")
    assert [(d.id, d.clusters[0].id, d.text.topic, d.text.subtopic) for d in again] == [
        (d.id, "Ann-1", "t one", "s u") for d in documents[:2]
    ]
    formats.write(documents, tmp_path / "y.conll", "topic-conll", cross_document=True)
    by_topic = formats.read(tmp_path / "y.conll")
    assert {(d.id, d.clusters[0].id) for d in by_topic} == {
        ("c", "0:Ann-1"),
        ("A page's title", "1:Ann-1"),
        ("A_page's_title", "1:Ann-1"),
    }


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (("a", "a"), "two documents are called 'a'"),
        (("a\tb",), "has a tab"),
        ((" ",), "is blank"),
        (("a ",), "blank"),
    ],
)
def test_names_that_would_be_lost_are_refused(ids: Sequence[str], message: str, tmp_path: Path) -> None:
    documents = [Document.of(id_, ("Ann",), ((0, 1),), ()) for id_ in ids]
    with pytest.raises(FormatError, match=message):
        formats.write(documents, tmp_path / "x.conll", "corpus-conll", cross_document=True)


def test_clusters_across_documents_are_not_written_where_they_would_be_lost(tmp_path: Path) -> None:
    made = corpus({"a": [("1_ecb_1", 0), ("2_ecb_3", 0)]}, DOCUMENTS)
    with pytest.raises(FormatError, match="conll only holds clusters within a document; write corpus-conll"):
        formats.write(made, tmp_path / "x.conll", "conll", cross_document=True)
    formats.write(made, tmp_path / "x.conll", cross_document=True)
    assert chains(formats.read(tmp_path / "x.conll")) == chains(made)
    with pytest.raises(SettingError, match=r"ECB\+ is read only"):
        formats.write(made, tmp_path / "x.xml", cross_document=True)
    with pytest.raises(FormatError, match="without a topic cannot be written at topic level"):
        crossdoc_conll.write_topics([Document.of("d", ("w",), ((0, 1),), ())], io.StringIO())


SCICO = {
    "id": "7",
    "flatten_tokens": ["graph", "nets", "GNNs"],
    "doc_ids": [101, 102],
    "tokens": [["graph", "nets"], ["GNNs", "."]],
    "sentences": [[[0, 1]], [[0, 0], [1, 1]]],
    "mentions": [[0, 0, 1, 4], [1, 0, 0, 4]],
}


def test_scico_is_read_as_it_is(tmp_path: Path) -> None:
    found = read(tmp_path, json.dumps(SCICO) + "\n" + json.dumps(SCICO | {"id": "8"}), "scico.jsonl")
    assert [(d.id, d.text.topic) for d in found] == [
        ("7/101", "7"), ("7/102", "7"), ("8/101", "8"), ("8/102", "8"),
    ]  # fmt: skip
    assert found.document(1).sentences == ((0, 1), (1, 2))
    assert len(chains(found)) == 2  # a cluster's number holds within its line


def test_a_mention_names_its_document_or_counts_to_it(tmp_path: Path) -> None:
    named = SCICO | {"mentions": [["101", 0, 1, 4], ["102", 0, 0, 4]]}
    assert chains(read(tmp_path, json.dumps(named), "a.jsonl")) == chains(
        read(tmp_path, json.dumps(SCICO), "b.jsonl")
    )


def test_mentions_with_gaps_are_written_and_read(tmp_path: Path) -> None:
    gap = Mention(((0, 1), (3, 5)))
    made = corpus({"a": [("1_ecb_1", 8)]}, DOCUMENTS)
    cluster = made.documents[0].clusters[0]
    with_gap = Document.of("d", ("w",) * 6, ((0, 6),), (type(cluster)("a", (gap,)),), topic="1")
    out = io.StringIO()
    crossdoc_json_writing.write([with_gap], out)
    assert read(tmp_path, out.getvalue(), "x.jsonl").document(0).clusters[0].mentions == (gap,)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"mentions": [[2, 0, 0, 4]]}, "x.jsonl:1: the mention .* of a document that is not on the line"),
        ({"mentions": [[0, 0, 2, 4]]}, "lies outside its document, which has 2 tokens"),
        ({"mentions": [[0, 0, 4]]}, "a mention is .document, first, last, cluster."),
        ({"mentions": None}, "has no list of mentions"),
        ({"tokens": [["a"]]}, "needs doc_ids, and as many lists of words"),
        ({"topics": ["1"]}, "topics must be a list, as long as doc_ids"),
    ],
)
def test_broken_lines_are_refused(tmp_path: Path, change: dict[str, object], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(tmp_path, json.dumps(SCICO | change), "x.jsonl")


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=5,
)


def damaged_or_harmless(folder: Path, words: str, name: str) -> None:
    """Read a file to the end, or be told which file is wrong; any other exception is a failure."""
    message = name
    try:
        found = read(folder, words, name)
        assert all(found.chains([number]).lengths[0] == d.text.length for number, d in enumerate(found))
    except FormatError as error:
        message = str(error)
    assert name in message


@given(field=st.sampled_from([*SCICO, "topics", "subtopics", "layers"]), value=anything)
def test_any_wrong_field_is_an_error_in_words(
    tmp_path_factory: pytest.TempPathFactory, field: str, value: object
) -> None:
    damaged_or_harmless(tmp_path_factory.mktemp("wrong"), json.dumps(SCICO | {field: value}), "x.jsonl")


XML = cat_xml(["The tremor hit"], [("ACTION_OCCURRENCE", [2])], [("CROSS_DOC_COREF", [1], "ACT1")])


@pytest.mark.parametrize("words", [PUBLIC, XML], ids=["conll", "xml"])
@given(at=st.integers(0, 600), gone=st.integers(0, 30), put=st.text('<>&"()|\t\n0aT', max_size=3))
def test_any_damage_is_an_error_in_words_or_harmless(
    tmp_path_factory: pytest.TempPathFactory, words: str, at: int, gone: int, put: str
) -> None:
    at %= len(words)
    damaged = words[:at] + put + words[at + gone :]
    damaged_or_harmless(tmp_path_factory.mktemp("damaged"), damaged, "1_1ecb.xml")
