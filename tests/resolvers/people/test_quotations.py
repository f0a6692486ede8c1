"""Quotations by their marks, and who says each, as a reader would say: `speaker: quotation | …`.

A speaker is the word that names him, `-` where no verb of speech does; `=` is whoever said the one before.
"""

from __future__ import annotations

import pytest

from referee.resolvers.people.quotations import (
    LONGEST_QUOTE,
    _single,
    find_quotes,
    name_speakers,
    quotes_in_paragraph,
)


def said(text: str) -> str:
    words = text.split()
    quotes = find_quotes(words)
    name_speakers(words, [word.lower() for word in words], quotes)
    return " | ".join(
        ("=" if each.continued else words[each.speaker] if each.speaker >= 0 else "-")
        + ": "
        + " ".join(words[each.start + 1 : each.end])
        for each in quotes
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('" Yes , " said Tom .', "Tom: Yes ,"),
        ('" Yes , " said he .', "he: Yes ,"),
        ('" Yes , " Tom said .', "Tom: Yes ,"),
        ('" Yes , " Tom then quietly said .', "Tom: Yes ,"),
        ('" Yes , " he had said to Sam .', "he: Yes ,"),
        ("“ Yes , ” the old king cried .", "king: Yes ,"),
        ("“ Yes , ” Then said .", "-: Yes ,"),
        ("“ Yes , ” O'Brien cried .", "O'Brien: Yes ,"),
        ("“ Yes , ” the o'brien cried .", "o'brien: Yes ,"),
        ("“ Yes , ” the very good old king cried .", "king: Yes ,"),
        ("“ Yes , ” the most wise very good old king cried .", "-: Yes ,"),
        ("“ Yes , ” old kings cried .", "-: Yes ,"),
        ("“ Yes , ” said the king .", "king: Yes ,"),
        ("“ Yes , ” said the O'Brien boy .", "boy: Yes ,"),
        ("“ Yes , ” said the old king softly .", "king: Yes ,"),
        ("“ Yes , ” said the king of Spain .", "king: Yes ,"),
        ("“ Yes , ” said old Ben .", "Ben: Yes ,"),
        ("“ Yes , ” said old .", "-: Yes ,"),
        ("“ Yes , ” said the .", "-: Yes ,"),
        ("“ Yes , ” said some one two three four .", "four: Yes ,"),
        ("“ Yes , ” said some one two three four five .", "four: Yes ,"),
        ("“ Yes , ” said tall Ben .", "-: Yes ,"),
        ("“ Yes , ” said Ben angrily .", "Ben: Yes ,"),
        ("“ Yes , ” said Ben with tears .", "Ben: Yes ,"),
        ("“ Yes , ” said Mr. Holt .", "Holt: Yes ,"),
        ("“ Yes , ” said Mr. van Holt .", "Holt: Yes ,"),
        ("“ Yes , ” said Ludwig van Holt .", "Holt: Yes ,"),
        ("“ Yes , ” said Ben 7 .", "Ben: Yes ,"),
        ("“ Yes , ” said", "-: Yes ,"),
        ("“ Yes , ” and then Sam said good night .", "Sam: Yes ,"),
        ("“ Yes , ” said you .", "-: Yes ,"),
        ("“ Yes . ” Rain fell . Tom said no .", "-: Yes ."),
        ("“ Yes , ” 7 said .", "-: Yes ,"),
        ("“ Yes , ” , said .", "-: Yes ,"),
        ("“ Yes , ” a b c d e f g Tom said .", "-: Yes ,"),
        ("“ Yes , ” a b c d e Tom said .", "Tom: Yes ,"),
        ("Tom said : “ Go . ”", "Tom: Go ."),
        ("Tom said . “ Go . ”", "Tom: Go ."),
        ("Tom said no ! , “ Go . ”", "-: Go ."),
        ("Tom said no . Rain fell : “ Go . ”", "-: Go ."),
        ("Tom said a b c d e f “ Go . ”", "Tom: Go ."),
        ("Tom said a b c d e f g “ Go . ”", "Tom: Go ."),
        ("Tom said a b c d e f g h “ Go . ”", "-: Go ."),
        ("He once had said , “ Go . ”", "He: Go ."),
        ("Said , “ Go . ”", "-: Go ."),
        ("Then said the king , “ Go . ”", "king: Go ."),
        ("Says Tom : “ Go . ”", "Tom: Go ."),
        ("He sat on the chair by the door of the hut and said , “ Go . ”", "He: Go ."),
        ("She called her to the bed , and said : “ Go . ”", "She: Go ."),
        ("Tom sat down and said , “ Go . ”", "-: Go ."),
        ("He left . Then it rained and said , “ Go . ”", "it: Go ."),
    ],
)
def test_the_speaker_is_the_subject_of_a_verb_of_speech_beside_the_quotation(
    text: str, expected: str
) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("“ No , ” said Tom , “ never . ”", "Tom: No , | =: never ."),
        ("“ No , ” said Tom . “ Never . ”", "Tom: No , | =: Never ."),
        ("“ No . ” said Tom . “ Never . ”", "Tom: No . | -: Never ."),
        ("“ No . ” said Tom , “ Never . ” said Sam .", "Tom: No . | =: Never ."),
        ("“ No , ” said Tom . “ Well , ” said Sam .", "Tom: No , | Sam: Well ,"),
        ("“ No , ” said Tom a b c d e f g , “ never . ”", "Tom: No , | =: never ."),
        ("“ No , ” said Tom a b c d e f g h , “ never . ”", "Tom: No , | Tom: never ."),
        ("“ No . ” Tom left . “ Never . ”", "-: No . | -: Never ."),
        ("“ No . ” The king said , “ Never . ”", "-: No . | king: Never ."),
        ("“ No . ” Then said the king , “ Never . ”", "-: No . | king: Never ."),
        ("“ No ! ” Tom said , “ never . ”", "Tom: No ! | =: never ."),
        ("“ No ! ” said the king , “ Never . ”", "king: No ! | =: Never ."),
        ("“ No , ” Tom said , “ Never . ”", "Tom: No , | =: Never ."),
        ("“ No . ” Tom thought : “ Never . ” said Sam .", "-: No . | Tom: Never ."),
        ("Tom said , “ No . ” He left , “ Never . ”", "Tom: No . | -: Never ."),
    ],
)
def test_what_only_its_speaker_parts_is_said_by_one(text: str, expected: str) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`` One . '' « Two . »", "-: One . | -: Two ."),
        ("„ One . ” Then “ two . ”", "-: One . | -: two ."),
        ("‘ It ’s one , ’ said Tom .", "Tom: It ’s one ,"),
        ("‘ The boys ’ hats , ’ he said .", "he: The boys ’ hats ,"),
        ("“ A ‘ b , ’ c . ”", "-: A ‘ b , ’ c ."),
        ("“ A . ” ‘ B , ’ she said .", "she: A ."),
        ("“ A ‘ b , ’ ‘ c , ’ d . ”", "-: b , | -: c ,"),
        ("” One . ” he said", "he: One ."),
        ("Fell ” one . ”", ""),
        ("Fell . ” One . ”", "-: One ."),
        ("Fell . ” One . “ Two . ”", "-: Two ."),
        ("“ One . “ Two . ”", "-: One | -: Two ."),
        ("“ One a . “ Two . ”", "-: One a | -: Two ."),
        ("“ One , “ said Tom .", "Tom: One"),
        ("“ ”", ""),
        ("“ A ”", "-: A"),
        ("“ A", ""),
        ("“ " + "a " * 399 + "”", "-: " + "a " * 398 + "a"),
        ("“ " + "a " * 400 + "” B “ c . ”", "-: c ."),
        ('" A . " B . " C . "', "-: A . | -: C ."),
        ('Tom said , " A . " " B . "', "Tom: A . | -: B ."),
        ('" A , " said Tom . " B .', "Tom: A ,"),
        ('A . " said Tom . " B . "', "-: B ."),
        ('A , " he said . " B . "', "he: B ."),
        ('A , " he left . " B . "', "-: he left ."),
    ],
)
def test_marks_are_paired_even_where_one_is_missing_or_turned(text: str, expected: str) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "quotes", "goes_on"),
    [
        ("“ Yes , ” he said .", [(0, 3)], False),
        ("“ Yes ,", [(0, 2)], True),
        ("“ Yes , ” he said : “ It", [(0, 3), (7, 8)], True),
        ("he said “", [], True),
        ('x " Yes , " he said " But', [(1, 4), (7, 8)], True),
        ("he ” said", [], False),
        ("“ a “ b ”", [(0, 4)], False),
    ],
)
def test_the_quotations_of_a_paragraph(text: str, quotes: list[tuple[int, int]], goes_on: bool) -> None:
    for before in ("", "Three words before "):
        words = [*before.split(), *text.split(), "behind", "”"]
        start = len(before.split())
        found, is_open = quotes_in_paragraph(words, start, start + len(text.split()))
        assert [(each.start - start, each.end - start) for each in found] == quotes
        assert is_open == goes_on


