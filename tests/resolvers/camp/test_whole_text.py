"""The last component: in a whole text each person is one entity, no two people are, and I is who speaks."""

from __future__ import annotations

import pytest

from camp_texts import discourse_by_rules, parsed, spelled
from referee.resolvers.camp.camp import boldness_for
from referee.resolvers.camp.discourse import Discourse
from referee.resolvers.camp.lexicon import guidelines_named, lexicon
from referee.resolvers.camp.markables import Markable
from referee.resolvers.camp.pipeline import discourse_of, run_components

TALE = """Clara Holt came in. Anna Moss sat by the fire.

"I am cold," said Clara.

"I am not," said Anna.

"Will you make tea?" said Clara.
"""


@pytest.fixture
def any_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(lexicon().limits, "whole text", 0)


def fresh(threshold: float = 0.0) -> Discourse:
    boldness = boldness_for(threshold=threshold)
    return discourse_of(parsed(TALE), lexicon(), guidelines_named("ontonotes"), boldness)


def phrase(discourse: Discourse, words: str) -> Markable:
    """Find the first markable of some words."""
    return next(m for m in discourse.markables if " ".join(m.words) == words.lower())


@pytest.mark.usefixtures("any_length")
def test_names_of_one_person_are_joined_and_who_speaks_is_i() -> None:
    discourse = discourse_by_rules(parsed(TALE), only=("people",))
    assert sorted(spelled(discourse)) == [
        ["Anna Moss", "I", "Anna", "you"],
        ["Clara Holt", "I", "Clara", "Clara"],
    ]
    rules = {(" ".join(link.anaphor.words), link.rule) for link in discourse.links}
    assert rules == {
        ("clara", "one person's names"),
        ("anna", "one person's names"),
        ("i", "speaker of a turn"),
        ("you", "hearer of a turn"),
    }
    assert all(link.antecedent.number < link.anaphor.number for link in discourse.links)


@pytest.mark.usefixtures("any_length")
def test_two_people_in_one_entity_are_parted_and_it_is_said() -> None:
    discourse = fresh()
    one, other = phrase(discourse, "Clara Holt"), phrase(discourse, "Anna Moss")
    discourse.link(other, one, "same head", "a mistake")
    discourse.link(phrase(discourse, "Anna"), other, "same name", "no mistake")
    run_components(discourse, ["people"])
    assert not discourse.together(one, other)
    assert "same head" not in {link.rule for link in discourse.links}
    assert "same name" in {link.rule for link in discourse.links}
    (missed,) = discourse.near_misses
    assert (missed.component, missed.anaphor, missed.candidates) == ("people", other, (one,))
    assert missed.reason == "same head: two people, by the whole text"


@pytest.mark.usefixtures("any_length")
def test_links_that_are_not_sure_enough_are_not_made() -> None:
    discourse = fresh(threshold=0.99)
    run_components(discourse, ["people"])
    assert spelled(discourse) == []
    assert discourse.links == []
    reasons = {miss.reason for miss in discourse.near_misses}
    assert "one person's names: right in 74%, which is too low" in reasons


def test_a_short_text_is_left_alone() -> None:
    assert spelled(discourse_by_rules(parsed(TALE), only=("people",))) == []


@pytest.mark.usefixtures("any_length")
def test_a_text_without_markables_is_left_alone() -> None:
    assert discourse_by_rules(parsed("Stop!"), only=("people",)).links == []
