"""Edits of an annotation: well-formed after any, and undone without a trace."""

from __future__ import annotations

from collections import Counter
from itertools import count
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from random_edits import random_document, random_edit
from referee.corrections.edits import EDITS, EditError, edited
from referee.corrections.history import History, Step
from referee.corrections.state import State, is_same, state_of, to_document
from referee.corrections.suggestions import Suggestion, in_text_order, suggestions_of
from referee.exceptions import FormatError
from referee.model import Cluster, Document, Mention

WORDS = ["Ann", "said", "she", "slept", ",", "and", "Bob", "saw", "her", "dog"]


def small() -> Document:
    """Ann, she | Bob | her; `her` is in an entity of its own."""
    clusters = [
        Cluster("7", (Mention.at(0, 1), Mention(((2, 3),), link_score=0.6)), "person"),
        Cluster("8", (Mention.at(6, 7),)),
        Cluster("9", (Mention(((8, 9),), link_score=0.2),)),
    ]
    return Document.of("d", WORDS, [(0, 10)], clusters)


def done(state: State, number: int = 1, **edit: Any) -> State:
    """Do an edit."""
    return state.changed(edited(state, edit, length=len(WORDS), number=number))


def entities(state: State) -> list[list[tuple[int, int]]]:
    """List entities by the spans of their mentions, in order."""
    members = state.members()
    return sorted(
        sorted(span for id_ in some for span in state.mentions[id_].mention.spans)
        for some in members.values()
    )


def assert_well_formed(state: State, base: State, length: int) -> None:
    members = state.members()
    assert all(members.values()), "an entity without mentions"
    spans = [each.mention.spans for each in state.mentions.values()]
    assert all(some[-1][1] <= length for some in spans)
    before = Counter(each.mention.spans for each in base.mentions.values())
    assert all(times <= max(1, before[some]) for some, times in Counter(spans).items()), "marked twice"
    assert all(len(members[id_]) == 1 for id_, each in state.entities.items() if each.singleton)


@given(st.integers(0, 10**6))
def test_after_any_edits_all_is_well_formed_and_undoing_gives_the_beginning(seed: int) -> None:
    rng, document = Random(seed), random_document(seed)
    system = in_text_order(random_document(seed + 1).clusters)
    history = History.of(state_of(document))
    met: set[str] = {*history.state.mentions, *history.state.entities}
    for number in range(1, 25):
        found = {each.id: each for each in suggestions_of(history.state, system, "s")}
        edit = random_edit(rng, history.state, [*found])
        suggestion = found.get(edit.get("suggestion", ""))
        try:
            change = edited(
                history.state, edit, length=len(document.words), number=number, suggestion=suggestion
            )
        except EditError:
            continue
        added = {
            id_
            for versions in (change.mentions, change.entities)
            for id_, (before, _) in versions.items()
            if before is None
        }
        assert not added & met, "an id is used again"
        met |= added
        history = history.after(Step(number, edit, change))
        assert_well_formed(history.state, history.base, len(document.words))
        to_document(history.state, document)
    end, steps = history.state, len(history.past)
    numbers = count(100)
    for _ in range(steps):
        history = history.undone(next(numbers))
    assert is_same(history.state, history.base)
    assert to_document(history.state, document) == document
    for _ in range(steps):
        history = history.redone(next(numbers))
    assert is_same(history.state, end)


def test_a_mention_moves_to_an_entity() -> None:
    state = done(state_of(small()), op="move", mention="m3", entity="e0")
    assert entities(state) == [[(0, 1), (2, 3), (8, 9)], [(6, 7)]]
    moved = state.mentions["m3"]
    assert moved.confirmed
    assert moved.mention.link_score is None


def test_a_mention_leaves_its_entity() -> None:
    state = done(state_of(small()), op="detach", mention="m1")
    assert entities(state) == [[(0, 1)], [(2, 3)], [(6, 7)], [(8, 9)]]
    assert state.entities["e+1.1"].type == "person"


def test_mentions_are_made_removed_and_changed() -> None:
    state = done(state_of(small()), op="add", spans=[[9, 10], [8, 9]], entity="e1")
    assert entities(state)[-2:] == [[(6, 7), (8, 10)], [(8, 9)]]  # which nest; what touches is one span
    state = done(state, 2, op="delete", mention="m2")
    assert entities(state)[1] == [(8, 9)]
    state = done(state, 3, op="respan", mention="m0", spans=[[0, 1], [4, 5]])
    assert state.mentions["m0"].mention.spans == ((0, 1), (4, 5))
    state = done(state, 4, op="delete_entity", entity="e0")
    assert entities(state) == [[(8, 9)], [(8, 10)]]


