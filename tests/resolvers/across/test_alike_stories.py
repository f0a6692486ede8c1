"""The stories of two events of one sort, and what is counted in them."""

from __future__ import annotations

from dataclasses import replace

from alike_stories import (
    Found,
    Pair,
    rightly_joined,
    story_pairs,
    things_of_two_events,
    things_told_twice,
    wrongly_joined,
)
from referee.model import Cluster, Document

PAIRS = story_pairs()


def found(pair: Pair, *changed: Document) -> Found:
    return Found(pair[1:], {document.id: document for document in changed})


def in_one(document: Document) -> Document:
    return replace(document, clusters=(Cluster("all", tuple(document.mentions)),))


def test_each_pair_has_two_events_and_the_first_is_told_twice() -> None:
    assert len(PAIRS) >= 20
    for pair in PAIRS:
        assert len(things_of_two_events(pair)) >= 8, pair.name
        assert {thing[0] for thing in things_of_two_events(pair)} >= {*"ne"}, pair.name
        assert sum(thing.startswith("n.") for thing in things_told_twice(pair)) >= 2, pair.name
        assert any(thing.startswith("e.") for thing in things_told_twice(pair)), pair.name


def test_marks_are_words() -> None:
    transfer = next(pair for pair in PAIRS if pair.name == "transfer")
    first = transfer.first
    (fee,) = next(cluster for cluster in first.clusters if cluster.id == "s.fee").mentions
    assert first.text.words[fee.start : fee.end] == ("65", "million", "euros")
    assert "[" not in (first.text.running or "[")


def test_what_is_marked_is_right_and_one_cluster_of_all_is_wrong() -> None:
    for pair in PAIRS:
        key = found(pair, *pair[1:])
        assert wrongly_joined(pair, key) == set()
        assert rightly_joined(pair, key) == things_told_twice(pair)
        one = found(pair, *map(in_one, pair[1:]))
        assert wrongly_joined(pair, one) >= things_of_two_events(pair)
        nothing = found(pair, *(replace(document, clusters=()) for document in pair[1:]))
        assert wrongly_joined(pair, nothing) == rightly_joined(pair, nothing) == set()
