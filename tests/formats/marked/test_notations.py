"""Markdown, tags and brackets: what is marked, what is text, and what went wrong."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import pytest

from referee.formats.marked.markings import EMPTY, NO_ID, UNCLOSED, UNOPENED, Marking
from referee.formats.marked.notations import scan_brackets, scan_markdown
from referee.formats.marked.tags import scan_tags

Scan = Callable[[str, int, int], Marking]


def marked(marking: Marking) -> list[tuple[str, str]]:
    return [(" ".join(marking.text[mark.start : mark.end].split()), mark.id) for mark in marking.marks]


def faults(marking: Marking) -> list[str]:
    return [fault.reason for fault in marking.faults]


def scan(how: Scan, raw: str) -> Marking:
    return how(raw, 0, len(raw))


@pytest.mark.parametrize(
    ("how", "raw"),
    [
        (scan_markdown, "[Anna](#1) saw [[her](#1) dog](#cluster_2)."),
        (scan_markdown, "[ Anna ](# 1 ) saw [[her](#1) dog](#cluster_2)."),
        (scan_tags, '<m id="1">Anna</m> saw <m id="cluster_2"><m id="1">her</m> dog</m>.'),
        (scan_tags, "<e id=1>Anna</e> saw <e cluster='cluster_2'><e id=1>her</e> dog</e>."),
        (scan_tags, "<m> Anna | 1 </m> saw <m> <m> her | 1 </m> dog | cluster_2 </m>."),
        (scan_tags, "<p><1>Anna</1> saw <cluster_2><1>her</1> dog</cluster_2>.</p>"),
        (scan_tags, '<m id="1">Anna</m> saw <x id="cluster_2"><M ID="1">her</M> dog</x>.'),
        (scan_brackets, "[Anna: 1] saw [[her: 1] dog: cluster_2]."),
        (scan_brackets, "[Anna]_1 saw [[her]_{1} dog]_cluster_2."),
        (scan_brackets, "{{Anna|1}} saw {{{{her | 1}} dog|cluster_2}}."),
        (scan_tags, '<m id="1">**Anna**</m> saw <m id="cluster_2"><m id="1">her</m> **dog**</m>.'),
        (scan_markdown, "[**Anna**](1) saw [**[her](1)** dog](#cluster_2)."),
    ],
)
def test_mentions_are_read_and_tags_are_no_text(how: Scan, raw: str) -> None:
    marking = scan(how, raw)
    assert "".join(marking.text.split()) == "Annasawherdog."
    assert sorted(marked(marking)) == [("Anna", "1"), ("her", "1"), ("her dog", "cluster_2")]
    assert not marking.faults


@pytest.mark.parametrize(
    ("how", "raw", "mentions", "reasons", "text"),
    [
        (scan_markdown, "[Anna](#1) saw [her dog .", [("Anna", "1")], [UNCLOSED], "Anna saw [her dog ."),
        (scan_markdown, "[Anna](#1) saw her](#1) .", [("Anna", "1")], [UNOPENED], "Anna saw her ."),
        (scan_markdown, "[Anna](#1) saw [](#2) .", [("Anna", "1")], [EMPTY], "Anna saw  ."),
        (scan_markdown, "[Anna](#1) saw [her](#) .", [("Anna", "1")], [NO_ID], "Anna saw her ."),
        (scan_markdown, "[Anna](#1) saw [1] (#x) .", [("Anna", "1")], [NO_ID], "Anna saw [1] (#x) ."),
        (scan_markdown, r"\[[Anna](#1)\\\] x", [("Anna", "1")], [], "[Anna\\] x"),
        (scan_markdown, "[the [sic] end](#1)", [("the [sic] end", "1")], [NO_ID], "the [sic] end"),
        (scan_markdown, "[a](http://x.org/#y) [b](#1)", [("b", "1")], [NO_ID], "[a](http://x.org/#y) b"),
        (scan_markdown, "[a](#the first one)", [("a", "the first one")], [], "a"),
        (scan_tags, '<m id="1">Anna</m> <m id="2">her', [("Anna", "1")], [UNCLOSED], "Anna her"),
        (scan_tags, '<m id="1">Anna</m> her</m>', [("Anna", "1")], [UNOPENED], "Anna her"),
        (scan_tags, '<m id="1">Anna</m> <m id="2"/>', [("Anna", "1")], [EMPTY], "Anna "),
        (scan_tags, '<m id="1">Anna</m> <m>her</m>', [("Anna", "1")], [NO_ID], "Anna her"),
        (scan_tags, '<m id="1">A &lt; B &amp; C</m>', [("A < B & C", "1")], [], "A < B & C"),
        (scan_tags, '1 < 2 <m id="1">x</m> > y | z', [("x", "1")], [], "1 < 2 x > y | z"),
        (
            scan_tags,
            '<a id="1">x <b id="2">y</a> z</b>',
            [("x y", "1"), ("y z", "2")],
            [],
            "x y z",
        ),
        (scan_brackets, "[Anna: 1] saw her: 2] .", [("Anna", "1")], [UNOPENED], "Anna saw her ."),
        (scan_brackets, "[Anna: 1] saw [her .", [("Anna", "1")], [UNCLOSED], "Anna saw [her ."),
        (scan_brackets, "[Anna: 1] saw [note: see] .", [("Anna", "1")], [NO_ID], "Anna saw [note: see] ."),
        (scan_brackets, "[Anna: 1] [: 2] .", [("Anna", "1")], [EMPTY], "Anna  ."),
        (scan_brackets, "[at 10: 30: A]", [("at 10: 30", "A")], [], "at 10: 30"),
        (scan_brackets, "[Anna: cluster 1]", [("Anna", "cluster 1")], [], "Anna"),
        (scan_brackets, r"\[x: 1\] [y: 2]", [("y", "2")], [], "[x: 1] y"),
    ],
)
def test_one_bad_tag_harms_no_other(
    how: Scan, raw: str, mentions: list[tuple[str, str]], reasons: list[str], text: str
) -> None:
    marking = scan(how, raw)
    assert sorted(marked(marking)) == mentions
    assert faults(marking) == reasons
    assert marking.text == text


@pytest.mark.parametrize(
    ("how", "raw"),
    [
        (scan_markdown, "[a b\n\n[c](#1) d](#2)"),
        (scan_tags, '<m id="1">a b\n \n<m id="2">c</m> d</m>'),
        (scan_brackets, "[a b\n\n[c: 1] d: 2]"),
    ],
)
def test_no_mention_goes_beyond_an_empty_line(how: Scan, raw: str) -> None:
    marking = scan(how, raw)
    assert [words for words, _ in marked(marking)] == ["c"]
    assert sorted(faults(marking)) == [UNCLOSED, UNOPENED]


def test_other_tags_go_beyond_empty_lines() -> None:
    marking = scan(scan_tags, '<story>\n\n<m id="1">a</m>\n\n</story>')
    assert marked(marking) == [("a", "1")]
    assert not marking.faults


def test_a_bracket_that_may_be_text_says_where_it_is() -> None:
    marking = scan(scan_markdown, "[x](#1) [y] [z")
    assert [(fault.reason, fault.sign) for fault in marking.faults] == [(NO_ID, 2), (UNCLOSED, 6)]
    assert marking.text[2] == marking.text[6] == "["


def test_positions_are_those_of_the_file() -> None:
    raw = "x\n[a](#1)\nb](#2)"
    marking = scan_markdown(raw, 2, len(raw))
    assert marking.text == "a\nb"
    assert raw[marking.marks[0].position :].startswith("[a]")
    assert raw[marking.faults[0].position :].startswith("](#2)")


@pytest.mark.parametrize(
    ("how", "opening", "closing"),
    [
        (scan_markdown, "[", "](#1)"),
        (scan_tags, '<m id="1">', "</m>"),
        (scan_brackets, "[", ": 1]"),
    ],
)
def test_deep_nesting_and_signs_without_end_take_linear_time(how: Scan, opening: str, closing: str) -> None:
    depth = 20_000
    before = perf_counter()
    words = " x" * depth
    marking = scan(how, opening * depth + words + closing * depth)
    assert len(marking.marks) == depth
    assert marking.text == words
    assert {(mark.start, mark.end) for mark in marking.marks} == {(1, len(words))}
    assert len(scan(how, opening * depth).faults) == depth
    assert len(scan(how, "x" + closing * depth).faults) == depth
    for hostile in ("<m id=" * depth, "](#" * depth, ": 1" * depth, "\\" * depth, "<" * depth, "|" * depth):
        scan(how, hostile)
    scan(how, "[" * depth + words + ": 1" * depth + "]" * depth)
    scan(how, "<m>" * depth + words + "</m>" * depth)
    assert perf_counter() - before < 12


@pytest.mark.parametrize(
    ("how", "raw", "mentions"),
    [
        (scan_brackets, "[Anna]₁ saw [[her]₁ dog]¹².", [("Anna", "1"), ("her", "1"), ("her dog", "12")]),
        (
            scan_tags,
            "<PERSON_1>Anna</PERSON_1> saw <DOG-2><PERSON_1>her</PERSON_1> dog</DOG-2>.",
            [("Anna", "person_1"), ("her", "person_1"), ("her dog", "dog-2")],
        ),
        (
            scan_tags,
            '<coref id="1">Anna</coref> saw <coref id="3"><coref id="2" ref="1">her</coref> dog</coref>.',
            [("Anna", "1"), ("her", "1"), ("her dog", "3")],
        ),
        (
            scan_brackets,
            "[Anna] saw [[her: Anna] dog: a dog].",
            [("Anna", "anna"), ("her", "anna"), ("her dog", "a dog")],
        ),
        (
            scan_brackets,
            "[Anna: ANNA] saw [[her: Anna] dog: a  dog].",
            [("Anna", "anna"), ("her", "anna"), ("her dog", "a dog")],
        ),
    ],
)
def test_ids_in_other_places(how: Scan, raw: str, mentions: list[tuple[str, str]]) -> None:
    marking = scan(how, raw)
    assert marking.text == "Anna saw her dog."
    assert sorted(marked(marking)) == mentions
    assert not marking.faults


@pytest.mark.parametrize(
    ("raw", "text", "mentions", "reasons"),
    [
        ("{{a|1}} {{b}} c", "a b c", [("a", "1")], [NO_ID]),
        ("{{a|1}} b|2}} {{c", "a b c", [("a", "1")], [UNOPENED, UNCLOSED]),
        ("[a: x] [b] [c: x]", "a [b] c", [("a", "x"), ("c", "x")], [NO_ID]),
    ],
)
def test_braces_and_names_that_mark_nothing(
    raw: str, text: str, mentions: list[tuple[str, str]], reasons: list[str]
) -> None:
    marking = scan(scan_brackets, raw)
    assert marking.text == text
    assert marked(marking) == mentions
    assert faults(marking) == reasons


def test_what_is_changed_is_named() -> None:
    assert scan(scan_markdown, "[the **old** dog](#1)").repairs == ("asterisks for bold",)
    assert scan(scan_brackets, "[a: x] [b: x]").repairs == ("names for ids",)
    assert scan(scan_markdown, "[f**k ** x](#1)").repairs == ()


@pytest.mark.parametrize(("opening", "closing"), [("[", ": some name]"), ("{{", "|1}}"), ("[**", "**: a b]")])
def test_deep_nesting_of_other_brackets_takes_linear_time(opening: str, closing: str) -> None:
    depth = 20_000
    before = perf_counter()
    marking = scan(scan_brackets, opening * depth + " x" * depth + closing * depth)
    assert len(marking.marks) == depth
    scan(scan_brackets, closing * depth)
    assert perf_counter() - before < 6
