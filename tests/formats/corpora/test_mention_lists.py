"""Lists of mentions beside their documents, as the cross-document paper's code has them."""

from __future__ import annotations

import io
import json
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damage import ANYTHING, edits, read_or_refuse
from referee import Corpus, Document, FormatError, Mention, Protocol, formats, score
from referee.exceptions import LossWarning
from referee.formats import FORMATS
from referee.formats.corpora.mention_lists import write_documents, write_mentions
from referee.formats.format import GAPS
from referee.model import Cluster, Text, Zero
from small_corpora import Clusters, corpus, crossing_clusters

DOCUMENTS: dict[str, Any] = {
    "12_1ecb.xml": [[0, 1, "Crews", True], [0, 2, "put", True], [0, 3, "fires", True], [0, 4, "out", True],
                    [3, 20, "Rain", False], [4, 30, "helped", True]],
    "12_2ecbplus.xml": [[1, 7, "The", True], [1, 8, "blaze", True]],
    "13_1ecb.xml": [[0, 1, "Nothing", True]],
}  # fmt: skip
MENTIONS: list[dict[str, Any]] = [
    {"doc_id": "12_1ecb.xml", "topic": "12", "subtopic": "12_1", "m_id": "1", "sentence_id": "0",
     "tokens_ids": [4, 2], "tokens": "put out", "cluster_id": 100, "singleton": True},
    {"doc_id": "12_1ecb.xml", "topic": "12", "m_id": "2", "tokens_ids": [3], "cluster_id": 7},
    {"doc_id": "12_1ecb.xml", "topic": "12", "m_id": "3", "tokens_ids": [20], "cluster_id": 7},
    {"doc_id": "12_2ecbplus.xml", "topic": "12", "m_id": "1", "tokens_ids": [7, 8], "cluster_id": 7},
]  # fmt: skip


def put(folder: Path, mentions: object = MENTIONS, documents: object = DOCUMENTS) -> Path:
    (folder / "dev.json").write_text(json.dumps(documents), encoding="utf-8")
    path = folder / "dev_events.json"
    words = ",\n".join(map(json.dumps, mentions)) if isinstance(mentions, list) else json.dumps(mentions)
    path.write_text(f"[{words}]" if isinstance(mentions, list) else words, encoding="utf-8")
    return path


def spans(read: Corpus) -> dict[tuple[str, str], list[tuple[tuple[int, int], ...]]]:
    return {(d.id, c.id): [m.spans for m in c.mentions] for d in read for c in d.clusters}


def test_mentions_are_found_in_the_documents_beside_them(tmp_path: Path) -> None:
    read = formats.read(put(tmp_path))
    assert read.cross_document
    assert spans(read) == {
        ("12_1ecb.xml", "100"): [((1, 2), (3, 4))],  # put … out keeps its gap
        ("12_1ecb.xml", "7"): [((2, 3),)],
        ("12_2ecbplus.xml", "7"): [((0, 2),)],
    }
    first, _, last = read
    assert first.words == ("Crews", "put", "fires", "out", "helped")  # what is not curated is left out
    assert first.sentences == ((0, 4), (4, 5))
    assert first.layers["token"] == ("1", "2", "3", "4", "30")
    assert [(d.text.topic, d.text.subtopic) for d in read] == [
        ("12", "ecb"),
        ("12", "ecbplus"),
        ("13", "ecb"),
    ]
    assert last.clusters == ()
    assert read.notices == [
        f"{tmp_path}/dev_events.json:3: mentions of words that are not curated are left out"
    ]


def test_topics_are_what_mentions_say_or_names_begin_with(tmp_path: Path) -> None:
    documents = {"gun-violence_5_x": [[0, 1, "a", True]], "x": [[0, 1, "b", True]], "y": [[0, 1, "c", True]]}
    mentions = [
        {"doc_id": "gun-violence_5_x", "tokens_ids": [1], "cluster_id": "c"},
        {"doc_id": "x", "tokens_ids": [1], "cluster_id": "c", "topic": 4, "subtopic": "4_s"},
    ]
    read = formats.read(put(tmp_path, mentions, documents))
    assert [(d.text.topic, d.text.subtopic) for d in read] == [
        ("gun-violence", None),
        ("4", "s"),
        (None, None),
    ]


