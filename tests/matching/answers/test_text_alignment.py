"""Mentions of a text that is nearly the key's are placed on the key's words, or not at all."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.formats.marked.atoms import atoms_of
from referee.matching.answers import moved_passages as passages
from referee.matching.answers.text_alignment import AlignedText, KeyText, align_text


def aligned(key: str, text: str, edges: tuple[int, ...] = ()) -> AlignedText:
    return align_text(KeyText(key.split(" ")), atoms_of(text, edges))


def placed(key: str, text: str) -> str | None:
    """Place what is between the bars, and write it in the key's words."""
    first, inside, last = text.split("|")
    found = aligned(key, first + inside + last, (len(first), len(first + inside))).place(
        len(first), len(first + inside)
    )
    return None if found is None else " ".join(key.split(" ")[slice(*found)])


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        ("the old man left .", "|The Old Man| left.", "the old man"),
        ("I do n't like Ann 's dog .", "I don’t like |Ann's| dog.", "Ann 's"),
        ("I do n't like Ann 's dog .", "I |don't| like Ann's dog.", "do n't"),
        ("I do n't like Ann 's dog .", "I |do|n't like Ann's dog.", "do"),
        ("he said `` no '' to it .", "he said |“no”| to it.", "`` no ''"),
        ("-LRB- the man -RRB- left", "|(the man)| left", "-LRB- the man -RRB-"),
        ("a café on the corner", "a |cafe| on the corner", "café"),
        ("a cafe\u0301 on the corner", "a |café| on the corner", "cafe\u0301"),
        ("我们 在 东京 见面", "我们在|东京|见面", "东京"),
        ("met the president of France today", "met |the leader| of France today", "the president"),
        ("met the president of France", "met |the prime minister| of France", "the president"),
        ("met the chief executive of France", "met |the boss| of France", "the chief executive"),
        ("met Bo today", "met |old Zed| today", "Bo"),  # replaced as a whole, from its first word to its last
        ("met Bo Li today", "met |Zed| today", "Bo Li"),
        ("met the presidant of France", "met |the president| of France", "the presidant"),
        ("met the man today", "met |the very old man| today", "the man"),
        ("met the man whom she saw today", "met |the man| today", "the man"),
        ("met the man , she said", "met |“the man”,| she said", "the man ,"),
        ("met the man she said", "met |the man,| she said", "the man"),
        ("met the man today", "met |many tall men, of all ages,| the man today", None),
        ("met the man today", "today |Zoe| met the man", None),
        ("a b c d e f g h i j k l m", "a |b m|", None),
        ("met the man today", "met the man today. |Goodbye| now", None),
        ("so the man left now", "so the one |the man| left now", "the man"),
        ("so the old man left now", "so |the old| one old man left now", "the old"),
        ("so a man left now", "so a one |a tall man| left now", None),
        ("met the man today", "met the man|...| today", None),
    ],
)
def test_where_mentions_are_placed(key: str, text: str, expected: str | None) -> None:
    assert placed(key, text) == expected


def test_words_are_counted() -> None:
    found = aligned("a b c d e f g", "Well then: a b x d f g h")
    assert found.counts == (5, 1, 0, 1, 3)
    assert aligned("do n't go", "don't go").counts == (3, 0, 0, 0, 0)
    assert aligned("he said ' ' no ' ' .", "he said '' no '' .").counts == (8, 0, 0, 0, 0)
    assert aligned("a b", "").counts == (0, 0, 0, 2, 0)
    assert aligned("", "a b").counts[4] == 2


def test_a_common_word_alone_is_chance() -> None:
    key = "one two three four five six the seven eight nine ten eleven twelve"
    text = "eins zwei drei vier sechs sieben the acht neun zehn elf zwölf dreizehn"
    assert aligned(key, text).counts[0] == 0
    assert aligned(key, text.replace("eins zwei drei vier sechs sieben", "five six")).counts[0] == 3


def test_signs_of_the_text_are_told_from_tags() -> None:
    found = aligned("he [ sic ] left [", "he [sic] left] x")
    assert found.has_sign(3)
    assert found.has_sign(7)
    assert not found.has_sign(13)


def test_words_before_a_character() -> None:
    found = aligned("a b c d", "x a b y d")
    assert [found.word_at(character) for character in (0, 2, 3, 5, 6, 8, 9)] == [0, 0, 1, 2, 2, 3, 4]


def test_a_common_word_at_the_beginning_or_end_is_not_chance() -> None:
    """Only where unequal words are on both sides of it."""
    key, text = "one two three four five six seven", "eins zwei drei vier sechs sieben acht"
    assert aligned(f"the {key}", f"the {text}").counts[0] == 1
    assert aligned(f"{key} end", f"{text} end").counts[0] == 1


TEXTS = Path(__file__).parents[2] / "data" / "aligned_texts.jsonl"
RECORDS = [json.loads(line) for line in TEXTS.read_text(encoding="utf-8").splitlines()]


def where(aligned: AlignedText, number: int) -> str:
    """Write an atom with the key's words that it is placed on; `=` is kept, `~` changed, `x` added."""
    first, last = (
        f"{place}" if place >= 0 else "" for place in (aligned.first[number], aligned.last[number])
    )
    place = (first if first == last else f"{first}..{last}") or "-"
    return f"{aligned.atoms[number].folded}:{place}{'x~='[aligned.state[number]]}"


