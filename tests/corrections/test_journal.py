"""The journal: what was confirmed is there again, whatever happens to the file after it."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from every_format import documents
from random_edits import random_document, random_edit
from referee.corrections import journal as journals
from referee.corrections.edits import EditError, edited
from referee.corrections.history import Step
from referee.corrections.journal import Journal, journal_folder, journal_name, opened_journal
from referee.corrections.reading import read_corrections, read_journal
from referee.corrections.state import is_same, state_of, to_document
from referee.exceptions import FormatError
from referee.model import Document


def opened(folder: Path, document: Document) -> Journal:
    return opened_journal(folder, document, made_by="annotation", source="d.conll", who="ann")


def edit(journal: Journal, **asked: Any) -> None:
    number, length = journal.history.revision + 1, len(journal.before.words)
    change = edited(journal.history.state, asked, length=length, number=number)
    journal.edit(Step(number, asked, change, "2026-01-01", "ann", "tab"), f"s{number}")


def do_anything(journal: Journal, rng: Random, times: int) -> None:
    """Edit, undo, redo and finish at random."""
    for _ in range(times):
        what = rng.random()
        if what < 0.2 and journal.history.past:
            journal.undo("tab")
        elif what < 0.3 and journal.history.future:
            journal.redo("tab")
        elif what < 0.35:
            journal.finish("tab", done=rng.random() < 0.5)
        else:
            try:
                edit(journal, **random_edit(rng, journal.history.state))
            except EditError:
                continue


def assert_same(one: Journal, other: Journal) -> None:
    assert is_same(one.history.state, other.history.state)
    assert [step.number for step in one.history.past] == [step.number for step in other.history.past]
    assert [step.number for step in one.history.future] == [step.number for step in other.history.future]
    assert (one.history.revision, one.history.done) == (other.history.revision, other.history.done)


@given(st.integers(0, 10**6))
def test_what_was_kept_is_there_again(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    folder, rng = tmp_path_factory.mktemp("j"), Random(seed)
    document = random_document(seed)
    journal = opened(folder, document)
    do_anything(journal, rng, 20)
    journal.close()
    again = opened(folder, document)
    assert_same(again, journal)
    assert is_same(again.history.base, journal.history.base)
    while journal.history.past:  # undoing goes on where it was
        journal.make()
        journal.undo("tab")
        again = Journal(journal.path, again.header, again.history.undone(journal.history.revision), document)
    assert is_same(again.history.state, state_of(document))
    journal.close()


@given(st.integers(0, 10**6))
def test_a_compacted_journal_says_the_same(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    folder, rng, document = tmp_path_factory.mktemp("j"), Random(seed), random_document(seed)
    journal = opened(folder, document)
    do_anything(journal, rng, 30)
    journal.make()
    before = journal.path.stat().st_size
    journal.compact()
    assert journal.path.stat().st_size <= before + 100
    again = opened(folder, document)
    assert_same(again, journal)
    do_anything(again, rng, 10)
    again.compact()
    again.close()
    assert_same(opened(folder, document), again)


def test_a_journal_is_compacted_when_most_of_it_is_of_no_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journals, "IDLE", 10)
    monkeypatch.setattr("os.fsync", lambda _file: None)
    document = documents()[0]
    journal = opened(tmp_path, document)
    for _ in range(6):
        edit(journal, op="detach", mention="m0")
        journal.undo("tab")
    edit(journal, op="delete", mention="m2")
    journal.close()
    lines = len(journal.path.read_text().splitlines())
    again = opened(tmp_path, document)
    assert (lines, len(again.path.read_text().splitlines())) == (14, 2)
    assert_same(again, journal)
    again.close()
    assert opened(tmp_path, document).path.read_text() == again.path.read_text()  # once is enough


def cut(path: Path, size: int) -> None:
    path.write_bytes(path.read_bytes()[:size])


def test_a_last_line_that_is_not_whole_is_left_out_and_said(tmp_path: Path) -> None:
    document = documents()[0]
    journal = opened(tmp_path, document)
    edit(journal, op="detach", mention="m0")
    whole = journal.path.stat().st_size
    edit(journal, op="delete", mention="m2")
    journal.close()
    full = journal.path.read_bytes()
    for size in range(whole, len(full)):
        cut(journal.path, size)
        again = opened(tmp_path, document)
        assert [step.op for step in again.history.past] == ["detach"]
        assert bool(again.notices) == (size > whole)
        assert all("the last line is not whole" in notice for notice in again.notices)
        again.close()
        assert journal.path.stat().st_size == whole  # so that the next edit is a line of its own
        journal.path.write_bytes(full)


def test_a_journal_of_which_no_line_is_whole_is_begun_again(tmp_path: Path) -> None:
    document = documents()[0]
    journal = opened(tmp_path, document)
    journal.make()
    journal.close()
    cut(journal.path, 40)
    again = opened(tmp_path, document)
    edit(again, op="detach", mention="m0")
    again.close()
    assert len(opened(tmp_path, document).history.past) == 1


DAMAGE = {
    "a line in the middle": ('"n": 1,', '"n": 1, x,', "not a line of a journal"),
    "a number": ('"n": 2', '"n": 1', "comes after 1"),
    "an entity": ('"entity": "e1"', '"entity": "e0"', "another annotation"),
    "the version": ('"journal": 1', '"journal": 9', "reads version 1"),
    "something else": ('"journal": 1', '"other": 1', "not a journal"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_journal_is_refused_with_what_to_do(tmp_path: Path, name: str) -> None:
    old, new, said = DAMAGE[name]
    document = documents()[0]
    journal = opened(tmp_path, document)
    edit(journal, op="detach", mention="m0")
    edit(journal, op="move", mention="m2", entity="e0")
    edit(journal, op="detach", mention="m2")
    journal.close()
    text = journal.path.read_text().replace(":", ": ").replace(",", ", ")
    assert old in text
    journal.path.write_text(text.replace(old, new, 1))
    with pytest.raises(FormatError, match=said) as refused:
        opened(tmp_path, document)
    assert journal.path.name in str(refused.value)


def test_a_journal_of_another_text_is_refused(tmp_path: Path) -> None:
    one, other = documents()
    journal = opened(tmp_path, one)
    edit(journal, op="detach", mention="m0")
    journal.close()
    with pytest.raises(FormatError, match="a journal of another text"):
        opened(tmp_path, other.with_text(id=one.id))


def test_another_annotation_of_the_same_text_is_said(tmp_path: Path) -> None:
    document = documents()[0]
    journal = opened(tmp_path, document)
    edit(journal, op="detach", mention="m0")
    journal.close()
    changed = Document(document.text, document.clusters[:1])
    again = opened(tmp_path, changed)
    assert "another annotation now" in again.notices[0]
    assert len(again.history.state.mentions) == 3
    again.close()


def test_two_cannot_write_into_one_folder(tmp_path: Path) -> None:
    said = "another workbench has this journal open"
    with journal_folder(tmp_path), pytest.raises(FormatError, match=said), journal_folder(tmp_path):
        pass
    with journal_folder(tmp_path):
        pass


def test_an_edit_is_on_the_disk_before_it_is_confirmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = opened(tmp_path, documents()[0])
    journal.make()
    synced: list[bytes] = []
    monkeypatch.setattr("os.fsync", lambda _file: synced.append(journal.path.read_bytes()))
    edit(journal, op="detach", mention="m0")
    assert b'"detach"' in synced[-1]
    assert synced[-1].endswith(b"\n")
    before = journal.path.read_bytes()

    def fail(_file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(FormatError, match="No space left"):
        edit(journal, op="delete", mention="m2")
    assert journal.path.read_bytes() == before
    assert [step.op for step in journal.history.past] == ["detach"]  # it is not in force either


def test_corrections_are_read_for_other_work(tmp_path: Path) -> None:
    document = documents()[0]
    journal = opened(tmp_path, document)
    edit(journal, op="move", mention="m2", entity="e0")
    edit(journal, op="detach", mention="m0")
    journal.undo("tab")
    journal.finish("tab", done=True)
    journal.close()
    (read,) = read_corrections(tmp_path)
    assert read.before == document
    assert (read.done, read.made_by) == (True, "annotation")
    assert [step.op for step in read.edits] == ["move"]
    assert read.after == to_document(journal.history.state, document)
    assert read.confirmed == {((3, 4),)}
    (same,) = read_corrections(journal.path)
    assert same.after == read.after
    with pytest.raises(FormatError, match="no journal is here"):
        read_corrections(tmp_path / "elsewhere")


def test_names_of_journals_differ_whatever_documents_are_called() -> None:
    names = [journal_name(each) for each in ("a/b", "a%2Fb", "A/b", "..", "x" * 500, "x" * 501, "\udce9")]
    assert len({name.casefold() for name in names}) == len(names)
    assert all("/" not in name and len(name.encode()) < 255 and not name.startswith(".") for name in names)


def test_a_journal_has_all_of_its_document(tmp_path: Path) -> None:
    for seed in range(20):
        document = random_document(seed)
        journal = opened(tmp_path / "", document.with_text(id=str(seed)))
        journal.make()
        journal.close()
        read = read_journal(journal.path)
        assert read is not None
        assert is_same(state_of(read.before), state_of(document))
        assert read.before.text == document.with_text(id=str(seed)).text
        assert json.loads(journal.path.read_text())["who"] == "ann"
