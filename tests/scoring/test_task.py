"""The task: what is opened, what it is called, and which protocol it is scored by."""

from __future__ import annotations

from pathlib import Path

import pytest

import referee
from referee import Protocol, formats
from referee.scoring.evaluate import evaluate
from referee.scoring.task import Task

SAMPLE = Path(referee.__file__).parent / "sample"
KEY, ALPHA, BETA = (str(SAMPLE / f"{name}.conll") for name in ("key", "alpha", "beta"))


def test_files_are_scored_with_their_names() -> None:
    results = evaluate(Task.of(KEY, [ALPHA, BETA]))
    assert [result.system for result in results] == ["alpha", "beta"]
    assert [round(100 * result.conll, 2) for result in results] == [75.08, 64.34]
    (muc,) = evaluate(Task.of(KEY, ALPHA, names=["mine"]), ["muc"])
    assert muc.system == "mine"
    assert list(muc.scores) == ["muc"]


@pytest.fixture
def corefud(tmp_path: Path) -> str:
    """A key in CorefUD's CoNLL-U, whose usual protocol is crac."""
    path = tmp_path / "key.conllu"
    formats.write(formats.read(KEY), path)
    return str(path)


def test_the_protocol_is_given_or_named_or_the_usual_one(corefud: str) -> None:
    assert Task.of(KEY, ALPHA).protocol == Protocol()
    assert Task.of(corefud, ALPHA).protocol == Protocol.parse("crac")
    assert Task.of(corefud, ALPHA, protocol="conll").protocol == Protocol()
    assert Task.of(corefud, ALPHA, protocol=Protocol(singletons="drop")).protocol.singletons == "drop"


def test_choices_are_put_over_the_protocol(corefud: str) -> None:
    assert Task.of(KEY, ALPHA, protocol="strict", choices={"singletons": "drop"}).protocol == Protocol(
        input="strict", singletons="drop"
    )
    assert Task.of(corefud, ALPHA, choices={"match": "exact"}).protocol.counting == "crac"


def test_ids_that_hold_in_the_corpus_leave_the_usual_protocol(corefud: str) -> None:
    task = Task.of(corefud, ALPHA, choices={"ids": "corpus"})
    assert task.key.cross_document
    assert task.responses[0].cross_document
    assert task.protocol.counting == "crac"
