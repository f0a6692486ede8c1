"""A text as the page shows it: zeros are where they belong."""

from __future__ import annotations

from referee.model import Document, Mention, Text, Zero
from referee.page.documents import Displayed, displayed


def test_zeros_are_among_the_words() -> None:
    text = Text(
        "d", ("a", "b", "c", "_", "él", "_"), ((0, 2), (2, 3)), {"speaker": ("A", "A", "B", "A", "A", "B")},
        zeros=(Zero(0, 1, 0), Zero(2, 1, 0), Zero(3, 1, 1)),
    )  # fmt: skip
    shown = displayed(Document(text, ()))
    assert shown.tokens == ["∅", "a", "b", "él", "c", "∅"]
    assert shown.ends == [4, 6]
    assert shown.speakers == [(0, "A"), (4, "B")]
    assert shown.offsets(Mention.at(3, 4)) == [0, 1]
    assert shown.offsets(Mention(((1, 2), (4, 5)))) == [2, 4]
    assert shown.offsets(Mention.at(0, 3)) == [1, 3, 4, 5]
    assert shown.offsets(Mention.at(2, 9)) == [2, 9]


def test_a_text_without_zeros_stays_as_it_is() -> None:
    shown = displayed(Document(Text("d", ("a", "b"), ((0, 2),)), ()))
    assert shown == Displayed(("a", "b"), [2], [])
    assert shown.offsets(Mention(((0, 1), (5, 6)))) == [0, 1, 5, 6]