@pytest.mark.parametrize(
    "name", ["dev.json", "dev_documents.json", "dev_events_documents.json", "documents.json"]
)
def test_documents_may_have_several_names(tmp_path: Path, name: str) -> None:
    path = put(tmp_path)
    (tmp_path / "dev.json").rename(tmp_path / name)
    assert len(formats.read(path)) == 3


def test_without_documents_the_error_says_which_file_is_missing(tmp_path: Path) -> None:
    path = put(tmp_path)
    (tmp_path / "dev.json").unlink()
    with pytest.raises(
        FormatError, match=r"dev_events\.json: .* needs its documents beside it: there is no dev"
    ):
        formats.read(path)


def test_documents_alone_are_read_without_mentions(tmp_path: Path) -> None:
    put(tmp_path)
    read = formats.read(tmp_path / "dev.json")
    assert [d.words for d in read][1:] == [("The", "blaze"), ("Nothing",)]
    assert read.topic_of(2) == ("13", "ecb")
    assert "the mentions are in a file beside it" in read.notices[0]


BROKEN_MENTIONS = [
    ({"tokens_ids": [1, 9]}, r"dev_events\.json:2: document 12_1ecb\.xml has no token 9"),
    ({"tokens_ids": []}, r"dev_events\.json:2: tokens_ids must be a list of whole numbers"),
    ({"tokens_ids": [True]}, r"dev_events\.json:2: tokens_ids must be a list of whole numbers"),
    ({"tokens_ids": [10**40]}, r"dev_events\.json:2: document .* has no token 1000"),
    ({"cluster_id": None}, r"dev_events\.json:2: cluster_id must be a number or a name"),
    ({"cluster_id": False}, r"dev_events\.json:2: cluster_id must be a number or a name"),
    ({"doc_id": "9"}, r"dev_events\.json:2: the mention is of document 9, which .*dev\.json does not have"),
]


@pytest.mark.parametrize(("change", "message"), BROKEN_MENTIONS)
def test_broken_mentions_are_refused_with_their_line(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    with pytest.raises(FormatError, match=message):
        formats.read(put(tmp_path, [MENTIONS[0], MENTIONS[1] | change]))


@pytest.mark.parametrize(("field", "where"), [("doc_id", 1), ("tokens_ids", 1), ("cluster_id", 2)])
def test_missing_fields_are_refused_with_their_line(tmp_path: Path, field: str, where: int) -> None:
    lacking = {name: value for name, value in MENTIONS[1].items() if name != field}
    mentions = [lacking, MENTIONS[0]] if where == 1 else [MENTIONS[0], lacking]
    with pytest.raises(FormatError, match=rf"dev_events\.json:{where}: the mention has no {field}"):
        formats.read(put(tmp_path, mentions))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[0, 1, "a", True], [0, 1, "b", True]], "document d, row 2: two tokens have the number 1"),
        ([[0, 1, "a", True], [0, 2, "b"]], r"row 2: a token is \[sentence, number, word, true or false\]"),
        ([[0, 1, "a", True], [0, "2", "b", True]], "row 2: a token is"),
        ([[0, 1, "a", True], [0, 2, 7, True]], "row 2: a token is"),
        ([[0, 1, "a", True], [0, 2, "b", 1]], "row 2: a token is"),
        ("a", "document d: expected a list of tokens"),
    ],
)
def test_broken_documents_are_refused_with_their_row(tmp_path: Path, rows: object, message: str) -> None:
    mentions = [{"doc_id": "d", "tokens_ids": [1], "cluster_id": 1}]
    with pytest.raises(FormatError, match=rf"dev\.json: .*{message}|{message}"):
        formats.read(put(tmp_path, mentions, {"d": rows}))


def test_documents_that_are_no_object_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"dev\.json:1: expected an object"):
        formats.read(put(tmp_path, MENTIONS, []))


def test_truncated_lists_are_refused_with_their_line(tmp_path: Path) -> None:
    path = put(tmp_path)
    path.write_text(path.read_text(encoding="utf-8")[:-9], encoding="utf-8")
    with pytest.raises(FormatError, match=r"dev_events\.json:4: not JSON"):
        formats.read(path)


def both(made: Corpus, folder: Path) -> Corpus:
    formats.write(made, folder / "x_events.json", cross_document=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LossWarning)  # of mentions, which are in the other file
        formats.write(made, folder / "x.json", "mentions-documents", cross_document=True)
    return formats.read(folder / "x_events.json")


