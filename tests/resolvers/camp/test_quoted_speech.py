"""Whom a speaker calls: on texts parsed by hand."""

from __future__ import annotations

import pytest

from camp_texts import by_hand, discourse_by_rules
from referee.resolvers.camp.quoted_speech import is_vocative


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
