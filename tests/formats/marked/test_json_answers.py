"""JSON answers: strings and offsets, with text and without, whole or cut off."""

from __future__ import annotations

import json
from time import perf_counter
from typing import Any

import pytest

from referee.formats.marked.atoms import StringFinder
from referee.formats.marked.json_answers import json_answers, scan_json
from referee.formats.marked.markings import EMPTY, NO_ID, NO_MENTION, NOT_FOUND, OUTSIDE_TEXT, Marking

TEXT = "Ann met Bob. He saw her, and he left."


def scan(value: Any) -> Marking:
    [answer] = json_answers(json.dumps(value))
    return scan_json(answer)


def marked(marking: Marking) -> list[tuple[str, str, int]]:
    return sorted((marking.text[m.start : m.end], m.id, m.start) for m in marking.marks)


HE, ANN = [("He", "1", 13), ("he", "1", 29)], ("Ann", "2", 0)


@pytest.mark.parametrize(
    "value",
    [
        {"text": TEXT, "clusters": [["he", "he"], ["ann"]]},
        {"text": TEXT, "clusters": {"1": ["He", "he"], "2": ["Ann"]}},
        {"text": TEXT, "1": ["He", "he"], "2": ["Ann"]},
        {"text": TEXT, "entities": [{"mentions": ["He", "he"]}, {"id": 2, "mentions": [{"text": "Ann"}]}]},
        {"text": TEXT, "clusters": [[[13, 15], [29, 31]], [[0, 3]]]},
        {"text": TEXT, "clusters": [[{"start": 13, "end": 15}, [29, 31]], [{"start": 0, "end": 3}]]},
        {"text": TEXT, "clusters_char_offsets": [[[13, 14], [29, 30]], [[0, 2]]]},
        {"text": TEXT, "mentions": [{"text": words, "cluster_id": id_} for words, id_, _ in [*HE, ANN]]},
        {"text": TEXT, "clusters": [[{"text": "He"}, {"text": "he", "start": 29, "end": 31}], ["Ann"]]},
        {"text": TEXT, "1": [{"mention": "He"}, {"mention": "he"}], "2": ["Ann"]},
    ],
)
def test_shapes_of_clusters_with_text(value: Any) -> None:
    marking = scan(value)
    assert marked(marking) == sorted([*HE, ANN])
    assert not marking.faults


def test_offsets_beside_a_string_say_where_it_is() -> None:
    [mark] = scan({"text": TEXT, "clusters": [[{"text": "he", "start": 29, "end": 31}]]}).marks
    assert (mark.start, mark.end) == (29, 31)
    [mark] = scan({"text": TEXT, "clusters": [[{"text": "he", "start": 3, "end": 5}]]}).marks
    assert (mark.start, mark.end) == (13, 15)


@pytest.mark.parametrize(
    "value",
    [
        {"tokens": ["Ann", "saw", "her", "dog"], "clusters_token_offsets": [[[0, 0], [2, 2]], [[2, 3]]]},
        {"sentences": [["Ann", "saw"], ["her", "dog"]], "clusters": [[[0, 0], [2, 2]], [[2, 3]]]},
        {"tokens": ["Ann", "saw", "her", "dog"], "clusters_text_mentions": [["Ann", "her"], ["her dog"]]},
    ],
)
def test_clusters_over_words(value: Any) -> None:
    marking = scan(value)
    assert marked(marking) == [("Ann", "1", 0), ("her", "1", 8), ("her dog", "2", 8)]
    assert marking.words == ((0, 3), (4, 7), (8, 11), (12, 15))


def test_zeros_among_words() -> None:
    marking = scan({"tokens": ["Dice", "##", "que"], "clusters_token_offsets": [[[1, 1], [0, 2]]]})
    assert marking.zeros == ((1, ""),)
    assert [(m.start, m.end, list(m.zeros)) for m in marking.marks] == [(0, 0, [0]), (0, 8, [0])]


def test_clusters_without_text_are_looked_up_later() -> None:
    marking = scan([["Ann", "her"], [[3, 4]]])
    assert not marking.has_text
    assert [(w.id, w.target) for w in marking.wanted] == [("1", "Ann"), ("1", "her"), ("2", (3, 4))]


def test_what_is_no_mention_is_told() -> None:
    clusters = [["Ann", "Zoe", 7, None, [1, 2, 3], [True, 2], "", [5, 2], [0, 10**30], [-1, 2]], [[3, 4]]]
    marking = scan({"text": TEXT, "clusters": clusters})
    assert marked(marking) == [("Ann", "1", 0)]
    expected = [NO_MENTION] * 4 + [NOT_FOUND] * 2 + [OUTSIDE_TEXT] * 3 + [EMPTY]
    assert [fault.reason for fault in marking.faults] == expected


@pytest.mark.parametrize(
    "raw",
    [
        'Sure! Here it is:\n```json\n{"clusters": [["Ann", "her"]]}\n```\nAnything else?',
        'The clusters are {"clusters": [["Ann", "her"]]}, as asked.',
        '[1] Some prose.\n[["Ann", "her"]]\n',
        '```\n[\n  [\n    "Ann",\n    "her",\n  ],\n]\n```',
        '{"clusters": [["Ann", "her"], ["Bo',
        '{"clusters": [["Ann", "her"',
        '{"note": "a } or ]", "clusters": [["Ann", "her"]]}',
    ],
)
def test_json_is_found_in_prose_and_mended(raw: str) -> None:
    [answer] = json_answers(raw)
    wanted = [each.target for each in scan_json(answer).wanted]
    assert wanted in (["Ann", "her"], ["Ann"])
    assert raw[answer.position] in "{["


