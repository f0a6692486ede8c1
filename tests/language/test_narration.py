"""Stories are told from other texts by their words, and novels from tales by their length."""

from __future__ import annotations

import pytest

from referee.language.narration import NOVEL, narration_of

TALE = "He rose and went to the door . “ Who is there ? ” he cried . She did not answer ; she had gone ."
LETTER = "I hope that you are well . You have my thanks for your letter . My car is 3 years old ."
NEWS = "The bank has 12 branches . Its profit is 4 % higher , and the 2 directors are pleased ."


@pytest.mark.parametrize(("text", "is_story"), [(TALE, True), (LETTER, False), (NEWS, False)])
def test_stories_tell_of_people_without_numbers(text: str, is_story: bool) -> None:
    assert narration_of(text.split()).is_story == is_story


@pytest.mark.parametrize(("length", "is_novel"), [(NOVEL - 1, False), (NOVEL, True)])
def test_a_novel_is_a_long_story(length: int, is_novel: bool) -> None:
    told = narration_of(TALE.split(), length)
    assert told.is_novel == is_novel
    assert f"{length:,} words" in told.reason
    assert not narration_of(NEWS.split(), length).is_novel


def test_nothing_is_no_story_that_ends_with_an_error() -> None:
    assert not narration_of([]).is_novel


def test_the_reason_of_another_text_names_what_was_counted() -> None:
    assert narration_of(NEWS.split()).reason == "not a story: 0.0 he or she and 23.1 is or has in 100 words"
