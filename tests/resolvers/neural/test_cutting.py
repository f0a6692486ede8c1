"""Running text is cut into words and sentences without any library."""

from __future__ import annotations

import time

import pytest

from referee.resolvers.base import raw_text
from referee.resolvers.neural.cutting import cut_raw, cut_words, modern_words


def words(text: str) -> list[str]:
    return [text[start:end] for start, end in cut_words(text)]


def sentences(text: str) -> list[str]:
    cut = cut_raw(raw_text("d", text))
    return [cut.spelled([span]) for span in cut.sentences]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dr. Ames didn't go.", ["Dr.", "Ames", "did", "n't", "go", "."]),
        ("“It’s Kim’s,” she’d said", ["“", "It", "’s", "Kim", "’s", ",", "”", "she", "’d", "said"]),
        ("See (https://a.org/x?y=1). Or www.b.com, a.b@c.org.",
         ["See", "(", "https://a.org/x?y=1", ")", ".", "Or", "www.b.com", ",", "a.b@c.org", "."]),
        ("J. K. of the U.S.A. met I. No.", ["J.", "K.", "of", "the", "U.S.A.", "met", "I", ".", "No", "."]),
        ("No. 5 cost $1,000.50", ["No.", "5", "cost", "$", "1,000.50"]),
        ("Wait... no -- well-known", ["Wait", "...", "no", "--", "well", "-", "known"]),
        ("👩\u200d🔬 likes 👍🏽❤\ufe0f", ["👩\u200d🔬", "likes", "👍🏽", "❤\ufe0f"]),
        ("cafe\u0301s a\u200bb\ufeff", ["cafe\u0301s", "a", "b"]),
        ("two  blanks\tand\r\nlines", ["two", "blanks", "and", "lines"]),
        ("", []),
        (" \n ", []),
    ],
)  # fmt: skip
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It rained.  She slept.", ["It rained.", "She slept."]),
        ('"Go!" he said. "Now."', ['"Go!" he said.', '"Now."']),
        ("Mr. Holt met St. John. He left.", ["Mr. Holt met St. John.", "He left."]),
        ("One line\nwraps here.", ["One line\nwraps here."]),
        ("A title\n\nIt rained", ["A title", "It rained"]),
        ("A title\r\n\r\nIt rained", ["A title", "It rained"]),
        ("A title\r\rIt rained", ["A title", "It rained"]),
        ("\n\nIt rained", ["It rained"]),
        ("He ran (fast!). She won.", ["He ran (fast!).", "She won."]),
        ("Version 2.5 of x.y is out. 😀 Yes", ["Version 2.5 of x.y is out.", "😀 Yes"]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_characters_are_those_of_the_text() -> None:
    text = cut_raw(raw_text("d", "😀  Clara's\n\ndog"))
    assert [text.running[start:end] for start, end in text.characters] == list(text.words)  # type: ignore[index]
    assert text.words == ("😀", "Clara", "'s", "dog")


@pytest.mark.parametrize(
    "piece", ["-", "a", "@", "a@", ".", "http://", "www.", "a.b.", "A.", "1,", "e\u0301", "'", "a_", "n't"]
)
def test_no_text_takes_longer_than_its_length(piece: str) -> None:
    started = time.monotonic()
    cut_words(piece * (100_000 // len(piece)))
    assert time.monotonic() - started < 3


@pytest.mark.parametrize(
    ("old", "modern"),
    [
        ("Wilt thou give me thine ?", "Will you give me yours ?"),
        ("THOU hast thyself , and ye have thee", "You have yourself , and you have you"),
        ("Who art thou ? The art of it .", "Who are you ? The art of it ."),
        ("Modern art is their own .", "Modern art is their own ."),
    ],
)
def test_old_forms_are_read_as_those_of_today(old: str, modern: str) -> None:
    assert modern_words(old.split()) == modern.split()