def test_a_string_that_breaks_off_is_left_out() -> None:
    [answer] = json_answers('{"clusters": [["Ann", "her"], ["Bob", "hi')
    marking = scan_json(answer)
    assert [each.target for each in marking.wanted] == ["Ann", "her", "Bob"]
    assert [(fault.reason, fault.shown) for fault in marking.faults] == [("the answer breaks off", ', "hi')]


@pytest.mark.parametrize(
    "raw",
    [
        '[{"mention": "Ann", "cluster": 1}, {"span": "her", "cluster": 1}, {"mention": "Bob", "cluster": 2}]',
        '{"entity": "a", "mentions": ["Ann", "her"]}\n{"entity": "b", "mentions": ["Bob"]}\n',
        '{"id": 1, "mentions": [{"text": "Ann"}, {"text": "her"}]},\n{"id": 2, "mentions": ["Bob"]}',
        '[{"entity": "person", "mentions": ["Ann", "her"]}, {"entity": "person", "mentions": ["Bob"]}]',
        '[{"id": 1, "mentions": ["Ann"]}, {"id": 1, "mentions": ["her"]}, {"id": 2, "members": ["Bob"]}]',
        "The answer:\n{'clusters': [['Ann', 'her'], ['Bob',],],}",
        '{\n  // people\n  "clusters": [["Ann", "her"], /* him */ ["Bob"]] # done\n}',
        "{clusters: [('Ann', 'her'), ('Bob',)], other: None}",
        '{"clusters": [["Ann", "her"]\n["Bob"]]}',
    ],
)
def test_other_shapes_and_faults_of_json(raw: str) -> None:
    [answer] = json_answers(raw)
    marking = scan_json(answer)
    clusters: dict[str, list[object]] = {}
    for each in marking.wanted:
        clusters.setdefault(each.id, []).append(each.target)
    assert list(clusters.values()) == [["Ann", "her"], ["Bob"]]
    assert not marking.faults


def test_a_mention_without_a_cluster_is_reported() -> None:
    raw = '[{"mention": "Ann", "cluster": 1}, {"mention": "her", "cluster": null}]'
    assert [fault.reason for fault in scan_json(json_answers(raw)[0]).faults] == [NO_ID]


def test_documents_follow_each_other() -> None:
    answers = json_answers('{"doc_id": "a", "clusters": [["x"]]}\n{"doc_id": "b", "clusters": [["y"]]}\n')
    assert [answer.name for answer in answers] == ["a", "b"]


def test_a_comma_at_an_end_is_not_a_loss() -> None:
    [answer] = json_answers('{"clusters": [["Ann", "her"],],}')
    assert scan_json(answer).faults == []


@pytest.mark.parametrize(
    "raw",
    ["plain [text](#1)", "{}", '{"a": ["b"], "c": 1}', "[1, 2]", '{"clusters": []}', '{"a": 1}', "{{{{", ""],
)
def test_what_has_no_clusters_is_no_answer(raw: str) -> None:
    assert json_answers(raw) == []


def test_several_documents_have_names() -> None:
    value = [{"doc_id": name, "tokens": ["x"], "clusters_token_offsets": [[[0, 0]]]} for name in "ab"]
    assert [answer.name for answer in json_answers(json.dumps(value))] == ["a", "b"]


@pytest.mark.parametrize("sign", ["[", "{", '{"clusters": [', '"', "{\n", "[\n", "```json\n["])
def test_hostile_json_takes_linear_time(sign: str) -> None:
    before = perf_counter()
    assert json_answers(sign * 100_000) == []
    assert perf_counter() - before < 60


def test_the_same_string_of_two_clusters_is_two_mentions() -> None:
    finder = StringFinder(["ann", "met", "eve", ",", "she", "saw", "her", "and", "she", "left"])
    assert finder.find("1", "Ann") == (0, 1)
    assert finder.find("1", "she") == (4, 5)
    assert finder.find("2", "Eve") == (2, 3)
    assert finder.find("2", "she") == (8, 9)
    assert finder.find("3", "She") is None


def test_strings_out_of_order_are_found_from_the_start() -> None:
    finder = StringFinder(["ann", "saw", "her", "dog"])
    assert finder.find("1", "her dog") == (2, 4)
    assert finder.find("1", "Ann saw her") == (0, 3)
    assert finder.find("1", "ann dog") is None


def test_many_equal_strings_take_linear_time() -> None:
    finder = StringFinder(["la"] * 100_000)
    before = perf_counter()
    assert [finder.find(str(number % 7), "la") for number in range(100_000)].count(None) == 0
    assert finder.find("1", "la") is None
    assert perf_counter() - before < 60


@pytest.mark.parametrize("separator", [", ", "\n"])
def test_a_document_without_clusters_is_a_document(separator: str) -> None:
    some = separator.join(
        json.dumps({"doc_id": name, "tokens": ["she", "slept"], "clusters": clusters})
        for name, clusters in (("a", []), ("b", [["she"]]), ("c", []))
    )
    answers = json_answers(f"[{some}]" if separator == ", " else some)
    assert [(answer.name, len(scan_json(answer).marks)) for answer in answers] == [
        ("a", 0),
        ("b", 1),
        ("c", 0),
    ]
    assert not json_answers(some.replace('["she"]', ""))  # nothing says that this is an answer
