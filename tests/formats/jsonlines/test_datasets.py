"""Files of rows of data sets, and CoreNLP's JSON, in lines, lists and single values."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import referee
from referee import Cluster, Document, FormatError, Mention, formats
from referee.cli import main as command_line
from referee.formats.io.opening import SeekableFile
from referee.formats.recognition import is_dataset_rows

INDISCRIM: dict[str, Any] = {
    "id": "story", "text": "Ann slept. She snored.", "genre": "test", "meta_data": {"comment": ""},
    "sentences": [
        {"id": 1, "text": "Ann slept.", "speaker": None, "tokens": [
            {"id": 1, "text": "Ann", "xpos": "NNP", "lemma": "Ann", "head": 2},
            {"id": 2, "text": "slept", "xpos": "VBD", "lemma": "sleep", "head": 0},
        ]},
        {"id": 2, "text": "She snored.", "speaker": "Bo", "tokens": [
            {"id": 1, "text": "She", "xpos": "PRP", "lemma": "she", "head": 2},
            {"id": 2, "text": "snored", "xpos": "VBD", "lemma": "snore", "head": 0},
        ]},
    ],
    "coref_chains": [[[0, 0, 0], [1, 0, 0]]],
}  # fmt: skip
CORENLP: dict[str, Any] = {
    "docId": "story.txt",
    "sentences": [
        {"index": number, "tokens": [{"index": i + 1, "word": word} for i, word in enumerate(words)]}
        for number, words in enumerate([["Ann", "slept"], ["She", "snored"]])
    ],
    "corefs": {
        "4": [
            {"sentNum": number, "startIndex": 1, "endIndex": 2, "headIndex": 1, "type": "PROPER"}
            for number in (1, 2)
        ]
    },
}
ONTONOTES: dict[str, Any] = {
    "document_id": "nw/x",
    "sentences": [
        {
            "part_id": part,
            "words": ["Ann", "slept"],
            "pos_tags": [1, 2],
            "coref_spans": [[0, 0, 0], [0, 1, 1]],
        }
        for part in (0, 1)
    ],
}
LAYOUTS: dict[str, Callable[[Any], str]] = {
    "lines": lambda rows: "".join(json.dumps(row) + "\n" for row in rows),
    "list": json.dumps,
    "long list": lambda rows: json.dumps(rows, indent=1),
    "mark": lambda rows: "\ufeff" + json.dumps(rows),
}


def told(document: Document) -> set[frozenset[Any]]:
    return {frozenset(mention.spans for mention in cluster.mentions) for cluster in document.clusters}


def changed(fields: dict[str, Any]) -> str:
    return json.dumps(INDISCRIM | fields)


def write(folder: Path, text: str, name: str = "a.json") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("layout", LAYOUTS)
def test_rows_are_read_in_every_layout(tmp_path: Path, layout: str) -> None:
    rows = [INDISCRIM, INDISCRIM | {"id": "other"}]
    corpus = referee.read(write(tmp_path, LAYOUTS[layout](rows)))
    assert corpus.ids == ["story", "other"]
    for document in corpus:
        assert document.words == ("Ann", "slept", "She", "snored")
        assert document.sentences == ((0, 2), (2, 4))
        assert told(document) == {frozenset({((0, 1),), ((2, 3),)})}
        assert document.layers == {
            "pos": ("NNP", "VBD", "PRP", "VBD"), "lemma": ("Ann", "sleep", "she", "snore"),
            "head": ("1", "-", "3", "-"), "speaker": ("_", "_", "Bo", "Bo"),
        }  # fmt: skip


@pytest.mark.parametrize("indent", [None, 1])
def test_one_value_is_read_too(tmp_path: Path, indent: int | None) -> None:
    corpus = referee.read(write(tmp_path, json.dumps(CORENLP, indent=indent)))
    assert corpus.ids == ["story.txt"]
    assert [(m.spans, m.head) for m in corpus.document(0).mentions] == [(((0, 1),), 0), (((2, 3),), 2)]
    rows = referee.read(write(tmp_path, json.dumps(ONTONOTES, indent=indent)))
    assert rows.ids == ["(nw/x); part 000", "(nw/x); part 001"]


def test_rows_without_names_are_called_after_their_file(tmp_path: Path) -> None:
    rows = [{name: value for name, value in INDISCRIM.items() if name != "id"}] * 2
    corpus = referee.read(write(tmp_path, LAYOUTS["lines"](rows)))
    assert (corpus.ids, corpus.named) == (["a", "a#2"], False)


def test_long_sentences_do_not_hide_what_it_is() -> None:
    assert is_dataset_rows(b'{"id": "x", "sentences": [ {"tokens": [')
    assert is_dataset_rows(b'\xef\xbb\xbf[{"sentences":[{')
    assert is_dataset_rows(b'{"corefs": {"1": []}, "sentences": []')
    assert not is_dataset_rows(b'{"sentences": [["a"]], "clusters": []}')
    assert not is_dataset_rows(b'"sentences": [{')


def test_all_commands_take_it(tmp_path: Path) -> None:
    key = str(write(tmp_path, json.dumps(INDISCRIM), "key.json"))
    target = str(tmp_path / "b.jsonl")
    commands = [["score", key, key], ["validate", key], ["stats", key], ["errors", key, key]]
    converted = [["convert", key, target], ["convert", target, str(tmp_path / "c.json"), "--to", "indiscrim"]]
    for words in commands + converted:
        result = CliRunner().invoke(command_line, words)
        assert result.exit_code == 0, (words, result.output)
    written = json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))
    assert written["coref_chains"] == INDISCRIM["coref_chains"]
    assert written["sentences"][1]["tokens"] == INDISCRIM["sentences"][1]["tokens"]
    assert [sentence["speaker"] for sentence in written["sentences"]] == [None, "Bo"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (json.dumps(INDISCRIM)[:-9], "a.json:1: not a JSON object on one line"),
        (json.dumps([INDISCRIM])[:-9], "a.json:1: not JSON"),
        (json.dumps(CORENLP, indent=1)[:-9], r"a.json:\d+: not JSON"),
        (json.dumps([INDISCRIM, 7]), "a.json:1: expected a JSON object, not 7"),
        (changed({"coref_chains": [[[0, 0, 2]]]}), "a.json:1: tokens 0-2 lie outside sentence 0"),
        (changed({"coref_chains": [[[0, 1, 0]]]}), "a.json:1: tokens 1-0 lie outside sentence 0"),
        (changed({"coref_chains": [[[0, 10**30, 10**31]]]}), "a.json:1: tokens .* lie outside"),
        (changed({"coref_chains": "abc"}), "a.json:1: not a row of coref-data"),
        (changed({"sentences": [{"tokens": [{"id": 1}]}]}), "a.json:1: not a row of .*KeyError"),
        (changed({}).replace("coref_chains", "chains"), "a.json:1: expected a row"),
        (json.dumps(CORENLP).replace('"sentNum": 2', '"sentNum": 9'), "sentence 8, which does not exist"),
        ('{"corefs": {}, "sentences": ' + "[" * 10**5 + "\n", "a.json:1: not a JSON object on one line"),
    ],
)  # fmt: skip
def test_broken_files_are_refused_with_their_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        referee.read(write(tmp_path, text))


def test_a_mention_that_runs_over_a_sentence_is_refused(tmp_path: Path) -> None:
    document = Document.of("d", "abcd", ((0, 2), (2, 4)), [Cluster("1", (Mention.at(1, 3),))])
    with pytest.raises(FormatError, match="document d: words 1-2 run over the end of a sentence"):
        formats.write([document], tmp_path / "a", "indiscrim")


@st.composite
def documents(draw: st.DrawFn) -> Document:
    lengths = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    words = draw(st.lists(st.text(min_size=1, max_size=4), min_size=sum(lengths), max_size=sum(lengths)))
    edges = [(sum(lengths[:i]), sum(lengths[: i + 1])) for i in range(len(lengths))]
    spans = (
        st.sampled_from(edges)
        .flatmap(lambda edge: st.tuples(*[st.integers(*edge)] * 2))
        .filter(lambda s: s[0] < s[1])
    )
    clusters = draw(st.lists(st.lists(spans, min_size=1, max_size=4), max_size=4))
    return Document.of("d", words, edges, [Cluster(str(i), tuple(Mention.at(*span) for span in cluster))
                                           for i, cluster in enumerate(clusters)])  # fmt: skip


@given(documents())
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_written_is_read_again(tmp_path: Path, document: Document) -> None:
    path = tmp_path / "a.json"
    formats.write([document], path, "indiscrim")
    assert formats.recognise(SeekableFile(str(path))) == "indiscrim"
    assert list(referee.read(path)) == [document]


WL_COREF: dict[str, Any] = {
    "document_id": "nw/x", "part_id": 2, "cased_words": ["Ann", "Lee", "slept", "She", "snored"],
    "sent_id": [0, 0, 0, 1, 1], "speaker": ["-", "-", "-", "Bo", "Bo"], "pos": ["A", "A", "B", "C", "B"],
    "head": [2, 0, None, 4, None], "clusters": [[[0, 2], [3, 4]]],
}  # fmt: skip
PRECO: dict[str, Any] = {
    "id": "train_0", "sentences": [["Ann", "Lee", "slept"], ["She", "snored"]],
    "mention_clusters": [[[0, 0, 2], [1, 0, 1]]],
}  # fmt: skip


@pytest.mark.parametrize(("row", "name"), [(WL_COREF, "(nw/x); part 002"), (PRECO, "train_0")])
def test_ends_of_wl_coref_and_preco_are_excluded(tmp_path: Path, row: dict[str, Any], name: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(row) + "\n" + json.dumps(row) + "\n", encoding="utf-8")
    assert formats.recognise(SeekableFile(str(path))) == "indiscrim"
    document = formats.read(path).document(0)
    assert (document.id, document.words) == (name, ("Ann", "Lee", "slept", "She", "snored"))
    assert document.sentences == ((0, 3), (3, 5))
    assert document.clusters == (Cluster("0", (Mention.at(0, 2), Mention.at(3, 4))),)


def test_layers_and_clusters_of_wl_coref(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(WL_COREF | {"span_clusters": [[[0, 1]]]}), encoding="utf-8")
    document = formats.read(path).document(0)
    assert document.layers == {"pos": ("A", "A", "B", "C", "B"), "speaker": ("-", "-", "-", "Bo", "Bo")}
    assert document.clusters == (Cluster("0", (Mention.at(0, 1),)),)
    path.write_text(json.dumps(WL_COREF | {"clusters": [[[3, 9]]]}), encoding="utf-8")
    with pytest.raises(FormatError, match=r"rows\.jsonl:1: tokens 3-8 lie outside"):
        formats.read(path)
