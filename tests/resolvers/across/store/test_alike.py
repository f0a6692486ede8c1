"""New texts are compared with all of the stored ones that are most like them."""

from __future__ import annotations

import builtins

import numpy as np
import pytest

from known_store import KnowingPairs, KnowingStudy, partition, store, text
from referee.arrays import FloatArray
from referee.resolvers.across.compatibility.names import MentionName, NamedMention
from referee.resolvers.across.mentions import MentionArrays, SimilarDocuments
from referee.resolvers.across.neighbours import RowPairs, all_pairs
from referee.resolvers.across.store.alike import most_alike
from referee.resolvers.across.store.store import Store

__all__ = ["store"]
MEMBERS = 40
ODDS = np.where(np.arange(MEMBERS) % 8 == 0, 6.0, -0.1)  # of a new mention with each that is stored


def alike(study: KnowingStudy) -> SimilarDocuments:
    """Take all texts for equally alike."""
    pairs = all_pairs(len(study.documents))
    return SimilarDocuments(pairs, np.ones(pairs.size))


def let_it_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all texts be alike, stored mentions the same, and the new one as likely with each as ODDS says."""

    def scores(compared: KnowingPairs, pairs: RowPairs) -> FloatArray:
        document = compared.mentions.document
        one, other = document[pairs.first], document[pairs.second]
        return np.where(other < MEMBERS, 9.0, ODDS[np.minimum(one, MEMBERS - 1)])

    monkeypatch.setattr(KnowingStudy, "alike", property(alike, lambda *_: None), raising=False)
    monkeypatch.setattr(KnowingPairs, "scores", scores)


def test_the_average_over_a_whole_entity_decides(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    let_it_rate(monkeypatch)
    store.add([text(f"t{number}", f"a{number}") for number in range(MEMBERS)])
    store.add([text("new", "a99")])
    (join,) = store.joins(2)
    assert join.average == pytest.approx(float(np.mean(1 / (1 + np.exp(-ODDS)))), abs=1e-9)
    assert len(partition(store)) == 1


def test_texts_that_were_replaced_and_texts_that_are_not_alike_are_not_chosen() -> None:
    alike = SimilarDocuments(
        RowPairs(np.array([0, 1, 2, 4]), np.array([5, 5, 5, 5])), np.array([0.3, 0.9, 0.5, 0.8])
    )
    lengths = np.array([10, 0, 10, 10, 15, 10])
    hood = np.array([5])
    assert most_alike(alike, hood, lengths, 100).tolist() == [4, 2, 0]
    assert most_alike(alike, hood, lengths, 30).tolist() == [4, 2]
    assert most_alike(alike, hood, lengths, 14).tolist() == []
    assert most_alike(SimilarDocuments.none(), hood, lengths, 100).tolist() == []


def let_it_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each mention have its words as a name, and no two be alike."""

    def names(study: KnowingStudy, mentions: MentionArrays) -> list[NamedMention]:
        columns = zip(*(column.tolist() for column in (mentions.document, *mentions[:2])), strict=True)
        words = [study.documents[document].words[start : end + 1] for document, start, end in columns]
        lower = [tuple(word.lower() for word in name) for name in words]
        return [
            NamedMention(MentionName(name, frozenset([name] * (name[1:] != ())), False)) for name in lower
        ]

    monkeypatch.setattr(KnowingStudy, "names", names, raising=False)
    monkeypatch.setattr(KnowingPairs, "scores", lambda _, pairs: np.full(pairs.size, -9.0))


@pytest.mark.parametrize("order", [("short", "long"), ("long", "short")])
def test_an_acronym_meets_the_name_that_it_stands_for_whenever_both_are_added(
    store: Store, monkeypatch: pytest.MonkeyPatch, order: tuple[str, ...]
) -> None:
    let_it_name(monkeypatch)
    texts = {"short": "NHTSA", "long": "National Highway Traffic Safety Administration", "else": "Oslo"}
    found = KnowingStudy.mentions

    def whole(study: KnowingStudy, number: int, kind: str, *_: object) -> MentionArrays:
        first = found(study, number, kind).chosen(slice(1))
        return first._replace(end=np.array([len(study.documents[number].words) - 1]))

    monkeypatch.setattr(KnowingStudy, "mentions", whole)
    monkeypatch.setattr("known_store.ord", lambda letter: builtins.ord(letter.lower()), raising=False)
    for name in (order[0], "else", order[1]):
        store.add([text(name, texts[name])])
    assert partition(store) == {frozenset({"short.NHTSA", "long.National"}), frozenset({"else.Oslo"})}
    assert store.joins()[0].reasons == ("both clusters are called by one name",)


def test_new_mentions_join_stored_ones_of_their_name_until_people_split_them(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_it_name(monkeypatch)
    store.add([text("one", "tessaro turin")])
    store.add([text("two", "tessaro oslo")])
    assert frozenset({"one.tessaro", "two.tessaro"}) in partition(store)
    assert store.joins()[0].reasons[0] == "both clusters are called by one name"
    store.undo(join=1)
    store.add([text("three", "oslo tessaro")])
    assert partition(store) == {
        frozenset({"one.tessaro", "three.tessaro"}), frozenset({"two.tessaro"}),
        frozenset({"two.oslo", "three.oslo"}), frozenset({"one.turin"}),
    }  # fmt: skip


def let_it_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all texts be alike; the first two are the same until a third one comes, which is like the first."""

    def scores(compared: KnowingPairs, pairs: RowPairs) -> FloatArray:
        document = compared.mentions.document
        one, other = document[pairs.first], document[pairs.second]
        known = document.max() >= 2
        wrong = (np.minimum(one, other) + 1 == np.maximum(one, other)) & (np.maximum(one, other) < 3)
        return np.where(known & wrong, -9.0, 9.0)

    monkeypatch.setattr(KnowingStudy, "alike", property(alike, lambda *_: None), raising=False)
    monkeypatch.setattr(KnowingPairs, "scores", scores)


def test_what_was_joined_is_taken_back_when_further_texts_show_that_it_was_wrong(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_it_learn(monkeypatch)
    store.add([text("one", "a1"), text("two", "a2")])
    assert [thing.id for thing in store.entities(1)] == ["e1"]
    added = store.add([text("three", "a3")])
    assert partition(store) == {frozenset({"one.a1", "three.a3"}), frozenset({"two.a2"})}
    assert {thing.id for thing in store.entities(1)} == {"e1", "e2"}
    assert store.entity("e1").documents.keys() == {"one", "three"}
    (taken,) = added.taken_back
    assert (taken.number, taken.said, taken.holds) == (1, ("a1", "a2"), False)
    assert store.joins()[0].why.startswith("taken apart when texts were added: ")
    assert "1 join taken back" in str(added)
    assert added.to_dict()["taken back"][0]["join"] == 1


def test_what_people_decided_is_not_decided_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    let_it_learn(monkeypatch)
    store.add([text("one", "a1"), text("two", "a2")])
    store.undo(join=1)
    store.merge("a1", "a2")
    store.add([text("three", "a3")])
    assert partition(store) == {frozenset({"one.a1", "two.a2", "three.a3"})}
    store.undo()  # of the merge; the split is left
    assert partition(store) == {frozenset({"one.a1", "three.a3"}), frozenset({"two.a2"})}
    store.split("a1", [("three", 0, 1)])
    store.add([text("four", "a4")])
    assert not any({"one.a1", "three.a3"} <= entity for entity in partition(store))