@pytest.mark.parametrize("before", ["", "Then . "])
@pytest.mark.parametrize(("length", "quotes"), [(LONGEST_QUOTE - 1, 2), (LONGEST_QUOTE, 1)])
def test_a_quotation_that_is_not_closed_for_long_is_none(before: str, length: int, quotes: int) -> None:
    """Wherever it begins, at the first word of a text, too."""
    text = f'{before}" ' + "w " * length + "“ Yes , ” said Tom ."
    assert len(said(text).split(" | ")) == quotes
    assert said(text).endswith("Tom: Yes ,")


@pytest.mark.parametrize(
    ("words", "side", "does"),
    [
        ("Yes , '", 0, 0), ("Yes , '", -1, -1), ("Yes , '", 1, 0), ("Yes , '", None, -1), ("boys '", -1, 0),
        ("Yes , ’", 0, -1), ("boys ’", 0, 0), ("Then ' Yes", 1, 1), ("Then ' Yes", 0, 0),
        ("Then ' Yes", None, 0), ("Then ' yes", 1, 0),
        (", ' Yes", None, 1), ("boys ‘", 0, 1), ("'", -1, 0),
    ],
)  # fmt: skip
def test_a_single_mark_opens_or_closes_by_the_blanks_beside_it_and_the_words(
    words: str, side: int | None, does: int
) -> None:
    """An apostrophe does neither; where a text begins nothing is closed."""
    listed = words.split()
    index = next(number for number, word in enumerate(listed) if word in "'’‘")
    sides = [] if side is None else [side if number == index else 0 for number in range(len(listed))]
    assert _single(listed, index, sides) == does
