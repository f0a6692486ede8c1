"""A store: texts are added in pieces, and it is as if all had been there; what people decide stays."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from known_store import KnowingStudy, let_it_know, partition, store, text
from referee.exceptions import FailureWarning, FormatError, RefereeError, SettingError
from referee.formats import read
from referee.model.text import Zero
from referee.resolvers.across.cluster_parts import fresh_pairs
from referee.resolvers.across.constants import NEAREST, OF_ONE_HEAD
from referee.resolvers.across.mentions import JoinedRows, MentionArrays
from referee.resolvers.across.store import files
from referee.resolvers.across.store.store import Store, open_store

__all__ = ["store"]
TEXTS = {"one": "a1 b1 c1", "two": "a2 b2 d2", "three": "c3 a3 e3"}
ALL = {
    frozenset({"one.a1", "two.a2", "three.a3"}), frozenset({"one.b1", "two.b2"}),
    frozenset({"one.c1", "three.c3"}), frozenset({"two.d2"}), frozenset({"three.e3"}),
}  # fmt: skip


def fill(store: Store, *names: str) -> None:
    store.add([text(name, TEXTS[name]) for name in names or TEXTS])


@pytest.mark.parametrize("order", [*permutations(TEXTS)], ids=" ".join)
def test_in_pieces_and_any_order_entities_are_those_of_all_at_once(
    store: Store, order: tuple[str, ...]
) -> None:
    for name in order:
        fill(store, name)
        assert open_store(store.path).texts == list(order[: order.index(name) + 1])
    assert partition(open_store(store.path)) == ALL


def test_what_is_there_is_not_read_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    read_numbers, mentions = list[int](), KnowingStudy.mentions

    def noting(study: KnowingStudy, number: int, *rest: Any) -> MentionArrays:
        read_numbers.append(number)
        return mentions(study, number, *rest)

    monkeypatch.setattr(KnowingStudy, "mentions", noting)
    fill(store, "one", "two")
    fill(store, "three")
    assert sorted(read_numbers) == [0, 1, 2]


def test_ids_stay_when_texts_are_added(store: Store) -> None:
    fill(store, "one", "two")
    before = {thing.name: thing.id for thing in store.entities()}
    fill(store, "three")
    assert before == {"a1": "e1", "b1": "e2"}
    assert {store.entity(id_).name[0] for id_ in before.values()} == {"a", "b"}
    assert len(store.entity("e1").mentions) == 3


def test_the_same_text_is_added_once_whatever_it_is_called(store: Store) -> None:
    fill(store, "one")
    added = store.add(
        [text("one", TEXTS["one"]), text("copy", TEXTS["one"]), text("new", "z1"), text("too", "z1")]
    )
    assert added.added == ("new",)
    assert added.same == (("one", "one"), ("copy", "one"), ("too", "new"))
    assert store.texts == ["one", "new"]


def test_a_changed_text_is_refused_or_replaces_the_old_one(store: Store) -> None:
    fill(store)
    with pytest.warns(FailureWarning, match="two: another text of this name is in the store"):
        refused = store.add([text("two", "b9 f9")])
    assert [failure.document for failure in refused.failures] == ["two"]
    assert partition(store) == ALL
    assert store.add([text("two", "b9 f9")], update=True).replaced == ("two",)
    assert sorted(store.texts) == ["one", "three", "two"]
    assert partition(open_store(store.path)) == {
        frozenset({"one.a1", "three.a3"}), frozenset({"one.b1", "two.b9"}),
        frozenset({"one.c1", "three.c3"}), frozenset({"two.f9"}), frozenset({"three.e3"}),
    }  # fmt: skip


def test_a_bad_text_is_a_named_failure_and_the_others_are_added(store: Store) -> None:
    with pytest.warns(FailureWarning, match="bad: ValueError: a text that cannot be read"):
        added = store.add([text("bad", "a !"), text("good", "a1"), text("fine", "a2")])
    assert ([failure.document for failure in added.failures], added.added) == (["bad"], ("good", "fine"))
    assert partition(store) == {frozenset({"good.a1", "fine.a2"})}
    with pytest.raises(RefereeError, match="bad"):
        store.add([text("bad", "a !")], strict=True)


def test_decisions_outlive_additions_and_the_last_one_can_be_taken_back(store: Store) -> None:
    fill(store, "one")
    merged = store.merge("a1", "b1")
    assert store.rename(merged.id, " Ann  Lee ").name == "Ann Lee"
    fill(store, "two")
    assert frozenset({"one.a1", "one.b1", "two.a2", "two.b2"}) in partition(store)
    assert store.entity("ann lee").id == "e1"
    assert store.split("Ann Lee", [("one", 1, 2), ("two", 1, 2)]).id == "e2"
    fill(store, "three")
    assert partition(open_store(store.path)) == ALL
    assert [decision.kind for decision in store.decisions] == ["merge", "rename", "split"]
    assert store.undo().kind == "split"
    assert frozenset({"one.a1", "one.b1", "two.a2", "two.b2", "three.a3"}) in partition(store)


def test_a_join_is_explained_and_undone_and_stays_undone(store: Store) -> None:
    fill(store, "one", "two")
    joins = store.joins()
    assert [(join.said, join.holds, join.entity) for join in joins] == [
        (("a1", "a2"), True, "e1"), (("b1", "b2"), True, "e2")
    ]  # fmt: skip
    assert joins[0].reasons == ("in both sentences: b1",)
    split = store.undo(join=1)
    assert (split.mentions, split.others) == ((("two", 0, 1),), (("one", 0, 1),))
    fill(store, "three")
    assert {frozenset({"one.a1", "three.a3"}), frozenset({"two.a2"})} <= partition(store)
    assert [join.holds for join in store.joins()][:2] == [False, True]
    with pytest.raises(SettingError, match="does not hold any more"):
        store.undo(join=1)


def test_a_join_of_a_text_that_was_replaced_is_undone_as_far_as_there_is_anything_left(store: Store) -> None:
    fill(store, "one", "two")
    store.add([text("two", "z1 z2")], update=True)
    with pytest.raises(SettingError, match="join 1 is of texts that were replaced"):
        store.undo(join=1)
    assert store.decisions == []
    fill(store, "three")
    store.undo(join=[join.said for join in store.joins()].index(("a1", "a3")) + 1)
    assert {frozenset({"one.a1"}), frozenset({"three.a3"})} <= partition(store)


def test_decisions_follow_the_words_of_a_text_that_is_replaced(store: Store) -> None:
    fill(store, "one", "two")
    store.merge("c1", "d2")
    store.rename("c1", "Cleo")
    store.merge("a1", "b1")
    changed = store.add([text("one", "new a1 b1 c1")], update=True)
    assert changed.notices == ()
    assert frozenset({"one.c1", "two.d2"}) in partition(store)
    assert store.entity("Cleo").documents.keys() == {"one", "two"}
    lost = store.add([text("one", "a1 b1")], update=True)
    assert lost.notices == ("2 decisions of people about words that the new texts do not have are dropped",)


def test_decisions_of_a_file_are_applied_also_before_their_texts_are_there(
    store: Store, tmp_path: Path
) -> None:
    path = tmp_path / "decided.jsonl"
    lines = [
        {"referee": "decisions", "version": 1},
        {"decision": "merge", "mentions": [["one", 2, 3], ["two", 2, 3]]},
    ]
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    fill(store, "one")
    assert store.apply(path) == [f"1 decision of {path}: mentions are not in the store (yet)"]
    fill(store, "two")
    assert frozenset({"one.c1", "two.d2"}) in partition(store)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda s: s.entity("nobody"), "nothing is called 'nobody'"),
        (lambda s: s.merge("a1", "e1"), "two different entities"),
        (lambda s: s.split("a1", [("one", 1, 2)]), r"has no mention \['one', 1, 2\]"),
        (lambda s: s.split("c1", [("one", 2, 3)]), "must take some mentions and leave others"),
        (lambda s: s.rename("a1", "  "), "cannot be empty"),
        (lambda s: s.undo(), "nothing was decided"),
        (lambda s: s.undo(join=99), "joins are numbered from 1 to 2, not 99"),
    ],
)
def test_what_cannot_be_decided_is_said(store: Store, wrong: object, said: str) -> None:
    fill(store, "one", "two")
    with pytest.raises(SettingError, match=said):
        wrong(store)  # type: ignore[operator]
    assert store.decisions == []


def test_a_name_of_several_entities_lists_their_ids(store: Store) -> None:
    fill(store, "one")
    store.rename("a1", "Lee")
    store.rename("b1", "Lee")
    with pytest.raises(
        SettingError, match=r"ambiguous: e1 \(Lee, in 1 text\), e2 \(Lee, in 1 text\); give an id"
    ):
        store.entity("lee")


def test_whatever_a_killed_process_left_is_not_seen_and_is_written_over(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After every write to any file there is a copy, which is what a kill at that moment would leave."""
    fill(store, "one", "two")
    before, moments = partition(store), list[Path]()

    def copied() -> None:
        moments.append(tmp_path / f"moment{len(moments)}")
        shutil.copytree(store.path, moments[-1])

    fsync, replaced = os.fsync, os.replace

    def synced(handle: int) -> None:
        copied()
        fsync(handle)

    def moved(*ends: Any) -> None:
        copied()
        replaced(*ends)
        copied()

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", moved)
    fill(store, "three")
    monkeypatch.undo()
    assert len(moments) >= 6
    let_it_know(monkeypatch)
    for moment in moments:
        left = open_store(moment)
        assert partition(left) in (before, ALL)
        fill(left)
        assert partition(open_store(moment)) == ALL
        assert not [*moment.glob(".*.unfinished")]


