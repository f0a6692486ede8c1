"""WEC-Eng: mentions with the paragraphs that they occur in."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damage import ANYTHING, edits, read_or_refuse
from referee import FormatError, Protocol, formats, score
from referee.formats.recognition import is_wec

FIRST = ["The", "harbour", "fair", "of", "1998", "drew", "few", "people", "."]
SECOND = ["A", "second", "fair", "followed", "."]


def mention(doc: str, context: list[str], numbers: list[int], chain: int, **other: Any) -> dict[str, Any]:
    """Make a mention with the fields of the published files."""
    return {
        "coref_chain": chain, "coref_link": "A fair", "doc_id": doc, "mention_context": context,
        "mention_head": context[numbers[0]], "mention_head_lemma": "x", "mention_head_pos": "NOUN",
        "mention_id": "1", "mention_index": 1, "mention_ner": "UNK", "mention_type": 8,
        "predicted_coref_chain": None, "sent_id": 0, "tokens_number": numbers,
        "tokens_str": " ".join(context[number] for number in numbers), "topic_id": -1, **other,
    }  # fmt: skip


MENTIONS = [
    mention("Harbour", FIRST, [1, 2], 77, mention_head="fair"),
    mention("Harbour", SECOND, [2], 78),
    mention("Harbour", FIRST, [4], 79),
    mention("Town", SECOND, [0, 2], 77),
]


def put(folder: Path, mentions: Sequence[object] = MENTIONS) -> Path:
    path = folder / "Dev_Event_gold_mentions_validated.json"
    lines = ",\n".join(map(json.dumps, mentions))
    path.write_text(f"[{lines}]", encoding="utf-8")
    return path


def test_a_page_is_its_paragraphs_in_order(tmp_path: Path) -> None:
    read = formats.read(put(tmp_path))
    assert read.cross_document
    harbour, town = read
    assert harbour.words == (*FIRST, *SECOND)
    assert harbour.sentences == ((0, 9), (9, 14))
    assert {c.id: [(m.spans, m.head) for m in c.mentions] for c in harbour.clusters} == {
        "77": [(((1, 3),), 2)], "78": [(((11, 12),), 11)], "79": [(((4, 5),), 4)],
    }  # fmt: skip
    assert (town.clusters[0].id, town.clusters[0].mentions[0].spans) == ("77", ((0, 1), (2, 3)))
    assert read.topic_of(0) == (None, None)


def test_a_head_that_is_there_twice_or_never_is_none(tmp_path: Path) -> None:
    twice = mention("d", ["a", "b", "a"], [0, 1, 2], 1)
    never = mention("e", ["a"], [0], 1, mention_head="z")
    assert [d.clusters[0].mentions[0].head for d in formats.read(put(tmp_path, [twice, never]))] == [
        None,
        None,
    ]


def test_topics_and_places_of_other_corpora_in_this_shape_are_read(tmp_path: Path) -> None:
    other = mention("d", SECOND, [0], 1, tokens_number_context=[3], topic_id="t", subtopic_id=5)
    read = formats.read(put(tmp_path, [other]))
    assert read.topic_of(0) == ("t", "5")
    assert read.document(0).clusters[0].mentions[0].spans == ((3, 4),)


def test_a_responses_predicted_chains_come_first(tmp_path: Path) -> None:
    predicted = [MENTIONS[0] | {"predicted_coref_chain": 5}, MENTIONS[1] | {"predicted_coref_chain": 5}]
    path = put(tmp_path, [*predicted, *MENTIONS[2:]])
    as_key = [cluster.id for document in formats.read(path) for cluster in document.clusters]
    response = formats.read(path, role="response")
    sizes = [(cluster.id, len(cluster.mentions)) for document in response for cluster in document.clusters]
    assert as_key == ["77", "78", "79", "77"]
    assert sizes == [("5", 2), ("alone 2", 1), ("alone 3", 1)]  # the key's chains must not leak
    gold = formats.read(put(tmp_path), role="response")
    assert [cluster.id for document in gold for cluster in document.clusters] == as_key


def test_it_is_scored_at_corpus_scope(tmp_path: Path) -> None:
    read = formats.read(put(tmp_path))
    assert score(read, read, protocol=Protocol(scope="corpus"), metric=("links",)).links.f1 == 1.0
    assert score(read, read, protocol=Protocol(scope="corpus"), metric=("muc",)).counts["muc"].sum() > 0


BROKEN = [
    (
        {"tokens_number": [9]},
        r"\.json:2: tokens_number \[9\] are not all words of mention_context, which has 9",
    ),
    ({"tokens_number": [-1]}, "are not all words"),
    ({"tokens_number": []}, "are not all words"),
    ({"tokens_number": [True]}, "are not all words"),
    ({"mention_context": ["a", 1]}, r"\.json:2: mention_context must be a list of words"),
    ({"mention_context": []}, "mention_context must be a list of words"),
]


@pytest.mark.parametrize(("change", "message"), BROKEN)
def test_broken_mentions_are_refused_with_their_line(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    short = mention("d", ["a"], [0], 1)
    with pytest.raises(FormatError, match=message):
        formats.read(put(tmp_path, [short, MENTIONS[0] | change]))


@pytest.mark.parametrize("field", ["coref_chain", "doc_id", "mention_context", "tokens_number"])
def test_missing_fields_are_refused_with_their_line(tmp_path: Path, field: str) -> None:
    lacking = {name: value for name, value in MENTIONS[0].items() if name != field}
    with pytest.raises(FormatError, match=rf"\.json:\d+: the mention has no {field}"):
        formats.read(put(tmp_path, [MENTIONS[3], lacking]))


def test_what_is_no_object_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="a mention is an object, not 7"):
        formats.read(put(tmp_path, [MENTIONS[0], 7]))


def test_other_lists_are_not_taken_for_it() -> None:
    assert not is_wec(b'[{"doc_id": "d", "tokens_ids": [1], "cluster_id": 1}]')
    assert not is_wec(b'{"coref_chain": 1, "mention_context": []}')
    assert is_wec(b'\xef\xbb\xbf [{"coref_chain": 1, "mention_context": ["a"]}]')


@given(number=st.integers(0, 3), field=st.sampled_from([*MENTIONS[0], "subtopic_id"]), value=ANYTHING)
def test_any_wrong_value_is_an_error_in_words(
    tmp_path_factory: pytest.TempPathFactory, number: int, field: str, value: object
) -> None:
    changed = [MENTIONS[i] | ({field: value} if i == number else {}) for i in range(4)]
    read_or_refuse(put(tmp_path_factory.mktemp("wrong"), changed))


@given(edits(json.dumps(MENTIONS), '[]{}",:0at'))
def test_any_damage_is_an_error_in_words(tmp_path_factory: pytest.TempPathFactory, words: str) -> None:
    path = tmp_path_factory.mktemp("damaged") / "wec.json"
    path.write_text(words, encoding="utf-8")
    read_or_refuse(path)


def test_a_placeholder_is_not_a_chain(tmp_path: Path) -> None:
    path = put(tmp_path, [fields | {"predicted_coref_chain": "UNK"} for fields in MENTIONS])
    assert list(formats.read(path, role="response")) == list(formats.read(path))
    mixed = [MENTIONS[0] | {"predicted_coref_chain": 5}]
    mixed += [fields | {"predicted_coref_chain": "UNK"} for fields in MENTIONS[1:]]
    read = formats.read(put(tmp_path, mixed), role="response")
    assert sorted(c.id for d in read for c in d.clusters) == ["5", "alone 1", "alone 2", "alone 3"]
