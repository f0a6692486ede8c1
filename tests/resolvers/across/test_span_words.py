"""Spans that may be mentions: all up to the widest within a sentence, none of signs alone."""

from __future__ import annotations

from referee.model import Text
from referee.resolvers.across.span_words import WIDEST_SPAN, all_spans, behind_titles


def listed(words: str, *sentences: tuple[int, int]) -> set[tuple[int, int]]:
    spans = all_spans(Text("d", tuple(words.split()), sentences))
    return set(zip(spans.first.tolist(), spans.last.tolist(), strict=True))


def test_spans_stay_within_a_sentence_and_are_not_too_wide() -> None:
    assert listed("a b c", (0, 2), (2, 3)) == {(0, 0), (0, 1), (1, 1), (2, 2)}
    long = listed("a " * 20, (0, 20))
    assert {last - first for first, last in long} == set(range(WIDEST_SPAN))
    assert len(long) == sum(20 - width for width in range(WIDEST_SPAN))


def test_signs_alone_are_no_span() -> None:
    """Quotation marks are as frequent as pronouns, and would be linked as those are."""
    assert listed('" - 7 "', (0, 4)) == {(0, 2), (0, 3), (1, 2), (1, 3), (2, 2), (2, 3)}
    assert listed("", (0, 0)) == set()


def test_spans_know_the_words_beside_them() -> None:
    spans = all_spans(Text("d", ("a", "b"), ((0, 2),)))
    beside = list(zip(spans.first, spans.last, spans.before, spans.after, strict=True))
    assert [tuple(map(int, row)) for row in beside] == [(0, 0, -1, 1), (0, 1, -1, -1), (1, 1, 0, -1)]


def test_names_behind_short_titles_are_paired_with_those_that_include_them() -> None:
    text = Text("", ("saw", "Dr", "Ann", "Lee", "and", "Mr", ".", "Poe", "today", "dr"), ((0, 10),))
    spans = all_spans(text)
    words = [
        " ".join(text.words[a : b + 1])
        for a, b in zip(spans.first.tolist(), spans.last.tolist(), strict=True)
    ]
    short, long = behind_titles(text, spans)
    pairs = {(words[a], words[b]) for a, b in zip(short.tolist(), long.tolist(), strict=True)}
    assert {("Ann Lee", "Dr Ann Lee"), ("Ann", "Dr Ann"), ("Poe", "Mr . Poe"), (". Poe", "Mr . Poe")} <= pairs
    assert not any(one.startswith("Lee") or "today" in other.split()[-1:] for one, other in pairs)
    assert behind_titles(text, all_spans(Text("", ("dr",), ((0, 1),))))[0].size == 0
