"""CRAC's plain text: words with tags behind a bar."""

from __future__ import annotations

import pytest

from referee.formats.marked.crac import crac_word, scan_crac
from referee.formats.marked.markings import EMPTY, UNCLOSED, UNOPENED, document_of_marking


def spans(raw: str) -> list[tuple[str, str]]:
    marking = scan_crac(raw, 0, len(raw))
    return sorted((marking.text[mark.start : mark.end], mark.id) for mark in marking.marks)


def test_nested_crossing_and_single_words() -> None:
    raw = "Los|[e1 jugadores de el|[e3 Espanyol|[e2],e1] ganan|e3] ."
    assert spans(raw) == [
        ("Espanyol", "e2"),
        ("Los jugadores de el Espanyol", "e1"),
        ("el Espanyol ganan", "e3"),
    ]


def test_mentions_of_one_cluster_nest() -> None:
    assert spans("a|[x b|[x c|x] d|x]") == [("a b c d", "x"), ("b c", "x")]


@pytest.mark.parametrize(
    ("raw", "reasons", "kept"),
    [
        ("a|[e1 b c|[e2]", [UNCLOSED], [("c", "e2")]),
        ("a b|e1] c|[e2]", [UNOPENED], [("c", "e2")]),
        ("c|[e2] |[e1]", [EMPTY], [("c", "e2")]),
        ("c|[e2] |e1]", [UNOPENED], [("c", "e2")]),
        ("a|b c|[e2] | x|y]z", [], [("c", "e2")]),
    ],
)
def test_broken_tags(raw: str, reasons: list[str], kept: list[tuple[str, str]]) -> None:
    marking = scan_crac(raw, 0, len(raw))
    assert [fault.reason for fault in marking.faults] == reasons
    assert spans(raw) == kept


def test_a_tag_without_a_word_belongs_to_its_neighbour() -> None:
    assert spans("x |[e1 a b |e1] y") == [("a b", "e1")]


@pytest.mark.parametrize("word", ["a|b", "|", "||", "a|[b", "a|", "x|[e1],y]"])
def test_a_bar_belongs_to_a_word_without_tags(word: str) -> None:
    assert crac_word(f"{word}|") == (word, [])
    assert crac_word(f"{word}|[e1],e2]") == (word, ["[e1]", "e2]"])


def test_zeros_come_last_and_count_from_where_they_are() -> None:
    raw = "##|[e1] Dice|[e2] ##él|[e1] ##|[e3 que|e3]"
    document = document_of_marking(scan_crac(raw, 0, len(raw)), "d")
    assert document.words == ("Dice", "que", "_", "él", "_")
    assert [(zero.before, zero.ordinal) for zero in document.text.zeros] == [(0, 1), (1, 1), (1, 2)]
    clusters = {c.id: [mention.spans for mention in c.mentions] for c in document.clusters}
    assert clusters == {"e1": [((2, 3),), ((3, 4),)], "e2": [((0, 1),)], "e3": [((1, 2), (4, 5))]}