def test_what_was_read_is_written_again(tmp_path: Path) -> None:
    read = formats.read(put(tmp_path))
    again = both(read, tmp_path)
    assert [(d, d.layers) for d in again] == [(d, d.layers) for d in read]
    first = json.loads((tmp_path / "x_events.json").read_text(encoding="utf-8"))[0]
    assert list(first.pop("documents")) == read.ids
    assert first == {
        "doc_id": "12_1ecb.xml", "topic": "12", "subtopic": "12_ecb", "sentence_id": "0",
        "tokens_ids": [2, 4], "tokens": "put out", "m_id": "1", "cluster_id": 100,
        "cluster_desc": "", "singleton": True,
    }  # fmt: skip


def test_a_list_can_be_read_alone(tmp_path: Path) -> None:
    documents = [
        Document.of("a b", ("Ann", "slept"), ((0, 2),), (Cluster("7", (Mention.at(0, 1),)),), topic="t"),
        Document.of("c", ("Nobody", "came"), ((0, 2),), ()),
    ]
    formats.write(documents, tmp_path / "alone_mentions.json", "mentions-json", cross_document=True)
    again = formats.read(tmp_path / "alone_mentions.json")
    assert [(d.id, d.words, d.clusters, d.text.topic) for d in again] == [
        (d.id, d.words, d.clusters, d.text.topic) for d in documents
    ]


@settings(max_examples=60)
@given(crossing_clusters())
def test_the_partition_is_read_back(tmp_path_factory: pytest.TempPathFactory, clusters: Clusters) -> None:
    made = corpus(clusters, ["1_ecb_1", "1_ecb_2", "1_ecbplus_3", "2_ecb_4", "2_ecb_5"])
    again = both(made, tmp_path_factory.mktemp("lists"))
    assert [(d.id, d.words, d.sentences) for d in again] == [(d.id, d.words, d.sentences) for d in made]
    names: dict[str, str] = {}  # clusters are numbered, since the paper's code wants numbers
    for before, after in zip(made, again, strict=True):
        for old, new in zip(before.clusters, after.clusters, strict=True):
            assert names.setdefault(old.id, new.id) == new.id
            assert old.mentions == new.mentions
    assert len(set(names.values())) == len(names)
    assert "0" not in names.values()  # which means no cluster there


def test_numbers_are_made_where_a_corpus_has_none_or_bad_ones() -> None:
    twice = Document.of("d", ("a", "b"), ((0, 1), (1, 2)), (), {"sentence": ("0", "1"), "token": ("5", "5")})
    out = io.StringIO()
    write_documents([twice], out)
    assert json.loads(out.getvalue()) == {"d": [[0, 1, "a", True], [1, 2, "b", True]]}
    with pytest.raises(FormatError, match="document d occurs twice"):
        write_documents([twice, twice], out)


def test_words_that_are_not_written_are_refused() -> None:
    text = Text("d", ("a", "pro"), ((0, 1),), zeros=(Zero(1),))
    with pytest.raises(FormatError, match="a word that is not written, which a list of mentions cannot hold"):
        write_mentions([Document(text, (Cluster("1", (Mention.at(1, 2),)),))], io.StringIO())


@pytest.mark.parametrize("form", ["corpus-conll", "crossdoc-jsonlines"])
def test_lists_become_other_cross_document_formats(tmp_path: Path, form: str) -> None:
    read = formats.read(put(tmp_path))
    target = tmp_path / "other"
    formats.write(read, target, form, cross_document=True)
    again = formats.read(target)
    gaps = "keep" if GAPS in FORMATS[form].holds else "fill"
    result = score(read, again, protocol=Protocol(scope="topic", gaps=gaps))
    assert {score.f1 for score in result.scores.values()} == {1.0}


@given(number=st.integers(0, 3), field=st.sampled_from([*MENTIONS[0], "other"]), value=ANYTHING)
def test_any_wrong_value_is_an_error_in_words(
    tmp_path_factory: pytest.TempPathFactory, number: int, field: str, value: object
) -> None:
    changed = [MENTIONS[i] | ({field: value} if i == number else {}) for i in range(4)]
    read_or_refuse(put(tmp_path_factory.mktemp("wrong"), changed))


@given(st.data())
def test_any_damage_is_an_error_in_words(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = put(tmp_path_factory.mktemp("damaged"))
    victim = data.draw(st.sampled_from([path, path.with_name("dev.json")]))
    victim.write_text(data.draw(edits(victim.read_text(encoding="utf-8"), '[]{}",:0at')), encoding="utf-8")
    read_or_refuse(path)
