"""JSON lines in both dialects, and the bridge between characters and tokens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import referee
from referee import Cluster, Document, FormatError, Mention, formats
from referee.model import cut_text, in_characters

E2E = {
    "doc_key": "nw/story_0",
    "sentences": [["Ann", "saw", "Bo", "."], ["She", "waved", "."]],
    "speakers": [["-", "-", "-", "-"], ["Ann", "Ann", "Ann"]],
    "clusters": [[[0, 0], [4, 4]], [[2, 2]]],
}
FASTCOREF = {"text": "Ann saw Bo. She waved.", "clusters": [[[0, 3], [12, 15]], [[8, 10]]]}


def write(path: Path, *lines: dict[str, Any] | str) -> Path:
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), "utf-8")
    return path


def spans(document: Document) -> list[list[tuple[int, int]]]:
    return [[mention.spans[0] for mention in cluster.mentions] for cluster in document.clusters]


def test_e2e_offsets_include_the_end(tmp_path: Path) -> None:
    found = formats.read(write(tmp_path / "a.jsonl", E2E))
    document = found.document(0)
    assert found.ids == ["nw/story_0"]
    assert spans(document) == [[(0, 1), (4, 5)], [(2, 3)]]
    assert document.sentences == ((0, 4), (4, 7))
    assert document.layers["speaker"][4] == "Ann"
    assert "e2e" in found.notices[0]


def test_fastcoref_offsets_exclude_the_end(tmp_path: Path) -> None:
    found = formats.read(write(tmp_path / "a.jsonl", FASTCOREF))
    assert (found.ids, found.cut) == (["a"], True)
    document = found.document(0)
    assert [document.text.spelled([span]) for span in spans(document)[0]] == ["Ann", "She"]
    assert "fastcoref" in found.notices[0]


def test_a_flat_list_of_tokens_is_one_sentence(tmp_path: Path) -> None:
    line = {"id": 7, "tokens": ["a", "b"], "clusters": [[[0, 1]]]}
    found = formats.read(write(tmp_path / "a.jsonl", line))
    assert (found.ids, found.document(0).sentences) == (["7"], ((0, 2),))


def test_predicted_clusters_are_the_responses(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", E2E | {"predicted_clusters": [[[0, 0], [2, 2]]]})
    assert spans(formats.read(path).document(0)) == [[(0, 1), (4, 5)], [(2, 3)]]
    assert spans(formats.read(path, role="response").document(0)) == [[(0, 1), (2, 3)]]


def test_mentions_of_several_spans_make_the_round_trip(tmp_path: Path) -> None:
    cluster = Cluster("0", (Mention(((0, 1), (2, 4))), Mention.at(5, 6)))
    document = Document.of("d", tuple("abcdef"), ((0, 6),), (cluster,), {"pos": tuple("NVNVNV")})
    formats.write([document], tmp_path / "a.jsonl")
    assert list(formats.read(tmp_path / "a.jsonl")) == [document]
    assert referee.score([document], [document]).conll == 1


def test_conll_to_jsonlines_and_back_loses_nothing(tmp_path: Path) -> None:
    sample = formats.read(Path(formats.__file__).parents[1] / "sample" / "key.conll")
    formats.write(sample, tmp_path / "a.jsonl")
    formats.write(formats.read(tmp_path / "a.jsonl"), tmp_path / "b.conll")
    again = formats.read(tmp_path / "b.conll")
    assert [d.layers for d in again] == [d.layers for d in sample]
    assert referee.score(sample, again).conll == referee.score(sample, sample).conll


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "a.jsonl:1: not a JSON object on one line"),
        ('{"a": 1}', "a.jsonl:1: has neither sentences, tokens nor text; fields: a"),
        (E2E | {"clusters": [[[0, 9]]]}, r"lies outside the document, which ends at 7"),
        (E2E | {"clusters": [[[3, 1]]]}, r"the mention \[3, 1\] lies outside"),
        (E2E | {"clusters": [[["a", 1]]]}, r"a mention is a pair of offsets"),
        (E2E | {"clusters": {"1": []}}, r"has no list of clusters"),
        (E2E | {"sentences": ["Ann saw"]}, r"sentences must be a list of lists of words"),
    ],
)
def test_broken_lines_are_refused(tmp_path: Path, line: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        formats.read(write(tmp_path / "a.jsonl", line)).document(0)


def test_of_a_response_mentions_outside_the_document_are_left_out(tmp_path: Path) -> None:
    line = E2E | {"clusters": [[[0, 0], [4, 99]], [[2, 2]]], "mention_types": [["a", "b"], ["c"]]}
    path = write(tmp_path / "a.jsonl", line)
    corpus = formats.read(path, role="response")
    [first, second] = corpus.document(0).clusters
    assert [(m.spans, m.type) for m in (*first.mentions, *second.mentions)] == [
        (((0, 1),), "a"),
        (((2, 3),), "c"),
    ]
    assert corpus.notices[0] == f"{path}:1: mention [4, 99]: outside the document and left out"
    assert corpus.flaws(0) == [(1, "the mention [4, 99] lies outside the document")]
    with pytest.raises(FormatError, match="lies outside"):
        formats.read(path).document(0)
    with pytest.raises(FormatError, match="lies outside"):
        formats.read(path, role="response", strict=True).document(0)


def test_a_response_without_any_mention_in_the_document_is_refused(tmp_path: Path) -> None:
    corpus = formats.read(write(tmp_path / "a.jsonl", E2E | {"clusters": [[[70, 99]]]}), role="response")
    with pytest.raises(FormatError, match="lies outside"):
        corpus.document(0)


def test_mixed_dialects_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="some lines have sentences, others text"):
        formats.read(write(tmp_path / "a.jsonl", E2E, FASTCOREF))


def test_characters_are_scored_against_tokens(tmp_path: Path) -> None:
    """A fastcoref response is compared with a CoNLL key through the characters that both have."""
    key = tmp_path / "key.conll"
    rows = ["Ann\t(1)", "saw\t-", "Bo\t(2)", ".\t-", "", "She\t(1)", "waved\t-", ".\t-"]
    key.write_text("\n".join(["#begin document d", *rows, "#end document"]), encoding="utf-8")
    result = referee.score(key, write(tmp_path / "d.jsonl", FASTCOREF | {"id": "d"}))
    assert result.mentions.f1 == result.conll + (1 - result.conll) == 1
    with pytest.raises(FormatError, match="characters in the key"):
        referee.score(
            key, write(tmp_path / "d.jsonl", FASTCOREF | {"id": "d", "text": "Ann saw Bo. She waved!!"})
        )


def test_running_text_becomes_tokens() -> None:
    cut = cut_text("d", "New York’s end", [Cluster("0", (Mention.at(0, 8), Mention.at(8, 10)))])
    assert cut.words == ("New", "York", "’", "s", "end")
    assert spans(cut) == [[(0, 2), (2, 4)]]


@given(st.text("ab .,\n", min_size=1, max_size=20), st.data())
def test_tokens_and_characters_agree(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    if not text[start].strip() or not text[end - 1].strip():
        return  # a mention does not begin or end in white space
    document = cut_text("d", text, [Cluster("0", (Mention.at(start, end),))])
    assert in_characters(document.text, document.mentions[0].spans) == [(start, end)]
    assert "".join(document.words) == "".join(text.split())


@pytest.mark.parametrize("source", ["muc/key.sgm", "arrau"])
def test_annotated_minimum_spans_are_kept(tmp_path: Path, source: str) -> None:
    (before,) = formats.read(Path(__file__).parents[2] / "data" / source)
    formats.write([before], tmp_path / "key.jsonl")
    (after,) = formats.read(tmp_path / "key.jsonl")
    pairs = [
        [(mention, mention.minimum) for cluster in document.clusters for mention in cluster.mentions]
        for document in (before, after)
    ]
    assert pairs[0] == pairs[1]
    assert any(minimum for _, minimum in pairs[0])


@pytest.mark.parametrize("minimum", ["[]", "[[null]]", "[[[[5, 6]], null]]", "[[[7], null]]", "7"])
def test_minimum_spans_that_do_not_fit_are_refused(tmp_path: Path, minimum: str) -> None:
    path = tmp_path / "key.jsonl"
    path.write_text(
        f'{{"sentences": [["a", "b", "c"]], "clusters": [[[0, 1], [2, 2]]], "minimum_spans": {minimum}}}\n',
        encoding="utf-8",
    )
    with pytest.raises(FormatError, match="minimum_spans do not fit the clusters"):
        list(formats.read(path))


def test_fields_that_are_not_read_are_named(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    line = {
        "sentences": [["a", "b"]],
        "clusters": [],
        "pos": [["N", "V"]],
        "ner": [[0, 1, "X"]],
        "genre": "nw",
    }
    path.write_text(json.dumps(line), encoding="utf-8")
    corpus = formats.read(path)
    assert corpus.notices[0].endswith("(token offsets, end included); fields that are not read: genre, ner")
    assert "pos" in corpus[0].layers
