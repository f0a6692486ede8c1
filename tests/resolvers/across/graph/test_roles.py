"""Roles of entities in events, by the order of words."""

from __future__ import annotations

import pytest

from referee.resolvers.across.graph.roles import is_time, roles

# The event is in <>, mentions of entities are in [], with the role that is expected behind them.
SENTENCES = [
    "[Apple]who <bought> [Beats]whom .",
    "[Beats]whom was <bought> by [Apple]who in [2014]when .",
    "[Beats]whom had not yet been <sold> to [Apple]with .",
    "[The striker]who <signs> for [Liverpool]with .",
    "On [Monday]when [police]who in [Cairo]where <arrested> [two men]whom .",
    "Police said the <arrest> of [Smith]whom by [officers]who had taken [weeks]when .",
    "[Smith]with 's <arrest> surprised [his lawyer]beside .",
    "[Ann]who <smiled> , and [Tom]beside left .",
    "It ended after [the Sixers]who had <lost> again .",
    "[The mayor]who <spoke> [in Oslo]where [last March]when .",
]


def read(marked: str) -> tuple[list[str], tuple[int, int], dict[tuple[int, int], str]]:
    """Read a sentence that is marked as above."""
    words: list[str] = []
    mentions, event, opened = dict[tuple[int, int], str](), (0, 0), 0
    for piece in marked.split():
        opened = len(words) if piece[0] in "[<" else opened
        bare, _, role = piece.strip("[<").partition("]")
        words.append(bare.strip(">"))
        if piece.endswith(">"):
            event = (opened, len(words))
        if "]" in piece:
            mentions[opened, len(words)] = role
    return words, event, mentions


@pytest.mark.parametrize("marked", SENTENCES)
def test_roles_are_those_of_the_sentence(marked: str) -> None:
    words, event, mentions = read(marked)
    assert {span: role for role, span in roles(words, event, mentions)} == mentions


def test_a_mention_that_overlaps_the_event_has_no_role() -> None:
    assert roles(["the", "Nashville", "flood"], (1, 3), [(1, 2)]) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [("1994", True), ("the 1990s", False), ("May", True), ("may", False), ("12:30", True), ("Mary", False)],
)
def test_names_of_times(words: str, said: bool) -> None:
    assert is_time(words.split()) is said