def test_a_mention_keeps_its_head_and_minimum_while_they_are_inside() -> None:
    mention = Mention(((1, 4),), minimum=((2, 3),), head=2, score=0.5, type="t")
    state = state_of(Document.of("d", WORDS, [], [Cluster("1", (mention,))]))
    wide = done(state, op="respan", mention="m0", spans=[[2, 6]]).mentions["m0"].mention
    assert (wide.head, wide.minimum, wide.type, wide.score) == (2, ((2, 3),), "t", None)
    other = done(state, op="respan", mention="m0", spans=[[3, 6]]).mentions["m0"].mention
    assert (other.head, other.minimum) == (None, None)


def test_entities_merge_and_split() -> None:
    state = done(state_of(small()), op="rename", entity="e0", name=" Ann  Lee ")
    state = done(state, 2, op="merge", entity="e0", into="e2")
    assert entities(state) == [[(0, 1), (2, 3), (8, 9)], [(6, 7)]]
    assert (state.entities["e2"].name, state.entities["e2"].type) == ("Ann Lee", "person")
    state = done(state, 3, op="split", entity="e2", mentions=["m1", "m3"])
    assert entities(state) == [[(0, 1)], [(2, 3), (8, 9)], [(6, 7)]]
    assert [state.mentions[id_].confirmed for id_ in ("m1", "m3")] == [True, False]