def test_two_processes_do_not_change_a_store_at_once(store: Store) -> None:
    fill(store, "one")
    with (
        files.changing(store.path),
        pytest.raises(FormatError, match="another process is changing the store"),
    ):
        fill(store, "two")
    fill(store, "two")


def test_a_store_keeps_to_its_model_and_settings(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(store, "one")
    with pytest.raises(SettingError, match="made with kind='all'"):
        open_store(store.path, kind="events").add([text("x", "a")])
    monkeypatch.setattr("referee.resolvers.across.store.growing.model_facts", lambda _: ("other 2", "else"))
    with pytest.raises(SettingError, match="made with the model knowing 1, and this is other 2"):
        fill(store, "two")
    with pytest.raises(SettingError, match="scope= does nothing with it"):
        open_store(store.path, scope="topic")


def test_what_is_no_store_or_damaged_or_newer_is_said(store: Store, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").touch()
    with pytest.raises(FormatError, match="neither empty nor a store"):
        open_store(tmp_path / "other")
    fill(store, "one")
    manifest = store.path / files.MANIFEST
    whole = manifest.read_text("utf-8")
    manifest.write_text(whole.replace('"version": 1', '"version": 2'), "utf-8")
    with pytest.raises(FormatError, match="version 2, and this Referee reads 1"):
        open_store(store.path)
    manifest.write_text("{", "utf-8")
    with pytest.raises(FormatError, match="not JSON"):
        open_store(store.path)
    manifest.write_text(whole, "utf-8")
    (store.path / files.MENTIONS).write_bytes(b"")
    with pytest.raises(FormatError, match=r"mentions\.bin: shorter than store\.json says"):
        open_store(store.path)


def test_a_store_is_exported_in_all_formats(store: Store, tmp_path: Path) -> None:
    fill(store)
    store.rename("a1", "Ann")
    store.export(tmp_path / "g.graphml")
    assert "Ann" in (tmp_path / "g.graphml").read_text("utf-8")
    store.export(tmp_path / "out.jsonl")
    response = read(tmp_path / "out.jsonl")
    assert response.cross_document
    assert {cluster.id for document in response for cluster in document.clusters} == {"e1", "e2", "e3"}
    assert len([c for d in store.documents(singletons=True) for c in d.clusters]) == 9


def test_running_text_keeps_its_characters(store: Store) -> None:
    store.add(["ann bob", "ann  sat"])
    (thing,) = [each for each in open_store(store.path).entities() if each.name == "ann"]
    assert [document.text.running for document, _ in thing.mentions] == ["ann bob", "ann  sat"]
    assert store.documents()[1].text.characters == ((0, 3), (5, 8))


def test_words_that_are_not_written_are_left_out(store: Store) -> None:
    store.add([replace(text("one", "a b c"), sentences=((0, 2),), zeros=(Zero(1),)), text("two", "c1 a1")])
    assert store.documents()[0].words == ("a", "b")
    assert partition(store) == {frozenset({"one.a", "two.a1"}), frozenset({"one.b"}), frozenset({"two.c1"})}


def test_rows_of_several_arrays_are_read_as_one() -> None:
    parts = [np.arange(6.0).reshape(3, 2), np.arange(6.0, 10).reshape(2, 2)]
    kept = np.array([0, 2, 3, 4])
    rows, whole = JoinedRows(parts, kept), np.concatenate(parts)[kept]
    assert len(rows) == 4
    for chosen in (np.array([3, 0, 3, 1]), slice(1, 3), np.array([], np.int64)):
        assert rows[chosen].tolist() == whole[chosen].tolist()


def test_fresh_parts_are_paired_with_their_nearest_of_all_and_of_their_bucket() -> None:
    random = np.random.default_rng(0)
    middles = random.normal(size=(60, 8)).astype(np.float32)
    middles /= np.linalg.norm(middles, axis=1, keepdims=True)
    bucket, fresh = random.integers(-1, 4, 60), np.arange(60) >= 50
    found = set(zip(*(side.tolist() for side in fresh_pairs(middles, [bucket], fresh)), strict=True))
    like = middles @ middles.T
    expected = set()
    for row in np.flatnonzero(fresh).tolist():
        others = [other for other in np.argsort(-like[row]).tolist() if other != row]
        of_bucket = [other for other in others if bucket[other] == bucket[row] >= 0]
        expected |= {
            (min(row, other), max(row, other)) for other in [*others[:NEAREST], *of_bucket[:OF_ONE_HEAD]]
        }
    assert found == expected
