"""Entities that a model lists in prose, and brackets that begin with the id."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import pytest

import referee
from referee import Cluster, Document, DocumentCorpus, FormatError, Mention
from referee.formats.marked.lists import listed_entities
from referee.formats.marked.text import notation_of

TEXT = "Mary saw the dog . She called it , and the dog ran to Mary ."
WORDS = TEXT.split()
MARY, DOG = ((0, 1), (5, 6), (14, 15)), ((2, 4), (7, 8), (10, 12))
KEY = DocumentCorpus(
    [
        Document.of(
            "story",
            WORDS,
            [(0, 5), (5, 16)],
            [Cluster(str(n), tuple(Mention((span,)) for span in some)) for n, some in enumerate((MARY, DOG))],
        )
    ],
    "key",
)
RIGHT = {
    "ids first": "[1: Mary] saw [2: the dog]. [1: She] called [2: it], and [2: the dog] ran to [1: Mary].",
    "numbers": '1. **Mary**: "Mary", "She", "Mary"\n2. **The dog**: “the dog”, “it”, “the dog”\n',
    "no quotes": "There are two:\n1) Mary: Mary, She, Mary\n2) Dog: the dog, it, the dog\nI hope this helps!",
    "brackets": "- The woman (Mary; She; Mary)\n- The animal (the dog; it; the dog)",
    "below": '1. Mary\n   - Mary\n   - She\n   - Mary\n2. Dog\n   - "the dog"\n   - "it"\n   - "the dog"',
}


@pytest.mark.parametrize("how", RIGHT)
@pytest.mark.parametrize("ending", ["", ".markdown"])
def test_answers_are_read_in_whatever_way_they_are_given(how: str, ending: str, tmp_path: Path) -> None:
    """The second file says that it is Markdown, of which it has nothing."""
    path = tmp_path / f"story{ending}.txt"
    path.write_text(RIGHT[how], "utf-8")
    result = referee.score(KEY, path)
    assert (result.conll, result.mentions.f1) == (1, 1)
    assert any("repaired before it was read" in notice for notice in result.notices)
    assert any("0 of 6 mentions lost" in notice for notice in result.notices)


def test_what_is_not_in_the_text_is_lost_and_said(tmp_path: Path) -> None:
    path = tmp_path / "story.txt"
    path.write_text('1. Mary: "Mary", "She", "Maria"\n2. Dog: "the dog", "it"\n3. Nothing else.\n', "utf-8")
    result = referee.score(KEY, path)
    said = " ".join(result.notices)
    assert "2 of 6 mentions lost (1 text not found, 1 not a mention)" in said
    assert "'Maria': text not found" in said


@pytest.mark.parametrize(
    "raw",
    [
        "1. First I read the text.\n2. Then I thought, and thought again.\n3. I found nothing.",
        "Mary saw the dog. She called it.",
        "- Mary\n- the dog",
        "1. Mary\n2. the dog\n3. a cat, or so",
    ],
)
def test_other_lists_are_text(raw: str, tmp_path: Path) -> None:
    assert listed_entities(raw) is None
    path = tmp_path / "story.tags.txt"
    path.write_text(raw)
    with pytest.raises(FormatError, match=r"no mention is marked|marked text: it starts with"):
        referee.score(KEY, path)


def test_tags_go_before_lists() -> None:
    assert notation_of("1. [Mary](#1), who saw [the dog](#2), ran.\n2. [She](#1), too.") == "markdown"
    assert notation_of("[she: Ann Lee] and [her dog: Rex]") == "brackets"


def test_a_long_list_takes_no_time() -> None:
    began = perf_counter()
    for raw in (
        "1. " * 200_000,
        "1. a: " + "b, " * 200_000,
        "[1: " * 100_000,
        "- (" * 100_000,
        ' "' * 200_000,
    ):
        notation_of(raw)
    assert perf_counter() - began < 10