def test_an_entity_of_one_mention_is_marked_as_a_singleton_until_it_gets_another() -> None:
    state = done(state_of(small()), op="singleton", entity="e1", value=True)
    assert state.entities["e1"].singleton
    assert not done(state, 2, op="move", mention="m3", entity="e1").entities["e1"].singleton
    assert not done(state, 2, op="add", spans=[[3, 4]], entity="e1").entities["e1"].singleton


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no edit": ({"op": "mve"}, "did you mean move"),
    "no op": ({}, "there is no edit None"),
    "a list": ({"op": ["move"]}, "there is no edit"),
    "no mention": ({"op": "move", "mention": "m9", "entity": "e0"}, "no mention 'm9'"),
    "a mention that is a list": ({"op": "delete", "mention": ["m0"]}, "no mention"),
    "no entity": ({"op": "move", "mention": "m0", "entity": "e9"}, "no entity 'e9'"),
    "there already": ({"op": "move", "mention": "m0", "entity": "e0"}, "in this entity already"),
    "alone already": ({"op": "detach", "mention": "m2"}, "of its own already"),
    "marked already": ({"op": "add", "spans": [[6, 7]], "entity": "e0"}, "m2, of entity e1"),
    "marked already, in pieces": ({"op": "respan", "mention": "m0", "spans": [[6, 7], [6, 7]]}, "m2"),
    "outside": ({"op": "add", "spans": [[9, 11]]}, r"\[9, 11\] are not in the text, which has 10"),
    "before": ({"op": "add", "spans": [[-1, 1]]}, "not in the text"),
    "empty": ({"op": "add", "spans": [[3, 3]]}, "not in the text"),
    "no spans": ({"op": "add", "spans": []}, "spans must be a list"),
    "a number": ({"op": "add", "spans": [[1.0, 2]]}, "spans must be a list"),
    "true": ({"op": "add", "spans": [[True, 2]]}, "spans must be a list"),
    "itself": ({"op": "merge", "entity": "e0", "into": "e0"}, "with itself"),
    "all": ({"op": "split", "entity": "e0", "mentions": ["m0", "m1"]}, "at least one mention must stay"),
    "none": ({"op": "split", "entity": "e0", "mentions": []}, "mentions must be a list"),
    "others": ({"op": "split", "entity": "e0", "mentions": ["m2"]}, "must be of the entity"),
    "several": ({"op": "singleton", "entity": "e0", "value": True}, "several mentions"),
    "no value": ({"op": "singleton", "entity": "e1", "value": 1}, "true or false"),
    "long": ({"op": "rename", "entity": "e1", "name": "x" * 1001}, "at most 1000"),
    "the same name": ({"op": "rename", "entity": "e1", "name": " "}, "nothing would change"),
    "no suggestion": ({"op": "accept", "suggestion": "x"}, "does not hold any more"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_done_is_refused_in_words(name: str) -> None:
    edit, said = BAD[name]
    with pytest.raises(EditError, match=said):
        edited(state_of(small()), edit, length=len(WORDS), number=1)


def test_a_change_of_another_annotation_is_refused() -> None:
    change = edited(state_of(small()), {"op": "delete", "mention": "m0"}, length=10, number=1)
    state = state_of(small()).changed(change)
    with pytest.raises(FormatError, match="another annotation"):
        state.changed(change)


def test_the_document_of_an_unchanged_state_is_the_document() -> None:
    document = random_document(5)
    assert to_document(state_of(document), document) == document


def test_names_of_entities_become_ids_of_clusters_that_no_other_has() -> None:
    state = done(state_of(small()), op="rename", entity="e1", name="9")
    state = done(state, 2, op="detach", mention="m1")
    ids = [cluster.id for cluster in to_document(state, small()).clusters]
    assert ids == ["7", "9 (2)", "9", "10"]
    assert to_document(state, small(), across=True).clusters[-1].id == "d:e+2.1"


def suggested(state: State, *clusters: list[tuple[int, int]]) -> list[Suggestion]:
    made = [
        Cluster(str(number), tuple(Mention(((start, end),), link_score=0.9) for start, end in some))
        for number, some in enumerate(clusters)
    ]
    return suggestions_of(state, in_text_order(made), "s")


def take(state: State, suggestion: Suggestion, op: str = "accept") -> State:
    edit = {"op": op, "suggestion": suggestion.id}
    return state.changed(edited(state, edit, length=len(WORDS), number=9, suggestion=suggestion))


def test_a_link_that_a_system_found_is_suggested_and_taken() -> None:
    state = state_of(small())
    (link,) = suggested(state, [(0, 1), (2, 3), (8, 9)])
    assert (link.kind, link.spans, link.antecedent, link.confidence) == ("link", ((8, 9),), ((2, 3),), 0.9)
    assert entities(take(state, link)) == [[(0, 1), (2, 3), (8, 9)], [(6, 7)]]


def test_a_link_brings_the_whole_entity_only_if_the_system_has_it_there() -> None:
    state = done(state_of(small()), op="move", mention="m3", entity="e1")  # Bob, her
    (alone,) = suggested(state, [(0, 1), (2, 3), (8, 9)])
    assert entities(take(state, alone)) == [[(0, 1), (2, 3), (8, 9)], [(6, 7)]]
    (whole, *_) = suggested(state, [(0, 1), (2, 3), (6, 7), (8, 9)])
    assert whole.merges
    assert entities(take(state, whole)) == [[(0, 1), (2, 3), (6, 7), (8, 9)]]


def test_a_mention_that_a_system_found_is_suggested_and_taken() -> None:
    state = state_of(small())
    (mention,) = suggested(state, [(6, 7), (9, 10)])
    assert (mention.kind, mention.spans) == ("mention", ((9, 10),))
    assert entities(take(state, mention))[1] == [(6, 7), (9, 10)]
    (before,) = suggested(state, [(5, 6), (6, 7)])  # the first of its chain
    assert (before.spans, before.antecedent) == (((5, 6),), ((6, 7),))


def test_an_entity_that_a_system_found_is_suggested_and_taken() -> None:
    state = state_of(small())
    (entity,) = suggested(state, [(3, 4), (5, 6), (9, 10)], [(1, 2)])  # one of a single mention is no link
    assert entity.kind == "entity"
    assert [(3, 4), (5, 6), (9, 10)] in entities(take(state, entity))


def test_what_the_annotation_has_is_not_suggested() -> None:
    assert suggested(state_of(small()), [(0, 1), (2, 3)], [(6, 7)], [(8, 9)]) == []


def test_what_was_refused_stays_refused_until_it_is_undone() -> None:
    state = state_of(small())
    (link,) = suggested(state, [(2, 3), (8, 9)])
    refused = take(state, link, "refuse")
    assert suggested(refused, [(2, 3), (8, 9)]) == []
    moved = done(refused, 2, op="add", spans=[[1, 2]], entity=None)
    assert suggested(moved, [(2, 3), (8, 9)]) == []
    with pytest.raises(EditError, match="nothing would change"):
        take(refused, link, "refuse")


def test_every_edit_is_tried_by_the_random_ones() -> None:
    rng, state = Random(1), state_of(random_document(1))
    assert {random_edit(rng, state, ["x"])["op"] for _ in range(1000)} == {*EDITS}
