"""Training from a corpus and an encoder's folder: it learns, it can be stopped, and goes on bit by bit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import torch

from referee.exceptions import FormatError, ProtocolError
from referee.model import Cluster, Document, Mention, Text
from referee.resolvers.neural.features import ALL_PRONOUN_CLASSES
from referee.resolvers.neural.running import Model
from referee.training.export.model import export_model, read_stored
from referee.training.within import Annotated, TrainingData, train_model
from toy_encoder import toy_tokenizer, write_encoder
from toy_story import story
from toy_training import named, settings, stop_after, training_data, weights


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    """What is this small is slower on several."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_encoder(tmp_path_factory.mktemp("encoder"))


@pytest.mark.parametrize("steps", [1, 3, 7])
def test_a_run_that_was_stopped_goes_on_bit_by_bit(
    encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    train_model(training_data(), encoder, whole, settings(), report=lambda _: None)
    with monkeypatch.context() as patched:
        stop_after(patched, steps)
        stopped = train_model(training_data(), encoder, parts, settings(), report=lambda _: None)
    assert stopped.stopping
    assert stopped.state.step == steps
    again = train_model(training_data(), encoder, parts, settings(), resume=True, report=lambda _: None)
    assert again.state.step == again.state.steps == 12
    one, other = weights(whole), weights(parts)
    assert one.keys() == other.keys()
    assert not [name for name in one if one[name].tobytes() != other[name].tobytes()]
    best, same = (weights(folder, "network") for folder in (whole, parts))
    assert not [name for name in best if best[name].tobytes() != same[name].tobytes()]


def test_a_run_that_was_not_resumed_would_not_have_the_same_bits(encoder: Path, tmp_path: Path) -> None:
    for seed in (1, 2):
        train_model(
            training_data(), encoder, tmp_path / str(seed), settings(seed=seed), report=lambda _: None
        )
    one, other = weights(tmp_path / "1"), weights(tmp_path / "2")
    assert [name for name in one if name.startswith("weight") and (one[name] != other[name]).any()]


def test_a_run_goes_on_only_with_the_same_settings_and_documents(encoder: Path, tmp_path: Path) -> None:
    short = settings(epochs=1)
    train_model(training_data(), encoder, tmp_path, short, report=lambda _: None)
    with pytest.raises(ProtocolError, match="already has a run"):
        train_model(training_data(), encoder, tmp_path, short)
    with pytest.raises(ProtocolError, match="started with other epochs, rate;"):
        train_model(training_data(), encoder, tmp_path, settings(epochs=2, rate=1.0), resume=True)
    other = training_data(train=[Annotated([story(), named(story(), "two")])])
    with pytest.raises(ProtocolError, match="started with other documents;"):
        train_model(other, encoder, tmp_path, short, resume=True)
    with pytest.raises(FormatError, match="no run to resume"):
        train_model(training_data(), encoder, tmp_path / "new", short, resume=True)


def test_a_run_ends_early_when_dev_gets_no_better(encoder: Path, tmp_path: Path) -> None:
    said: list[Any] = []
    still = settings(epochs=9, measures=9, patience=2, rate=0.0, head_rate=0.0, table_rate=0.0)
    trainer = train_model(training_data(), encoder, tmp_path, still, report=said.append)
    assert trainer.state.ended
    assert [facts["best"] for facts in said if facts["event"] == "dev"] == [True, False, False]
    again = train_model(training_data(), encoder, tmp_path, still, resume=True, report=said.append)
    assert again.state.step == trainer.state.step  # it stays ended


def test_a_run_ends_by_the_clock_before_its_epochs_do(
    encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = count()
    monkeypatch.setattr("referee.training.trainer.time.time", lambda: float(next(seconds)))
    trainer = train_model(
        training_data(), encoder, tmp_path, settings(epochs=900, minutes=0.5), report=lambda _: None
    )
    assert trainer.state.done == 1.0
    assert 5 < trainer.state.step < 30 < trainer.state.steps  # each step asks twice what time it is
    assert Model(tmp_path)


def test_without_patience_a_run_goes_to_its_end_keeps_the_best_and_may_be_resumed(
    encoder: Path, tmp_path: Path
) -> None:
    still = settings(epochs=3, measures=3, patience=0, rate=0.0, head_rate=0.0, table_rate=0.0)
    trainer = train_model(training_data(), encoder, tmp_path, still, report=lambda _: None)
    assert not trainer.state.ended
    assert trainer.state.idle == 2  # all measures but the first
    assert (tmp_path / "checkpoint.safetensors").exists()
    assert Model(tmp_path)


def test_a_smaller_vocabulary_is_the_same_in_all_files(encoder: Path, tmp_path: Path) -> None:
    train_model(training_data(vocabulary=1), encoder, tmp_path, settings(epochs=1), report=lambda _: None)
    model = Model(tmp_path)
    vocabulary = model.tokenizer.get_vocab()
    assert sorted(vocabulary.values()) == list(range(len(weights(tmp_path)["weight.encoder.pieces.weight"])))
    assert toy_tokenizer()["model"]["vocab"].keys() - vocabulary.keys() == {"дом"}
    pieces, _ = model.cut(["Ada", "zq", "дом"])
    known = [model.tokenizer.id_to_token(number) for number in pieces]
    assert known == ["ada", "z", "##q", "[UNK]"]


def test_a_pupil_learns_from_a_teacher_with_another_vocabulary(tmp_path: Path) -> None:
    bert, mpnet = write_encoder(tmp_path / "bert"), write_encoder(tmp_path / "mpnet", "mpnet")
    train_model(training_data(), mpnet, tmp_path / "teacher", settings(epochs=1), report=lambda _: None)
    taught = training_data(teachers=[tmp_path / "teacher"])
    for name, lesson in (("pupil", taught), ("alone", training_data())):
        train_model(lesson, bert, tmp_path / name, settings(epochs=1), report=lambda _: None)
    pupil, alone = weights(tmp_path / "pupil"), weights(tmp_path / "alone")
    name = "weight.head.product.weight"
    assert (pupil[name] != alone[name]).any()


def test_what_cannot_be_learnt_is_said(encoder: Path, tmp_path: Path) -> None:
    empty = Document(story().text, ())
    with pytest.raises(FormatError, match="no two mentions of one entity"):
        train_model(training_data(train=[Annotated([empty])]), encoder, tmp_path, settings())
    with pytest.raises(ProtocolError, match="no document to train on"):
        train_model(training_data(train=[Annotated([])]), encoder, tmp_path, settings())
    with pytest.raises(ProtocolError, match="give dev="):
        train_model(training_data(dev=[]), encoder, tmp_path, settings())
    other = Document.of("story 0", ["Other", "words"], [(0, 2)], [Cluster("a", (Mention.at(0, 1),))])
    with pytest.raises(FormatError, match="story 0: entities=… has other words"):
        train_model(training_data(entities={"story 0": other}), encoder, tmp_path, settings())


def test_two_documents_of_one_name_are_refused(encoder: Path, tmp_path: Path) -> None:
    again = Document.of("story 0", ["Other", "words", "."], [(0, 3)], [])
    data = training_data(unlabelled=[Annotated([again])])
    with pytest.raises(FormatError, match="story 0: two documents that are trained on have this name"):
        train_model(data, encoder, tmp_path, settings())


def test_a_corpus_of_another_language_is_read_by_its_words_and_on_top_of_a_model(tmp_path: Path) -> None:
    words = ("Anna", "kam", ".", "Sie", "lachte", "und", "nahm", "ihre", "Tasche", ".")
    clusters = (Cluster("1", (Mention.at(0, 1), Mention.at(3, 4), Mention.at(7, 8))),)
    document = Document(Text("d", words, ((0, 3), (3, 10))), clusters)
    data = TrainingData([Annotated([document])], [Annotated([document])], language="de")
    train_model(
        data, write_encoder(tmp_path / "encoder"), tmp_path / "one", settings(epochs=1), report=lambda _: None
    )
    facts = json.loads((tmp_path / "one" / "model.json").read_text("utf-8"))
    assert facts["languages"] == {"ontonotes": "de", "litbank": "de"}
    export_model(tmp_path / "one", tmp_path / "int8", int8=True)
    train_model(
        data, tmp_path / "int8", tmp_path / "two", settings(epochs=1, encoder_layers=1), report=lambda _: None
    )
    assert read_stored(tmp_path / "two" / "network.safetensors").sizes.pronouns == ALL_PRONOUN_CLASSES
