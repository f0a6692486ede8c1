"""Quotations, their speakers, and whom a speaker calls: on texts parsed by hand."""

from __future__ import annotations

import pytest

from camp_texts import by_hand, discourse_by_rules, parsed
from referee.resolvers.camp.lexicon import lexicon
from referee.resolvers.camp.parse_view import Parse
from referee.resolvers.camp.quotations import find_quotes
from referee.resolvers.camp.vocatives import is_vocative


def quotes(words: str) -> list[str]:
    """Find the quotations of words that have no tree."""
    parse = Parse(by_hand("\n".join(f"{word} NN {word} 1 dep" for word in words.split())))
    return [" ".join(parse.words[quote.start : quote.end]) for quote in find_quotes(parse, lexicon())]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ('He : " I am . " She : " No . "', ["I am .", "No ."]),
        ("He : “ I am . ” She : “ No . ”", ["I am .", "No ."]),
        ("He : `` I am . '' She : `` No . ''", ["I am .", "No ."]),
        ("He : ‘ I am . ’ She left", ["I am ."]),
        ("He : ' I am . ' She left", ["I am ."]),
        (
            "He : “ I ' m . ” “ She ' s ”",
            ["I ' m .", "She ' s"],
        ),  # single marks are none where there are double ones
        ('He : " ' + "word " * 401 + '"', []),  # it was not closed
        ('He : " ' + "word " * 399 + '"', [("word " * 399).strip()]),
        ('He : " " left', []),
        ('A " left', []),
    ],
)
def test_quotations_are_found_by_their_marks(words: str, found: list[str]) -> None:
    assert quotes(words) == found


def called(line: str, relation: str = "npadvmod", *, entity: str = "(PERSON)") -> bool:
    """Whether Clara is called in a sentence; her relation is given, and others hang on the last word."""
    words = line.split()
    rows = [
        f"Clara NNP Clara {len(words)} {relation} {entity}"
        if word == "Clara"
        else f"{word} RB {word} {len(words)} dep"
        for word in words[:-1]
    ]
    discourse = discourse_by_rules(
        by_hand("\n".join([*rows, f"{words[-1]} VB {words[-1]} 0 ROOT"])), only=["genre"]
    )
    (clara,) = [markable for markable in discourse.markables if markable.words == ("clara",)]
    return is_vocative(discourse, clara)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ('" now , Clara , go " he left', True),
        ('" Clara , go " he left', True),  # the edge of a quotation sets it off, too
        ('" go , Clara " he left', True),
        ("now , Clara , go", True),
        ("now , Clara ! go", True),
        ("now , Clara : go", True),
        ('" now , Clara then go " he left', False),
        ('" now Clara , go " he left', False),
        ("now . Clara ! go", False),  # a comma must be there
        ("now : Clara , go", False),
        ("Clara , go", False),
        ('" Clara " he , left', False),
    ],
)
def test_a_vocative_is_set_off_on_both_sides(line: str, answer: bool) -> None:
    assert called(line) is answer


def test_only_people_in_a_callers_position_are_called() -> None:
    assert called("now , Clara , go", "intj")
    assert not called("now , Clara , go", "nsubj")
    assert not called("now , Clara , go", entity="(GPE)")
    assert called("now , Clara , go", entity="*")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            'He said "go. It rained.\n\nShe left.\n\n"Come," he said.',
            ["go. It rained.", "Come,"],
        ),  # not closed
        ('"One.\n\n"Two," he said.', ["One.", "Two,"]),  # opened again in the next paragraph
        ('It fell" there. She said, "Go."', ["Go."]),  # not opened
        ('He said, "go. "Come," she said.', ["go.", "Come,"]),
        ('"' + "Go on. " * 140 + '"', [("Go on. " * 140).strip()]),  # of any length, in one paragraph
    ],
)
def test_marks_stand_at_words_and_in_paragraphs(text: str, found: list[str]) -> None:
    whole = parsed(text)
    quotes = find_quotes(Parse(whole), lexicon())
    assert [whole.spelled([(quote.start, quote.end)]).strip() for quote in quotes] == found