@pytest.mark.parametrize("record", RECORDS, ids=[f"{n}" for n, _ in enumerate(RECORDS, 1)])
def test_whole_texts_are_aligned_as_they_were(record: dict[str, Any]) -> None:
    """Texts with one word replaced, dropped or added, joined and split words, signs, repeated passages, and
    texts that are unlike but for a few words; with limits met exactly and passed by one.
    """
    edges = tuple(edge for span in record["mentions"] for edge in span)
    found = align_text(
        KeyText(record["key"].split(" ") if record["key"] else []), atoms_of(record["text"], edges)
    )
    text = record["text"]
    assert " ".join(where(found, number) for number, _ in enumerate(found.atoms)) == record["atoms"]
    assert "".join("x~="[state] for state in found.key_state) == record["key_atoms"]
    kept, changed, moved, dropped, added = found.counts
    assert (moved, [kept, changed, dropped, added]) == (0, record["counts"])
    assert [span and [*span] for span in (found.place(*span) for span in record["mentions"])] == record[
        "placed"
    ]
    assert [found.word_at(place) for place in range(0, len(text) + 2, 3)] == record["words_before"]
    signs = [found.has_sign(place) for place, c in enumerate(text) if not c.isalnum() and c != " "]
    assert "".join("01"[sign] for sign in signs) == record["signs"]


# ---------------------------------------------------------------------------------------- moved passages
ONE = "Ann met the old man at the station yesterday ."
TWO = "Nobody knew why her brother had sold his boat so early in the spring ."
THREE = "It rained all day long and the river rose over the bridge ."


def test_mentions_of_a_passage_that_was_moved_are_placed() -> None:
    key = f"{ONE} {TWO} {THREE}"
    assert placed(key, f"{TWO} {THREE} Ann met |the old man| at the station yesterday.") == "the old man"
    assert placed(
        key, f"{ONE} {THREE} Nobody knew why |her brother| had sold his boat so early in the spring."
    ) == ("her brother")
    moved = aligned(key, f"{TWO} {THREE} {ONE}")
    assert moved.counts == (28, 0, 10, 0, 0)  # kept, changed, moved, dropped, added


def test_what_is_short_or_there_twice_was_not_moved() -> None:
    assert aligned(f"{TWO} so be it then {THREE}", f"so be it then {TWO} {THREE}").counts[2:] == (0, 4, 4)
    twice = aligned(f"{ONE} {TWO}", f"{TWO} {ONE} {ONE}")
    assert twice.counts[2] in (0, 10)
    assert aligned(f"{ONE} {TWO}", f"{ONE} {TWO} {ONE}").counts == (25, 0, 0, 0, 10)  # said again


@settings(max_examples=150)
@given(
    st.lists(st.integers(0, 4), max_size=14),
    st.lists(st.integers(0, 14), max_size=4),
    st.sets(st.integers(0, 13)),
    st.sets(st.integers(0, 13)),
)
def test_passages_are_the_longest_that_are_left_and_there_once(
    key: list[int], cuts: list[int], gone: set[int], other_gone: set[int]
) -> None:
    """By the definition, for passages of two and more."""
    edges = [0, *sorted(min(cut, len(key)) for cut in cuts), len(key)]
    text = [atom for a, b in reversed([*pairwise(edges)]) for atom in key[a:b]]
    left = [n for n in range(len(key)) if n not in gone]
    other_left = [n for n in range(len(key)) if n not in other_gone]

    def once(atoms: list[int], some: list[int]) -> dict[tuple[int, int], int]:
        grams = [(a, b) for a, b in pairwise(atoms)]
        return {g: n for n, g in enumerate(grams) if grams.count(g) == 1 and {n, n + 1} <= {*some}}

    ours, theirs = once(key, left), once(text, other_left)
    both = {(ours[gram], theirs[gram]) for gram in ours.keys() & theirs.keys()}
    expected = set()
    for k, t in both:
        if (k - 1, t - 1) not in both:
            length = next(n for n in range(1, 20) if (k + n, t + n) not in both)
            expected.add((k, t, length + 1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passages, "SHORTEST", 2)
        arrays = (np.array(some, np.int64) for some in (key, text, left, other_left))
        found = [tuple(passage) for passage in passages.moved_passages(*arrays)]
    assert sorted(found) == sorted(expected)


def test_a_mention_that_runs_into_a_moved_passage_has_no_place() -> None:
    key = f"{ONE} {TWO} {THREE}"
    assert placed(key, f"{TWO} {THREE[:-2]} |bridge . Ann| {ONE[4:]}") is None


def test_any_passages_in_any_order_are_found() -> None:
    """Passages of words that occur once: every mention inside of one has its place."""
    chance = random.Random(5)
    for _ in range(30):
        sizes = [chance.randint(8, 20) for _ in range(chance.randint(2, 5))]
        numbers = iter(range(1000))
        passages = [[f"w{next(numbers)}x" for _ in range(size)] for size in sizes]
        key = " ".join(word for passage in passages for word in passage)
        order = chance.sample(passages, len(passages))
        for which, passage in enumerate(order):
            start = chance.randrange(len(passage))
            end = chance.randint(start + 1, len(passage))
            inside = [*passage[:start], f"|{' '.join(passage[start:end])}|", *passage[end:]]
            texts = [" ".join(inside if n == which else other) for n, other in enumerate(order)]
            assert placed(key, " ".join(texts)) == " ".join(passage[start:end])
